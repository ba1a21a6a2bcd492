import { EditConflictError } from '../modules/access/actor.js';
import { ApplicationNotFoundError } from '../modules/applications/application.js';
import { ProviderSettingsError } from '../modules/providers/provider-account.js';
import { SettingError } from '../modules/settings/bounded-setting.js';
import { OverrideError } from '../modules/templates/rendering/override.js';
import { ConfigError } from '../platform/config/config.js';
import { ApiError } from '../platform/contract/errors.js';
import { DataDirError, MissingDatabaseError } from '../platform/data-dir.js';
import { isDatabaseError } from '../platform/db/database-errors.js';
import { explainDatabaseError } from '../platform/db/explain-database-error.js';
import { NoSuchObjectError } from '../modules/manage/action.js';
import { OperatorError } from './context.js';

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
  const expected = [
    OperatorError,
    ApplicationNotFoundError,
    NoSuchObjectError,
    EditConflictError,
    SettingError,
    OverrideError,
    ProviderSettingsError,
    ConfigError,
    DataDirError,
    MissingDatabaseError,
    ApiError,
  ].some((kind) => error instanceof kind);
  return expected || syscall !== undefined ? message : (stack ?? String(error));
}
