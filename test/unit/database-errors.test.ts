/** Classification of database errors. */
import { isDatabaseError } from '../../backend/src/platform/db/database-errors.js';

it.each([
  [{ code: 'ETIMEDOUT' }],
  [{ code: 'ER_LOCK_DEADLOCK', sqlState: '40001' }],
  // Errors before the sign-in to MySQL have no `sqlState`.
  [{ code: 'ER_CON_COUNT_ERROR' }],
  [{ code: 'SQLITE_FULL' }],
  [{ name: 'KnexTimeoutError' }],
  // mysql2 throws this error instead of the timeout error when a rollback uses a connection that a timeout has closed.
  [{ fatal: true }],
])('%j is a database error', (properties) =>
  expect(isDatabaseError(Object.assign(new Error('away'), properties))).toBe(true),
);

it('errors in our own code are not database errors', () =>
  expect(isDatabaseError(new TypeError('x is undefined'))).toBe(false));
