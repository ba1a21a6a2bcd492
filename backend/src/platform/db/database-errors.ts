export function isDuplicate(error: unknown): boolean {
  return /^(SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE)|ER_DUP_ENTRY)$/.test(String((error as { code?: unknown }).code));
}

/**
 * MySQL's error numbers for conflicts that have no name in the driver: certification in Group Replication, and TiDB's
 * write conflicts and changes of the schema.
 */
const CONFLICTS = [3101, 8002, 8022, 8028, 9007];

/** Whether a transaction was rolled back because of a conflict with another transaction. It can then be retried. */
export function isConflict(error: unknown): boolean {
  const { code, errno } = error as { code?: unknown; errno?: unknown };
  return (
    CONFLICTS.includes(Number(errno)) || /^(SQLITE_BUSY_SNAPSHOT|ER_LOCK_DEADLOCK|ER_CHECKREAD)$/.test(String(code))
  );
}

/**
 * Whether a server refused a write because it is read-only. It has not executed the statement, and at a COMMIT, it has
 * rolled the transaction back.
 */
export const isReadOnly = (error: unknown): boolean =>
  /^ER_(OPTION_PREVENTS_STATEMENT|READ_ONLY_MODE|CANT_EXECUTE_IN_READ_ONLY_TRANSACTION)$/.test(
    String((error as { code?: unknown }).code),
  );

/**
 * Errors of a server that shuts down, has closed the connection, or has left its group or cluster. Galera reports the
 * latter as `ER_UNKNOWN_COM_ERROR`, and Group Replication as `ER_RUN_HOOK_ERROR`.
 */
const LOST = /^ER_(SERVER_SHUTDOWN|ABORTING_CONNECTION|CLIENT_INTERACTION_TIMEOUT|UNKNOWN_COM_ERROR|RUN_HOOK_ERROR)$/;
/** MariaDB's error number for a connection that was killed, which has no name in the driver. */
const CONNECTION_KILLED = 1927;

/** Whether the server was lost, so that it is not known whether it has executed the statement. */
export function isServerLost(error: unknown): boolean {
  const { code, errno, fatal } = error as Record<'code' | 'errno' | 'fatal', unknown>;
  return fatal === true || errno === CONNECTION_KILLED || LOST.test(String(code));
}

/** Whether the client for MySQL has found that a statement, or its whole transaction, was certainly not executed. */
export const wasNotExecuted = (error: unknown): boolean => (error as { notExecuted?: unknown }).notExecuted === true;

/** Whether an error comes from the database or the connection to it, rather than from our own code. */
export function isDatabaseError(error: unknown): boolean {
  const { code, name, sqlState, fatal } = error as Record<'code' | 'name' | 'sqlState' | 'fatal', unknown>;
  // mysql2 sets `fatal` on errors that end a connection. These errors may have no code.
  if (name === 'KnexTimeoutError' || sqlState !== undefined || fatal === true) return true;
  return /^(SQLITE_|ER_|PROTOCOL_|HANDSHAKE_|ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN)/.test(
    String(code),
  );
}

/**
 * Whether a migration failed because another process is migrating: the other process has the lock, has just created the first
 * tables, or has committed at the same time on another node of a Galera cluster.
 */
export function isMigrationRace(error: unknown): boolean {
  const { name, message } = error as Error;
  if (name === 'MigrationLocked' || isConflict(error)) return true;
  return /migration table is already locked|already exists/i.test(message);
}
