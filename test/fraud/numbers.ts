/** Invented phone numbers with the structure of real ones: country, operators' ranges and prefixes. */
import type { Random } from './random.js';

export interface Country {
  readonly code: string;
  /** Phone numbers without their last six digits. */
  readonly ranges: readonly string[];
}

const country = (code: string, dialing: string, ranges: number): Country => ({
  code,
  ranges: Array.from({ length: ranges }, (_, i) => `+${dialing}${String(i + 10)}`),
});

/** 40 million mobile numbers. */
export const HOME = country('DE', '491', 40);
/** 3 million mobile numbers, so each prefix gets much traffic. */
export const SMALL_HOME = country('MT', '356', 3);

const TRAVELLER_CODES = 'FR IT ES NL BE AT CH PL CZ DK SE NO FI PT GB US CA BR MX IN'.split(' ');
export const TRAVELLERS = TRAVELLER_CODES.map((code, i) => country(code, String(200 + i), 20));

/** Countries without legitimate users. */
export const FAR = Array.from({ length: 60 }, (_, i) => country(`X${String(i).padStart(2, '0')}`, String(300 + i), 20));

/** Returns a random number. Low ranges are more likely, because they belong to the large operators. */
export function randomNumber({ ranges }: Country, random: Random): string {
  const range = ranges[Math.floor(ranges.length * random.uniform() ** 1.5)]!;
  return range + random.digits(6);
}

export const addressOf = (random: Random): string =>
  [100 + random.below(100), random.below(256), random.below(256), random.below(256)].join('.');
