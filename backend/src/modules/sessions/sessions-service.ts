/** Session tokens: issued after a verified code, validated and revoked by the site's server. */
import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import type { ChannelName } from '../../providers/provider.js';
import { SECOND, type Clock } from '../../platform/clock.js';
import { random } from '../../platform/crypto.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { components } from '../../platform/contract/generated/api.js';
import { TOKEN_SECONDS } from '../../platform/limits.js';
import type { Application } from '../applications/application.js';
import { maskRecipient } from '../recipients/recipient.js';
import type { SigningKey, SigningKeys } from './signing-keys.js';
import type { TokensStore } from './tokens-store.js';
import type { User, UsersStore } from './users-store.js';

type SessionToken = components['schemas']['SessionToken'];
type Identity = components['schemas']['VerifyTokenReply']['data'];

export interface SessionsDependencies {
  readonly users: UsersStore;
  readonly tokens: TokensStore;
  readonly keys: SigningKeys;
  readonly clock: Clock;
  /** The `iss` claim. */
  readonly issuer: string;
}

export type SessionsService = ReturnType<typeof createSessionsService>;

interface Claims extends JWTPayload {
  readonly sub: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
  readonly channel: string;
}

const REQUIRED_CLAIMS = ['iss', 'sub', 'aud', 'iat', 'exp', 'jti', 'channel'];

export function createSessionsService({ users, tokens, keys, clock, issuer }: SessionsDependencies) {
  /** The claims of a token of this application whose signature and time are right; throws the refusal otherwise. */
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
        requiredClaims: REQUIRED_CLAIMS,
        currentDate: new Date(clock.now()),
      });
      return payload as Claims;
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new ApiError('TOKEN_EXPIRED');
      if (error instanceof errors.JOSEError) throw new ApiError('INVALID_TOKEN');
      throw error;
    }
  }

  return {
    findOrCreateUsers: users.findOrCreate,

    /** The key that signs now: what {@link issue} needs, fetched while nothing is used up yet. */
    signingKey: () => keys.current(),

    /**
     * A token of {@link TOKEN_SECONDS} for a user who has just proved an identity over `channel`, or a second factor
     * (TOTP), which says nothing of the identity by itself: then the user tells whether somebody else knows it.
     */
    async issue(
      { kid, privateKey }: SigningKey,
      application: Application,
      user: User,
      channel: ChannelName | 'TOTP',
    ): Promise<SessionToken> {
      const issuedAt = Math.floor(clock.now() / SECOND);
      const token = await new SignJWT({
        channel: channel.toLowerCase(),
        amr: ['otp'],
        ...(user.verified ? {} : { verified: false }),
      })
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
    },

    async verify(application: Application, token: string): Promise<Identity> {
      const claims = await claimsOf(application, token);
      if (await tokens.isRevoked(claims.jti)) throw new ApiError('TOKEN_REVOKED');
      const user = await users.findById(claims.sub);
      if (!user || user.applicationId !== application.id) throw new ApiError('INVALID_TOKEN');
      return {
        userId: user.userId,
        identities: {
          identityType: user.identityType,
          identityValue: maskRecipient(user.identity),
          channel: claims.channel as Identity['identities']['channel'],
          verified: user.verified,
          verifiedAt: String(claims.iat),
        },
      };
    },

    /** Ends the session of a token; one that has already ended stays ended. */
    async revoke(application: Application, token: string): Promise<void> {
      try {
        const claims = await claimsOf(application, token);
        await tokens.revoke(claims.jti, claims.exp * SECOND);
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'TOKEN_EXPIRED')) throw error;
      }
    },

    jwks: () => keys.jwks(),

    cleanUp: (): Promise<void> => tokens.cleanUp(clock.now()),
  };
}
