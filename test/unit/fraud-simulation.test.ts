/** Checks the claims of docs/fraud.md with a small run of the simulator with fixed seeds. */
import { attackNamed, attackRow, legitimateRow, pausesPer100Days, refusedPercent } from '../fraud/runs.js';
import { LEGITIMATE } from '../fraud/scenarios.js';

const ATTACKED_APPLICATION = { perHour: 20, seed: 5 };

it('does not pause legitimate traffic', () => {
  const scenario = LEGITIMATE.find(({ name }) => name === '20/h, 70%')!;
  const row = legitimateRow({ ...scenario, days: 20 }, 5);
  expect(row.passbell.legitimate).toBeGreaterThan(10_000);
  expect(pausesPer100Days(row, row.passbell)).toBe(0);
  expect(refusedPercent(row.passbell)).toBe(0);
  expect(row.authgear.legitimateRefused).toBeGreaterThan(0);
});

/** Slow attacks are shortened to four days, by when a permanent pause has stopped them. */
it.each([
  ['200/h, random numbers of the home country', 120],
  ['200/h, 60 countries', 120],
  ['200/h, listed country, attacker verifies 30%', 120],
  ['20/h for 10 days, 100 prefixes of one operator', 200],
  ['20/h for 10 days, listed country, attacker verifies 30%', 200],
  ['20/h for 10 days, random home numbers, 10 addresses', 200],
])('stops most messages of the attack: %s', (name, most) => {
  const attack = attackNamed(name);
  const { perHour, seed } = ATTACKED_APPLICATION;
  const { passbell } = attackRow({ ...attack, hours: Math.min(attack.hours, 96) }, perHour, seed);
  expect(passbell.attempted).toBeGreaterThan(1500);
  expect(passbell.paid).toBeLessThanOrEqual(most);
});
