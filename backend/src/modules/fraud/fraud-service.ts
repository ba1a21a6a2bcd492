/**
 * Applies the rules to messages that a paid provider would send, and stores the counts: of sends, of codes that were
 * entered, which raise the conversion and exempt their recipients, and of codes that were not delivered, which say nothing
 * about their recipients.
 */
import type { Knex } from 'knex';
import { startOfDay, type Clock } from '../../platform/clock.js';
import { CHANNELS } from '../../platform/contract/channels.js';
import { ApiError, UNAVAILABLE_RETRY_SECONDS } from '../../platform/contract/errors.js';
import type { Keyring } from '../../platform/crypto.js';
import type { Write } from '../../platform/db/transaction.js';
import { describeError, type Log } from '../../platform/log.js';
import type { Metrics } from '../../platform/metrics.js';
import { sourceKey } from '../../platform/http/source-address.js';
import type { Application } from '../applications/application.js';
import type { ChallengesService } from '../challenges/challenges-service.js';
import type { Guard, GuardedMessage } from '../messages/message-limits.js';
import type { SendPlan } from '../messages/send-plan.js';
import type { CountUndelivered } from '../messages/undelivered.js';
import { countedNumber, parseRecipient } from '../recipients/recipient.js';
import { decide, settle, settledRecord } from './decide.js';
import { reversedCharges, type ExcessCache, type PendingAdditions } from './excess-cache.js';
import { addCounted, type Counted, type ExcessesStore } from './excesses-store.js';
import { NO_RECORD, type Decision, type FraudSend, type RecipientRecord, type Refusal } from './fraud.js';
import {
  appliedSettings,
  guardedApplication,
  isListed,
  type IsPaid,
  type SenderCountries,
} from './fraud-application.js';
import type { FraudNotices } from './fraud-notices.js';
import type { FraudReader, Known } from './fraud-reader.js';
import type { FraudScopesStore } from './fraud-scopes-store.js';
import { hintOf, retryAfterSeconds } from './fraud-texts.js';
import { createRecentRecords } from './recent-records.js';
import { recipientKeysOf, type RecipientsStore, type StoredRecipient } from './recipients-store.js';
import type { RefusalCounts } from './refusal-counts.js';

/** A verified code. */
export interface VerifiedCode {
  readonly applicationId: number;
  /** E.164 number or email address. */
  readonly recipient: string;
  /** Null for a test recipient. */
  readonly messageId: string | null;
}

export interface FraudGuard {
  /**
   * Returns the plan without voice calls if the application does not list the country, and the plan has other channels.
   */
  planFor(application: Application, plan: SendPlan): SendPlan;
  readonly guard: Guard;
  /** Counts verified codes in the transaction that verifies them. */
  countVerified(trx: Knex, codes: readonly VerifiedCode[], now: number): Promise<void>;
  readonly countUndelivered: CountUndelivered;
}

export interface FraudServiceDependencies {
  readonly excesses: Pick<ExcessesStore, 'row' | 'add'>;
  readonly recipients: Pick<RecipientsStore, 'row' | 'saveSent' | 'find' | 'saveSettled'>;
  readonly scopesStore: Pick<FraudScopesStore, 'trip'>;
  readonly notices: Pick<FraudNotices, 'paused' | 'alerted'>;
  readonly refusals: Pick<RefusalCounts, 'add'>;
  readonly cache: ExcessCache;
  readonly reader: FraudReader;
  readonly isPaid: IsPaid;
  readonly senderCountries: SenderCountries;
  readonly challenges: Pick<ChallengesService, 'challengeRequired'>;
  readonly keyring: Pick<Keyring, 'mac' | 'macs'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'fraudRefusal' | 'fraudPause'>;
}

type Allowed = Extract<Decision, { outcome: 'allowed' }>;
type Refused = Exclude<Decision, Allowed>;

/** A send with everything that is known about it. */
interface Judged {
  readonly application: Application;
  readonly send: FraudSend;
  readonly known: Known;
  /** The keys of the recipient's record, newest first. */
  readonly keys: readonly string[];
  readonly now: number;
}

type Kind = 'verified' | 'undelivered';

interface SettledCode {
  readonly applicationId: number;
  /** E.164 number or email address. */
  readonly recipient: string;
  /** When the code was sent; undefined for a verified code. */
  readonly createdAt?: number;
}

function fraudSuspected(refusal: Refusal, now: number): ApiError {
  return new ApiError('FRAUD_SUSPECTED', {
    retryAfterSeconds: retryAfterSeconds(refusal, now),
    values: { text: hintOf(refusal) },
  });
}

