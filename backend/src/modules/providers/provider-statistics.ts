/** Compares providers by country: how many codes were verified, and how many messages were delivered. */
import { DAY, type Clock } from '../../platform/clock.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import type { Actor } from '../access/actor.js';
import type { ProvidersService } from './providers-service.js';

/** Minimum number of messages for a comparison. */
const MIN_COMPARED = 50;
/** A change of the route is proposed when a provider's rate is below this share of another provider's rate. */
const PROPOSAL_THRESHOLD = 0.5;
export const STATISTICS_DAYS = 7;

/** A message that has left Passbell, with its last provider. */
export interface CountedMessage {
  readonly provider: string;
  readonly channel: ChannelName;
  /** ISO 3166 code; "" for email. */
  readonly country: string;
  readonly report: 'delivered' | 'undelivered' | null;
  /** Whether the message's code was verified; undefined for messages without a code, and while the code is valid. */
  readonly verified: boolean | undefined;
}

export interface ProviderStatistics {
  readonly provider: string;
  readonly channel: ChannelName;
  readonly country: string;
  readonly sent: number;
  readonly codes: number;
  readonly verified: number;
  readonly delivered: number;
  readonly undelivered: number;
}

/** Suggests trying `better` before `provider`. Nothing changes until a person sets the route. */
export interface RouteProposal {
  readonly channel: ChannelName;
  readonly country: string;
  readonly provider: string;
  readonly better: string;
  readonly measure: 'conversion' | 'delivery';
  /** Rates between 0 and 1. */
  readonly rate: number;
  readonly betterRate: number;
}

function add(sum: ProviderStatistics, { report, verified }: CountedMessage): ProviderStatistics {
  return {
    ...sum,
    sent: sum.sent + 1,
    codes: sum.codes + (verified === undefined ? 0 : 1),
    verified: sum.verified + (verified ? 1 : 0),
    delivered: sum.delivered + (report === 'delivered' ? 1 : 0),
    undelivered: sum.undelivered + (report === 'undelivered' ? 1 : 0),
  };
}

/** Counts messages by channel, country and provider. */
export function statisticsOf(messages: Iterable<CountedMessage>): ProviderStatistics[] {
  const sums = new Map<string, ProviderStatistics>();
  for (const message of messages) {
    const { provider, channel, country } = message;
    const key = `${channel} ${country} ${provider}`;
    const none = { sent: 0, codes: 0, verified: 0, delivered: 0, undelivered: 0 };
    sums.set(key, add(sums.get(key) ?? { provider, channel, country, ...none }, message));
  }
  return [...sums.values()];
}

const share = (part: number, all: number, minimum: number): number | undefined =>
  all < minimum ? undefined : part / all;

/**
 * The share of codes that were verified, and the share of reported messages that were delivered. Undefined with too few
 * messages.
 */
export const RATES = {
  conversion: ({ codes, verified }: ProviderStatistics, minimum = MIN_COMPARED) => share(verified, codes, minimum),
  delivery: ({ delivered, undelivered }: ProviderStatistics, minimum = MIN_COMPARED) =>
    share(delivered, delivered + undelivered, minimum),
};

/** Compares each provider with the best other provider of the same channel and country. */
export function proposalsOf(statistics: readonly ProviderStatistics[]): RouteProposal[] {
  return (['conversion', 'delivery'] as const).flatMap((measure) =>
    statistics.flatMap((one): RouteProposal[] => {
      const { channel, country, provider } = one;
      const rate = RATES[measure](one);
      const siblings = statistics
        .filter((other) => other !== one && other.channel === channel && other.country === country)
        .map((other) => ({ better: other.provider, betterRate: RATES[measure](other) ?? 0 }))
        .sort((a, b) => b.betterRate - a.betterRate);
      const [best] = siblings;
      if (rate === undefined || !best || rate >= PROPOSAL_THRESHOLD * best.betterRate) return [];
      return [{ channel, country, provider, ...best, measure, rate }];
    }),
  );
}

/** Returns messages sent since a time, newest first, up to a maximum number. */
export type CountedMessagesSince = (since: number, providers: readonly string[]) => Promise<CountedMessage[]>;

export type ProviderComparison = Awaited<ReturnType<CompareProviders>>;
export type CompareProviders = ReturnType<typeof createCompareProviders>;

export function createCompareProviders(
  messagesSince: CountedMessagesSince,
  providers: Pick<ProvidersService, 'list'>,
  clock: Clock,
) {
  /** Returns recent statistics about an account's providers, and proposals to change routes. */
  return async function compareProviders(actor: Actor, accountId: number) {
    const ids = (await providers.list(actor, accountId)).map(({ id }) => id);
    const statistics = statisticsOf(await messagesSince(clock.now() - STATISTICS_DAYS * DAY, ids));
    return { statistics, proposals: proposalsOf(statistics) };
  };
}
