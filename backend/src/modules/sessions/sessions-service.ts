/** Session tokens: issued when a code is verified, then validated and revoked by the site's server. */
import type { JWTPayload } from 'jose';
import type { Knex } from 'knex';
import { SECOND, type Clock } from '../../platform/clock.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import { random, sha256 } from '../../platform/crypto.js';
import type { Application } from '../applications/application.js';
import { maskRecipient } from '../recipients/recipient.js';
import { signJwt } from './sign-jwt.js';
import { TOKEN_SECONDS, type SigningKey } from './signing-key.js';
import type { SigningKeys } from './signing-keys.js';
import type { TokensStore } from './tokens-store.js';
import type { User } from './user.js';
import type { UsersStore } from './users-store.js';

type SessionToken = Schemas['SessionToken'];
type VerifiedToken = Schemas['VerifyTokenReply']['data'];

export type SessionsService = ReturnType<typeof createSessionsService>;

type Claims = Required<Pick<JWTPayload, 'sub' | 'jti' | 'iat' | 'exp'>> & { readonly channel: string };

type Purpose = Schemas['VerifyTokenRequest']['purpose'];

/**
 * JWT type and claims by purpose. A two-factor token only proves that someone has an authenticator: the user may be
 * unverified, because the public App Key is enough to get a token. It therefore differs from a login token in `typ`,
 * `amr` and `aud`.
 */
const TOKEN_KINDS: Readonly<
  Record<Purpose, { typ: string; amr: readonly string[]; audience(appKey: string): string }>
> = {
  login: { typ: 'JWT', amr: ['otp'], audience: (appKey) => appKey },
  'two-factor': { typ: 'two-factor+jwt', amr: ['totp'], audience: (appKey) => `${appKey}/two-factor` },
};

const TOKEN_ID_BYTES = 16;
const tokenIdOf = (verificationId: string): string =>
  Buffer.from(sha256(`token:${verificationId}`), 'hex')
    .subarray(0, TOKEN_ID_BYTES)
    .toString('base64url');

const purposeOf = (channel: string): Purpose => (channel === 'totp' ? 'two-factor' : 'login');

/** Functions with which the dashboard shows and changes the users of an application. */
function createUserAccess(users: UsersStore, tokens: TokensStore, clock: Clock) {
  /** Returns when the session of a verified code ends; undefined if it has expired or was revoked. */
  async function sessionEndOf(maskId: string, verifiedAt: number, endedAt: number): Promise<number | undefined> {
    const issuedAt = Math.floor(verifiedAt / SECOND) * SECOND;
    const end = issuedAt + TOKEN_SECONDS * SECOND;
    if (end <= clock.now() || issuedAt <= endedAt || (await tokens.isRevoked(tokenIdOf(maskId)))) return undefined;
    return end;
  }

  /** Revokes all tokens of the users with this address. Returns the number of users. */
  const endSessions = (trx: Knex, application: Application, address: string): Promise<number> =>
    users.endSessions(trx, application.id, address, clock.now());

  return {
    sessionEndOf,
    endSessions,
    findUser: users.findById,
    usersOf: users.listByAddress,
    usersPage: users.page,
    countUsers: users.count,
  };
}

