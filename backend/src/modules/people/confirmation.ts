/**
 * Confirmations: before a change of access, people must prove their identity again, so that a stolen session
 * or an unlocked screen is not enough. A recent sign-in counts as confirmation.
 */
import type { Base } from '../../platform/base.js';
import { MINUTE } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { PasskeyResponse, PasskeySite } from './passkey.js';
import type { Passkeys } from './passkeys.js';
import type { PersonSecondFactor } from './person-second-factor.js';
import type { PersonSessions } from './person-sessions.js';
import type { PersonSession } from './person.js';
import { confirmationRules } from './sign-in-limits.js';
import type { SignIn } from './sign-in.js';
import type { SignInLog } from './sign-in-log.js';

/** How long a confirmation is valid: long enough for several changes. */
export const CONFIRMED_MINUTES = 15;

/** How a person without a passkey confirms their identity. `none`: not possible, because there is no email provider. */
export type ConfirmationMethod = 'authenticator' | 'email' | 'none';

export type Confirmation = ReturnType<typeof createConfirmation>;

interface Dependencies extends Pick<Base, 'clock' | 'keyring' | 'limiter'> {
  readonly signIn: SignIn;
  readonly secondFactor: PersonSecondFactor;
  readonly passkeys: Passkeys;
  readonly sessions: PersonSessions;
  readonly signInLog: SignInLog;
}

const contextOf = ({ tokenHash }: PersonSession): string => `confirmation:${tokenHash}`;

/** Limits the memory that codes use which nobody enters. */
const MAX_SENT_CODES = 1000;

export function createConfirmation(dependencies: Dependencies) {
  const { signIn, secondFactor, passkeys, sessions, signInLog, limiter, keyring, clock } = dependencies;

  /** The last code of each session that this process sent, for people who return to the page. */
  const sentCodes = new Map<string, string>();

  const isRecent = ({ confirmedAt }: PersonSession): boolean => confirmedAt + CONFIRMED_MINUTES * MINUTE > clock.now();

  async function methodOf(session: PersonSession): Promise<ConfirmationMethod> {
    if (await secondFactor.isOn(session)) return 'authenticator';
    return signIn.emailProvider() ? 'email' : 'none';
  }

  /** Emails a code. Returns its `maskId`, sealed so that only this session can use the code. */
  async function sendCode(session: PersonSession, requestId: string): Promise<string> {
    const { email } = session.person;
    await limiter.take(confirmationRules(email).codes);
    const sealed = keyring.seal(contextOf(session), await signIn.sendCodeTo(email, requestId));
    sentCodes.set(session.tokenHash, sealed);
    // Forgets codes that nobody entered, oldest first.
    if (sentCodes.size > MAX_SENT_CODES) sentCodes.delete(sentCodes.keys().next().value!);
    return sealed;
  }

  const lastSentCode = ({ tokenHash }: PersonSession): string => sentCodes.get(tokenHash) ?? '';

  function sentCodeOf(session: PersonSession, sealed: string): string {
    const code = keyring.openIfValid(contextOf(session), sealed);
    if (code === undefined) throw new ApiError('INVALID_OTP');
    return code;
  }

  /**
   * Confirms the session. Throws unless `code` is correct: an authenticator code if the person uses an authenticator,
   * otherwise the emailed code.
   */
  async function confirm(
    session: PersonSession,
    { code, sealed, source }: { code: string; sealed: string; source: string },
  ): Promise<void> {
    const { email } = session.person;
    await limiter.take(confirmationRules(email).guesses);
    try {
      if (await secondFactor.isOn(session)) await secondFactor.verify(session, code);
      else await signIn.checkCode(sentCodeOf(session, sealed), code);
    } catch (error) {
      if (error instanceof ApiError) signInLog.reportFailure(email, { method: 'confirmation of a session', source });
      throw error;
    }
    sentCodes.delete(session.tokenHash);
    await sessions.confirm(session);
  }

  async function confirmByPasskey(
    session: PersonSession,
    site: PasskeySite,
    response: PasskeyResponse,
  ): Promise<boolean> {
    const { tokenHash, person } = session;
    if ((await passkeys.verify(tokenHash, site, response)) !== person.email) return false;
    await sessions.confirm(session);
    return true;
  }

  return { isRecent, methodOf, sendCode, lastSentCode, confirm, confirmByPasskey };
}
