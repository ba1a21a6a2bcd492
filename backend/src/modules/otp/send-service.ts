/** Sends one-time passcodes. */
import type { Channel, ChannelName } from '../../providers/provider.js';
import { MINUTE, SECOND, type Clock } from '../../platform/clock.js';
import { random, sha256, type Keyring } from '../../platform/crypto.js';
import type { Writer } from '../../platform/db/transaction.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { components } from '../../platform/contract/generated/api.js';
import { COOLDOWN_STEPS } from '../../platform/limits.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import { sendWindows, type Rule } from '../../platform/rate-limit/rule.js';
import { chooseLanguage, messageLanguage } from '../templates/rendering/languages.js';
import type { Application } from '../applications/application.js';
import type { IdempotencyService, Link } from '../idempotency/idempotency-service.js';
import type { Delay, MessageDraft, Outcome } from '../messages/message.js';
import { newMessageId, type MessagesService } from '../messages/messages-service.js';
import { burstRule, channelOf, planSend, testOutcome, type SendPlan } from '../messages/send-plan.js';
import { codePurpose } from './code.js';
import type { OtpSession, OtpStore } from './otp-store.js';
import { sendReply } from './send-reply.js';

type Schemas = components['schemas'];
type SendRequest = Schemas['SendOtpRequest'];
export type SendOtpReply = Schemas['SendOtpReply'] | Schemas['Failure'];

export interface SendDependencies {
  readonly store: OtpStore;
  readonly write: Writer;
  readonly messages: MessagesService;
  readonly idempotency: IdempotencyService;
  readonly limiter: Limiter;
  readonly channels: ReadonlyMap<ChannelName, Channel>;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** Language and country of calls that nobody named a language for, such as `en-US`. */
  readonly voiceLanguage: string;
  /** Of what costs nothing. */
  readonly currency: string;
}

/** Sends a code, at most once for an Idempotency-Key. Throws the refusal; a send that failed is a reply. */
export type SendOtp = (
  application: Application,
  request: SendRequest,
  about: { readonly idempotencyKey: string | undefined; readonly requestId: string },
) => Promise<SendOtpReply>;

function sendRules(application: Application, recipientKey: string): [burst: Rule, recipient: Rule] {
  const { limits } = application.settings;
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

/** Equal for two requests that ask for the same, however they are spelled. */
function fingerprintOf(address: string, { authWay, otp, otpLength, expiry, language }: SendRequest): unknown {
  const code = otp === undefined ? { length: otpLength } : { otp: String(otp) };
  const chosen = chooseLanguage(language);
  return ['sendOtp', address, authWay ? channelOf(authWay) : null, code, expiry, ...(chosen ? [chosen] : [])];
}

function codeFor(plan: SendPlan, { otp, otpLength }: SendRequest): string {
  if (plan.testCode !== undefined) return plan.testCode;
  return otp === undefined ? random.digits(otpLength) : String(otp);
}

export function createSendOtp(dependencies: SendDependencies): SendOtp {
  const { store, write, messages, idempotency, limiter, channels, keyring, clock, voiceLanguage, currency } =
    dependencies;

  function newSession(application: Application, plan: SendPlan, code: string, minutes: number): OtpSession {
    const maskId = random.hex(16);
    // Whole seconds, so that the reply's times are exactly the ones that are judged.
    const createdAt = Math.floor(clock.now() / SECOND) * SECOND;
    return {
      maskId,
      applicationId: application.id,
      recipient: plan.address,
      recipientKey: sha256(`${application.id}:${plan.limitKey}`),
      channel: plan.channels[0]!,
      codeHash: keyring.mac(codePurpose(maskId), code),
      codeLength: code.length,
      messageId: plan.testCode === undefined ? newMessageId() : null,
      createdAt,
      expiresAt: createdAt + minutes * MINUTE,
    };
  }

  /** Stores the session and, unless it is for a test recipient, its message; answers the first outcome. */
  async function accept(
    session: OtpSession,
    draft: Omit<MessageDraft, 'id'>,
    link: Link,
  ): Promise<Outcome | Delay | undefined> {
    const alongside = [store.write(session), ...link(session.maskId)];
    if (session.messageId !== null) return messages.accept({ ...draft, id: session.messageId }, alongside);
    await write(alongside);
    return testOutcome(session.channel);
  }

  async function sendNow(
    application: Application,
    plan: SendPlan,
    request: SendRequest,
    requestId: string,
    link: Link,
  ) {
    const minutes = request.expiry;
    const code = codeFor(plan, request);
    const session = newSession(application, plan, code, minutes);
    const [burst, recipient] = sendRules(application, session.recipientKey);
    messages.refuseWhenOverloaded();
    const giveBack = await limiter.take(plan.testCode === undefined ? [burst, recipient] : [burst]);
    const draft = {
      maskId: session.maskId,
      applicationId: application.id,
      template: 'otp',
      requestId,
      recipient: plan.address,
      plan: plan.channels,
      variables: {
        code,
        minutes: String(minutes),
        application: application.name,
        ...messageLanguage(voiceLanguage, request.language, application.settings.language),
      },
      expiresAt: session.expiresAt,
    };
    try {
      return sendReply(session, await accept(session, draft, link), currency);
    } catch (error) {
      // Nothing was stored, so nothing is sent: the next try is the first one.
      await giveBack().catch(() => undefined);
      throw error;
    }
  }

  async function replyFor(maskId: string): Promise<SendOtpReply> {
    const session = await store.find(maskId);
    if (!session) throw new ApiError('OTP_EXPIRED');
    const outcome =
      session.messageId === null ? testOutcome(session.channel) : await messages.outcomeOf(session.messageId);
    return sendReply(session, outcome, currency);
  }

  return async (application, request, { idempotencyKey, requestId }) => {
    const plan = planSend(application, request, channels);
    return idempotency.once({
      applicationId: application.id,
      key: idempotencyKey,
      fingerprint: fingerprintOf(plan.address, request),
      run: (link) => sendNow(application, plan, request, requestId, link),
      replyFor,
    });
  };
}
