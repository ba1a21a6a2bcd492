/** Classification of database errors. */
import {
  isMigrationRace,
  isConflict,
  isDatabaseError,
  isReadOnly,
  isServerLost,
} from '../../backend/src/platform/db/database-errors.js';

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

it.each([3101, 8002, 8022, 8028, 9007])('counts error %i of Group Replication or TiDB as a conflict', (errno) =>
  expect(isConflict(Object.assign(new Error('conflict'), { errno, sqlState: 'HY000' }))).toBe(true),
);

it('repeats a migration that conflicts with one on another node of a Galera cluster', () => {
  const deadlock = Object.assign(new Error('Deadlock found'), { code: 'ER_LOCK_DEADLOCK', errno: 1213 });
  expect([deadlock, new Error('no such column')].map(isMigrationRace)).toEqual([true, false]);
});

it('tells a server that refuses to write from one that was lost, which may have executed the statement', () => {
  const readOnly = Object.assign(new Error('read-only'), { code: 'ER_OPTION_PREVENTS_STATEMENT', errno: 1290 });
  const outsideGroup = Object.assign(new Error('not prepared'), { code: 'ER_UNKNOWN_COM_ERROR', errno: 1047 });
  expect([isReadOnly(readOnly), isServerLost(readOnly)]).toEqual([true, false]);
  expect([isReadOnly(outsideGroup), isServerLost(outsideGroup)]).toEqual([false, true]);
});
