/** Verifies session tokens with the service's public keys, which are cached. */
import { PassbellError } from './errors.js';
import type { TokenPurpose } from './types.js';

export interface TokenClaims {
  /** The `userId` that `verifyOtp` returned. */
  readonly userId: string;
  readonly channel: 'sms' | 'whatsapp' | 'voice' | 'email' | 'totp';
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  /** Identifies the token. */
  readonly id: string;
}

export interface TokenOptions {
  readonly purpose?: TokenPurpose | undefined;
}

interface Kind {
  readonly audience: string;
  readonly typ: string;
  readonly amr: string;
}

export interface TokenVerifierOptions {
  readonly serverUrl: string;
  readonly appKey: string;
  readonly issuer: string | undefined;
  readonly fetch: typeof fetch | undefined;
}

/**
 * Matches the codes of jose errors about the token itself, such as an invalid signature. Other errors concern the key
 * set.
 */
const TOKEN_ERROR = /^ERR_(JWT|JWS|JOSE_ALG|JOSE_NOT_SUPPORTED|JWKS_NO_MATCHING_KEY|JWKS_MULTIPLE)/;

function toPassbellError(cause: unknown, serverUrl: string): PassbellError {
  const code = String((cause as { code?: unknown }).code);
  if (code === 'ERR_JWT_EXPIRED') return new PassbellError('TOKEN_EXPIRED', 'token has expired', { cause });
  if (TOKEN_ERROR.test(code)) return new PassbellError('INVALID_TOKEN', 'invalid token', { cause });
  return new PassbellError('CONNECTION_FAILED', `the public keys of ${serverUrl} could not be loaded`, { cause });
}

export function createTokenVerifier({ serverUrl, appKey, issuer, fetch: customFetch }: TokenVerifierOptions) {
  const kinds: Record<TokenPurpose, Kind> = {
    login: { audience: appKey, typ: 'JWT', amr: 'otp' },
    'two-factor': { audience: `${appKey}/two-factor`, typ: 'two-factor+jwt', amr: 'totp' },
  };
  const keysUrl = new URL(`${serverUrl}/.well-known/jwks.json`);

  async function load() {
    const jose = await import('jose');
    const keys = jose.createRemoteJWKSet(keysUrl, customFetch ? { [jose.customFetch]: customFetch } : {});
    return { jwtVerify: jose.jwtVerify, keys };
  }

  let loaded: ReturnType<typeof load> | undefined;

  return async function verify(token: string, { purpose = 'login' }: TokenOptions): Promise<TokenClaims> {
    const { jwtVerify, keys } = await (loaded ??= load());
    const { amr, ...kind } = kinds[purpose];
    const { payload } = await jwtVerify(token, keys, {
      ...kind,
      algorithms: ['ES256'],
      // Without BASE_URL, the service issues tokens as `passbell`.
      issuer: issuer ?? [serverUrl, 'passbell'],
      requiredClaims: ['sub', 'iat', 'exp', 'jti', 'channel'],
    }).catch((error: unknown) => {
      throw toPassbellError(error, serverUrl);
    });
    if (!Array.isArray(payload.amr) || !payload.amr.includes(amr) || payload.aud !== kind.audience)
      throw new PassbellError('INVALID_TOKEN', 'invalid token');
    return {
      userId: payload.sub!,
      channel: payload.channel as TokenClaims['channel'],
      issuedAt: new Date(payload.iat! * 1000),
      expiresAt: new Date(payload.exp! * 1000),
      id: payload.jti!,
    };
  };
}
