/**
 * Applies the rules to messages that a paid provider would send, and stores the counts: of sends, of codes that were
 * entered, which raise the conversion and exempt their recipients, and of codes that were not sent or not delivered, which
 * say nothing about their recipients.
 */
import type { Knex } from 'knex';
import type { Base } from '../../platform/base.js';
import { startOfDay } from '../../platform/clock.js';
import { CHANNELS } from '../../platform/contract/channels.js';
import { ApiError, UNAVAILABLE_RETRY_SECONDS } from '../../platform/contract/errors.js';
import type { Write } from '../../platform/db/transaction.js';
import { describeError } from '../../platform/log.js';
import type { Metrics } from '../../platform/metrics.js';
import { sourceKey } from '../../platform/http/source-address.js';
import type { Application } from '../applications/application.js';
import type { ChallengesService } from '../challenges/challenges-service.js';
import type { CodeOutcome, CountCodes, Reserve } from '../messages/code-outcomes.js';
import type { Guard, GuardedMessage } from '../messages/message-limits.js';
import type { SendPlan } from '../messages/send-plan.js';
import { countedNumber, parseRecipient } from '../recipients/recipient.js';
import { decide } from './decide.js';
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
import { settle } from './settle.js';

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
  readonly reserve: Reserve;
  /** Counts verified codes in the transaction that verifies them. */
  countVerified(trx: Knex, codes: readonly VerifiedCode[], now: number): Promise<void>;
  readonly countCodes: CountCodes;
}

export interface FraudServiceDependencies extends Pick<Base, 'clock' | 'keyring' | 'log'> {
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
  readonly metrics: Pick<Metrics, 'fraudRefusal' | 'fraudPause'>;
}

interface RequestedCode extends Pick<VerifiedCode, 'applicationId' | 'recipient'> {
  readonly createdAt: number;
  readonly outcome: CodeOutcome | 'verified';
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

  const isGuarded = ({ application, plan }: GuardedMessage): boolean =>
    plan.testCode === undefined && plan.channels.some((channel) => isPaid(application, channel));

  async function judged(message: GuardedMessage, address: string | undefined): Promise<Judged> {
    const { application, plan, kind, isChallengeSolved = false } = message;
    const send: FraudSend = {
      kind,
      number: countedNumber(plan.address),
      country: plan.country,
      address,
      voice: plan.channels.includes('VOICE'),
      isChallengeSolved,
    };
    const keys = recipientKeysOf(keyring, application.id, plan.limitKey);
    const known = await reader.read(application.id, send, keys);
    return { application, send, known, keys, now: clock.now() };
  }

  /**
   * Must stay synchronous: otherwise a concurrent send could be judged after this send is allowed but before it is
   * counted, and exceed a limit. `isStored`: whether the caller stores the record. Other sends must not see a record that is
   * never stored, because they would not count the recipient again.
   */
  function decideAndCount({ application, send, known, keys, now }: Judged, isStored: boolean) {
    const key = keys[0]!;
    const recipient = recent.latest(key, known.recipient, now);
    const about = { ...known, recipient, application: guardedApplication(application, senderCountries) };
    const decision = decide({ send, known: about, settings: appliedSettings(application), now });
    if (isStored && decision.record) recent.add(key, decision.record, now);
    const { stored, undo } = cache.add(application.id, decision.charges);
    const undoAll = () => {
      undo();
      if (isStored) recent.remove(key);
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
      await refusals.add({ ...refusedOf(one, refusal), outcome });
    } catch (error) {
      pending.undo();
      log.error({ err: describeError(error) }, 'the fraud guard cannot count a refused message');
    }
  }

  const dayOf = ({ send, now }: Judged) => ({ country: send.country, day: startOfDay(now), sent: 1, verified: 0 });

