/** The memory of `passbell listen`. */
import { createMemory } from '../../backend/src/cli/listen.js';

it('remembers IDs that it is given again and again, and forgets the others after a number of new ones', () => {
  const remember = createMemory(3);
  expect(['a', 'b', 'a'].map(remember)).toEqual([true, true, false]);
  for (const id of ['c', 'd', 'e']) {
    expect(remember(id)).toBe(true);
    expect(remember('a')).toBe(false);
  }
  expect(remember('b')).toBe(true);
});
