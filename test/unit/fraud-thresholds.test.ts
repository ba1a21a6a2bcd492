/** When the guard stops messages to countries in which few codes are entered. */
import { thresholdText } from '../../backend/src/modules/fraud/fraud-texts.js';

it.each([
  [1040, 'They stop automatically if over 1,040 more people than usual leave their codes unused (now 8).'],
  [Infinity, 'They do not stop automatically.'],
])('threshold %j', (limit, expected) =>
  expect(thresholdText({ key: 'FR', sent: 23, verified: 0, normal: 0.5, isUnusual: true, count: 8, limit })).toBe(
    expected,
  ),
);
