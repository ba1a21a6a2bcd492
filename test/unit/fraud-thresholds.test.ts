/** Why the guard still sends messages to countries in which few codes are entered. */
import { thresholdsText } from '../../backend/src/modules/fraud/fraud-texts.js';

it.each([
  [[40], 'The guard stops them above 40 recent unused codes in France (now 8).'],
  [[40, 25], 'The guard stops them above 40 recent unused codes in France (now 8) and 25 in Germany (now 8).'],
  [[Infinity, 25], 'The guard stops them above 25 recent unused codes in Germany (now 8).'],
  [[Infinity], 'The guard does not stop them by itself.'],
])('thresholds %j', (limits, expected) => {
  const countries = limits.map((limit, n) => {
    return { key: ['FR', 'DE'][n]!, sent: 23, verified: 0, normal: 0.5, isUnusual: true, count: 8, limit };
  });
  expect(thresholdsText(countries)).toBe(expected);
});
