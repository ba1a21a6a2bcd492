/** Why the guard still sends messages to countries in which few codes are entered. */
import { thresholdsText } from '../../backend/src/modules/fraud/fraud-texts.js';

it.each([
  [
    [40],
    'The fraud guard stops messages when unused codes exceed the usual number by more than 40 in France (currently 8).',
  ],
  [
    [40, 25],
    'The fraud guard stops messages when unused codes exceed the usual number by more than 40 in France (currently 8) and 25 in Germany (currently 8).',
  ],
  [
    [Infinity, 25],
    'The fraud guard stops messages when unused codes exceed the usual number by more than 25 in Germany (currently 8).',
  ],
  [[Infinity], 'The fraud guard does not stop these messages automatically.'],
])('thresholds %j', (limits, expected) => {
  const countries = limits.map((limit, n) => {
    return { key: ['FR', 'DE'][n]!, sent: 23, verified: 0, normal: 0.5, isUnusual: true, count: 8, limit };
  });
  expect(thresholdsText(countries)).toBe(expected);
});
