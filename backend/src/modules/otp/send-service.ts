/** Sends one-time passcodes. */
import type { Base } from '../../platform/base.js';
import { MINUTE, SECOND } from '../../platform/clock.js';
import { ApiError, failure } from '../../platform/contract/errors.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import { random } from '../../platform/crypto.js';
import type { Write } from '../../platform/db/transaction.js';
import { sendWindows, type Rule } from '../../platform/rate-limit/rule.js';
import type { Application } from '../applications/application.js';
import type { ChallengesService } from '../challenges/challenges-service.js';
import type { FraudGuard } from '../fraud/fraud-service.js';
import type { IdempotencyService, RecordResult } from '../idempotency/idempotency-service.js';
import { channelOf } from '../../platform/contract/auth-types.js';
import type { WayPlan } from '../messages/second-code.js';
import { certainlyNotSent, newMessageId, type MessageDraft, type Outcome } from '../messages/message.js';
import { requestLimits, sendWithinLimits, type BudgetsOf, type SendLimits } from '../messages/message-limits.js';
import type { MessagesService } from '../messages/messages-service.js';
import { PlanRefused, planSend, testOutcome, type ProviderFor, type SendPlan } from '../messages/send-plan.js';
import { sendEnvelope, replyTextOf } from '../messages/send-results.js';
import { chooseLanguage, languageVariables, requestedLanguage } from '../templates/language-codes.js';
import { cooldownRule } from './cooldown.js';
import { codeContext, codeSpaceOf, type OtpCode } from './otp-code.js';
import { recipientKeyOf } from './recipient-keys.js';
import type { OtpStore } from './otp-store.js';

type SendRequest = Schemas['SendOtpRequest'];
export type SendOtpReply = Schemas['SendOtpReply'] | Schemas['Failure'];

export interface SendDependencies extends Pick<Base, 'clock' | 'keyring' | 'limiter' | 'write'> {
  readonly store: OtpStore;
  readonly messages: MessagesService;
  readonly idempotency: IdempotencyService;
  readonly budgetsOf: BudgetsOf;
  readonly suppressions: SendLimits['suppressions'];
  readonly fraud: Pick<FraudGuard, 'planFor' | 'guard'>;
  readonly challenges: Pick<ChallengesService, 'verify'>;
  readonly providerFor: ProviderFor;
  /** Default language and country for voice calls, such as `en-US`. */
  readonly voiceLanguage: string;
  readonly currency: () => string;
}

export interface SendOptions {
  readonly idempotencyKey: string | undefined;
  readonly requestId: string;
  /** Called if an earlier request with the same Idempotency-Key determines the reply. */
  readonly onRepeat?: () => void;
}

export interface PrepareOptions {
  readonly requestId: string;
  /** Key for counting sends and guesses. With `send`, all variants of an email address or phone number share one key. */
  readonly limitKey: string;
}

export type SendService = ReturnType<typeof createSendService>;

/** Returns the rules for codes to one recipient. They limit attempts, so they are not refundable. */
function codeRules(application: Application, { testCode }: SendPlan, recipientKey: string): Rule[] {
  const { limits } = application.settings;
  if (testCode !== undefined) return [];
  return [
    {
      key: `otp:${recipientKey}`,
      code: 'COOLDOWN',
      windows: sendWindows(limits.sendsPer10Minutes, limits.sendsPerDay),
      durable: true,
    },
    cooldownRule(application, recipientKey),
  ];
}

/** Returns a request's fingerprint for its Idempotency-Key. It is the same for different formats of a request. */
function fingerprintOf(
  { address, country }: SendPlan,
  { authWay, otp, otpLength, expiry, language, reference }: SendRequest,
): unknown {
  const code = otp === undefined ? { length: otpLength } : { otp: String(otp) };
  const chosen = chooseLanguage(requestedLanguage(language, country));
  const parameters = [
    'sendOtp',
    address,
    authWay ? channelOf(authWay) : null,
    code,
    expiry,
    ...(chosen ? [chosen] : []),
  ];
  return reference === undefined ? parameters : [...parameters, { reference }];
}

