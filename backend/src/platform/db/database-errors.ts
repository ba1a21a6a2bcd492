export function isDuplicate(error: unknown): boolean {
  return /^(SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE)|ER_DUP_ENTRY)$/.test(String((error as { code?: unknown }).code));
}

/** Whether a transaction was rolled back because of a conflict with another transaction. It can then be retried. */
export function isConflict(error: unknown): boolean {
  return /^(SQLITE_BUSY_SNAPSHOT|ER_LOCK_DEADLOCK|ER_CHECKREAD)$/.test(String((error as { code?: unknown }).code));
}

/** Whether an error comes from the database or the connection to it, rather than from our own code. */
export function isDatabaseError(error: unknown): boolean {
  const { code, name, sqlState, fatal } = error as Record<'code' | 'name' | 'sqlState' | 'fatal', unknown>;
  // mysql2 sets `fatal` on errors that end a connection. These errors may have no code.
  if (name === 'KnexTimeoutError' || sqlState !== undefined || fatal === true) return true;
  return /^(SQLITE_|ER_|PROTOCOL_|ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN)/.test(String(code));
}

/**
 * Whether a migration failed because another process is migrating: the other process has the lock, or has just created
 * the first tables.
 */
export function isMigrationRace(error: unknown): boolean {
  const { name, message } = error as Error;
  return name === 'MigrationLocked' || /migration table is already locked|already exists/i.test(message);
}
