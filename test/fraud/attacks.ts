/** Simulated attacks on a shop with honest traffic. Each starts at noon of the first measured day. */
import { DAY } from '../../backend/src/platform/clock.js';
import { FAR, HOME, numberIn } from './numbers.js';
import type { Random } from './random.js';
import { START, type Attack } from './traffic.js';
import { WARM_UP_DAYS } from './simulation.js';

type Target = Attack['number'];

const home: Target = (random) => ({ number: numberIn(HOME, random), country: HOME.code });
/** One operator's range: a million numbers with 100 prefixes. */
const range: Target = (random) => ({ number: HOME.ranges[17]! + random.digits(6), country: HOME.code });
const prefix: Target = (random) => ({ number: `${HOME.ranges[17]!}42${random.digits(4)}`, country: HOME.code });
const few: Target = (random) => ({
  number: `${HOME.ranges[random.below(40)]!}${String(random.below(3) + 10)}4242`,
  country: HOME.code,
});
const country =
  (n: number): Target =>
  (random) => ({ number: numberIn(FAR[n]!, random), country: FAR[n]!.code });
const countries: Target = (random: Random) => country(random.below(FAR.length))(random);

export interface AttackScenario extends Omit<Attack, 'seed' | 'from'> {
  readonly name: string;
  /** Countries that the application lists in addition to its home country. */
  readonly listed?: readonly string[];
}

const fast = { perHour: 200, hours: 24, sources: 'rotating' } as const;
const drip = { perHour: 20, hours: 240, sources: 'rotating' } as const;

export const ATTACKS: readonly AttackScenario[] = [
  { name: '200/h, one prefix', ...fast, number: prefix },
  { name: '200/h, 100 prefixes of one operator', ...fast, number: range },
  { name: '200/h, random numbers of the home country', ...fast, number: home },
  { name: '200/h, 120 numbers again and again', ...fast, number: few },
  { name: '200/h, another country', ...fast, number: country(3) },
  { name: '200/h, 60 countries', ...fast, number: countries },
  { name: '200/h, 60 countries that the shop lists', ...fast, number: countries, listed: FAR.map(({ code }) => code) },
  {
    name: '200/h, listed country, attacker verifies 30 %',
    ...fast,
    number: country(3),
    verifies: 0.3,
    listed: ['X03'],
  },
  { name: '200/h, random home numbers, 10 addresses', ...fast, number: home, sources: 10 },
  { name: '2,000/h, one prefix', ...fast, perHour: 2000, number: prefix },
  { name: '2,000/h, random numbers of the home country', ...fast, perHour: 2000, number: home },
  { name: '2,000/h, 60 countries', ...fast, perHour: 2000, number: countries },
  { name: '20/h for 10 days, one prefix', ...drip, number: prefix },
  { name: '20/h for 10 days, 100 prefixes of one operator', ...drip, number: range },
  { name: '20/h for 10 days, another country', ...drip, number: country(3) },
  { name: '20/h for 10 days, 60 countries', ...drip, number: countries },
  { name: '20/h for 10 days, random home numbers, 10 addresses', ...drip, number: home, sources: 10 },
  { name: '20/h for 10 days, random numbers of the home country', ...drip, number: home },
];

export const ATTACK_START = START + WARM_UP_DAYS * DAY + DAY / 2;
