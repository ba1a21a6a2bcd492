/** Sends one-time passcodes and verifies them. */
import type { Knex } from 'knex';
import type { Channel, ChannelName } from '../../channels/channel.js';
import { DAY, MINUTE, SECOND, secondsUntil, type Clock } from '../../clock.js';
import { random, sha256, type Keyring } from '../../crypto.js';
import { ApiError } from '../../errors.js';
import type { components } from '../../generated/api.js';
import { CLEANUP_BATCH, COOLDOWN_STEPS, SESSION_RETENTION_DAYS } from '../../limits.js';
import type { Limiter } from '../../ratelimit/limiter.js';
import type { Rule } from '../../ratelimit/rule.js';
import type { Application } from '../applications/application.js';
import type { IdempotencyService } from '../idempotency/idempotency-service.js';
import type { Outcome } from '../messages/message.js';
import { newMessageId, type MessagesService } from '../messages/messages-service.js';
import type { SessionsService } from '../sessions/sessions-service.js';
import type { FoundSession, OtpSession, OtpStore } from './otp-store.js';
import { channelOf, planSend, type SendPlan } from './send-plan.js';
import { sendReply } from './send-reply.js';

type Schemas = components['schemas'];
export type SendOtpReply = Schemas['SendOtpReply'] | Schemas['Failure'];

