/** The simulated traffic: legitimate (H) and hostile (A). */
import { DAY, HOUR, MINUTE, SECOND } from '../../backend/src/platform/clock.js';
import { FAR_COUNTRIES, HOME, MORE_NEIGHBORS, NEIGHBORS, priceOf, recipientIn, type Target } from './numbers.js';
import { createRandom, type Random } from './random.js';
import {
  attack,
  dayOf,
  hourOf,
  merged,
  people,
  START,
  withTravelers,
  type Attack,
  type Attempt,
  type People,
} from './traffic.js';

export interface Scenario {
  readonly id: string;
  readonly text: string;
  /** The countries that the owner lists. */
  readonly countries?: readonly string[];
  /** Results count from this time on; attacks start then. */
  readonly from: number;
  readonly until: number;
  readonly attempts: (seed: number) => Attempt[];
}

/** The application runs for this long before results count, unless it is new. */
const WARM_UP_DAYS = 8;

type Options = Partial<Pick<Scenario, 'countries' | 'attempts'>> & { readonly isNew?: boolean };

function legitimate(id: string, text: string, traffic: People, { isNew, ...others }: Options = {}): Scenario {
  return {
    id,
    text,
    from: START + (isNew ? 0 : WARM_UP_DAYS * DAY),
    until: START + traffic.days * DAY,
    attempts: (seed) => people(traffic, seed),
    ...others,
  };
}

const isBetween = (at: number, day: number, from: number, to: number): boolean =>
  dayOf(at) === day && hourOf(at) >= from && hourOf(at) < to;

/** A TV commercial on the first evening: 500 people an hour for two hours, and nobody before. */
function commercial(at: number): number {
  if (isBetween(at, 0, 20, 22)) return 25 / 1.7;
  return dayOf(at) === 0 && hourOf(at) < 20 ? 0 : 1;
}
const launched = (conversion: number): People => ({ days: 5, perHour: 20, conversion, volume: commercial });

/** A country in which the application starts on the tenth day. */
const launchIn = (country: string, before: number, conversion: number): Omit<People, 'days' | 'perHour'> => ({
  conversion: (_at, one) => (one === country ? conversion : 0.84),
  volume: (at) => (dayOf(at) >= 10 ? 2.5 : 1),
  country: (at, random) => (random.chance(dayOf(at) >= 10 ? 0.6 : before) ? country : HOME),
});

const fiveCountries = (_at: number, random: Random): string =>
  ['DE', 'DE', 'DE', 'DE', 'DE', 'FR', 'FR', 'AT', 'AT', 'CH', 'US'][random.below(11)]!;

/** A group of 60 people behind one address, who arrive within an hour on the ninth day. */
const group = (conversion: number, country?: People['country']): People => ({
  days: 11,
  perHour: 60,
  conversion,
  volume: (at) => (isBetween(at, 9, 10, 11) ? 1.6 : 0),
  address: '192.0.2.9',
  returning: 0,
  ...(country && { country }),
});
const QUIET_SHOP: People = { days: 11, perHour: 20, conversion: 0.85 };
const withGroup = (visitors: People) => ({
  attempts: (seed: number) => merged(people(QUIET_SHOP, seed), people(visitors, seed + 3)),
});
const fromAnywhere = (_at: number, random: Random): string => [HOME, ...NEIGHBORS][random.below(16)]!;
const isEvening = (at: number): boolean => isBetween(at, 9, 18, 18 + 2 / 3);

