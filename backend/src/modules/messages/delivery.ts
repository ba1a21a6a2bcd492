/** Delivers a message: claims it, calls its provider and records the outcome. */
import type { Base } from '../../platform/base.js';
import { LEASE_MARGIN_SECONDS, SECOND } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import { random, UnknownKeyError } from '../../platform/crypto.js';
import { isDatabaseError } from '../../platform/db/database-errors.js';
import { describeError } from '../../platform/log.js';
import type { Metrics } from '../../platform/metrics.js';
import type { Job } from '../../platform/queue/queue.js';
import { ProviderError } from '../../providers/provider.js';
import { TEMPLATES } from '../../platform/contract/generated/templates.js';
import type { Application } from '../applications/application.js';
import { outsideQuietHours } from '../recipients/quiet-hours.js';
import { countryOf } from '../recipients/recipient.js';
import { pricedParts } from '../templates/rendering/message-length.js';
import type { AnotherWay } from './another-way.js';
import type { ApplyResult, ApplyEvents } from './apply-events.js';
import type { Backlogs } from './backlog.js';
import { isUnsent } from './code-outcomes.js';
import { reasonNotToSend } from './lifecycle.js';
import type { MessageEvent, ProviderRef } from './lifecycle-events.js';
import { isOpen, startOf, type Message } from './message.js';
import { refusalOf as refusalFor } from './refusal.js';
import type { SendLimits } from './message-limits.js';
import type { Outcomes } from './outcomes.js';
import type { Price, PriceOf } from './price.js';
import { lookUpMs, type MoveOn, type ProviderCall } from './provider-call.js';
import type { RefundBudgets } from './refund-budgets.js';

/** Pause before retrying to store an outcome. */
const STORE_RETRY_MS = 250;
const DATABASE_DOWN = 'the database was not available';

interface Dependencies extends Pick<Base, 'clock' | 'log' | 'queue'> {
  readonly applyEvents: Pick<ApplyEvents, 'claim' | 'claimNew' | 'apply'>;
  readonly outcomes: Outcomes;
  readonly backlogs: Pick<Backlogs, 'isLong'>;
  readonly providerCall: ProviderCall;
  readonly priceOf: PriceOf;
  readonly anotherWay: AnotherWay;
  readonly refundBudgets: RefundBudgets;
  readonly suppressions: SendLimits['suppressions'];
  readonly applicationOf: (id: number) => Promise<Application | undefined>;
  readonly metrics: Metrics;
  readonly deadlineMs: number;
}

/** Held by an attempt until its event is stored. */
interface Held {
  /** Ends the reservation of a code; undefined without one. */
  release?: () => void;
}

export type Delivery = ReturnType<typeof createDelivery>;

