/** The routes of the management API: one for each operation of its contract. */
import { Router } from 'express';
import { ApiError } from '../../platform/contract/errors.js';
import { allowOnly, createErrorHandler, jsonBody, reply } from '../../platform/http/envelope.js';
import { isObject } from '../../platform/json.js';
import type { Log } from '../../platform/log.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import { createKeyAuthentication, keyOf } from '../management-keys/authentication.js';
import { hasScope, keyActor } from '../management-keys/management-key.js';
import type { ManagementKeys } from '../management-keys/index.js';
import { apiErrorOf } from './api-error.js';
import type { Manage } from './index.js';
import { OPERATIONS, type Operation } from './operations.js';

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
  if (!parts.every(isObject))
    throw new ApiError('INVALID_PARAMETER', { values: { text: 'the body must be a JSON object' } });
  const entries = parts.flatMap((part) => Object.entries(part));
  const repeated = entries.find(([name], n) => entries.findIndex(([other]) => other === name) < n);
  if (repeated)
    throw new ApiError('INVALID_PARAMETER', { values: { text: `${repeated[0].slice(0, 40)} is given twice` } });
  return Object.fromEntries(entries);
}

export function manageRoutes(manage: Manage, keys: ManagementKeys, limiter: Limiter, log: Log): Router {
  const router = Router();
  const authentication = createKeyAuthentication(keys, limiter);
  for (const path of new Set(OPERATIONS.map((operation) => operation.path))) {
    const operations = OPERATIONS.filter((operation) => operation.path === path);
    const methods = operations.map(({ method }) => method);
    const route = path.replace(/\{(\w+)\}/g, ':$1');
    router.all(route, allowOnly(...methods), authentication, jsonBody, async (request, response) => {
      const operation = operations.find(({ method }) => method === request.method)!;
      const key = keyOf(response);
      const { name, area, right } = operation;
      if (!hasScope(key, area, right))
        throw new ApiError('FORBIDDEN', { hint: `Use an API key with the right ${area}:${right}.` });
      const match = request.get('if-match')?.replace(/^(?:W\/)?"(.*)"$/, '$1');
      const version = match === '*' ? undefined : match;
      const caller = { actor: keyActor(key, area), accountId: key.accountId, version };
      const parts = [request.params, queryOf(operation, request.query), request.body ?? {}];
      const data: object = await manage.perform(name, caller, parametersOf(parts));
      if ('version' in data) response.set('ETag', `"${String(data.version)}"`);
      reply(response, { success: true, message: 'done', data } as Parameters<typeof reply>[1]);
    });
  }
  router.use(createErrorHandler(log, { convert: apiErrorOf, scheme: 'Bearer' }));
  return router;
}
