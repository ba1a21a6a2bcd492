/** Generates requests for codes and notifications, by legitimate users and by attackers. */
import { DAY, HOUR, MINUTE, SECOND } from '../../backend/src/platform/clock.js';
import { addressOf, HOME, NEIGHBORS, priceOf, recipientIn, type Target } from './numbers.js';
import { createRandom, type Random } from './random.js';

/** A Monday, at midnight UTC. */
export const START = Date.UTC(2026, 0, 5);

export interface Attempt extends Target {
  readonly at: number;
  readonly kind: 'code' | 'notification';
  readonly address: string | undefined;
  readonly voice: boolean;
  readonly price: number;
  readonly isLegitimate: boolean;
  /** Milliseconds after which the code is entered; undefined if it never is. */
  readonly verifiesAfter: number | undefined;
  readonly solvesChallenges: boolean;
}

/** The number of days since the start, and the hour of the day. */
export const dayOf = (at: number): number => Math.floor((at - START) / DAY);
export const hourOf = (at: number): number => (at % DAY) / HOUR;

export interface People {
  readonly days: number;
  /** People an hour, on average. */
  readonly perHour: number;
  /** Share of people who enter their code, before the variations by day, hour and operator. */
  readonly conversion: number | ((at: number, country: string) => number);
  /** Factor for the number of people at this time. */
  readonly volume?: (at: number) => number;
  readonly country?: (at: number, random: Random) => string;
  /** Share of people who have entered a code before. */
  readonly returning?: number;
  /** The address of everybody; "" if the application does not pass `clientIp`. */
  readonly address?: string;
  /** Whether messages to this number get lost at this time. */
  readonly isDown?: (at: number, number: string) => boolean;
  readonly kind?: 'notification';
}

/** A quarter of the average in the early morning, and one and three quarters of it in the early evening. */
const usualVolume = (at: number): number => 1 + 0.75 * Math.cos(((hourOf(at) - 18.5) / 24) * 2 * Math.PI);

/** Most people enter the code within half a minute; few need more than two minutes. */
const entryDelay = (random: Random): number =>
  Math.min(5 * MINUTE, Math.max(4 * SECOND, 22 * SECOND * Math.exp(random.normal(0, 0.8))));

/** Returns the times of a Poisson process whose rate changes. */
function arrivals({ days, perHour, volume }: People, random: Random): number[] {
  const times: number[] = [];
  let at = START;
  while (at < START + days * DAY) {
    const rate = perHour * usualVolume(at) * (volume?.(at) ?? 1);
    const gap = rate === 0 ? Infinity : random.exponential(HOUR / rate);
    at += Math.min(gap, MINUTE);
    if (gap <= MINUTE) times.push(at);
  }
  return times;
}

/** Returns how much the conversion differs from the average on this day, in this hour and with this operator. */
function createDrift(random: Random) {
  const drifts = new Map<string, number>();
  function drift(name: string, draw: () => number): number {
    if (!drifts.has(name)) drifts.set(name, draw());
    return drifts.get(name)!;
  }
  return (at: number, number: string): number =>
    drift(`day ${dayOf(at)}`, () => (random.uniform() - 0.5) * 0.14) +
    drift(`hour ${Math.floor(at / HOUR)}`, () => random.normal(0, 0.03)) +
    drift(`operator ${number.slice(0, 7)}`, () => random.normal(0, 0.03));
}

const inOrder = (attempts: Attempt[]): Attempt[] => attempts.sort((a, b) => a.at - b.at);

/** Merges lists of attempts into one list, in chronological order. */
export const merged = (...lists: readonly (readonly Attempt[])[]): Attempt[] => inOrder(lists.flat());

const SHARED_ADDRESSES = 40;

/** Returns the requests of people. Some ask for a second code, and three in ten share few addresses. */
export function people(options: People, seed: number): Attempt[] {
  const { conversion, country, returning = 0.25, address, isDown, kind = 'code' } = options;
  const random = createRandom(seed * 7919);
  const driftOf = createDrift(random);
  const shared = Array.from({ length: SHARED_ADDRESSES }, () => addressOf(random));
  const known: Target[] = [];
  const attempts: Attempt[] = [];

  function targetAt(at: number): Target {
    if (known.length > 20 && random.chance(returning)) return known[random.below(known.length)]!;
    return recipientIn(country?.(at, random) ?? HOME, random);
  }
  const addressNow = () => (random.chance(0.3) ? shared[random.below(SHARED_ADDRESSES)]! : addressOf(random));

  for (const at of arrivals(options, random)) {
    const target = targetAt(at);
    const usual = typeof conversion === 'number' ? conversion : conversion(at, target.country);
    const share = Math.min(0.98, Math.max(0.02, usual + driftOf(at, target.number)));
    const isLost = isDown?.(at, target.number) ?? false;
    const converts = kind === 'code' && !isLost && random.chance(share);
    if (converts) known.push(target);
    const asksAgain = kind === 'code' && random.chance(converts ? 0.08 : isLost ? 0.6 : 0.35);
    const verifiesAfter = converts ? entryDelay(random) : undefined;
    const attempt: Omit<Attempt, 'at' | 'verifiesAfter'> = {
      ...target,
      kind,
      address: address === undefined ? addressNow() : address || undefined,
      voice: false,
      price: priceOf(target.country),
      isLegitimate: true,
      solvesChallenges: true,
    };
    attempts.push({ ...attempt, at, verifiesAfter: asksAgain ? undefined : verifiesAfter });
    if (asksAgain) attempts.push({ ...attempt, at: at + (35 + random.below(80)) * SECOND, verifiesAfter });
  }
  return inOrder(attempts);
}

/** Eight in a hundred people have a number from another country. */
export const withTravelers = (_at: number, random: Random): string =>
  random.chance(0.08) ? NEIGHBORS[random.below(NEIGHBORS.length)]! : HOME;

export interface Attack {
  readonly from: number;
  readonly hours: number;
  readonly perHour: number;
  /** Returns the recipient of message number `index`. */
  readonly target: (random: Random, index: number) => Target;
  /** Number of addresses; each message has another one if undefined, and none has one if 0. */
  readonly addresses?: number;
  /** Share of codes that the attacker enters. */
  readonly verifies?: number;
  readonly voice?: boolean;
  readonly kind?: 'notification';
  readonly solvesChallenges?: boolean;
}

export function attack(options: Attack, seed: number): Attempt[] {
  const { from, hours, perHour, target, addresses, verifies = 0, voice = false, kind = 'code' } = options;
  const random = createRandom(seed * 104_729 + 13);
  const pool = Array.from({ length: addresses ?? 0 }, () => addressOf(random));
  const attempts: Attempt[] = [];
  for (let at = from; at < from + hours * HOUR; at += random.exponential(HOUR / perHour)) {
    const recipient = target(random, attempts.length);
    attempts.push({
      ...recipient,
      at,
      kind,
      address: addresses === undefined ? addressOf(random) : pool[random.below(pool.length)],
      voice,
      price: priceOf(recipient.country, voice),
      isLegitimate: false,
      verifiesAfter: random.chance(verifies) ? 15 * SECOND : undefined,
      solvesChallenges: options.solvesChallenges ?? false,
    });
  }
  return attempts;
}
