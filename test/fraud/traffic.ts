/** Generates requests for codes by legitimate users and by attackers. */
import { DAY, HOUR, MINUTE, SECOND } from '../../backend/src/platform/clock.js';
import { addressOf, randomNumber, TRAVELLERS, type Country } from './numbers.js';
import { createRandom, type Random } from './random.js';

/** A Monday, at midnight UTC. */
export const START = Date.UTC(2026, 0, 5);

export interface Attempt {
  readonly at: number;
  readonly number: string;
  readonly country: string;
  readonly source: string | undefined;
  readonly legitimate: boolean;
  /** Milliseconds after which the code is entered; undefined if it never is. */
  readonly verifiesAfter: number | undefined;
}

export interface LegitimateTraffic {
  readonly seed: number;
  readonly days: number;
  /** People an hour, on average over a week. */
  readonly perHour: number;
  readonly conversion: number;
  readonly home: Country;
  /** Share of people with a number from another country. */
  readonly travelers?: number;
  /** Share of people who arrive in groups, for example after a newsletter or when a class begins. */
  readonly bursts?: number;
  /** Share of people behind IP addresses that thousands of people use. */
  readonly sharedAddresses?: number;
  /** Share of people who have used the application before. */
  readonly returning?: number;
  /** Returns factors for the volume and the conversion at this time. */
  readonly season?: (at: number, random: Random) => { volume: number; conversion: number };
  /** Whether the caller passes `clientIp`. */
  readonly withSources?: boolean;
}

/** Most people enter the code within half a minute; few need more than two minutes. */
const entryDelay = (random: Random): number =>
  Math.min(5 * MINUTE, Math.max(4 * SECOND, 22 * SECOND * Math.exp(random.normal(0, 0.8))));

/** Returns the usual volume, which is higher by day than at night, and higher at the weekend. */
function usualVolume(at: number): number {
  const hour = (at % DAY) / HOUR;
  const weekend = Math.floor((at - START) / DAY) % 7 >= 5 ? 1.2 : 0.92;
  return weekend * (1 + 0.8 * Math.sin(((hour - 8) / 24) * 2 * Math.PI));
}

/** Yields one person's requests: a first request, and up to two more if no code arrived or was entered. */
function* requestsOf(first: Omit<Attempt, 'verifiesAfter'>, converts: boolean, random: Random): Generator<Attempt> {
  const again = random.chance(converts ? 0.08 : 0.35);
  const verifiesAfter = converts ? entryDelay(random) : undefined;
  yield { ...first, verifiesAfter: again ? undefined : verifiesAfter };
  if (!again) return;
  const second = first.at + (35 + random.below(80)) * SECOND;
  const third = !converts && random.chance(0.3);
  yield { ...first, at: second, verifiesAfter };
  if (third) yield { ...first, at: second + (70 + random.below(100)) * SECOND, verifiesAfter: undefined };
}

/** Returns a function for the conversion at a time. It varies between days, hours and operators, as in practice. */
function createConversion({ conversion, season }: LegitimateTraffic, random: Random) {
  const drifts = new Map<string, number>();
  const drift = (key: string, deviation: number) => {
    if (!drifts.has(key)) drifts.set(key, random.normal(0, deviation));
    return drifts.get(key)!;
  };
  return (at: number, number: string): number => {
    const day = 1 + drift(`day ${Math.floor(at / DAY)}`, 0.04);
    const hour = 1 + drift(`hour ${Math.floor(at / HOUR)}`, 0.04);
    const operator = 1 + drift(`operator ${number.slice(0, 6)}`, 0.08);
    const seasonal = season?.(at, random).conversion ?? 1;
    return Math.min(0.98, Math.max(0.02, conversion * day * hour * operator * seasonal));
  };
}

export function legitimateTraffic(traffic: LegitimateTraffic): Attempt[] {
  const { seed, days, perHour, home, travelers = 0.06, bursts = 0, sharedAddresses = 0.3, returning = 0 } = traffic;
  const random = createRandom(seed);
  const conversionAt = createConversion(traffic, random);
  const shared = Array.from({ length: 40 }, () => addressOf(random));
  const known: { number: string; country: string }[] = [];
  const attempts: Attempt[] = [];

  const person = () => {
    if (known.length > 0 && random.chance(returning)) return known[random.below(known.length)]!;
    const country = random.chance(travelers)
      ? TRAVELLERS[Math.floor(TRAVELLERS.length * random.uniform() ** 2)]!
      : home;
    const one = { number: randomNumber(country, random), country: country.code };
    if (returning > 0) known.push(one);
    return one;
  };
  const arrive = (at: number) => {
    const { number, country } = person();
    const address = random.chance(sharedAddresses) ? shared[random.below(shared.length)]! : addressOf(random);
    const source = traffic.withSources === false ? undefined : address;
    const converts = random.chance(conversionAt(at, number));
    attempts.push(...requestsOf({ at, number, country, source, legitimate: true }, converts, random));
  };

  /** Thinning: generates candidates at the highest rate, and keeps the share that gives the current rate. */
  const highest = 25;
  const end = START + days * DAY;
  for (let at = START; at < end; at += random.exponential(HOUR / (perHour * highest))) {
    const volume = usualVolume(at) * (traffic.season?.(at, random).volume ?? 1);
    if (!random.chance(volume / highest)) continue;
    const group = random.chance(bursts / 20) ? 20 : 1;
    for (let i = 0; i < group; i++)
      if (group > 1 || !random.chance(bursts)) arrive(at + random.below(4 * MINUTE) * (group > 1 ? 1 : 0));
  }
  return attempts.sort((a, b) => a.at - b.at);
}

export interface Attack {
  readonly seed: number;
  readonly from: number;
  readonly hours: number;
  readonly perHour: number;
  readonly number: (random: Random) => { number: string; country: string };
  /** `rotating`: a new address for each message; a number: that many addresses in total; `none`: no address. */
  readonly sources: 'rotating' | 'none' | number;
  /** Share of the messages that go to the attacker's own numbers, whose codes the attacker enters. */
  readonly verifies?: number;
}

export function attackTraffic({ seed, from, hours, perHour, number, sources, verifies = 0 }: Attack): Attempt[] {
  const random = createRandom(seed);
  const pool = typeof sources === 'number' ? Array.from({ length: sources }, () => addressOf(random)) : [];
  const attempts: Attempt[] = [];
  for (let at = from; at < from + hours * HOUR; at += random.exponential(HOUR / perHour)) {
    const source =
      sources === 'none' ? undefined : sources === 'rotating' ? addressOf(random) : pool[random.below(pool.length)];
    const verifiesAfter = random.chance(verifies) ? 15 * SECOND : undefined;
    attempts.push({ at, ...number(random), source, legitimate: false, verifiesAfter });
  }
  return attempts;
}
