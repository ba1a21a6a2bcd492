/** Guards messages that a paid provider carries: asks the rules, and stores what they count. */
import type { Clock } from '../../platform/clock.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Keyring } from '../../platform/crypto.js';
import type { Write } from '../../platform/db/transaction.js';
import { sourceKey } from '../../platform/http/source-address.js';
import { describeError, type Log } from '../../platform/log.js';
import type { Provider } from '../../providers/provider.js';
import type { Application } from '../applications/application.js';
import type { FraudSend, GuardedApplication, Increment, RecipientRecord, Refusal, TripEffects } from './fraud.js';
import type { FraudCache } from './fraud-cache.js';
import { countSend, type CountedSend } from './fraud-counters.js';
import { hintOf, retryAfterSeconds } from './fraud-explanation.js';
import type { FraudGuard, GuardedMessage } from './fraud-guard.js';
import type { FraudReader, Known } from './fraud-reader.js';
import { recipientKeysOf, recordExpiry } from './fraud-recipient.js';
import { decide, decideNotification, isListed } from './fraud-rules.js';
import type { FraudScopesStore } from './fraud-scopes-store.js';
import { DEFAULT_FRAUD_SETTINGS } from './fraud-settings.js';
import type { FraudStore, StoredRecipient } from './fraud-store.js';

export interface FraudServiceDependencies {
  readonly store: FraudStore;
  readonly scopesStore: Pick<FraudScopesStore, 'trip'>;
  readonly cache: FraudCache;
  readonly reader: FraudReader;
  readonly countVerified: FraudGuard['countVerified'];
  readonly providers: ReadonlyMap<ChannelName, Provider>;
  /** Countries of the senders' numbers. The first one is the home country, the others count as listed. */
  readonly senderCountries: readonly string[];
  readonly keyring: Pick<Keyring, 'mac' | 'macs'>;
  readonly clock: Clock;
  readonly log: Log;
}

const NO_RECORD: RecipientRecord = {
  ...{ countedAt: 0, messages: 0, unverified: 0, source: undefined, newCountry: false, verifiedAt: undefined },
};

const negative = (increments: readonly Increment[]): Increment[] =>
  increments.map((one) => ({ ...one, sent: -one.sent, verified: -one.verified, spend: -one.spend }));

function suspected(refusal: Refusal, now: number): ApiError {
  return new ApiError('FRAUD_SUSPECTED', {
    retryAfterSeconds: retryAfterSeconds(refusal, now),
    values: { text: hintOf(refusal) },
  });
}

export function createFraudService(dependencies: FraudServiceDependencies): FraudGuard {
  const { store, scopesStore, cache, reader, countVerified, providers, senderCountries, keyring, clock, log } =
    dependencies;
  const settings = DEFAULT_FRAUD_SETTINGS;

  const isPaid = (channel: ChannelName): boolean =>
    channel !== 'EMAIL' && providers.has(channel) && !providers.get(channel)!.standIn;

  const countriesOf = ({ settings: { countries } }: Application) => ({
    homeCountry: senderCountries[0],
    countries: [...countries, ...senderCountries.slice(1)],
  });

  const sourceOf = (applicationId: number, clientIp: string | undefined): string | undefined =>
    clientIp === undefined ? undefined : keyring.mac('fraud source', `${applicationId}:${sourceKey(clientIp)}`);

  function guarded(application: Application, { stored, scopes }: Known, now: number): GuardedApplication {
    return {
      ...countriesOf(application),
      guardedSince: stored?.guardedSince ?? now,
      everVerified: stored?.everVerified ?? false,
      verifiedElsewhere: false,
      scopes,
    };
  }

  async function storeTrip(applicationId: number, effects: TripEffects, now: number): Promise<void> {
    try {
      if (!(await scopesStore.trip(applicationId, effects, now))) return;
      cache.add(applicationId, effects.increments).stored();
      const { rule, scope } = effects.trip;
      log.warn({ application: applicationId, rule, scope }, 'the fraud guard paused messages');
    } catch (error) {
      // The next message trips the rule again.
      log.error({ err: describeError(error) }, 'the fraud guard cannot store a pause');
    } finally {
      reader.forget(applicationId);
    }
  }

  /** Nothing is awaited between the decision and the counting, so that parallel sends do not exceed a limit. */
  function decideAndCount(message: GuardedMessage, send: FraudSend, known: Known, now: number) {
    const application = guarded(message.application, known, now);
    const decideOn = message.kind === 'code' ? decide : decideNotification;
    const decision = decideOn(send, known.counts, application, settings, now);
    if (!decision.allowed) return { decision, counted: undefined, pending: undefined };
    const counted = countSend(send, decision, now);
    return { decision, counted, pending: cache.add(message.application.id, counted.increments) };
  }

  function rowsOf(applicationId: number, recipient: StoredRecipient | undefined, counted: CountedSend, known: Known) {
    return function rows(written: () => void, now: number): Write[] {
      const { increments } = counted;
      return [
        store.countersRow({ applicationId, increments, written }),
        ...(recipient ? [store.recipientRow(recipient)] : []),
        ...(known.stored ? [] : [store.applicationRow(applicationId, now)]),
      ];
    };
  }

  async function guard<T>(
    message: GuardedMessage,
    work: (rows: readonly Write[], uncount: () => Promise<void>) => Promise<T>,
  ): Promise<T> {
    const { application, plan, clientIp } = message;
    if (plan.testCode !== undefined || !plan.channels.some(isPaid)) return work([], async () => undefined);
    const applicationId = application.id;
    const now = clock.now();
    const place = { number: plan.address, country: plan.country, source: sourceOf(applicationId, clientIp) };
    const keys = recipientKeysOf(keyring, applicationId, plan.limitKey);
    const [cost, known] = [await message.cost(), await reader.read(applicationId, place, keys, now)];
    const send = { ...place, cost, voice: plan.channels.includes('VOICE'), recipient: known.recipient };
    const { decision, counted, pending } = decideAndCount(message, send, known, now);
    if (!decision.allowed) {
      if (decision.trip) await storeTrip(applicationId, decision.trip, now);
      throw suspected(decision.refusal, now);
    }
    const stored = (record: RecipientRecord): StoredRecipient => ({
      ...{ applicationId, key: keys[0]!, record, expiresAt: recordExpiry(record) },
    });
    const { record, increments } = counted!;
    const rows = rowsOf(applicationId, record && stored(record), counted!, known)(pending!.stored, now);
    try {
      return await work(rows, async () => {
        pending!.undo();
        const counts = { applicationId, increments: negative(increments) };
        await store.uncount(counts, record && stored(known.recipient ?? NO_RECORD));
      });
    } catch (error) {
      pending!.undo();
      throw error;
    }
  }

  return {
    planFor(application, plan) {
      const others = plan.channels.filter((channel) => channel !== 'VOICE');
      const isUnchanged = others.length === 0 || others.length === plan.channels.length || plan.testCode !== undefined;
      if (isUnchanged || !isPaid('VOICE') || isListed(countriesOf(application), plan.country)) return plan;
      return { ...plan, channels: others };
    },
    guard,
    countVerified: [...providers.keys()].some(isPaid) ? countVerified : async () => undefined,
  };
}