export function createSessionsService(
  users: UsersStore,
  tokens: TokensStore,
  keys: SigningKeys,
  clock: Clock,
  issuer: string,
) {
  /** Throws unless the token is valid and was issued for one of `purposes`. */
  async function claimsOf(application: Application, token: string, purposes: readonly Purpose[]): Promise<Claims> {
    const keyOf = async ({ kid }: { kid?: string }) => {
      const key = kid === undefined ? undefined : await keys.publicKey(kid);
      if (!key) throw new ApiError('INVALID_TOKEN');
      return key;
    };
    // Imported dynamically, because many sites verify tokens themselves, with the published keys.
    const { errors, jwtVerify } = await import('jose');
    try {
      const { payload, protectedHeader } = await jwtVerify<Claims>(token, keyOf, {
        algorithms: ['ES256'],
        issuer,
        audience: purposes.map((purpose) => TOKEN_KINDS[purpose].audience(application.appKey)),
        requiredClaims: ['iss', 'sub', 'aud', 'iat', 'exp', 'jti', 'channel'],
        currentDate: new Date(clock.now()),
      });
      // Version 0.1 issued two-factor tokens with the audience of login tokens. Only the `channel` claim tells them
      // apart.
      const { typ, audience } = TOKEN_KINDS[purposeOf(payload.channel)];
      if (protectedHeader.typ !== typ || payload.aud !== audience(application.appKey))
        throw new ApiError('INVALID_TOKEN');
      return payload;
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new ApiError('TOKEN_EXPIRED');
      if (error instanceof errors.JOSEError) throw new ApiError('INVALID_TOKEN');
      throw error;
    }
  }

  function sign(
    key: SigningKey,
    application: Application,
    user: User,
    channel: ChannelName | 'TOTP',
    { id = random.base64url(TOKEN_ID_BYTES), at = clock.now() } = {},
  ): SessionToken {
    const issuedAt = Math.floor(at / SECOND);
    const verified = user.verified ? {} : { verified: false };
    const tokenChannel = channel.toLowerCase();
    const { typ, amr, audience } = TOKEN_KINDS[purposeOf(tokenChannel)];
    const token = signJwt(key, typ, {
      channel: tokenChannel,
      ...verified,
      amr,
      iss: issuer,
      sub: user.userId,
      aud: audience(application.appKey),
      iat: issuedAt,
      exp: issuedAt + TOKEN_SECONDS,
      jti: id,
    });
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

  /**
   * Issues a token to a user who has verified an identity over `channel`. All tokens with the same `id` are the same
   * token with different signatures, so that revoking one revokes all.
   */
  const issue = (
    key: SigningKey,
    application: Application,
    user: User,
    channel: ChannelName,
    { id, at }: { id: string; at: number },
  ): SessionToken => sign(key, application, user, channel, { id: tokenIdOf(id), at });

  /**
   * Issues a token to a user who has verified a second factor. This does not verify the identity: `user.verified` is
   * true if the site's server vouched for the identity.
   */
  const issueTwoFactorToken = (key: SigningKey, application: Application, user: User): SessionToken =>
    sign(key, application, user, 'TOTP');

  async function verify(application: Application, token: string, purpose: Purpose): Promise<VerifiedToken> {
    const claims = await claimsOf(application, token, [purpose]);
    if (await tokens.isRevoked(claims.jti)) throw new ApiError('TOKEN_REVOKED');
    const user = await users.findById(claims.sub);
    if (!user || user.applicationId !== application.id) throw new ApiError('INVALID_TOKEN');
    // `iat` is in whole seconds, so tokens of the second in which the sessions were ended are revoked, too.
    if (claims.iat * SECOND <= user.sessionsEndedAt) throw new ApiError('TOKEN_REVOKED');
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
      const claims = await claimsOf(application, token, ['login', 'two-factor']);
      await tokens.revoke(claims.jti, claims.exp * SECOND);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'TOKEN_EXPIRED')) throw error;
    }
  }

  return {
    findOrCreateUsers: users.findOrCreate,
    /** Deletes the users with this address, which invalidates their tokens. Returns the number of users. */
    eraseUsers: users.erase,
    ...createUserAccess(users, tokens, clock),
    /** Deletes an application's unverified users with this address. */
    deleteUnverifiedUsers: users.deleteUnverified,
    /**
     * Returns the key for {@link issue}. Call this before a code is marked as used: if the key cannot be loaded, the
     * code stays valid.
     */
    signingKey: keys.current,
    issue,
    issueTwoFactorToken,
    verify,
    revoke,
    jwks: keys.jwks,
  };
}