export const LEGITIMATE: readonly Scenario[] = [
  legitimate('H1', '20/h, 85%', { days: 20, perHour: 20, conversion: 0.85 }),
  legitimate('H1n', '20/h, 57%, no `clientIp`', { days: 20, perHour: 20, conversion: 0.57, address: '' }),
  legitimate(
    'H2',
    'new application, 200/h in five countries, none of which is listed, 80%',
    { days: 12, perHour: 200, conversion: 0.8, country: fiveCountries },
    { isNew: true },
  ),
  legitimate('H3', 'new application, TV commercial on the first evening: 500/h, 82%', launched(0.82), { isNew: true }),
  legitimate(
    'H3c',
    'the same, half of the people in two other countries that are not listed',
    { ...launched(0.82), country: (_at, random) => ['DE', 'DE', 'AT', 'CH'][random.below(4)]! },
    { isNew: true },
  ),
  legitimate('H3l', 'the same as H3 with curious visitors: 40%', launched(0.4), { isNew: true }),
  legitimate('H3f', '20/h, 80%; ticket sale: 3,000/h for an hour', {
    days: 13,
    perHour: 20,
    conversion: 0.8,
    volume: (at) => (isBetween(at, 10, 19, 20) ? 150 / 1.75 : 1),
  }),
  legitimate('H3s', '20/h, 85%; TV commercial: 500/h for two hours, 68%', {
    days: 13,
    perHour: 20,
    conversion: (at) => (isBetween(at, 10, 20, 22) ? 0.68 : 0.85),
    volume: (at) => (isBetween(at, 10, 20, 22) ? 25 / 1.7 : 1),
  }),
  legitimate('H4', '60/h, 82%; two days with three times as many people, 79%', {
    days: 14,
    perHour: 60,
    conversion: (at) => (dayOf(at) === 10 || dayOf(at) === 11 ? 0.79 : 0.82),
    volume: (at) => (dayOf(at) === 10 || dayOf(at) === 11 ? 3 : 1),
  }),
  legitimate('H5', '45/h; Poland grows from 5/h to 60/h, 78%', {
    days: 14,
    perHour: 45,
    ...launchIn('PL', 0.11, 0.78),
  }),
  legitimate('H5z', '40/h, 84%; launch in Turkey: 60/h, 62%', { days: 16, perHour: 40, ...launchIn('TR', 0, 0.62) }),
  legitimate(
    'H5l',
    'the same, but Turkey is listed as a served country',
    { days: 16, perHour: 40, ...launchIn('TR', 0, 0.62) },
    { countries: ['TR'] },
  ),
  legitimate('H6', '60/h, 84%; nothing arrives for 40 minutes', {
    days: 11,
    perHour: 60,
    conversion: 0.84,
    isDown: isEvening,
  }),
  legitimate('H6o', '60/h, 84%; a quarter of the numbers get nothing for six hours', {
    days: 11,
    perHour: 60,
    conversion: 0.84,
    isDown: (at, number) => isBetween(at, 9, 12, 18) && /^\+4915[12]/.test(number),
  }),
  legitimate('H6q', '15/h, 84%; nothing arrives for 40 minutes', {
    days: 11,
    perHour: 15,
    conversion: 0.84,
    isDown: isEvening,
  }),
  legitimate('H7', '20/h; 60 colleagues behind one address in an hour', QUIET_SHOP, withGroup(group(0.85))),
  legitimate(
    'H7c',
    'the same, 60 people from 16 countries at a conference',
    QUIET_SHOP,
    withGroup(group(0.8, fromAnywhere)),
  ),
  legitimate('H8', '20/h, 85%; 20 travelers a day, from 20 countries, 75%', {
    days: 14,
    perHour: 20.83,
    conversion: (_at, country) => (country === HOME ? 0.85 : 0.75),
    country: (_at, random) => (random.chance(0.04) ? MORE_NEIGHBORS[random.below(20)]! : HOME),
  }),
  legitimate(
    'H9',
    'only notifications, 10/h, from the first day',
    { days: 10, perHour: 10, conversion: 0, kind: 'notification' },
    { isNew: true },
  ),
  legitimate(
    'H9b',
    'only notifications, 4/h; a sale with five times as many',
    { days: 14, perHour: 4, conversion: 0, kind: 'notification', volume: (at) => (dayOf(at) === 12 ? 5 : 1) },
    { isNew: true },
  ),
  legitimate('H10', 'new application, 60/h, 28%', { days: 12, perHour: 60, conversion: 0.28 }, { isNew: true }),
  legitimate('H10b', 'new application, 60/h, 40%', { days: 12, perHour: 60, conversion: 0.4 }, { isNew: true }),
];

/** The shop that is attacked. */
const SHOP: Omit<People, 'days'> = { perHour: 40, conversion: 0.84, country: withTravelers };
/** Results count until two days after the attack. */
const DAYS_AFTER = 2;

interface AttackOptions extends Partial<Attack> {
  readonly target: Attack['target'];
  readonly days?: number;
  readonly startDay?: number;
  readonly countries?: readonly string[];
  readonly attempts?: (from: number, seed: number) => readonly Attempt[];
}

function hostile(id: string, text: string, options: AttackOptions): Scenario {
  const { days = 1, startDay = WARM_UP_DAYS, countries = [], attempts, ...fields } = options;
  const from = START + startDay * DAY + 12 * HOUR;
  const shopDays = startDay + days + DAYS_AFTER + 1;
  const attackers = attempts ?? ((_from, seed) => attack({ perHour: 200, hours: days * 24, from, ...fields }, seed));
  return {
    id,
    text,
    countries,
    from,
    until: from + (days + DAYS_AFTER) * DAY,
    attempts: (seed) => merged(people({ ...SHOP, days: shopDays }, seed), attackers(from, seed)),
  };
}

const numbersIn =
  (country: string) =>
  (random: Random): Target =>
    recipientIn(country, random);
const home = numbersIn(HOME);
const uzbek = numbersIn('UZ');
const far = (random: Random): Target => recipientIn(FAR_COUNTRIES[random.below(30)]!, random);

const listOf = (country: string, count: number, seed: number): Target[] => {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => recipientIn(country, random));
};
/** The same 120 numbers again and again. */
function reused(country: string): Attack['target'] {
  const numbers = listOf(country, 120, 99);
  return (random) => numbers[random.below(numbers.length)]!;
}

const BLOCKS = listOf(HOME, 300, 5).map(({ number }) => number.slice(0, -2));
/** One block of 100 numbers after the other. */
const blocks = (_random: Random, index: number): Target => ({
  country: HOME,
  number: `${BLOCKS[Math.floor(index / 100) % BLOCKS.length]}${String(index % 100).padStart(2, '0')}`,
});
const range = (random: Random): Target => ({ country: HOME, number: `+4915224${random.digits(6)}` });
const prefix = (random: Random): Target => ({ country: HOME, number: `+491522423${random.digits(4)}` });

