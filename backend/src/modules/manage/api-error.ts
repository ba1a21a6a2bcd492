/** Converts errors of services to errors of the API. */
import { ApiError } from '../../platform/contract/errors.js';
import { toApiError } from '../../platform/http/envelope.js';
import type { Log } from '../../platform/log.js';
import { EditConflictError, ForbiddenError } from '../access/actor.js';
import { ApplicationNotFoundError } from '../applications/application.js';
import { ProviderSettingsError } from '../providers/provider-account.js';
import { LIMITS } from '../applications/application-limits.js';
import { SettingError } from '../settings/bounded-setting.js';
import { OverrideError } from '../templates/rendering/override.js';
import { NoSuchObjectError } from './action.js';

const invalid = (text: string, field?: string): ApiError =>
  new ApiError('INVALID_PARAMETER', { values: { text }, ...(field === undefined ? {} : { field }) });

const notFound = (message: string): ApiError =>
  new ApiError('NOT_FOUND', { message, hint: 'Check the ID. API keys cannot access objects of other accounts.' });

export function apiErrorOf(error: unknown, log: Log): ApiError {
  if (error instanceof ForbiddenError) return new ApiError('FORBIDDEN');
  if (error instanceof EditConflictError) return new ApiError('EDIT_CONFLICT');
  if (error instanceof NoSuchObjectError || error instanceof ApplicationNotFoundError) return notFound(error.message);
  if (error instanceof SettingError) {
    const fieldOf = (name: string) => (Object.hasOwn(LIMITS, name) ? `limits.${name}` : name);
    const texts = Object.entries(error.advices).map(([name, advice]) => `${fieldOf(name)}: ${advice}`);
    return invalid(texts.join(' '), fieldOf(error.setting));
  }
  if (error instanceof ProviderSettingsError) return invalid(error.message, Object.keys(error.problems)[0]);
  if (error instanceof OverrideError) return invalid(error.message, 'text');
  return toApiError(error, log);
}
