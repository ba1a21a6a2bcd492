/** The routes of the management API: one for each operation of its contract. */
import { Router, type ErrorRequestHandler, type RequestHandler, type Response } from 'express';
import { ApiError, failure } from '../../platform/contract/errors.js';
import { allowOnly, jsonBody, reply, toApiError } from '../../platform/http/envelope.js';
import { statusOfError } from '../../platform/http/error-status.js';
import { isObject } from '../../platform/http/validation.js';
import type { Log } from '../../platform/log.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import { EditConflictError, ForbiddenError } from '../access/actor.js';
import { ApplicationNotFoundError } from '../applications/application.js';
import { countFailedAuthentication } from '../applications/authentication.js';
import { hasScope, keyActor, type ManagementKey } from '../management-keys/management-key.js';
import type { ManagementKeys } from '../management-keys/index.js';
import { ProviderSettingsError } from '../providers/provider-account.js';
import { SettingError } from '../settings/bounded-setting.js';
import { OverrideError } from '../templates/rendering/override.js';
import { NoSuchObjectError } from './action.js';
import type { Manage } from './index.js';
import { OPERATIONS, type Operation } from './operations.js';

const keyOf = (response: Response): ManagementKey => response.locals.managementKey as ManagementKey;

const createAuthentication = (keys: ManagementKeys, limiter: Limiter): RequestHandler =>
  async function authenticate(request, response, next) {
    const text = /^Bearer (\S+)$/i.exec(request.get('authorization') ?? '')?.[1];
    if (text === undefined)
      throw new ApiError('MISSING_CREDENTIALS', {
        message: 'missing API key in headers',
        hint: 'Send an API key of your account in the header `Authorization: Bearer mk_…`.',
      });
    try {
      response.locals.managementKey = await keys.authenticate(text);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'INVALID_CREDENTIALS')
        await countFailedAuthentication(limiter, request);
      throw error;
    }
    next();
  };

/** Converts the parameters of a query string that are numbers in the contract. */
function queryOf({ parameters }: Operation, query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const typed = Object.entries(query).map(([name, value]) => {
    const isNumber = parameters[name]?.type === 'integer' && typeof value === 'string' && /^\d{1,9}$/.test(value);
    return [name, isNumber ? Number(value) : value];
  });
  return Object.fromEntries(typed) as Record<string, unknown>;
}

/** The parameters of a request. A name must not occur in two of its parts. */
function parametersOf(parts: readonly unknown[]): object {
  const isPart = (part: unknown): part is Record<string, unknown> => isObject(part);
  if (!parts.every(isPart))
    throw new ApiError('INVALID_PARAMETER', { values: { text: 'the body must be a JSON object' } });
  const entries = parts.flatMap((part) => Object.entries(part));
  const repeated = entries.find(([name], n) => entries.findIndex(([other]) => other === name) < n);
  if (repeated)
    throw new ApiError('INVALID_PARAMETER', { values: { text: `${repeated[0].slice(0, 40)} is given twice` } });
  return Object.fromEntries(entries);
}

const invalid = (text: string, field?: string): ApiError =>
  new ApiError('INVALID_PARAMETER', { values: { text }, ...(field === undefined ? {} : { field }) });

const notFound = (message: string): ApiError =>
  new ApiError('NOT_FOUND', { message, hint: 'Check the ID. Objects of other accounts are not found.' });

/** Converts an error of a service to an error of the API. */
function apiErrorOf(error: unknown, log: Log): ApiError {
  if (error instanceof ForbiddenError) return new ApiError('FORBIDDEN');
  if (error instanceof EditConflictError) return new ApiError('EDIT_CONFLICT');
  if (error instanceof NoSuchObjectError || error instanceof ApplicationNotFoundError) return notFound(error.message);
  if (error instanceof SettingError) return invalid(`${error.setting}: ${error.advice}`, error.setting);
  if (error instanceof ProviderSettingsError) return invalid(error.message, Object.keys(error.problems)[0]);
  if (error instanceof OverrideError) return invalid(error.message, 'text');
  return toApiError(error, log);
}

const createErrorHandler =
  (log: Log): ErrorRequestHandler =>
  (error, _request, response, next) => {
    if (response.headersSent) return next(error);
    const apiError = apiErrorOf(error, log);
    reply(response, failure(apiError), statusOfError(apiError.code));
  };

export function manageRoutes(manage: Manage, keys: ManagementKeys, limiter: Limiter, log: Log): Router {
  const router = Router();
  const authentication = createAuthentication(keys, limiter);
  for (const path of new Set(OPERATIONS.map((operation) => operation.path))) {
    const operations = OPERATIONS.filter((operation) => operation.path === path);
    const methods = operations.map(({ method }) => method);
    const route = path.replace(/\{(\w+)\}/g, ':$1');
    router.all(route, allowOnly(...methods), authentication, jsonBody, async (request, response) => {
      const operation = operations.find(({ method }) => method === request.method)!;
      const key = keyOf(response);
      const { name, area, right } = operation;
      if (!hasScope(key, area, right))
        throw new ApiError('FORBIDDEN', { hint: `Use an API key with the scope ${area}:${right}.` });
      const match = request.get('if-match')?.replace(/^(?:W\/)?"(.*)"$/, '$1');
      const version = match === '*' ? undefined : match;
      const caller = { actor: keyActor(key, area), accountId: key.accountId, version };
      const parts = [request.params, queryOf(operation, request.query), request.body ?? {}];
      const data: object = await manage.perform(name, caller, parametersOf(parts));
      if ('version' in data) response.set('ETag', `"${String(data.version)}"`);
      reply(response, { success: true, message: 'done', data } as Parameters<typeof reply>[1]);
    });
  }
  router.use(createErrorHandler(log));
  return router;
}