/** 5,000 messages within a minute. */
const BURST = { perHour: 300_000, hours: 1 / 60 };

const FARM_SIZE = 300;
const FARM_DAYS = 10;
/** The attacker owns 300 numbers: enters a code with each, one every two minutes, and then requests ten a day. */
function farm(from: number, seed: number): Attempt[] {
  const random = createRandom(seed + 77);
  const attemptAt = (at: number, target: Target, verifiesAfter?: number): Attempt => ({
    ...target,
    at,
    kind: 'code',
    address: `198.51.${random.below(200)}.${random.below(200)}`,
    voice: false,
    price: priceOf(target.country),
    isLegitimate: false,
    verifiesAfter,
    solvesChallenges: false,
  });
  return listOf('UZ', FARM_SIZE, seed + 76).flatMap((target, i) => [
    attemptAt(from + i * 2 * MINUTE, target, 15 * SECOND),
    ...Array.from({ length: FARM_DAYS * 10 }, (_, n) =>
      attemptAt(from + 12 * HOUR + Math.floor(n / 10) * DAY + random.below(DAY), target),
    ),
  ]);
}

export const ATTACKS: readonly Scenario[] = [
  hostile('A1', '200/h, a country without customers', { target: uzbek }),
  hostile('A1l', 'the same, the country is listed', { target: uzbek, countries: ['UZ'] }),
  hostile('A2', '20/h for 10 days, a country without customers', { target: uzbek, perHour: 20, days: 10 }),
  hostile('A2l', 'the same, the country is listed', { target: uzbek, perHour: 20, days: 10, countries: ['UZ'] }),
  hostile('A3', '200/h, blocks of 100 numbers of your own country', { target: blocks }),
  hostile('A4', '300/h, 30 countries without customers', { target: far, perHour: 300 }),
  hostile('A4l', 'the same, all 30 are listed', { target: far, perHour: 300, countries: FAR_COUNTRIES }),
  hostile('A5', '60/h, random numbers of your own country', { target: home, perHour: 60 }),
  hostile('A5b', '200/h, random numbers of your own country', { target: home }),
  hostile('A5c', 'the same as A5, the attacker solves challenges', {
    target: home,
    perHour: 60,
    solvesChallenges: true,
  }),
  hostile('A6', '200/h, a country without customers, the attacker enters 30%', { target: uzbek, verifies: 0.3 }),
  hostile('A6h', '200/h, random numbers of your own country, the attacker enters 30%', { target: home, verifies: 0.3 }),
  hostile('A7', '200/h for 10 days, the same 120 numbers abroad', { target: reused('UZ'), days: 10 }),
  hostile('A7h', '200/h for 10 days, the same 120 numbers of your own country', { target: reused(HOME), days: 10 }),
  hostile('A8', '60/h, random numbers of your own country, 1,000 addresses', {
    target: home,
    perHour: 60,
    addresses: 1000,
  }),
  hostile('A8n', '60/h, random numbers of your own country, no `clientIp`', {
    target: home,
    perHour: 60,
    addresses: 0,
  }),
  hostile('A8t', '60/h, random numbers of your own country, 10 addresses', {
    target: home,
    perHour: 60,
    addresses: 10,
  }),
  hostile('A8d', '20/h for 10 days, random numbers of your own country, 10 addresses', {
    target: home,
    perHour: 20,
    addresses: 10,
    days: 10,
  }),
  hostile('A9', '200/h, notifications to a country without customers', { target: uzbek, kind: 'notification' }),
  hostile('A10', '60/h, calls to 30 countries without customers', { target: far, perHour: 60, voice: true }),
  hostile('A10h', '60/h, calls to random numbers of your own country', { target: home, perHour: 60, voice: true }),
  hostile('A12n', '5,000 in a minute, random numbers of your own country', { target: home, ...BURST }),
  hostile('A12p', '5,000 in a minute, one prefix', { target: prefix, ...BURST }),
  hostile('A13', '300 numbers of the attacker: each enters a code, then requests 10 a day for 10 days', {
    target: uzbek,
    days: FARM_DAYS,
    attempts: farm,
  }),
  hostile('A14', 'the same as A1, on the third day of a new application', { target: uzbek, startDay: 2 }),
  hostile('A14h', 'the same as A5b, on the third day of a new application', { target: home, startDay: 2 }),
  hostile('A15', '200/h, one million numbers of your own country', { target: range }),
  hostile('A15s', '20/h for 10 days, one million numbers of your own country', {
    target: range,
    perHour: 20,
    days: 10,
  }),
  hostile('A17', '60/h, 30 countries without customers, one address', { target: far, perHour: 60, addresses: 1 }),
  hostile('A18', '200/h, one prefix', { target: prefix }),
];

export const SCENARIOS: readonly Scenario[] = [...LEGITIMATE, ...ATTACKS];
