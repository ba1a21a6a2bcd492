/** Applies the rules to messages that a paid provider would send, and stores the counts. */
import type { Knex } from 'knex';
import type { Clock } from '../../platform/clock.js';
import { CHANNELS } from '../../platform/contract/channels.js';
import { ApiError, UNAVAILABLE_RETRY_SECONDS } from '../../platform/contract/errors.js';
import type { Keyring } from '../../platform/crypto.js';
import type { Write } from '../../platform/db/transaction.js';
import { describeError, type Log } from '../../platform/log.js';
import type { Metrics } from '../../platform/metrics.js';
import { sourceKey } from '../../platform/http/source-address.js';
import type { Application } from '../applications/application.js';
import type { ChallengesService } from '../challenges/challenges-service.js';
import type { GuardedMessage } from '../messages/message-limits.js';
import { countedNumber } from '../recipients/recipient.js';
import { startOfDay } from './conversion.js';
import { decide } from './decide.js';
import { reversedCharges, type ExcessCache, type PendingAdditions } from './excess-cache.js';
import type { Counted, ExcessesStore } from './excesses-store.js';
import { NO_RECORD, type Decision, type FraudSend, type RecipientRecord, type Refusal } from './fraud.js';
import {
  appliedSettings,
  countriesOf,
  guardedApplication,
  type IsPaid,
  type SenderCountries,
} from './fraud-application.js';
import { hintOf, retryAfterSeconds } from './fraud-explanation.js';
import type { FraudGuard } from './fraud-guard.js';
import type { FraudNotices } from './fraud-notices.js';
import type { FraudReader, Known } from './fraud-reader.js';
import type { FraudScopesStore } from './fraud-scopes-store.js';
import { createRecentRecords } from './recent-records.js';
import { recipientKeysOf, type RecipientsStore } from './recipients-store.js';
import type { RefusalCounts } from './refusal-counts.js';

export interface FraudServiceDependencies {
  readonly excesses: Pick<ExcessesStore, 'row' | 'add'>;
  readonly recipients: Pick<RecipientsStore, 'row' | 'saveSent'>;
  readonly scopesStore: Pick<FraudScopesStore, 'trip'>;
  readonly settlements: Pick<FraudGuard, 'countVerified' | 'countUndelivered'>;
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

function fraudSuspected(refusal: Refusal, now: number): ApiError {
  return new ApiError('FRAUD_SUSPECTED', {
    retryAfterSeconds: retryAfterSeconds(refusal, now),
    values: { text: hintOf(refusal) },
  });
}

export function createFraudService(dependencies: FraudServiceDependencies): FraudGuard {
  const { excesses, recipients, scopesStore, settlements, notices, refusals, cache, reader } = dependencies;
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
    const { homeCountry, countries } = countriesOf(application, senderCountries);
    const isListed = country === homeCountry || countries.includes(country);
    const isServed = isListed || known.days.some((day) => day.country === country && day.verified > 0);
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
    } catch (error) {
      pending.undo();
      log.error({ err: describeError(error) }, 'the fraud guard cannot count a refused message');
      return;
    }
    try {
      if (record) await recipients.saveSent(storedRecord(one, record));
      if (outcome === 'refused') await refusals.add(refusedOf(one, refusal));
    } catch (error) {
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

  return {
    planFor(application, plan) {
      const others = plan.channels.filter((channel) => channel !== 'VOICE');
      const isUnchanged = others.length === 0 || others.length === plan.channels.length || plan.testCode !== undefined;
      const { homeCountry, countries } = countriesOf(application, senderCountries);
      const isServed = plan.country === homeCountry || countries.includes(plan.country);
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

    async countVerified(trx, codes, now) {
      const paid = codes.filter((code) => CHANNELS.some((channel) => isPaid(code, channel)));
      if (paid.length > 0) await settlements.countVerified(trx, paid, now);
    },
    async countUndelivered(trx, codes) {
      const paid = codes.filter((code) => CHANNELS.some((channel) => isPaid(code, channel)));
      if (paid.length > 0) await settlements.countUndelivered(trx, paid);
    },
  };
}
