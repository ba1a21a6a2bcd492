/**
 * How well a provider delivers: counts of outcomes in which older ones weigh less, and the range in which the true share
 * probably is. Pure functions.
 */
import { DAY, HOUR } from '../../platform/clock.js';

/**
 * An outcome weighs half after so many newer ones on the same channel and country. The simulator compares automatic routes
 * for several values: fewer are noisy, and more react late. The time limits the influence of old outcomes at low volume.
 */
const HALF_LIFE_OUTCOMES = 700;
const HALF_LIFE_DAYS = 14;
/** The last reports, which show an outage: half of their weight is in the last ten. */
const RECENT_HALF_LIFE_REPORTS = 10;
const RECENT_HALF_LIFE_HOURS = 6;
/** Fewer reports than this do not show an outage. */
const MIN_RECENT_REPORTS = 5;
/** During an outage, the share of delivered messages is below this part of the provider's usual share. */
const OUTAGE_FACTOR = 0.5;

/** Weighted counts of a provider's outcomes on one channel in one country. */
export interface ProviderScore {
  /** Codes that were entered, and those that expired. A code that was entered after a second send is one half of each. */
  readonly entered: number;
  readonly notEntered: number;
  /** Messages that the provider reported as delivered or as undelivered. */
  readonly delivered: number;
  readonly undelivered: number;
  /** The same, for the last few reports. */
  readonly recentDelivered: number;
  readonly recentUndelivered: number;
  readonly updatedAt: number;
}

/** New outcomes. A report that replaces another one subtracts the other. */
export type Outcomes = Pick<ProviderScore, 'entered' | 'notEntered' | 'delivered' | 'undelivered'>;

export interface Share {
  readonly good: number;
  readonly bad: number;
}

export const NO_OUTCOMES: Outcomes = { entered: 0, notEntered: 0, delivered: 0, undelivered: 0 };
export const NO_SCORE: ProviderScore = { ...NO_OUTCOMES, recentDelivered: 0, recentUndelivered: 0, updatedAt: 0 };

export const enteredShare = ({ entered, notEntered }: ProviderScore): Share => ({ good: entered, bad: notEntered });
export const deliveredShare = ({ delivered, undelivered }: ProviderScore): Share => ({
  good: delivered,
  bad: undelivered,
});
export const sizeOf = ({ good, bad }: Share): number => good + bad;
/** The expected share. Without outcomes, it is one half. */
export const meanOf = ({ good, bad }: Share): number => (good + 1) / (good + bad + 2);

const half = (amount: number, halfLife: number): number => 0.5 ** (Math.max(0, amount) / halfLife);

/**
 * Adds the outcomes of providers that share a channel and a country. A provider's score also fades with the others'
 * outcomes, so that a provider with few messages is judged anew from time to time.
 */
export function learn(
  scores: ReadonlyMap<string, ProviderScore>,
  outcomes: ReadonlyMap<string, Outcomes>,
  now: number,
): Map<string, ProviderScore> {
  const sum = (count: (outcome: Outcomes) => number) =>
    [...outcomes.values()].reduce((total, outcome) => total + count(outcome), 0);
  const codes = sum(({ entered, notEntered }) => entered + notEntered);
  const reports = sum(({ delivered, undelivered }) => delivered + undelivered);
  const ids = new Set([...scores.keys(), ...outcomes.keys()]);
  return new Map(
    [...ids].map((id) => [
      id,
      learned(scores.get(id) ?? NO_SCORE, outcomes.get(id) ?? NO_OUTCOMES, codes, reports, now),
    ]),
  );
}

function learned(
  before: ProviderScore,
  { entered, notEntered, delivered, undelivered }: Outcomes,
  codes: number,
  reports: number,
  now: number,
): ProviderScore {
  const age = now - before.updatedAt;
  const aged = half(age, HALF_LIFE_DAYS * DAY);
  const codeWeight = aged * half(codes, HALF_LIFE_OUTCOMES);
  const reportWeight = aged * half(reports, HALF_LIFE_OUTCOMES);
  const recentWeight =
    half(delivered + undelivered, RECENT_HALF_LIFE_REPORTS) * half(age, RECENT_HALF_LIFE_HOURS * HOUR);
  const add = (count: number, weight: number, added: number) => Math.max(0, count * weight + added);
  return {
    entered: add(before.entered, codeWeight, entered),
    notEntered: add(before.notEntered, codeWeight, notEntered),
    delivered: add(before.delivered, reportWeight, delivered),
    undelivered: add(before.undelivered, reportWeight, undelivered),
    recentDelivered: add(before.recentDelivered, recentWeight, delivered),
    recentUndelivered: add(before.recentUndelivered, recentWeight, undelivered),
    updatedAt: now,
  };
}

/** Adds scores, each counted with a weight. */
export function addScores(scores: readonly (readonly [ProviderScore, number])[]): ProviderScore {
  const sum = (name: keyof ProviderScore) => scores.reduce((total, [score, weight]) => total + score[name] * weight, 0);
  return {
    entered: sum('entered'),
    notEntered: sum('notEntered'),
    delivered: sum('delivered'),
    undelivered: sum('undelivered'),
    recentDelivered: sum('recentDelivered'),
    recentUndelivered: sum('recentUndelivered'),
    updatedAt: Math.max(0, ...scores.map(([score]) => score.updatedAt)),
  };
}

/** Whether the provider delivered far fewer of its last messages than before. */
export function hasOutage(score: ProviderScore): boolean {
  const recent = { good: score.recentDelivered, bad: score.recentUndelivered };
  if (sizeOf(recent) < MIN_RECENT_REPORTS) return false;
  return recent.good / sizeOf(recent) < OUTAGE_FACTOR * meanOf(deliveredShare(score));
}

/** Returns random numbers from 0 to 1 that depend only on the message's random hexadecimal id (Mulberry32). */
export function seededRandom(messageId: string): () => number {
  let state = Number.parseInt(messageId.slice(0, 8), 16) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws from a gamma distribution with a shape of at least 1 (Marsaglia and Tsang, 2000). */
function gamma(shape: number, random: () => number): number {
  const d = shape - 1 / 3;
  for (;;) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const v = (1 + normal / Math.sqrt(9 * d)) ** 3;
    if (v > 0 && Math.log(1 - random()) < normal ** 2 / 2 + d * (1 - v + Math.log(v))) return d * v;
  }
}

/** Draws a value that the true share may have: from the Beta distribution that follows from the outcomes. */
export function drawShare({ good, bad }: Share, random: () => number): number {
  const x = gamma(good + 1, random);
  return x / (x + gamma(bad + 1, random));
}

const INTERVAL_DRAWS = 1000;

/** Returns the range that contains the true share with a probability of 90%; undefined without outcomes. */
export function rangeOf(share: Share): { readonly from: number; readonly to: number } | undefined {
  if (sizeOf(share) < 1) return undefined;
  const random = seededRandom('0');
  const draws = Array.from({ length: INTERVAL_DRAWS }, () => drawShare(share, random)).sort((a, b) => a - b);
  return { from: draws[INTERVAL_DRAWS * 0.05]!, to: draws[INTERVAL_DRAWS * 0.95]! };
}
