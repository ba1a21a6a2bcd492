/** When the guard stops messages to countries in which few codes are entered. */
import { thresholdText } from '../../backend/src/modules/fraud/fraud-texts.js';

it.each([
  [
    1040,
    'They stop automatically if more than 1,040 people leave their codes unused; now 8. Only people beyond the usual number count, and the count drops by one each hour.',
  ],
  [Infinity, 'They do not stop automatically.'],
])('threshold %j', (limit, expected) =>
  expect(thresholdText({ key: 'FR', sent: 23, verified: 0, normal: 0.5, isUnusual: true, count: 8, limit })).toBe(
    expected,
  ),
);
