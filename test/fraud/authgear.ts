/**
 * Authgear's rule for SMS pumping, as its open specification described it in May 2026 (docs/specs/fraud-protection.md
 * in github.com/authgear/authgear-server, with the exemption of verified numbers of July 2026), reimplemented for the
 * comparison. It refuses a message if one of its leaky buckets of unverified codes is full: per country and per
 * address, each per hour and per day.
 */
import { DAY, HOUR } from '../../backend/src/platform/clock.js';
import type { Attempt } from './traffic.js';

const DAILY_RATIO = 0.3;
const HOURLY_RATIO = 0.2;
const COUNTRIES_PER_ADDRESS = 3;
/** Number of hours over which a busy day's messages are assumed to be spread. */
const BUSY_HOURS = 6;

/** A leaky bucket that messages fill and that leaks its whole capacity in each period. */
class LeakyBucket {
  private level = 0;
  private updatedAt = 0;
  constructor(private readonly period: number) {}
  /** Returns whether the bucket overflows. */
  add(count: number, capacity: number, now: number): boolean {
    const leaked = ((now - this.updatedAt) * capacity) / this.period;
    this.level = Math.max(0, Math.min(this.level, capacity) - leaked + count);
    this.updatedAt = now;
    return this.level > capacity;
  }
}

/** Counts the verified codes of a country or an address by hour. */
class VerifiedCounts {
  private readonly hours = new Map<number, number>();
  add(now: number): void {
    const hour = Math.floor(now / HOUR);
    this.hours.set(hour, (this.hours.get(hour) ?? 0) + 1);
  }
  last(hours: number, now: number): number {
    const hour = Math.floor(now / HOUR);
    let sum = 0;
    for (let i = 0; i < hours; i++) sum += this.hours.get(hour - i) ?? 0;
    return sum;
  }
  /** Returns the highest number of verified codes on any of the last 14 days. */
  highestDay(now: number): number {
    let highest = 0;
    for (let day = 0; day < 14; day++) highest = Math.max(highest, this.last(24, now - day * DAY));
    return highest;
  }
}

function createCounters() {
  return {
    hourly: new LeakyBucket(HOUR),
    daily: new LeakyBucket(DAY),
    verified: new VerifiedCounts(),
    highest: { at: -1, value: 0 },
  };
}
type Counters = ReturnType<typeof createCounters>;

export function createAuthgear() {
  const countries = new Map<string, Counters>();
  const addresses = new Map<string, Counters>();
  const countriesOf = new Map<string, Map<string, { at: number; verified: boolean }>>();
  const verifiedNumbers = new Set<string>();

  const countersOf = (places: Map<string, Counters>, key: string): Counters => {
    if (!places.has(key)) places.set(key, createCounters());
    return places.get(key)!;
  };

  /** The highest day changes slowly, so it is computed only once an hour. */
  function highestDay({ verified, highest }: Counters, now: number): number {
    const hour = Math.floor(now / HOUR);
    if (highest.at !== hour) Object.assign(highest, { at: hour, value: verified.highestDay(now) });
    return highest.value;
  }

  function capacities(country: Counters, address: Counters | undefined, now: number) {
    const day = country.verified.last(24, now);
    const hour = country.verified.last(1, now);
    const highest = highestDay(country, now);
    const ofAddress = address?.verified.last(24, now) ?? 0;
    return {
      countryDaily: Math.max(20, highest * DAILY_RATIO, day * DAILY_RATIO),
      countryHourly: Math.max(3, (highest / BUSY_HOURS) * HOURLY_RATIO, hour * HOURLY_RATIO),
      addressDaily: Math.max(10, ofAddress * DAILY_RATIO),
      addressHourly: Math.max(5, (ofAddress / BUSY_HOURS) * HOURLY_RATIO),
    };
  }

  function add(count: number, { country, source }: Attempt, now: number): boolean {
    const place = countersOf(countries, country);
    const address = source === undefined ? undefined : countersOf(addresses, source);
    const limits = capacities(place, address, now);
    return [
      place.hourly.add(count, limits.countryHourly, now),
      place.daily.add(count, limits.countryDaily, now),
      address?.hourly.add(count, limits.addressHourly, now) ?? false,
      address?.daily.add(count, limits.addressDaily, now) ?? false,
    ].some(Boolean);
  }

  function tooManyCountries({ country, source }: Attempt, now: number): boolean {
    if (source === undefined) return false;
    const seen = countriesOf.get(source) ?? new Map<string, { at: number; verified: boolean }>();
    countriesOf.set(source, seen);
    for (const [key, { at }] of seen) if (at <= now - DAY) seen.delete(key);
    seen.set(country, { at: now, verified: seen.get(country)?.verified ?? false });
    return [...seen.values()].filter(({ verified }) => !verified).length > COUNTRIES_PER_ADDRESS;
  }

  return {
    /** Returns whether the message is sent. */
    send(attempt: Attempt): boolean {
      if (verifiedNumbers.has(attempt.number)) return true;
      const full = add(1, attempt, attempt.at);
      return !tooManyCountries(attempt, attempt.at) && !full;
    },
    verify(attempt: Attempt, now: number): void {
      const isNew = !verifiedNumbers.has(attempt.number);
      verifiedNumbers.add(attempt.number);
      countersOf(countries, attempt.country).verified.add(now);
      if (attempt.source !== undefined) {
        countersOf(addresses, attempt.source).verified.add(now);
        const seen = countriesOf.get(attempt.source)?.get(attempt.country);
        if (seen) seen.verified = true;
      }
      if (isNew) add(-1, attempt, now);
    },
  };
}
