/** When the guard stops messages to countries in which few codes are entered. */
import { thresholdsText } from '../../backend/src/dashboard/protection/rules-text.js';

const view = (key: string, limit: number, count: number) => {
  return {
    key,
    sent: 23,
    verified: 0,
    isServed: false,
    isNew: true,
    usual: undefined,
    normal: 0.5,
    isUnusual: true,
    count,
    limit,
  };
};

it('explains the limits of several countries in a sentence', () => {
  const states = view('US', Infinity, 70);
  expect(thresholdsText([view('FR', 40, 8), view('BD', 25, 4), states])).toBe(
    'Passbell pauses a country if too many recent codes are unused. Older codes count less: France is at 8 of 40 and Bangladesh is at 4 of 25. Passbell does not pause the United States automatically.',
  );
  expect(thresholdsText([states])).toBe('Passbell does not pause the United States automatically.');
});
