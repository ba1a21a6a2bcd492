/** What an error of the database means, on SQLite and on MySQL. */

/** Whether an insert failed because its key is already there. */
export function isDuplicate(error: unknown): boolean {
  return /^(SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE)|ER_DUP_ENTRY)$/.test(String((error as { code?: unknown }).code));
}

/** Whether two transactions were in each other's way, so that the one that was given up can be tried again. */
export function isConflict(error: unknown): boolean {
  return /^(SQLITE_BUSY_SNAPSHOT|ER_LOCK_DEADLOCK|ER_CHECKREAD)$/.test(String((error as { code?: unknown }).code));
}

/** Whether an error comes from the database, or from the way to it, rather than from our own code. */
export function isDatabaseError(error: unknown): boolean {
  const { code, name, sqlState, fatal } = error as Record<'code' | 'name' | 'sqlState' | 'fatal', unknown>;
  // The last is how mysql2 marks what ends a connection, also where it gives no code.
  if (name === 'KnexTimeoutError' || sqlState !== undefined || fatal === true) return true;
  return /^(SQLITE_|ER_|PROTOCOL_|ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN)/.test(String(code));
}

/** Whether another process migrates: it holds the lock, or was quicker to make the first tables. */
export function isMigrationRace(error: unknown): boolean {
  const { name, message } = error as Error;
  return name === 'MigrationLocked' || /migration table is already locked|already exists/i.test(message);
}
