/** Sends one-time passcodes. */
import { MINUTE, SECOND, type Clock } from '../../platform/clock.js';
import { ApiError, failure } from '../../platform/contract/errors.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import { random, type Keyring } from '../../platform/crypto.js';
import type { Write, Writer } from '../../platform/db/transaction.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import { sendWindows, type Rule } from '../../platform/rate-limit/rule.js';
import { withinLimits } from '../../platform/rate-limit/within-limits.js';
import type { Application } from '../applications/application.js';
import type { FraudGuard } from '../fraud/fraud-guard.js';
import type { IdempotencyService, RecordResult } from '../idempotency/idempotency-service.js';
import { accountLimits, budgetsOf } from '../messages/account-limits.js';
import { channelOf } from '../../platform/contract/auth-types.js';
import { certainlyNotSent, newMessageId, type MessageDraft, type Outcome } from '../messages/message.js';
import type { MessagesService } from '../messages/messages-service.js';
import { burstRule, planSend, testOutcome, type ProviderFor, type SendPlan } from '../messages/send-plan.js';
import { sendEnvelope, replyTextOf } from '../messages/send-results.js';
import { chooseLanguage, languageVariables } from '../templates/language-codes.js';
import { codeSpaceOf } from './guess-rules.js';
import { codeContext, recipientKeyOf, type OtpSession } from './otp-session.js';
import type { OtpStore } from './otp-store.js';

type SendRequest = Schemas['SendOtpRequest'];
export type SendOtpReply = Schemas['SendOtpReply'] | Schemas['Failure'];

/**
 * Factors for `cooldownSeconds` after the first, second and later sends within ten minutes. By default: 30, 60, 120 s.
 */
const COOLDOWN_STEPS = [1, 2, 4] as const;

export interface SendDependencies {
  readonly store: OtpStore;
  readonly write: Writer;
  readonly messages: MessagesService;
  readonly idempotency: IdempotencyService;
  readonly limiter: Limiter;
  readonly fraud: Pick<FraudGuard, 'planFor' | 'guard'>;
  readonly providerFor: ProviderFor;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** Default language and country for voice calls, such as `en-US`. */
  readonly voiceLanguage: string;
  readonly currency: () => string;
}

export interface SendOptions {
  readonly idempotencyKey: string | undefined;
  readonly requestId: string;
  /** Called if an earlier request with the same Idempotency-Key determines the reply. */
  readonly onRepeat?: () => void;
  /** Key for counting sends and guesses. By default, all variants of an email address or phone number share one key. */
  readonly limitKey?: string;
  /** How long to wait for the first delivery outcome, in milliseconds. The default is `SEND_WAIT_MS`. */
  readonly waitMs?: number | undefined;
}

/**
 * Sends a code, at most once per Idempotency-Key. Throws if the request is rejected; returns a failure reply if the
 * send fails.
 */
export type SendOtp = (application: Application, request: SendRequest, options: SendOptions) => Promise<SendOtpReply>;

function sendRules(application: Application, { testCode }: SendPlan, recipientKey: string): Rule[] {
  const { limits } = application.settings;
  if (testCode !== undefined) return [burstRule(application)];
  return [
    burstRule(application),
    {
      key: `otp:${recipientKey}`,
      code: 'COOLDOWN',
      windows: sendWindows(limits.sendsPer10Minutes, limits.sendsPerDay),
      spacingSeconds: limits.cooldownSeconds > 0 ? COOLDOWN_STEPS.map((step) => step * limits.cooldownSeconds) : [],
      durable: true,
    },
  ];
}

/**
 * Returns the request fingerprint for an Idempotency-Key. Different formats of the same request have the same
 * fingerprint.
 */
function fingerprintOf(address: string, { authWay, otp, otpLength, expiry, language }: SendRequest): unknown {
  const code = otp === undefined ? { length: otpLength } : { otp: String(otp) };
  const chosen = chooseLanguage(language);
  return ['sendOtp', address, authWay ? channelOf(authWay) : null, code, expiry, ...(chosen ? [chosen] : [])];
}

function codeFor({ testCode }: SendPlan, { otp, otpLength }: SendRequest): string {
  return testCode ?? (otp === undefined ? random.digits(otpLength) : String(otp));
}

