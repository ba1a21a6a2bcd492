/** Applies the rules to messages that a paid provider would send, and stores the counts. */
import type { Clock } from '../../platform/clock.js';
import { CHANNELS } from '../../platform/contract/channels.js';
import { ApiError, UNAVAILABLE_RETRY_SECONDS } from '../../platform/contract/errors.js';
import type { Keyring } from '../../platform/crypto.js';
import type { Write } from '../../platform/db/transaction.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import { sourceKey } from '../../platform/http/source-address.js';
import type { Application } from '../applications/application.js';
import type { GuardedMessage } from '../messages/message-limits.js';
import { countedNumber } from '../recipients/recipient.js';
import { appliedSettings, countriesOf, type IsPaid, type SenderCountries } from './fraud-application.js';
import type { Decision, FraudSend, GuardedApplication, Increment, RecipientRecord, Refusal } from './fraud.js';
import { countSend, NO_RECORD } from './fraud-counters.js';
import type { VerifiedEarlier } from './fraud-earlier-users.js';
import { hintOf, retryAfterSeconds } from './fraud-explanation.js';
import type { FraudGuard } from './fraud-guard.js';
import type { FraudNotices } from './fraud-notices.js';
import type { FraudObservationsStore } from './fraud-observations-store.js';
import type { Known } from './fraud-reader.js';
import { recipientKeysOf, recordExpiry } from './fraud-recipient.js';
import { createRecordRefusal, type RefusalDependencies } from './fraud-refusals.js';
import { decideNotification, withinCaps } from './fraud-notifications.js';
import { decide, isListed } from './fraud-rules.js';
import { spendAlert } from './fraud-spend.js';
import type { FraudStore, StoredRecipient } from './fraud-store.js';

export interface FraudServiceDependencies extends RefusalDependencies {
  readonly observations: Pick<FraudObservationsStore, 'row'>;
  readonly notices: Pick<FraudNotices, 'paused' | 'stopped' | 'spent'>;
  readonly store: FraudStore;
  readonly countVerified: FraudGuard['countVerified'];
  readonly countUndelivered: FraudGuard['countUndelivered'];
  readonly verifiedEarlier: VerifiedEarlier;
  readonly isPaid: IsPaid;
  readonly senderCountries: SenderCountries;
  readonly keyring: Pick<Keyring, 'mac' | 'macs'>;
  readonly limiter: Pick<Limiter, 'take'>;
  readonly clock: Clock;
}

const negated = (increments: readonly Increment[]): Increment[] =>
  increments.map((one) => ({ ...one, sent: -one.sent, verified: -one.verified, spend: -one.spend }));

function fraudSuspected(refusal: Refusal, now: number): ApiError {
  return new ApiError('FRAUD_SUSPECTED', {
    retryAfterSeconds: retryAfterSeconds(refusal, now),
    values: { text: hintOf(refusal) },
  });
}