  /** Runs `work` with the rows that count the message. */
  async function count<T>(
    one: Judged,
    { charges, isCounted, record, alert }: Allowed,
    pending: PendingAdditions,
    work: (rows: readonly Write[], uncount: () => Promise<void>) => Promise<T>,
  ): Promise<T> {
    const { application, now } = one;
    const applicationId = application.id;
    const counted: Counted = { applicationId, charges, day: isCounted ? dayOf(one) : undefined };
    const alerted = alert && notices.alerted(application, alert, now);
    const rows = [
      ...(alerted ? [alerted.row] : []),
      ...(record ? [recipients.row(storedRecord(one, record))] : []),
      ...(charges.length > 0 || isCounted ? [excesses.row(counted, () => pending.stored())] : []),
    ];
    async function uncount(): Promise<void> {
      const reversed = reversedCharges(charges.filter(({ scope }) => scope === 'notified'));
      if (reversed.length === 0) return;
      await excesses.add({ applicationId, charges: reversed });
      cache.add(applicationId, reversed).stored();
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

  const isPaidSomehow = (application: Parameters<IsPaid>[0]) =>
    CHANNELS.some((channel) => isPaid(application, channel));

  const phonesOf = (codes: readonly RequestedCode[]) =>
    codes.filter(isPaidSomehow).flatMap(({ applicationId, recipient, createdAt, outcome }) => {
      const parsed = recipient.startsWith('+') ? parseRecipient(recipient) : undefined;
      if (!parsed) return [];
      const { limitKey, address, country = '' } = parsed;
      const keys = recipientKeysOf(keyring, applicationId, limitKey);
      return [{ applicationId, number: countedNumber(address), country, keys, createdAt, outcome }];
    });

  async function countCodes(trx: Knex, codes: readonly RequestedCode[], now: number): Promise<void> {
    const phones = phonesOf(codes);
    if (phones.length === 0) return;
    const ids = [...new Set(phones.map(({ applicationId }) => applicationId))];
    const known = await recipients.find(
      trx,
      phones.flatMap(({ keys }) => keys),
      ids,
    );
    const counted: Counted[] = [];
    const settled: StoredRecipient[] = [];
    for (const { applicationId, keys, outcome, ...code } of phones) {
      const before = keys.map((key) => known.get(key)).find((record) => record !== undefined) ?? NO_RECORD;
      const { stateOf } = reader.cachedOf(applicationId);
      const { record, charges, day } = settle(code, before, outcome, stateOf, now);
      if (record === before) continue;
      // The same recipient's other codes in this batch see the change.
      known.set(keys[0]!, record);
      counted.push({ applicationId, charges, day });
      settled.push({ applicationId, key: keys[0]!, record });
    }
    await addCounted(trx, counted);
    await recipients.saveSettled(trx, settled);
    for (const { applicationId, charges } of counted) cache.add(applicationId, charges).stored();
    // Until the first code is entered, conversions mean nothing.
    const isFirst = (id: number) => !reader.cachedOf(id).days.some(({ verified }) => verified > 0);
    if (phones.some(({ outcome }) => outcome === 'verified')) ids.filter(isFirst).forEach(reader.forget);
  }

  return {
    planFor(application, plan) {
      const others = plan.channels.filter((channel) => channel !== 'VOICE');
      const isUnchanged = others.length === 0 || others.length === plan.channels.length || plan.testCode !== undefined;
      const isServed = isListed(application, senderCountries, plan.country);
      return isUnchanged || isServed || !isPaid(application, 'VOICE') ? plan : { ...plan, channels: others };
    },

    async guard(message, work) {
      const { application, clientIp } = message;
      if (!isGuarded(message)) return work([], async () => undefined);
      const one = await judged(message, addressOf(application.id, clientIp));
      const { decision, pending } = decideAndCount(one, true);
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

    async reserve(message) {
      if (!isGuarded(message)) return () => undefined;
      const { application, plan } = message;
      const keys = recipientKeysOf(keyring, application.id, plan.limitKey);
      const destination = { number: countedNumber(plan.address), country: plan.country, address: undefined };
      const { recipient = NO_RECORD } = await reader.read(application.id, destination, keys);
      const { address, isSolved: isChallengeSolved } = recipient;
      const one = await judged({ ...message, isChallengeSolved }, address);
      const { decision, pending } = decideAndCount(one, false);
      if (decision.outcome === 'allowed') return pending.undo;
      pending.undo();
      throw fraudSuspected(decision.refusal, one.now);
    },

    // Codes of test recipients have no message.
    countVerified: (trx, codes, now) =>
      countCodes(
        trx,
        codes
          .filter(({ messageId }) => messageId !== null)
          .map(({ applicationId, recipient }) => ({ applicationId, recipient, createdAt: now, outcome: 'verified' })),
        now,
      ),
    countCodes,
  };
}