function textFor({ testCode }: SendPlan, { otp, otpLength }: SendRequest): string {
  return testCode ?? (otp === undefined ? random.digits(otpLength) : String(otp));
}

/** A second code for a recipient within this time starts with the next provider or channel. */
const RESEND_MINUTES = 10;

interface PreparedCode {
  readonly application: Application;
  readonly plan: SendPlan;
  readonly code: OtpCode;
  readonly draft: Omit<MessageDraft, 'id'>;
  readonly request: SendRequest;
}

function createPrepareCode({ keyring, clock, voiceLanguage }: SendDependencies) {
  function newCode(application: Application, plan: SendPlan, text: string, request: SendRequest): OtpCode {
    const maskId = random.hex(16);
    // Whole seconds, so that the times in the reply are exactly the times that are enforced.
    const createdAt = Math.floor(clock.now() / SECOND) * SECOND;
    return {
      maskId,
      applicationId: application.id,
      recipient: plan.address,
      recipientKey: recipientKeyOf(application.id, plan.limitKey),
      channel: plan.channels[0]!,
      codeHash: keyring.mac(codeContext(maskId), text),
      codeLength: text.length,
      codeSpace: codeSpaceOf(text),
      messageId: plan.testCode === undefined ? newMessageId() : null,
      reference: request.reference ?? null,
      createdAt,
      expiresAt: createdAt + request.expiry * MINUTE,
    };
  }

  return function prepareCode(
    application: Application,
    plan: SendPlan & { readonly provider?: string },
    request: SendRequest,
    requestId: string,
  ): PreparedCode {
    const text = textFor(plan, request);
    const code = newCode(application, plan, text, request);
    const draft = {
      maskId: code.maskId,
      applicationId: application.id,
      template: 'otp',
      requestId,
      recipient: plan.address,
      plan: plan.channels,
      firstProvider: plan.provider,
      reference: request.reference,
      variables: {
        code: text,
        minutes: String(request.expiry),
        application: application.name,
        ...languageVariables(
          voiceLanguage,
          requestedLanguage(request.language, plan.country),
          application.settings.language,
        ),
        webOtpHost: application.settings.webOtpHost,
        androidAppHash: application.settings.androidAppHash,
      },
      expiresAt: code.expiresAt,
    };
    return { application, plan, code, draft, request };
  };
}

