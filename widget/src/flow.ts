/** Which view follows which reply. */
import { UNREACHABLE, type Api, type Reply, type VerifyReply } from './api.js';
import { tellPage } from './callback.js';
import type { Card } from './card.js';
import { confirm, confirmOff, enterCode, enterRecovery } from './views/codes.js';
import { enrol } from './views/enrol.js';
import { loading } from './views/loading.js';
import { locked } from './views/locked.js';
import { recoveryCodes } from './views/recovery-codes.js';
import { enabled, trouble, turnedOff, turningOff, type Trouble } from './views/states.js';

/** Refusals that another try does not change: the page or the application is not set up for this. */
const MISPLACED: readonly string[] = [
  'MISSING_PARAMETERS',
  'INVALID_PARAMETER',
  'INVALID_CREDENTIALS',
  'INVALID_ENDPOINT',
  'INVALID_USER_TOKEN',
  'USER_TOKEN_REQUIRED',
  'APPLICATION_INACTIVE',
  'USER_INACTIVE',
  'ACCOUNT_BLOCKED',
];

function troubleOf(code: string): Trouble {
  if (code === UNREACHABLE) return 'unreachable';
  if (code === 'USER_TOKEN_EXPIRED') return 'signIn';
  return MISPLACED.includes(code) ? 'misplaced' : 'broken';
}

/** Limits that a person waits for; for others, such as an overloaded service, there is "try again". */
const LOCKS: readonly string[] = ['OTP_LOCKED', 'TOO_MANY_CALLS'];

export interface FlowParts {
  readonly api: Api;
  readonly card: Card;
  readonly identity: string;
}

export function createFlow({ api, card, identity }: FlowParts): { begin(): Promise<void> } {
  /** Recovery codes that are not used yet, as the last right code told. */
  let left: number | undefined;

  /** Shows why it did not work, and tells the page. `again` is what a person can come back to. */
  function fail(reply: Reply, again: () => void): void {
    const { message, code = '', retryAfterSeconds } = reply;
    tellPage({ success: false, message, code, ...(retryAfterSeconds ? { retryAfterSeconds } : {}) });
    if (retryAfterSeconds && LOCKS.includes(code))
      return card.show(locked(card, { seconds: retryAfterSeconds, over: again }));
    const kind = troubleOf(code);
    card.show(trouble(card, kind, kind === 'misplaced' || kind === 'signIn' ? undefined : again));
  }

  async function begin(): Promise<void> {
    card.show(loading(card));
    const state = await api.state();
    if (!state.success) return fail(state, begin);
    card.dress(state.design ?? {});
    return state.IsTOtpVerified ? enter() : startEnrolment();
  }

  async function startEnrolment(notice?: string): Promise<void> {
    card.show(loading(card));
    const reply = await api.enable();
    // It was turned on elsewhere in the meantime.
    if (reply.code === 'PROOF_REQUIRED') return begin();
    if (!reply.success) return fail(reply, startEnrolment);
    const scan = () => card.show(enrol(card, { reply, identity, notice, next: type }));
    const type = () => card.show(confirm(card, { submit: judge, back: scan }));
    const judge = async (otp: string) => {
      const verified = await api.verify(otp, reply.maskId);
      if (verified.code === 'ENROLMENT_EXPIRED') return void startEnrolment(card.texts.enrolAgain);
      return settle(verified, { wrong: card.texts.wrongCode, again: type });
    };
    scan();
  }

  function enter(): void {
    const submit = async (otp: string) => settle(await api.verify(otp), { wrong: card.texts.wrongCode, again: enter });
    card.show(enterCode(card, { submit, recovery: enterSaved }));
  }

  function enterSaved(): void {
    const submit = async (otp: string) =>
      settle(await api.verify(otp), { wrong: card.texts.wrongRecovery, again: enterSaved });
    card.show(enterRecovery(card, { submit, app: enter }));
  }

  /** Follows a judged code: answers the words for a wrong one, else shows what comes next. */
  function settle(reply: VerifyReply, { wrong, again }: { wrong: string; again(): void }): string | undefined {
    if (reply.code === 'INVALID_OTP') {
      tellPage({ success: false, message: reply.message, code: reply.code });
      return wrong;
    }
    if (!reply.success) {
      fail(reply, again);
      return undefined;
    }
    const { recoveryCodes: codes, ...session } = reply.data ?? {};
    left = session.recoveryCodesLeft;
    const done = () => {
      keep();
      tellPage({ success: true, message: reply.message, data: { IsTOtpVerified: true, ...session } });
    };
    // The page may leave as soon as it hears, and these are shown only once.
    if (codes) card.show(recoveryCodes(card, { codes, identity, done }));
    else done();
    return undefined;
  }

  const keep = () => card.show(enabled(card, { left, turnOff: askOff }));

  function askOff(): void {
    card.show(turningOff(card, { keep, turnOff: () => turnOff() }));
  }

  /** Without a code first: one that was verified a moment ago is proof enough for the service. */
  async function turnOff(): Promise<void> {
    card.show(loading(card, card.texts.checking));
    const reply = await api.disable();
    if (reply.code === 'PROOF_REQUIRED') return askOffCode();
    if (!reply.success) return fail(reply, askOff);
    turnedOffBy(reply);
  }

  const turnOffBy = (wrong: string, again: () => void) => async (otp: string) => {
    const reply = await api.disable(otp);
    return reply.success ? turnedOffBy(reply) : settle(reply, { wrong, again });
  };

  function askOffCode(): void {
    const submit = turnOffBy(card.texts.wrongCode, askOffCode);
    card.show(confirmOff(card, { submit, recovery: askOffSaved, keep }));
  }

  function askOffSaved(): void {
    const submit = turnOffBy(card.texts.wrongRecovery, askOffSaved);
    card.show(enterRecovery(card, { submit, app: askOffCode }));
  }

  function turnedOffBy({ message }: Reply): undefined {
    card.show(turnedOff(card, { turnOn: () => void startEnrolment() }));
    tellPage({ success: true, message, data: { IsTOtpVerified: false } });
  }

  return { begin };
}
