/** Verifies one-time passcodes. */
import type { ChannelName } from '../../channels/channel.js';
import { secondsUntil, type Clock } from '../../clock.js';
import type { Keyring } from '../../crypto.js';
import { ApiError } from '../../errors.js';
import type { components } from '../../generated/api.js';
import type { Application } from '../applications/application.js';
import type { MessagesService } from '../messages/messages-service.js';
import type { SessionsService } from '../sessions/sessions-service.js';
import type { User } from '../sessions/users-store.js';
import { codePurpose } from './code.js';
import type { FoundSession, OtpSession, OtpStore } from './otp-store.js';

type Schemas = components['schemas'];

export interface VerifyDependencies {
  readonly store: OtpStore;
  readonly messages: MessagesService;
  readonly sessions: SessionsService;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

/** Verifies a code and answers a session token; throws the refusal. */
export type VerifyOtp = (
  application: Application,
  request: Schemas['VerifyOtpRequest'],
) => Promise<Schemas['SessionToken']>;

const MASK_ID = /^[0-9a-f]{32}$/;

/** Hash that no code has; it is compared with where there is no session, so that both take as long. */
const NO_HASH = '-.-';

export function createVerifyOtp({ store, messages, sessions, keyring, clock }: VerifyDependencies): VerifyOtp {
  /** The live session of a `maskId`, or the refusal in the order decided. */
  async function liveSession(application: Application, maskId: string, code: string): Promise<FoundSession> {
    const session = MASK_ID.test(maskId) ? await store.find(maskId) : undefined;
    if (!session || session.applicationId !== application.id || session.state !== 'live') {
      keyring.macMatches(NO_HASH, codePurpose(maskId), code);
      throw new ApiError('INVALID_OTP');
    }
    const now = clock.now();
    if (now >= session.expiresAt) throw new ApiError('OTP_EXPIRED');
    if (session.lockedUntil > now)
      throw new ApiError('OTP_LOCKED', { retryAfterSeconds: secondsUntil(session.lockedUntil, now) });
    return session;
  }

  /** Makes the session verified, once; of any number of right codes at one time, one gets here and wins. */
  function win(application: Application, session: OtpSession): Promise<User> {
    return store.transaction(async (trx) => {
      if (!(await store.win(trx, session, application.settings.limits))) throw new ApiError('INVALID_OTP');
      const identityType = session.recipient.startsWith('+') ? 'phone' : 'email';
      const key = { applicationId: application.id, identityType, identity: session.recipient } as const;
      return sessions.findOrCreateUser(trx, key, clock.now());
    });
  }

  /** The channel that carried the code: the plan's first, unless another one took over. */
  async function deliveredBy(session: OtpSession): Promise<ChannelName> {
    if (session.messageId === null) return session.channel;
    const outcome = await messages.outcomeOf(session.messageId);
    return outcome?.tried.find((attempt) => attempt.success)?.channel ?? session.channel;
  }

  return async (application, request) => {
    const maskId = request.maskId.toLowerCase();
    const given = String(request.otp);
    const session = await liveSession(application, maskId, given);
    if (!(await store.countGuess(session, application.settings.limits, clock.now()))) {
      // Another request locked or used it since it was read: say what is true now.
      await liveSession(application, maskId, given);
      throw new ApiError('INVALID_OTP');
    }
    // A spreadsheet drops the leading zeros of a number.
    const code = typeof request.otp === 'number' ? given.padStart(session.codeLength, '0') : given;
    if (!keyring.macMatches(session.codeHash, codePurpose(maskId), code)) throw new ApiError('INVALID_OTP');
    // Whatever can fail comes before the code is used up.
    const [key, channel] = await Promise.all([sessions.signingKey(), deliveredBy(session)]);
    const user = await win(application, session);
    return sessions.issue(key, application, user, channel);
  };
}