export interface OtpDependencies {
  readonly store: OtpStore;
  readonly messages: MessagesService;
  readonly sessions: SessionsService;
  readonly idempotency: IdempotencyService;
  readonly limiter: Limiter;
  readonly channels: ReadonlyMap<ChannelName, Channel>;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

export type OtpService = ReturnType<typeof createOtpService>;

type Link = (trx: Knex, resultId: string) => Promise<void>;

const MASK_ID = /^[0-9a-f]{32}$/;
const codePurpose = (maskId: string): string => `otp:${maskId}`;

/** Hash that no code has; it is compared with where there is no session, so that both take as long. */
const NO_HASH = '-.-';

function sendRules(application: Application, recipientKey: string): Rule[] {
  const { limits } = application.settings;
  return [
    {
      key: `send:${application.id}`,
      code: 'BURST_LIMIT',
      windows: [
        { limit: limits.burstPerSecond, seconds: 1 },
        { limit: limits.burstPerMinute, seconds: 60 },
      ],
    },
    {
      key: `otp:${recipientKey}`,
      code: 'COOLDOWN',
      windows: [
        { limit: limits.sendsPer10Minutes, seconds: 600 },
        { limit: limits.sendsPerDay, seconds: 86_400 },
      ],
      spacingSeconds: limits.cooldownSeconds > 0 ? COOLDOWN_STEPS.map((step) => step * limits.cooldownSeconds) : [],
      durable: true,
    },
  ];
}

export function createOtpService(dependencies: OtpDependencies) {
  const { store, messages, sessions, idempotency, limiter, channels, keyring, clock } = dependencies;

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
      state: 'live',
      codeHash: keyring.mac(codePurpose(maskId), code),
      codeLength: code.length,
      messageId: plan.testCode === undefined ? newMessageId() : null,
      createdAt,
      expiresAt: createdAt + minutes * MINUTE,
    };
  }

  async function sendNow(application: Application, plan: SendPlan, request: Schemas['SendOtpRequest'], link: Link) {
    const minutes = request.expiry ?? 5;
    const code = plan.testCode ?? (request.otp === undefined ? random.digits(request.otpLength ?? 6) : `${request.otp}`);
    const session = newSession(application, plan, code, minutes);
    const rules = sendRules(application, session.recipientKey);
    await limiter.take(plan.testCode === undefined ? rules : rules.slice(0, 1));
    const write = async (trx: Knex) => {
      await store.insert(trx, session, session.expiresAt + DAY);
      await link(trx, session.maskId);
    };
    if (session.messageId === null) {
      await store.transaction(write);
      return sendReply(session, testOutcome(session));
    }
    const draft = {
      id: session.messageId,
      applicationId: application.id,
      template: 'otp',
      recipient: plan.address,
      plan: plan.channels,
      variables: { code, minutes: String(minutes), application: application.name },
      expiresAt: session.expiresAt,
    };
    return sendReply(session, await messages.accept(draft, write));
  }

  async function replyFor(maskId: string): Promise<SendOtpReply> {
    const session = await store.find(maskId);
    if (!session) throw new ApiError('OTP_EXPIRED');
    const outcome = session.messageId === null ? testOutcome(session) : await messages.outcomeOf(session.messageId);
    return sendReply(session, outcome);
  }

  function refuseLocked(session: FoundSession, now: number): void {
    if (session.lockedUntil > now)
      throw new ApiError('OTP_LOCKED', { retryAfterSeconds: secondsUntil(session.lockedUntil, now) });
  }

  /** The live session of a `maskId`, or the refusal in the order decided. */
  async function liveSession(application: Application, maskId: string, code: string): Promise<FoundSession> {
    const session = MASK_ID.test(maskId) ? await store.find(maskId) : undefined;
    if (!session || session.applicationId !== application.id || session.state !== 'live') {
      keyring.macMatches(NO_HASH, codePurpose(maskId), code);
      throw new ApiError('INVALID_OTP');
    }
    const now = clock.now();
    if (now >= session.expiresAt) throw new ApiError('OTP_EXPIRED');
    refuseLocked(session, now);
    return session;
  }

  return {
    async send(
      application: Application,
      request: Schemas['SendOtpRequest'],
      idempotencyKey: string | undefined,
    ): Promise<SendOtpReply> {
      const plan = planSend(application, request, channels);
      return idempotency.once({
        applicationId: application.id,
        key: idempotencyKey,
        fingerprint: fingerprintOf(plan.address, request),
        run: (link) => sendNow(application, plan, request, link),
        replyFor,
      });
    },

    /** Verifies a code; throws the refusal. Numbers get back the leading zeros that a spreadsheet dropped. */
    async verify(
      application: Application,
      request: Schemas['VerifyOtpRequest'],
    ): Promise<Schemas['SessionToken']> {
      const maskId = request.maskId.toLowerCase();
      const session = await liveSession(application, maskId, String(request.otp));
      const { limits } = application.settings;
      if (!(await store.countGuess(session, limits, clock.now()))) {
        // Another request locked or used it since it was read: say what is true now.
        await liveSession(application, maskId, String(request.otp));
        throw new ApiError('INVALID_OTP');
      }
      const code = typeof request.otp === 'number' ? `${request.otp}`.padStart(session.codeLength, '0') : request.otp;
      if (!keyring.macMatches(session.codeHash, codePurpose(maskId), code)) throw new ApiError('INVALID_OTP');
      const user = await store.transaction(async (trx) => {
        if (!(await store.win(trx, session, limits))) throw new ApiError('INVALID_OTP');
        const identityType = session.recipient.startsWith('+') ? 'phone' : 'email';
        const key = { applicationId: application.id, identityType, identity: session.recipient } as const;
        return sessions.findOrCreateUser(trx, key, clock.now());
      });
      return sessions.issue(application, user, await deliveredBy(session));
    },

    async cleanUp(): Promise<void> {
      const now = clock.now();
      const before = now - SESSION_RETENTION_DAYS * DAY;
      while ((await store.removeExpiredBefore(before, now, CLEANUP_BATCH)) === CLEANUP_BATCH);
    },
  };

  /** The channel that carried the code: the plan's first, unless another one took over. */
  async function deliveredBy(session: OtpSession): Promise<ChannelName> {
    if (session.messageId === null) return session.channel;
    const outcome = await messages.outcomeOf(session.messageId);
    return outcome?.tried.find((attempt) => attempt.success)?.channel ?? session.channel;
  }
}

/** Equal for two requests that ask for the same, however they are spelled. */
function fingerprintOf(address: string, { authWay, otp, otpLength, expiry }: Schemas['SendOtpRequest']): unknown {
  return ['sendOtp', address, authWay ? channelOf(authWay) : null, String(otp ?? ''), otpLength ?? 6, expiry ?? 5];
}

function testOutcome(session: OtpSession): Outcome {
  return { state: 'sent', tried: [{ channel: session.channel, success: true, message: 'test recipient, nothing sent' }] };
}