export function createFraudService(dependencies: FraudServiceDependencies): FraudGuard {
  const { excesses, recipients, scopesStore, notices, refusals, cache, reader } = dependencies;
  const { isPaid, senderCountries, challenges, keyring, clock, log, metrics } = dependencies;

  const recent = createRecentRecords();

  const addressOf = (applicationId: number, clientIp: string | undefined): string | undefined =>
    clientIp === undefined ? undefined : keyring.mac('fraud source', `${applicationId}:${sourceKey(clientIp)}`);

  async function judged({
    application,
    plan,
    kind,
    clientIp,
    isChallengeSolved = false,
  }: GuardedMessage): Promise<Judged> {
    const send: FraudSend = {
      kind,
      number: countedNumber(plan.address),
      country: plan.country,
      address: addressOf(application.id, clientIp),
      voice: plan.channels.includes('VOICE'),
      isChallengeSolved,
    };
    const keys = recipientKeysOf(keyring, application.id, plan.limitKey);
    const known = await reader.read(application.id, send, keys);
    return { application, send, known, keys, now: clock.now() };
  }

  /**
   * Must stay synchronous: otherwise a concurrent send could be judged after this send is allowed but before it is
   * counted, and exceed a limit.
   */
  function decideAndCount({ application, send, known, keys, now }: Judged) {
    const key = keys[0]!;
    const recipient = recent.latest(key, known.recipient, now);
    const about = { ...known, recipient, application: guardedApplication(application, senderCountries) };
    const decision = decide({ send, known: about, settings: appliedSettings(application), now });
    if (decision.record) recent.add(key, decision.record, now);
    const { stored, undo } = cache.add(application.id, decision.charges);
    const undoAll = () => {
      undo();
      recent.remove(key);
    };
    return { decision, pending: { stored, undo: undoAll } };
  }

  async function storeTrip({ application, known, now }: Judged, trip: NonNullable<Refused['trip']>): Promise<void> {
    const { state } = trip;
    const report = (trx: Knex) => notices.paused(trx, application, state, now);
    try {
      const seen = known.stateOf(state)?.pausedAt ?? 0;
      if (!(await scopesStore.trip(application.id, trip, seen, now, report))) return;
      metrics.fraudPause(state.rule, state.scope);
      log.warn(
        { application: application.id, rule: state.rule, scope: state.scope },
        'the fraud guard paused messages',
      );
    } catch (error) {
      // The next message trips the rule again.
      log.error({ err: describeError(error) }, 'the fraud guard cannot store a pause');
    } finally {
      reader.forget(application.id);
    }
  }

  const storedRecord = ({ application, keys }: Judged, record: RecipientRecord) => ({
    applicationId: application.id,
    key: keys[0]!,
    record,
  });

  function refusedOf({ application, send, known, keys }: Judged, { rule }: Refusal) {
    const { country } = send;
    const isServed =
      isListed(application, senderCountries, country) ||
      known.days.some((day) => day.country === country && day.verified > 0);
    return { application, recipientKey: keys[0]!, rule, country, isServed };
  }

  /** Stores what a refused or challenged request changes. */
  async function recordRefusal(
    one: Judged,
    { outcome, refusal, charges, record, trip }: Refused,
    pending: PendingAdditions,
  ): Promise<void> {
    metrics.fraudRefusal(refusal.rule);
    if (trip) await storeTrip(one, trip);
    try {
      if (charges.length > 0) await excesses.add({ applicationId: one.application.id, charges });
      pending.stored();
      if (record) await recipients.saveSent(storedRecord(one, record));
      if (outcome === 'refused') await refusals.add(refusedOf(one, refusal));
    } catch (error) {
      pending.undo();
      log.error({ err: describeError(error) }, 'the fraud guard cannot count a refused message');
    }
  }

  const dayOf = ({ send, now }: Judged, sent: number) => ({
    country: send.country,
    day: startOfDay(now),
    sent,
    verified: 0,
  });

  /** Runs `work` with the rows that count the message. */
  async function count<T>(
    one: Judged,
    { charges, isCounted, record, alert }: Allowed,
    pending: PendingAdditions,
    work: (rows: readonly Write[], uncount: () => Promise<void>) => Promise<T>,
  ): Promise<T> {
    const { application, known, now } = one;
    const applicationId = application.id;
    const counted: Counted = { applicationId, charges, day: isCounted ? dayOf(one, 1) : undefined };
    const alerted = alert && notices.alerted(application, alert, now);
    const rows = [
      ...(alerted ? [alerted.row] : []),
      ...(charges.length > 0 || isCounted ? [excesses.row(counted, () => pending.stored())] : []),
      ...(record ? [recipients.row(storedRecord(one, record))] : []),
    ];
    async function uncount(): Promise<void> {
      pending.undo();
      const day = isCounted ? dayOf(one, -1) : undefined;
      await excesses.add({ applicationId, charges: reversedCharges(charges), day });
      if (record) await recipients.saveSent(storedRecord(one, known.recipient ?? NO_RECORD));
    }
    try {
      const result = await work(rows, uncount);
      alerted?.stored();
      return result;
    } catch (error) {
      pending.undo();
      throw error;
    }
  }

  /** Returns the codes that were sent to phone numbers, with the keys of their recipients. */
  const phonesOf = (codes: readonly SettledCode[]) =>
    codes.flatMap(({ applicationId, recipient, createdAt = Infinity }) => {
      const parsed = recipient.startsWith('+') ? parseRecipient(recipient) : undefined;
      if (!parsed) return [];
      const { limitKey, address, country = '' } = parsed;
      const keys = recipientKeysOf(keyring, applicationId, limitKey);
      return [{ applicationId, number: countedNumber(address), country, keys, createdAt }];
    });
  type Phone = ReturnType<typeof phonesOf>[number];

  function countedOf({ applicationId, number, country }: Phone, record: RecipientRecord, kind: Kind): Counted {
    const charges = settle({ number, country }, record, kind);
    // A pause has already subtracted its recipients from the larger scopes.
    const { stateOf } = reader.cachedOf(applicationId);
    const isSubtracted = charges.some((charge) => (stateOf(charge)?.pausedAt ?? 0) >= record.countedAt);
    if (kind === 'undelivered' && isSubtracted) return { applicationId, charges: [] };
    const change = kind === 'verified' ? { sent: 0, verified: 1 } : { sent: -1, verified: 0 };
    const day = record.isOpen ? { country, day: startOfDay(record.countedAt), ...change } : undefined;
    return { applicationId, charges, day };
  }

  async function countSettled(trx: Knex, codes: readonly SettledCode[], kind: Kind, now: number): Promise<void> {
    const phones = phonesOf(codes.filter((code) => CHANNELS.some((channel) => isPaid(code, channel))));
    if (phones.length === 0) return;
    const ids = [...new Set(phones.map(({ applicationId }) => applicationId))];
    const known = await recipients.find(
      trx,
      phones.flatMap(({ keys }) => keys),
      ids,
    );
    const recordOf = ({ keys }: Phone): RecipientRecord =>
      keys.map((key) => known.get(key)).find((record) => record !== undefined) ?? NO_RECORD;
    const counted: Counted[] = [];
    const settled: StoredRecipient[] = [];
    for (const phone of phones) {
      const { applicationId, keys, createdAt } = phone;
      const before = recordOf(phone);
      // An earlier code did not arrive, but a later one may have.
      if (createdAt < before.sentAt) continue;
      counted.push(countedOf(phone, before, kind));
      const record = settledRecord(before, kind, now);
      // The same recipient's other codes in this batch must not count again.
      known.set(keys[0]!, record);
      settled.push({ applicationId, key: keys[0]!, record });
    }
    await addCounted(trx, counted);
    await recipients.saveSettled(trx, settled);
    for (const { applicationId, charges } of counted) cache.add(applicationId, charges).stored();
    // Until the first code is entered, conversions mean nothing.
    const isFirst = (id: number) => !reader.cachedOf(id).days.some(({ verified }) => verified > 0);
    if (kind === 'verified') ids.filter(isFirst).forEach(reader.forget);
  }

  return {
    planFor(application, plan) {
      const others = plan.channels.filter((channel) => channel !== 'VOICE');
      const isUnchanged = others.length === 0 || others.length === plan.channels.length || plan.testCode !== undefined;
      const isServed = isListed(application, senderCountries, plan.country);
      return isUnchanged || isServed || !isPaid(application, 'VOICE') ? plan : { ...plan, channels: others };
    },

    async guard(message, work) {
      const { application, plan } = message;
      if (plan.testCode !== undefined || !plan.channels.some((channel) => isPaid(application, channel)))
        return work([], async () => undefined);
      const one = await judged(message);
      const { decision, pending } = decideAndCount(one);
      if (decision.outcome === 'allowed') return count(one, decision, pending, work);
      // If the recipient's record could not be read, the recipient may be exempt, so the send fails with a temporary
      // error instead of a refusal.
      if (!one.known.isRead) {
        pending.undo();
        throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS });
      }
      await recordRefusal(one, decision, pending);
      throw decision.outcome === 'challenged'
        ? await challenges.challengeRequired(application)
        : fraudSuspected(decision.refusal, one.now);
    },

    // Codes of test recipients have no message.
    countVerified: (trx, codes, now) =>
      countSettled(
        trx,
        codes.filter(({ messageId }) => messageId !== null),
        'verified',
        now,
      ),
    countUndelivered: (trx, codes) => countSettled(trx, codes, 'undelivered', clock.now()),
  };
}
