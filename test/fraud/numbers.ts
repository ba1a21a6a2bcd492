/** Invented phone numbers with the structure of real ones, and their prices. */
import type { Random } from './random.js';

export const HOME = 'DE';

/** German operators' ranges without their last seven digits. The first ones belong to the largest operators. */
const HOME_RANGES = (
  '1511 1512 1514 1515 1516 1517 1520 1521 1522 1523 1525 1526 1573 1575 1577 1578 1590 1601 1603 1609 1621 1623 1631 ' +
  '1633 1701 1703 1711 1715 1721 1729 1732 1741 1749 1752 1760 1763 1772 1781 1791'
).split(' ');
const US_AREAS = ['212', '310', '415', '617', '702', '305', '713', '206'];

const CALLING_CODES: Readonly<Record<string, string>> = {
  AT: '43',
  BE: '32',
  BG: '359',
  CH: '41',
  CZ: '420',
  DK: '45',
  ES: '34',
  FR: '33',
  GB: '44',
  GR: '30',
  HU: '36',
  IE: '353',
  IT: '39',
  NL: '31',
  PL: '48',
  PT: '351',
  RO: '40',
  SE: '46',
  TR: '90',
  UZ: '998',
};

/** The countries of travelers. */
export const NEIGHBORS = 'FR AT CH IT ES NL BE PL CZ DK SE GB US TR PT'.split(' ');
export const MORE_NEIGHBORS = [...NEIGHBORS, 'GR', 'IE', 'RO', 'BG', 'HU'];
/** Invented countries without customers. */
export const FAR_COUNTRIES = Array.from({ length: 30 }, (_, i) => `X${i + 10}`);

export interface Target {
  readonly country: string;
  readonly number: string;
}

function numberIn(country: string, random: Random): string {
  const { below, digits, uniform } = random;
  if (country === HOME) return `+49${HOME_RANGES[Math.floor(HOME_RANGES.length * uniform() ** 1.3)]}${digits(7)}`;
  if (country === 'US') return `+1${US_AREAS[below(US_AREAS.length)]}${digits(7)}`;
  if (country.startsWith('X')) return `+9${country.slice(1)}${10 + below(20)}${digits(6)}`;
  return `+${CALLING_CODES[country]}${50 + below(20)}${digits(country === 'DK' ? 6 : 7)}`;
}

export const recipientIn = (country: string, random: Random): Target => ({
  country,
  number: numberIn(country, random),
});

export const addressOf = (random: Random): string =>
  [100 + random.below(100), random.below(256), random.below(256), random.below(256)].join('.');

const CHEAP = [HOME, ...NEIGHBORS.filter((country) => country !== 'TR')];
const CALL_FACTOR = 3;

/** The price of a message, in US dollars. */
export const priceOf = (country: string, voice = false): number =>
  (CHEAP.includes(country) ? 0.08 : 0.25) * (voice ? CALL_FACTOR : 1);