export function createDelivery(dependencies: Dependencies) {
  const { applyEvents, queue, outcomes, backlogs, providerCall, priceOf, anotherWay } = dependencies;
  const { suppressions, applicationOf, clock, log, metrics, deadlineMs } = dependencies;
  // Long enough to look up a message after a crash or try other providers, to send it, to look it up again, and to
  // store the outcome: 78 s by default.
  const leaseMs = 3 * deadlineMs + lookUpMs(deadlineMs) + LEASE_MARGIN_SECONDS * SECOND;

  const newClaim = (id: string) =>
    ({ id, type: 'claimed', claim: random.hex(8), leaseUntil: clock.now() + leaseMs }) as const;

  /** Applies an event. Retries if the database fails, because a message without a stored outcome is sent again. */
  async function applyUntilStored(event: MessageEvent): Promise<ApplyResult> {
    const giveUpAt = clock.now() + deadlineMs;
    for (;;) {
      try {
        return await applyEvents.apply(event);
      } catch (error) {
        if (!isDatabaseError(error) || clock.now() >= giveUpAt) throw error;
        await new Promise<void>((resolve) => clock.after(STORE_RETRY_MS, resolve));
      }
    }
  }

  function toProviderError(error: unknown, { id: messageId, channel }: Message): ProviderError {
    if (error instanceof ProviderError) return error;
    log.error(
      { messageId, channel, err: describeError(error) },
      'message could not be sent because of an internal error',
    );
    // While keys are rotated, or after a mistake in the settings, a message must not be lost.
    return new ProviderError(error instanceof UnknownKeyError ? 'transient' : 'permanent', 'internal error');
  }

  function recordFailure({ kind, reason }: ProviderError, message: Message, provider: ProviderRef | undefined): void {
    const { id: messageId, requestId, channel, attemptCount: attempts } = message;
    metrics.failedAttempt(channel, kind);
    const entry = { requestId, messageId, channel, provider: provider?.id, attempts, kind, reason };
    log.warn(entry, 'delivery attempt failed');
  }

  function failureOf(error: ProviderError, message: Message, provider?: ProviderRef) {
    const { kind, reason, retryAfterSeconds, details } = error;
    recordFailure(error, message, provider);
    if (kind === 'transient') return { type: 'failedTransiently', reason, retryAfterSeconds, details } as const;
    return { type: kind === 'permanent' ? 'rejected' : 'outcomeUnknown', reason, details } as const;
  }

  /**
   * Returns why a message must not be sent. Its recipient may have been suppressed or opted out after the message was
   * accepted.
   */
  async function recipientRefusal(message: Message) {
    const error = await suppressions.errorFor(message, [message.channel]);
    const refusal = error && refusalFor(error, clock.now());
    return refusal && ({ type: 'refused', reason: refusal.reason, refusal } as const);
  }

  /**
   * Returns when quiet hours end that have begun since a notification was accepted; undefined if it may be sent now. A
   * notification that was accepted in quiet hours is a test message, for which a person waits.
   */
  async function endOfQuietHours(message: Message): Promise<number | undefined> {
    if (!Object.hasOwn(TEMPLATES, message.template)) return undefined;
    const application = await applicationOf(message.applicationId);
    const country = countryOf(message.recipient);
    const earliest = (ms: number) => outsideQuietHours(ms, country, application?.settings.quietHours ?? '');
    const now = clock.now();
    const start = startOf(message);
    return earliest(now) > now && earliest(start) === start ? earliest(now) : undefined;
  }

  /**
   * Returns why a message must not be sent; undefined if it may. The application of a scheduled message must still be active.
   * A message that is sent another way counts toward limits again. The fraud guard judges a code again that no provider
   * has taken so far, and may let it wait.
   */
  async function refusalOf(message: Message, price: Price, held: Held) {
    const refused = await recipientRefusal(message);
    if (refused) return refused;
    const isJudgedAgain = message.template === 'otp' && isUnsent(message);
    if (message.earlierSends.length === 0 && message.sendAt === null && !isJudgedAgain) return undefined;
    try {
      if (isJudgedAgain) held.release = await anotherWay.reserveCode(message);
      else await anotherWay.allow(message, price);
      return undefined;
    } catch (error) {
      if (message.sendAt !== null && isDatabaseError(error))
        return { type: 'failedTransiently', reason: DATABASE_DOWN, retryAfterSeconds: undefined } as const;
      if (!(error instanceof ApiError)) throw error;
      const { code, message: reason } = error;
      if (code !== 'SERVICE_UNAVAILABLE' && !isJudgedAgain) return { type: 'notAllowed', reason } as const;
      return { type: 'failedTransiently', reason, retryAfterSeconds: undefined } as const;
    }
  }

  /** Returns the channel on which another provider could send an accepted message, and after how much silence it does. */
  async function furtherWay(message: Message, provider: string | null) {
    const next = providerCall.anotherWay(message, provider);
    if (next === undefined) return {};
    // The provider has accepted the message. A failure here must not make it look rejected.
    return { next, silentMs: await anotherWay.silentMs(message).catch(() => undefined) };
  }

  /**
   * Sends the message unless {@link reasonNotToSend} returns a reason. Returns the resulting event with the price.
   */
  async function attempt(message: Message, startedAt: number, held: Held) {
    const { applicationId, providerId, channel } = message;
    // The price is needed even if the message is not sent now, because a crashed worker may have sent it.
    const content = await providerCall.render(message).catch((error: unknown) => toProviderError(error, message));
    const parts = content instanceof ProviderError ? 1 : pricedParts(channel, content);
    const price = priceOf({ applicationId, channel, country: countryOf(message.recipient) }, parts);
    // The provider has already reported on this message, so a crashed worker must have sent it.
    if (providerId !== null)
      return { type: 'accepted', providerId, ...(await furtherWay(message, message.provider)), price } as const;
    const type = reasonNotToSend(message, clock.now());
    if (type) return { type, price };
    if (content instanceof ProviderError) return { ...failureOf(content, message), price };
    const until = await endOfQuietHours(message);
    if (until !== undefined) return { type: 'postponed', until, price } as const;
    const refused = await refusalOf(message, price, held);
    if (refused) return { ...refused, price };
    try {
      const sent = await providerCall.send(message, content, moveOn(message, startedAt, price), startedAt + deadlineMs);
      if (!('error' in sent))
        return { type: 'accepted', ...sent, ...(await furtherWay(message, sent.provider.id)), price } as const;
      return { ...failureOf(sent.error, message, sent.provider), provider: sent.provider, price };
    } catch (error) {
      return { ...failureOf(toProviderError(error, message), message), price };
    }
  }

  /** Returns a function that stores that a message moves on to the next provider of its route. */
  function moveOn(message: Message, startedAt: number, price: Price): MoveOn {
    return async (next, provider, error) => {
      if (error) recordFailure(error, message, provider);
      const { id, claim } = message;
      const failure = { reason: error?.reason, details: error?.details, maybeSent: error?.kind === 'unknown' };
      const event = { type: 'movedOn', id, claim, startedAt, price, provider, next, ...failure } as const;
      // The recipient may have decided while the previous provider was called.
      const move = async () => ((await recipientRefusal(message)) ? 'ignored' : applyEvents.apply(event));
      const applied = await move().catch((cause: unknown) => {
        if (!isDatabaseError(cause)) throw cause;
        log.warn({ messageId: id, err: describeError(cause) }, 'could not store the next state of a message');
        // The message was certainly not sent, or it is an email, which costs nothing to repeat. See `mayTryNext`.
        throw new ProviderError('transient', DATABASE_DOWN);
      });
      return applied !== 'ignored';
    };
  }

  /** Enqueues a message when its next attempt is due. If this process stops before then, the sweeper enqueues it. */
  function enqueueAgain({ id, applicationId, channel, dueAt }: Message, replyTo: string | undefined): void {
    const delay = (dueAt ?? 0) - clock.now();
    const enqueue = () => {
      const behind = backlogs.isLong(applicationId);
      void queue.enqueue({ id, channel, replyTo, behind }).catch(() => undefined);
    };
    if (delay > 0) clock.after(delay, enqueue);
    else enqueue();
  }

  /** Refunds the daily budgets of a message that was not sent. Retries by people are not refunded: operators' are not counted. */
  async function refundUnsent(claimed: Message, { history }: Message): Promise<void> {
    const application = await applicationOf(claimed.applicationId);
    if (application && !history.some((entry) => 'retriedAt' in entry))
      await dependencies.refundBudgets(application, claimed);
  }

  function logFinished(message: Message): void {
    const { id: messageId, requestId, state, channel, providerId } = message;
    metrics.delivery(channel, state, (clock.now() - startOf(message)) / SECOND);
    log.info({ requestId, messageId, channel, state, providerId: providerId ?? undefined }, 'message finished');
  }

  async function deliverAndStore(claimed: Message, replyTo: string | undefined): Promise<void> {
    const { id } = claimed;
    const startedAt = clock.now();
    const held: Held = {};
    const event = await attempt(claimed, startedAt, held);
    const stored = applyUntilStored({ id, claim: claimed.claim, startedAt, ...event });
    const applied = await stored.finally(() => held.release?.());
    if (applied === 'ignored') return;
    const { message, reply } = applied;
    // Before the reply, so that the caller can retry at once. If Redis is down, the message stays counted.
    if (!isOpen(message) && isUnsent(message)) await refundUnsent(claimed, message).catch(() => undefined);
    if (reply) outcomes.announce(id, reply, replyTo);
    if (message.state === 'queued') enqueueAgain(message, replyTo);
    else logFinished(message);
  }

  /** Delivers a message that this process has claimed. After a failure, it is claimed again when its lease expires. */
  const deliverClaimed = (claimed: Message, replyTo: string | undefined): Promise<void> =>
    deliverAndStore(claimed, replyTo).catch((error: unknown) =>
      log.error({ messageId: claimed.id, err: describeError(error) }, 'delivery failed'),
    );

  return {
    /** Claims and delivers a stored message. Does nothing if another worker has claimed it. */
    async deliver({ id, replyTo }: Job): Promise<void> {
      const claimed = await applyEvents.claim(newClaim(id));
      // A sent message that cannot be sent another way stays sent.
      if (claimed !== 'ignored' && isOpen(claimed.message)) await deliverClaimed(claimed.message, replyTo);
    },

    /** Returns a new message in its claimed state. The caller must store it. */
    claimNew: (message: Message): Promise<Message> => applyEvents.claimNew(message, newClaim(message.id)),

    deliverClaimed,
  };
}
