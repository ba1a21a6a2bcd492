/** Simulated attacks on a shop with legitimate traffic. Each starts at noon of the first measured day. */
import { DAY } from '../../backend/src/platform/clock.js';
import { FAR, HOME, randomNumber } from './numbers.js';
import type { Random } from './random.js';
import { START, type Attack } from './traffic.js';
import { WARM_UP_DAYS } from './simulation.js';

type Target = Attack['number'];

const homeNumber: Target = (random) => ({ number: randomNumber(HOME, random), country: HOME.code });
/** One operator's range: a million numbers with 100 prefixes. */
const rangeNumber: Target = (random) => ({ number: HOME.ranges[17]! + random.digits(6), country: HOME.code });
const prefixNumber: Target = (random) => ({ number: `${HOME.ranges[17]!}42${random.digits(4)}`, country: HOME.code });
const reusedNumber: Target = (random) => ({
  number: `${HOME.ranges[random.below(40)]!}${String(random.below(3) + 10)}4242`,
  country: HOME.code,
});
const foreignNumber =
  (n: number): Target =>
  (random) => ({ number: randomNumber(FAR[n]!, random), country: FAR[n]!.code });
const anyForeignNumber: Target = (random: Random) => foreignNumber(random.below(FAR.length))(random);

export interface AttackScenario extends Omit<Attack, 'seed' | 'from'> {
  readonly name: string;
  /** Countries that the application lists in addition to its home country. */
  readonly listed?: readonly string[];
}

const FAST = { perHour: 200, hours: 24, sources: 'rotating' } as const;
const SLOW = { perHour: 20, hours: 240, sources: 'rotating' } as const;

export const ATTACKS: readonly AttackScenario[] = [
  { name: '200/h, one prefix', ...FAST, number: prefixNumber },
  { name: '200/h, 100 prefixes of one operator', ...FAST, number: rangeNumber },
  { name: '200/h, random numbers of the home country', ...FAST, number: homeNumber },
  { name: '200/h, 120 reused numbers', ...FAST, number: reusedNumber },
  { name: '200/h, another country', ...FAST, number: foreignNumber(3) },
  { name: '200/h, 60 countries', ...FAST, number: anyForeignNumber },
  {
    name: '200/h, 60 countries that the shop lists',
    ...FAST,
    number: anyForeignNumber,
    listed: FAR.map(({ code }) => code),
  },
  {
    name: '200/h, listed country, attacker verifies 30%',
    ...FAST,
    number: foreignNumber(3),
    verifies: 0.3,
    listed: ['X03'],
  },
  { name: '200/h, random home numbers, attacker verifies 30%', ...FAST, number: homeNumber, verifies: 0.3 },
  { name: '200/h, random home numbers, 10 addresses', ...FAST, number: homeNumber, sources: 10 },
  { name: '2,000/h, one prefix', ...FAST, perHour: 2000, number: prefixNumber },
  { name: '2,000/h, random numbers of the home country', ...FAST, perHour: 2000, number: homeNumber },
  { name: '2,000/h, 60 countries', ...FAST, perHour: 2000, number: anyForeignNumber },
  { name: '20/h for 10 days, one prefix', ...SLOW, number: prefixNumber },
  { name: '20/h for 10 days, 100 prefixes of one operator', ...SLOW, number: rangeNumber },
  { name: '20/h for 10 days, another country', ...SLOW, number: foreignNumber(3) },
  { name: '20/h for 10 days, 60 countries', ...SLOW, number: anyForeignNumber },
  {
    name: '20/h for 10 days, listed country, attacker verifies 30%',
    ...SLOW,
    number: foreignNumber(3),
    verifies: 0.3,
    listed: ['X03'],
  },
  { name: '20/h for 10 days, random home numbers, 10 addresses', ...SLOW, number: homeNumber, sources: 10 },
  { name: '20/h for 10 days, random numbers of the home country', ...SLOW, number: homeNumber },
];

export const ATTACK_START = START + WARM_UP_DAYS * DAY + DAY / 2;
