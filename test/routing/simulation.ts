/** Simulates codes that are sent through three providers, in a fixed order, automatically, or in the best order. */
import { automaticOrder } from '../../backend/src/modules/providers/automatic-order.js';
import {
  learn,
  NO_OUTCOMES,
  NO_SCORE,
  type Outcomes,
  type ProviderScore,
} from '../../backend/src/modules/providers/provider-score.js';
import { SECOND } from '../../backend/src/platform/clock.js';
import { createRandom } from '../fraud/random.js';
import type { Scenario, SimulatedProvider } from './scenarios.js';

export const MESSAGES = 10_000;
/** From here on, automatic routes are compared with the best order. */
export const LEARNED_AFTER = 2000;
/** A code counts this long after it was sent: it expires after 5 minutes, and is counted up to 3 minutes later. */
const COUNTED_AFTER_SECONDS = 8 * 60;
/** Share of people who enter a code that arrives. */
const PEOPLE_WHO_ENTER = 0.92;

export type Policy = 'ordered' | 'automatic' | 'best';

export interface Result {
  /** Whether the code of each message was entered, and the provider that sent it first. */
  readonly entered: readonly boolean[];
  readonly first: readonly string[];
  readonly cost: number;
}

interface Learned {
  readonly provider: string;
  readonly outcomes: Partial<Outcomes>;
}

export function simulate(scenario: Scenario, policy: Policy, seed: number): Result {
  const { providers, secondsBetween, reachable } = scenario;
  const countedAfter = Math.ceil(COUNTED_AFTER_SECONDS / secondsBetween);
  const due = new Map<number, Learned[]>();
  const later = (n: number, learned: Learned) => void due.set(n, [...(due.get(n) ?? []), learned]);
  const entered: boolean[] = [];
  const first: string[] = [];
  let scores = new Map<string, ProviderScore>();
  let cost = 0;
  for (let n = 0; n < MESSAGES; n++) {
    scores = withOutcomes(scores, due.get(n) ?? [], n * secondsBetween * SECOND);
    due.delete(n);
    // The same in each policy, so that only the order makes a difference.
    const luck = createRandom(seed * 1_000_003 + n);
    const person = { isReachable: luck.chance(reachable), enters: luck.chance(PEOPLE_WHO_ENTER) };
    const arrivals = new Map(providers.map(({ id, at }) => [id, luck.chance(at(n).arrives) && person.isReachable]));
    const reportSeconds = 5 + luck.below(15);
    const messageId = luck
      .below(2 ** 32)
      .toString(16)
      .padStart(8, '0');
    const order = orderOf(policy, providers, scores, messageId, n);
    let sends = 0;
    let isEntered = false;
    for (const provider of order) {
      cost += provider.price;
      sends += 1;
      const arrived = arrivals.get(provider.id)!;
      const { reports } = provider.at(n);
      const delivered = reports === 'always delivered' || (reports === 'truth' ? arrived : undefined);
      const reportedAt = n + Math.ceil((sends * reportSeconds) / secondsBetween);
      if (delivered !== undefined)
        later(reportedAt, { provider: provider.id, outcomes: delivered ? { delivered: 1 } : { undelivered: 1 } });
      isEntered = arrived && person.enters;
      if (arrived || delivered !== false) break;
    }
    const counted = !isEntered ? 0 : sends === 1 ? 1 : 0.5;
    later(n + countedAfter, { provider: order[0]!.id, outcomes: { entered: counted, notEntered: 1 - counted } });
    entered.push(isEntered);
    first.push(order[0]!.id);
  }
  return { entered, first, cost };
}

function withOutcomes(
  scores: Map<string, ProviderScore>,
  due: readonly Learned[],
  now: number,
): Map<string, ProviderScore> {
  if (due.length === 0) return scores;
  const sums = new Map<string, Outcomes>();
  for (const { provider, outcomes } of due) {
    const before = sums.get(provider) ?? NO_OUTCOMES;
    const add = (name: keyof Outcomes) => before[name] + (outcomes[name] ?? 0);
    sums.set(provider, {
      entered: add('entered'),
      notEntered: add('notEntered'),
      delivered: add('delivered'),
      undelivered: add('undelivered'),
    });
  }
  return learn(scores, sums, now);
}

function orderOf(
  policy: Policy,
  providers: readonly SimulatedProvider[],
  scores: ReadonlyMap<string, ProviderScore>,
  messageId: string,
  n: number,
): readonly SimulatedProvider[] {
  if (policy === 'ordered') return providers;
  // Knows how many messages arrive with each provider at this moment.
  if (policy === 'best') return [...providers].sort((a, b) => b.at(n).arrives - a.at(n).arrives || a.price - b.price);
  const candidates = providers.map((provider) => ({
    provider,
    price: provider.price,
    score: scores.get(provider.id) ?? NO_SCORE,
  }));
  return automaticOrder(candidates, messageId).map(({ provider }) => provider);
}

export const shareOf = (entered: readonly boolean[], from = 0): number =>
  entered.slice(from).filter(Boolean).length / (entered.length - from);

/** Of these messages, at most this share may still go to a provider with an outage, which is how its end is noticed. */
const AVOIDED_SHARE = 0.15;
const AVOIDED_OVER = 100;

/** Returns after how many messages a provider whose outage starts at `start` is avoided. */
export function reactionTo(first: readonly string[], provider: string, start: number): number {
  for (let n = start; n + AVOIDED_OVER <= first.length; n++) {
    const next = first.slice(n, n + AVOIDED_OVER);
    if (next.filter((id) => id === provider).length <= AVOIDED_SHARE * AVOIDED_OVER) return n - start;
  }
  return Infinity;
}
