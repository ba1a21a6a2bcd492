/** Session tokens: issued after a verified code, validated and revoked by the site's server. */
import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { SECOND, type Clock } from '../../platform/clock.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import { random } from '../../platform/crypto.js';
import type { Application } from '../applications/application.js';
import { maskRecipient } from '../recipients/recipient.js';
import { TOKEN_SECONDS, type SigningKey } from './signing-key.js';
import type { SigningKeys } from './signing-keys.js';
import type { TokensStore } from './tokens-store.js';
import type { User } from './user.js';
import type { UsersStore } from './users-store.js';

type SessionToken = Schemas['SessionToken'];
type VerifiedToken = Schemas['VerifyTokenReply']['data'];

export type SessionsService = ReturnType<typeof createSessionsService>;

type Claims = Required<Pick<JWTPayload, 'sub' | 'jti' | 'iat' | 'exp'>> & { readonly channel: string };

export function createSessionsService(
  users: UsersStore,
  tokens: TokensStore,
  keys: SigningKeys,
  clock: Clock,
  issuer: string,
) {
  async function claimsOf(application: Application, token: string): Promise<Claims> {
    const keyOf = async ({ kid }: { kid?: string }) => {
      const key = kid === undefined ? undefined : await keys.publicKey(kid);
      if (!key) throw new ApiError('INVALID_TOKEN');
      return key;
    };
    try {
      const { payload } = await jwtVerify(token, keyOf, {
        algorithms: ['ES256'],
        issuer,
        audience: application.appKey,
        requiredClaims: ['iss', 'sub', 'aud', 'iat', 'exp', 'jti', 'channel'],
        currentDate: new Date(clock.now()),
      });
      return payload as JWTPayload & Claims;
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new ApiError('TOKEN_EXPIRED');
      if (error instanceof errors.JOSEError) throw new ApiError('INVALID_TOKEN');
      throw error;
    }
  }

  /**
   * Issues a token to a user who has verified an identity over `channel`, or a second factor (`TOTP`). A second factor does
   * not verify the identity: then `user.verified` says whether the site's server vouched for it.
   */
  async function issue(
    { kid, privateKey }: SigningKey,
    application: Application,
    user: User,
    channel: ChannelName | 'TOTP',
  ): Promise<SessionToken> {
    const issuedAt = Math.floor(clock.now() / SECOND);
    const verified = user.verified ? {} : { verified: false };
    const token = await new SignJWT({ channel: channel.toLowerCase(), amr: ['otp'], ...verified })
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid })
      .setIssuer(issuer)
      .setSubject(user.userId)
      .setAudience(application.appKey)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + TOKEN_SECONDS)
      .setJti(random.base64url(16))
      .sign(privateKey);
    return {
      tokenType: 'Bearer',
      token,
      expiresIn: TOKEN_SECONDS,
      user: {
        email: user.identityType === 'email' ? user.identity : '',
        phone: user.identityType === 'phone' ? user.identity : '',
        userId: user.userId,
        userApplicationId: user.userApplicationId,
      },
    };
  }

  async function verify(application: Application, token: string): Promise<VerifiedToken> {
    const claims = await claimsOf(application, token);
    if (await tokens.isRevoked(claims.jti)) throw new ApiError('TOKEN_REVOKED');
    const user = await users.findById(claims.sub);
    if (!user || user.applicationId !== application.id) throw new ApiError('INVALID_TOKEN');
    return {
      userId: user.userId,
      identities: {
        identityType: user.identityType,
        identityValue: maskRecipient(user.identity),
        channel: claims.channel as VerifiedToken['identities']['channel'],
        verified: user.verified,
        verifiedAt: String(claims.iat),
      },
    };
  }

  async function revoke(application: Application, token: string): Promise<void> {
    try {
      const claims = await claimsOf(application, token);
      await tokens.revoke(claims.jti, claims.exp * SECOND);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'TOKEN_EXPIRED')) throw error;
    }
  }

  return {
    findOrCreateUsers: users.findOrCreate,
    /** Returns the key for {@link issue}. Get it before a code is used up, because this can fail. */
    signingKey: keys.current,
    issue,
    verify,
    revoke,
    jwks: keys.jwks,
  };
}
