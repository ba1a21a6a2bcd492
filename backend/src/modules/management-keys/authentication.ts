/** Middleware that authenticates requests with a key of the management API. */
import type { RequestHandler, Response } from 'express';
import { ApiError } from '../../platform/contract/errors.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import { countingFailures } from '../applications/authentication.js';
import type { ManagementKeys } from './index.js';
import type { ManagementKey } from './management-key.js';

export const keyOf = (response: Response): ManagementKey => response.locals.managementKey as ManagementKey;

export const createKeyAuthentication = (keys: ManagementKeys, limiter: Limiter): RequestHandler =>
  async function authenticate(request, response, next) {
    const text = /^Bearer (\S+)$/i.exec(request.get('authorization') ?? '')?.[1];
    if (text === undefined)
      throw new ApiError('MISSING_CREDENTIALS', {
        message: 'missing API key in headers',
        hint: 'Send an API key of your account in the header `Authorization: Bearer mk_…`.',
      });
    response.locals.managementKey = await countingFailures(limiter, request, () => keys.authenticate(text));
    next();
  };