export function createSendService(dependencies: SendDependencies) {
  const { store, write, messages, clock, idempotency, fraud, providerFor, currency } = dependencies;
  const sendLimits = { ...dependencies, guard: fraud.guard };
  const prepareCode = createPrepareCode(dependencies);

  function replyOf(code: OtpCode, outcome: Outcome | undefined): SendOtpReply {
    const data = sendEnvelope(code, outcome, currency());
    if (data.isSent > 0) return { success: true, message: replyTextOf('OTP', 'OTP sent successfully', outcome), data };
    const reason = data.results.at(-1)?.message ?? 'its code is no longer valid';
    return failure(new ApiError('SEND_FAILED', { values: { reason }, data }));
  }

  /**
   * Stores the message and the rows of `batch` in one transaction, and returns the first outcome. Creates no message
   * for a test recipient.
   */
  async function accept(
    { code, draft }: PreparedCode,
    batch: readonly Write[],
    waitMs?: number,
  ): Promise<Outcome | undefined> {
    if (code.messageId !== null) return messages.accept({ ...draft, id: code.messageId }, batch, waitMs);
    await write(batch);
    return testOutcome(code.channel);
  }

  /**
   * Sends the message within all limits, and stores the rows of `batch` in the same transaction. Waits up to `waitMs`
   * (by default `SEND_WAIT_MS`) for the first outcome.
   */
  async function deliver(
    prepared: PreparedCode,
    batch: readonly Write[],
    waitMs?: number,
  ): Promise<Outcome | undefined> {
    const { application, plan, code, draft, request } = prepared;
    // Before limits are taken, because a vendor may take a while to respond.
    const isChallengeSolved = await dependencies.challenges.verify(application, request);
    const id = code.messageId;
    const cost = id === null ? 0 : await messages.highestCost({ ...draft, id }, plan.country);
    const { clientIp } = request;
    const message = { application, plan, template: draft.template, clientIp, isChallengeSolved, cost };
    const limits = requestLimits(message, codeRules(application, plan, code.recipientKey));
    return sendWithinLimits(sendLimits, message, limits, {
      send: (rows) => accept(prepared, [...batch, ...rows], waitMs),
      wasNotSent: (outcome) => outcome !== undefined && certainlyNotSent(outcome),
      recordRefusal: (error) => messages.recordRefusal(error, draft),
    });
  }

  async function sendOnce(prepared: PreparedCode, recordResult: RecordResult): Promise<SendOtpReply> {
    const { application, code } = prepared;
    messages.rejectWhenOverloaded(application.id);
    const batch = [store.insertRow(code), ...recordResult(code.maskId)];
    return replyOf(code, await deliver(prepared, batch));
  }

  async function replyFor(maskId: string): Promise<SendOtpReply> {
    const code = await store.find(maskId);
    if (!code) throw new ApiError('OTP_EXPIRED');
    const { messageId, channel } = code;
    return replyOf(code, messageId === null ? testOutcome(channel) : await messages.outcomeOf(messageId));
  }

  const planFor = (application: Application, request: SendRequest): SendPlan =>
    fraud.planFor(application, planSend(application, request, providerFor));

  function planOrRecord(application: Application, request: SendRequest, requestId: string): SendPlan {
    try {
      return planFor(application, request);
    } catch (error) {
      const send = { applicationId: application.id, template: 'otp', requestId, reference: request.reference };
      if (error instanceof PlanRefused) messages.recordRefusal(error, { ...send, ...error.send });
      throw error;
    }
  }

  /** If the recipient did not enter the last code, the plan of the next one starts with the next provider or channel. */
  async function planSecondCode(application: Application, plan: SendPlan): Promise<WayPlan> {
    if (plan.testCode !== undefined) return { channels: plan.channels };
    const recipientKey = recipientKeyOf(application.id, plan.limitKey);
    const since = clock.now() - RESEND_MINUTES * MINUTE;
    const lastMessage = () => store.unenteredMessageId(application.id, recipientKey, since);
    return messages.planSecondCode(application.id, plan, lastMessage);
  }

  /**
   * Sends a code, at most once per Idempotency-Key. Throws if the request is rejected; returns a failure reply if the
   * send fails.
   */
  async function send(application: Application, request: SendRequest, options: SendOptions): Promise<SendOtpReply> {
    const { idempotencyKey, requestId, onRepeat } = options;
    const plan = planOrRecord(application, request, requestId);
    return idempotency.runOnce({
      applicationId: application.id,
      key: idempotencyKey,
      fingerprint: fingerprintOf(plan, request),
      run: async (recordResult) => {
        const way = await planSecondCode(application, plan);
        return sendOnce(prepareCode(application, { ...plan, ...way }, request, requestId), recordResult);
      },
      replyFor,
      onRepeat,
    });
  }

  /**
   * Stores the code only. `sendMessage` sends it. For callers whose response time must not reveal whether
   * the code is sent.
   */
  async function prepare(
    application: Application,
    request: SendRequest,
    { requestId, limitKey }: PrepareOptions,
  ): Promise<{ readonly maskId: string; sendMessage(): Promise<unknown> }> {
    const plan = { ...planFor(application, request), limitKey };
    const prepared = prepareCode(application, plan, request, requestId);
    messages.rejectWhenOverloaded(application.id);
    await write([store.insertRow(prepared.code)]);
    return { maskId: prepared.code.maskId, sendMessage: () => deliver(prepared, [], 0) };
  }

  return { send, prepare };
}