export function createFraudService(dependencies: FraudServiceDependencies): FraudGuard {
  const { store, observations, cache, reader, countVerified, isPaid, senderCountries } = dependencies;
  const { notices, verifiedEarlier, keyring, clock } = dependencies;
  const recordRefusal = createRecordRefusal(dependencies);

  const sourceOf = (applicationId: number, clientIp: string | undefined): string | undefined =>
    clientIp === undefined ? undefined : keyring.mac('fraud source', `${applicationId}:${sourceKey(clientIp)}`);

  function guarded(application: Application, { stored, scopes }: Known, now: number): GuardedApplication {
    return {
      ...countriesOf(application, senderCountries),
      guardedSince: stored?.guardedSince ?? now,
      everVerified: stored?.everVerified ?? false,
      verifiedElsewhere: application.settings.verifiedElsewhere,
      scopes,
    };
  }

  function spentBy(application: Application, cost: number, { counts }: Known, now: number) {
    const alert = spendAlert(counts.applicationDays, cost, appliedSettings(application), now);
    return alert && notices.spent(application.id, alert, now);
  }

  /**
   * Must stay synchronous: otherwise a concurrent send could be checked after this send is allowed but before it is
   * counted, and exceed a limit.
   */
  function decideAndCount(message: GuardedMessage, send: FraudSend, known: Known, now: number) {
    const application = guarded(message.application, known, now);
    const decideOn = message.kind === 'code' ? decide : decideNotification;
    const decision = decideOn(send, known.counts, application, appliedSettings(message.application), now);
    if (!decision.allowed) return { decision, counted: undefined, pending: undefined, spent: undefined };
    const counted = countSend(send, decision, now);
    // Must run before the message is added to the counts.
    const spent = spentBy(message.application, send.cost, known, now);
    return { decision, counted, spent, pending: cache.add(message.application.id, counted.increments) };
  }

  /** Runs `work` within the caps for new countries, if they apply to the message. */
  async function capped<T>(
    { application, plan, kind, byOperator = false }: GuardedMessage,
    { newCountry }: Extract<Decision, { allowed: true }>,
    known: Known,
    work: (refund: () => Promise<void>) => Promise<T>,
  ): Promise<T> {
    const { id: applicationId } = application;
    if (kind === 'code' || !newCountry || byOperator || (await verifiedEarlier(applicationId, plan.address, known)))
      return work(async () => undefined);
    const notification = { applicationId, country: plan.country, settings: appliedSettings(application) };
    return withinCaps(dependencies, notification, work);
  }

  async function guard<T>(
    message: GuardedMessage,
    work: (rows: readonly Write[], uncount: () => Promise<void>) => Promise<T>,
  ): Promise<T> {
    const { application, plan, clientIp } = message;
    if (plan.testCode !== undefined || !plan.channels.some((channel) => isPaid(application, channel)))
      return work([], async () => undefined);
    const applicationId = application.id;
    const now = clock.now();
    const base = {
      number: countedNumber(plan.address),
      country: plan.country,
      source: sourceOf(applicationId, clientIp),
    };
    const keys = recipientKeysOf(keyring, applicationId, plan.limitKey);
    const known = await reader.read(applicationId, base, keys, now);
    const send = { ...base, cost: message.cost, voice: plan.channels.includes('VOICE'), recipient: known.recipient };
    let outcome = decideAndCount(message, send, known, now);
    if (!outcome.decision.allowed) {
      // If the recipient's record could not be read, the recipient may be exempt, so the send fails with a temporary
      // error instead of a refusal.
      if (!known.isRead) throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS });
      const recipient = await verifiedEarlier(applicationId, plan.address, known);
      if (recipient) outcome = decideAndCount(message, { ...send, recipient }, known, now);
    }
    const { decision, counted, pending, spent } = outcome;
    if (!decision.allowed) {
      await recordRefusal(application, decision, now);
      throw fraudSuspected(decision.refusal, now);
    }
    const stored = (record: RecipientRecord): StoredRecipient => ({
      applicationId,
      key: keys[0]!,
      record,
      expiresAt: recordExpiry(record),
    });
    const { record, increments } = counted!;
    const rows = [
      ...(spent ? [spent.row] : []),
      store.countersRow({ applicationId, increments }, pending!.stored),
      ...(record ? [store.recipientRow(stored(record))] : []),
      ...(known.stored ? [] : [store.applicationRow(applicationId, now)]),
      ...(decision.observed ? [observations.row(applicationId, decision.observed, now)] : []),
    ];
    try {
      const result = await capped(message, decision, known, (refund) =>
        work(rows, async () => {
          pending!.undo();
          const counts = { applicationId, increments: negated(increments) };
          await Promise.all([refund(), store.uncount(counts, record && stored(known.recipient ?? NO_RECORD))]);
        }),
      );
      spent?.stored();
      return result;
    } catch (error) {
      pending!.undo();
      throw error;
    }
  }

  return {
    planFor(application, plan) {
      const others = plan.channels.filter((channel) => channel !== 'VOICE');
      const isUnchanged = others.length === 0 || others.length === plan.channels.length || plan.testCode !== undefined;
      if (
        isUnchanged ||
        !isPaid(application, 'VOICE') ||
        isListed(countriesOf(application, senderCountries), plan.country)
      )
        return plan;
      return { ...plan, channels: others };
    },
    guard,
    countUndelivered: dependencies.countUndelivered,
    async countVerified(trx, codes, now) {
      const paid = codes.filter((code) => CHANNELS.some((channel) => isPaid(code, channel)));
      if (paid.length > 0) await countVerified(trx, paid, now);
    },
  };
}
