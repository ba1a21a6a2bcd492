/** Stores the latest results of checks and messages, which all processes share, and verifies providers. */
import { createBackgroundWork } from '../../platform/background.js';
import type { Base } from '../../platform/base.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import { SECOND } from '../../platform/clock.js';
import type { Observed } from '../../providers/circuit-breaker.js';
import type { CredentialsCheck, ProviderSettings } from '../../providers/provider-type.js';
import type { ChangeRouting } from './change-routing.js';
import type { StoredProvider } from './provider-account.js';
import { stateOf, type Health, type ProviderStates } from './provider-state.js';
import type { HealthRow, ProvidersStore } from './providers-store.js';

/** The channel of results of credentials checks, which concern all channels. */
const CHECKS = '*';
/** How often a process stores the same result again, so that messages cost no further writes. */
const REPEAT_MS = 10 * SECOND;

/** A provider, with all of its settings, including secrets. */
export interface HealthSubject {
  readonly id: string;
  readonly settings: ProviderSettings;
}

export type Observe = (channel: ChannelName, result: Observed) => void;

export type ProviderHealth = ReturnType<typeof createProviderHealth>;
export type ReadHealth = Awaited<ReturnType<ProviderHealth['read']>>;

interface Dependencies extends Pick<Base, 'clock' | 'inTransaction' | 'keyring' | 'log'> {
  readonly store: ProvidersStore;
  readonly changeRouting: ChangeRouting;
}

const PURPOSE = 'provider settings';

const textOf = (settings: ProviderSettings): string =>
  JSON.stringify(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)));

const healthOf = ({ succeededAt, failingSince, reason }: HealthRow): Health => ({
  succeededAt: succeededAt ?? undefined,
  failure: failingSince === null ? undefined : { since: failingSince, reason: reason ?? '' },
});

export function createProviderHealth(dependencies: Dependencies) {
  const { store, changeRouting, inTransaction, keyring, clock, log } = dependencies;
  const background = createBackgroundWork(log);

  /** Whether the results were obtained with these settings, and not with earlier ones. */
  const isOf = ({ settings: hash }: HealthRow, { settings }: HealthSubject): boolean =>
    keyring.macMatches(hash, PURPOSE, textOf(settings));

  /** `at`: when the result was observed, in epoch milliseconds. */
  async function write(subject: HealthSubject, channel: string, result: Observed, at: number): Promise<void> {
    const { id, settings } = subject;
    await inTransaction(async (trx) => {
      const rows = (await store.health([id], trx)).filter((row) => isOf(row, subject));
      const known = rows.find((row) => row.channel === channel);
      const isFailure = typeof result === 'object';
      await store.setHealth(trx, {
        provider: id,
        channel,
        settings: keyring.mac(PURPOSE, textOf(settings)),
        succeededAt: result === 'accepted' ? at : (known?.succeededAt ?? null),
        failingSince: isFailure ? (known?.failingSince ?? result.since) : null,
        reason: isFailure ? result.reason : null,
      });
      // A key may be allowed to send messages, but not to read the balance.
      const failedCheck = rows.find((row) => row.channel === CHECKS && row.failingSince !== null);
      if (result === 'accepted' && failedCheck)
        await store.setHealth(trx, { ...failedCheck, failingSince: null, reason: null });
    });
  }

  /** Returns a function that stores the results of a provider's messages in the background. */
  function observer(subject: HealthSubject): Observe {
    const latest = new Map<ChannelName, { readonly text: string; readonly at: number }>();
    return (channel, result) => {
      const text = typeof result === 'object' ? result.reason : result;
      const known = latest.get(channel);
      const now = clock.now();
      if (known?.text === text && now - known.at < REPEAT_MS) return;
      latest.set(channel, { text, at: now });
      background.run(`state of ${subject.id}`, () => write(subject, channel, result, now));
    };
  }

  /** Lets a stored provider send messages, unless it has changed since it was read. */
  async function verify(stored: StoredProvider): Promise<void> {
    if (stored.verifiedAt === null) await changeRouting((trx) => store.setVerified(trx, stored, clock.now()));
  }

  async function recordCheck(subject: HealthSubject, result: CredentialsCheck): Promise<void> {
    const now = clock.now();
    await write(subject, CHECKS, result.ok ? 'accepted' : { since: now, reason: result.reason }, now);
  }

  /** Returns a function that returns the states of the providers with these ids. */
  async function read(ids: readonly string[]) {
    const rows = await store.health(ids);
    /** `isVerified`: undefined for providers that are used before the first success. */
    return (subject: HealthSubject, channels: readonly ChannelName[], isVerified?: boolean): ProviderStates => {
      const own = rows.filter((row) => row.provider === subject.id && isOf(row, subject));
      const on = (channel: string) => own.filter((row) => row.channel === channel).map(healthOf)[0];
      const hasSucceeded = isVerified ?? own.some(({ succeededAt }) => succeededAt !== null);
      return Object.fromEntries(channels.map((name) => [name, stateOf(hasSucceeded, on(CHECKS), on(name))]));
    };
  }

  return {
    observer,
    verify,
    recordCheck,
    recordMessage: write,
    read,
    settled: background.stop,
  };
}