export function createSendOtp(dependencies: SendDependencies): SendOtp {
  const { store, write, messages, idempotency, limiter, fraud, providerFor, keyring, clock } = dependencies;
  const { voiceLanguage, currency } = dependencies;

  function newSession(application: Application, plan: SendPlan, code: string, minutes: number): OtpSession {
    const maskId = random.hex(16);
    // Whole seconds, so that the times in the reply are exactly the times that are enforced.
    const createdAt = Math.floor(clock.now() / SECOND) * SECOND;
    return {
      maskId,
      applicationId: application.id,
      recipient: plan.address,
      recipientKey: recipientKeyOf(application.id, plan.limitKey),
      channel: plan.channels[0]!,
      codeHash: keyring.mac(codeContext(maskId), code),
      codeLength: code.length,
      codeSpace: codeSpaceOf(code),
      messageId: plan.testCode === undefined ? newMessageId() : null,
      createdAt,
      expiresAt: createdAt + minutes * MINUTE,
    };
  }

  function replyOf(session: OtpSession, outcome: Outcome | undefined): SendOtpReply {
    const data = sendEnvelope(session, outcome, currency());
    if (data.isSent > 0) return { success: true, message: replyTextOf('OTP', 'OTP sent successfully', outcome), data };
    const reason = data.results.at(-1)?.message ?? 'its code expired first';
    return failure(new ApiError('SEND_FAILED', { values: { reason }, data }));
  }

  /**
   * Stores the session, its message and `rows` in one transaction, and returns the first outcome.
   * Creates no message for a test recipient.
   */
  async function accept(
    session: OtpSession,
    draft: Omit<MessageDraft, 'id'>,
    rows: readonly Write[],
    waitMs: number | undefined,
  ): Promise<Outcome | undefined> {
    const batch = [store.insertRow(session), ...rows];
    if (session.messageId !== null) return messages.accept({ ...draft, id: session.messageId }, batch, waitMs);
    await write(batch);
    return testOutcome(session.channel);
  }

  async function send(
    application: Application,
    plan: SendPlan,
    request: SendRequest,
    { requestId, waitMs }: SendOptions,
    recordResult: RecordResult,
  ): Promise<SendOtpReply> {
    const code = codeFor(plan, request);
    const session = newSession(application, plan, code, request.expiry);
    const draft = {
      maskId: session.maskId,
      applicationId: application.id,
      template: 'otp',
      requestId,
      recipient: plan.address,
      plan: plan.channels,
      variables: {
        code,
        minutes: String(request.expiry),
        application: application.name,
        ...languageVariables(voiceLanguage, request.language, application.settings.language),
      },
      expiresAt: session.expiresAt,
    };
    messages.rejectWhenOverloaded(application.id);
    const id = session.messageId;
    const cost = id === null ? 0 : await messages.highestCost({ ...draft, id }, plan.country);
    const account = accountLimits(application, plan, cost);
    const limits = [...sendRules(application, plan, session.recipientKey), ...account];
    const message = { application, plan, kind: 'code', clientIp: request.clientIp, cost } as const;
    return withinLimits(limiter, limits, (refund) =>
      fraud.guard(message, async (rows, uncount) => {
        const outcome = await accept(session, draft, [...recordResult(session.maskId), ...rows], waitMs);
        if (outcome && certainlyNotSent(outcome))
          await Promise.all([refund(budgetsOf(limits)), uncount()]).catch(() => undefined);
        return replyOf(session, outcome);
      }),
    );
  }

  async function replyFor(maskId: string): Promise<SendOtpReply> {
    const session = await store.find(maskId);
    if (!session) throw new ApiError('OTP_EXPIRED');
    const { messageId, channel } = session;
    return replyOf(session, messageId === null ? testOutcome(channel) : await messages.outcomeOf(messageId));
  }

  return async function sendOtp(application, request, options) {
    const planned = fraud.planFor(application, planSend(application, request, providerFor));
    const plan = options.limitKey === undefined ? planned : { ...planned, limitKey: options.limitKey };
    return idempotency.runOnce({
      applicationId: application.id,
      key: options.idempotencyKey,
      fingerprint: fingerprintOf(plan.address, request),
      run: (recordResult) => send(application, plan, request, options, recordResult),
      replyFor,
      onRepeat: options.onRepeat,
    });
  };
}
