/** Selects the next view for each reply. */
import { UNREACHABLE, type Api, type Reply, type VerifyReply } from './api.js';
import { notifyPage } from './callback.js';
import type { Card } from './card.js';
import { confirm, confirmOff, enterCode, enterRecovery } from './views/codes.js';
import { enrol } from './views/enrol.js';
import { loading } from './views/loading.js';
import { locked } from './views/locked.js';
import { recoveryCodes } from './views/recovery-codes.js';
import { enabled, failure, turnedOff, turningOff, type FailureKind } from './views/states.js';

/** Errors in the configuration of the page or the application, which a retry does not fix. */
const CONFIGURATION_ERRORS: readonly string[] = [
  'MISSING_PARAMETERS',
  'INVALID_PARAMETER',
  'INVALID_CREDENTIALS',
  'INVALID_ENDPOINT',
  'INVALID_USER_TOKEN',
  'USER_TOKEN_REQUIRED',
  'APPLICATION_INACTIVE',
  'USER_INACTIVE',
  'ACCOUNT_BLOCKED',
  'WIDGET_OFF',
];

function failureKindOf(code: string): FailureKind {
  if (code === UNREACHABLE) return 'unreachable';
  if (code === 'USER_TOKEN_EXPIRED') return 'signIn';
  return CONFIGURATION_ERRORS.includes(code) ? 'misplaced' : 'broken';
}

/** Limits that are shown with a countdown. Others, such as an overloaded service, have a retry button. */
const LOCK_CODES: readonly string[] = ['OTP_LOCKED', 'TOO_MANY_CALLS'];

interface CodeForm {
  /** Error message for a wrong code. */
  readonly wrong: string;
  /** Shows the form again. */
  again(): void;
  /** Opens the form for recovery codes. */
  recovery?: () => void;
}

export interface FlowOptions {
  readonly api: Api;
  readonly card: Card;
  readonly identity: string;
  /** Resolves when the card has texts. */
  readonly ready: Promise<void>;
}

export function createFlow({ api, card, identity, ready }: FlowOptions): { begin(): Promise<void> } {
  /** Number of unused recovery codes, from the last successful verification. */
  let left: number | undefined;

  /** Shows a failure and notifies the page. `again` returns to the previous view. */
  function fail(reply: Reply, again: () => void, recovery?: () => void): void {
    const { message, code = '', retryAfterSeconds } = reply;
    notifyPage({ success: false, message, code, ...(retryAfterSeconds ? { retryAfterSeconds } : {}) });
    if (retryAfterSeconds && LOCK_CODES.includes(code))
      return card.show(locked(card, { seconds: retryAfterSeconds, onExpire: again, recovery }));
    const kind = failureKindOf(code);
    card.show(failure(card, kind, kind === 'misplaced' || kind === 'signIn' ? undefined : again));
  }

  async function begin(): Promise<void> {
    const state = await api.state();
    await ready;
    if (!state.success) return fail(state, restart);
    await card.applyDesign(state.design ?? {});
    return state.IsTOtpVerified ? askCode() : startEnrolment();
  }

  function restart(): void {
    card.show(loading(card));
    void begin();
  }

  async function startEnrolment(notice?: string): Promise<void> {
    card.show(loading(card));
    const reply = await api.enable();
    // Two-factor authentication was turned on elsewhere in the meantime.
    if (reply.code === 'PROOF_REQUIRED') return begin();
    if (!reply.success) return fail(reply, startEnrolment);
    const scan = () => card.show(enrol(card, { reply, identity, notice, next: type }));
    const type = () => card.show(confirm(card, { submit, back: scan }));
    const submit = async (otp: string) => {
      const verified = await api.verify(otp, reply.maskId);
      if (verified.code === 'ENROLMENT_EXPIRED') return void startEnrolment(card.texts.enrolAgain);
      return handleVerification(verified, { wrong: card.texts.wrongCode, again: type });
    };
    scan();
  }

  function askCode(): void {
    const submit = async (otp: string) =>
      handleVerification(await api.verify(otp), {
        wrong: card.texts.wrongCode,
        again: askCode,
        recovery: askRecoveryCode,
      });
    card.show(enterCode(card, { submit, recovery: askRecoveryCode }));
  }

  function askRecoveryCode(): void {
    const submit = async (otp: string) =>
      handleVerification(await api.verify(otp), { wrong: card.texts.wrongRecovery, again: askRecoveryCode });
    card.show(enterRecovery(card, { submit, app: askCode }));
  }

  /** Handles the reply to a code: returns the error message for a wrong one, else shows the next view. */
  function handleVerification(reply: VerifyReply, { wrong, again, recovery }: CodeForm): string | undefined {
    const blocked = reply.code === 'TWO_FACTOR_BLOCKED';
    if (blocked || reply.code === 'INVALID_OTP') {
      notifyPage({ success: false, message: reply.message, code: reply.code });
      // Every code form has a button for recovery codes, which still work.
      return blocked ? `${card.texts.lockedTitle}. ${card.texts.recoveryLead}` : wrong;
    }
    if (!reply.success) {
      fail(reply, again, recovery);
      return undefined;
    }
    const { recoveryCodes: codes, ...session } = reply.data ?? {};
    left = session.recoveryCodesLeft;
    const done = () => {
      showEnabled();
      notifyPage({ success: true, message: reply.message, data: { IsTOtpVerified: true, ...session } });
    };
    // Notifies the page only after the recovery codes are saved, because the page may navigate away.
    if (codes) card.show(recoveryCodes(card, { codes, identity, done }));
    else done();
    return undefined;
  }

  const showEnabled = () => card.show(enabled(card, { left, turnOff: confirmTurnOff }));

  function confirmTurnOff(): void {
    card.show(turningOff(card, { keep: showEnabled, turnOff: () => turnOff() }));
  }

  /** Tries without a code first, because a recent verification is sufficient for the service. */
  async function turnOff(): Promise<void> {
    card.show(loading(card, card.texts.checking));
    const reply = await api.disable();
    if (reply.code === 'PROOF_REQUIRED') return askTurnOffCode();
    if (!reply.success) return fail(reply, confirmTurnOff);
    finishTurnOff(reply);
  }

  const turnOffWith = (form: CodeForm) => async (otp: string) => {
    const reply = await api.disable(otp);
    return reply.success ? finishTurnOff(reply) : handleVerification(reply, form);
  };

  function askTurnOffCode(): void {
    const submit = turnOffWith({
      wrong: card.texts.wrongCode,
      again: askTurnOffCode,
      recovery: askTurnOffRecoveryCode,
    });
    card.show(confirmOff(card, { submit, recovery: askTurnOffRecoveryCode, keep: showEnabled }));
  }

  function askTurnOffRecoveryCode(): void {
    const submit = turnOffWith({ wrong: card.texts.wrongRecovery, again: askTurnOffRecoveryCode });
    card.show(enterRecovery(card, { submit, app: askTurnOffCode }));
  }

  function finishTurnOff({ message }: Reply): undefined {
    card.show(turnedOff(card, { turnOn: () => void startEnrolment() }));
    notifyPage({ success: true, message, data: { IsTOtpVerified: false } });
  }

  return { begin };
}
