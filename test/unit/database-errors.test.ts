/** Which errors say that the database is away. */
import { isDatabaseError } from '../../backend/src/platform/db/database-errors.js';

it.each([
  [{ code: 'ETIMEDOUT' }],
  [{ code: 'ER_LOCK_DEADLOCK', sqlState: '40001' }],
  [{ name: 'KnexTimeoutError' }],
  // What the MySQL driver says of a rollback on a connection that a time-out has closed; it hides the time-out.
  [{ fatal: true }],
])('%j is one of the database', (properties) =>
  expect(isDatabaseError(Object.assign(new Error('away'), properties))).toBe(true),
);

it('our own are none', () => expect(isDatabaseError(new TypeError('x is undefined'))).toBe(false));
