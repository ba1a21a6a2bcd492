/** Checks the claims of docs/fraud.md with a small run of the simulator with fixed seeds. */
import { attackNamed, attackRow, honestRow, pausesPer100Days, refusedPercent } from '../fraud/runs.js';
import { HONEST } from '../fraud/scenarios.js';

const ATTACKED_APPLICATION = { perHour: 20, seed: 5 };

it('does not pause honest traffic', () => {
  const scenario = HONEST.find(({ name }) => name === '20/h, 70 %')!;
  const row = honestRow({ ...scenario, days: 20 }, 5);
  expect(row.passbell.honest).toBeGreaterThan(10_000);
  expect(pausesPer100Days(row, row.passbell)).toBe(0);
  expect(refusedPercent(row.passbell)).toBe(0);
  expect(row.authgear.honestRefused).toBeGreaterThan(0);
});

it.each([
  ['200/h, random numbers of the home country', 120],
  ['200/h, 60 countries', 120],
  ['20/h for 10 days, 100 prefixes of one operator', 300],
  ['20/h for 10 days, another country', 300],
])('stops most messages of the attack: %s', (name, most) => {
  const { passbell } = attackRow(attackNamed(name), ATTACKED_APPLICATION.perHour, ATTACKED_APPLICATION.seed);
  expect(passbell.attempted).toBeGreaterThan(4000);
  expect(passbell.paid).toBeLessThanOrEqual(most);
});
