import { isDatabaseError } from '../platform/db/database-errors.js';
import { explainDatabaseError } from '../platform/db/explain-database-error.js';
import { ExpectedError } from '../platform/expected-error.js';

/**
 * Returns an expected error's message, or an unexpected error's stack trace. Does not return database error messages,
 * because they can contain stored values.
 */
export function explainError(error: unknown): string {
  const { message, stack, code, syscall } = error as NodeJS.ErrnoException;
  if (isDatabaseError(error)) {
    const busy = String(code).startsWith('SQLITE_BUSY');
    return busy
      ? 'the database is busy; run the command again'
      : (explainDatabaseError(error) ??
          `the database cannot be used (${code ?? 'time-out'}); check DATABASE_URL or DATA_DIR`);
  }
  return error instanceof ExpectedError || syscall !== undefined ? message : (stack ?? String(error));
}
