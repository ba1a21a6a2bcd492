/** Middleware that authenticates API requests and checks the allow-list. */
import type { Request, RequestHandler, Response } from 'express';
import { ApiError } from '../../platform/contract/errors.js';
import { sourceKey, withoutPort } from '../../platform/http/source-address.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import { isAuthorized } from './allow-list.js';
import type { Application, KeyPair } from './application.js';
import type { ApplicationsService } from './applications-service.js';
import type { RejectedCallers } from './rejected-callers.js';

/** Limit per IP address: high enough for typing mistakes, but too low for guessing a secret. */
const FAILED_AUTHENTICATIONS_PER_MINUTE = 10;

export const applicationOf = (response: Response): Application => response.locals.application as Application;

function credentialsOf(request: Request): KeyPair {
  const appKey = request.get('clientId')?.trim();
  const appSecret = request.get('clientSecret')?.trim();
  if (!appKey || !appSecret) throw new ApiError('MISSING_CREDENTIALS');
  return { appKey, appSecret };
}

/**
 * Counts a failed authentication. Throws an {@link ApiError} above the limit. Successful authentications are not
 * counted, so valid credentials work even if another caller at the same IP address has reached the limit.
 */
export async function countFailedAuthentication(limiter: Limiter, request: Request): Promise<void> {
  const key = `auth:${sourceKey(withoutPort(request.ip ?? ''))}`;
  const windows = [{ limit: FAILED_AUTHENTICATIONS_PER_MINUTE, seconds: 60 }];
  await limiter.take([{ key, code: 'TOO_MANY_FAILED_AUTHENTICATIONS', windows }]);
}

/** Runs `authenticate`, and counts a failure because of wrong credentials. */
export async function countingFailures<T>(limiter: Limiter, request: Request, authenticate: () => Promise<T>) {
  try {
    return await authenticate();
  } catch (error) {
    if (error instanceof ApiError && error.code === 'INVALID_CREDENTIALS')
      await countFailedAuthentication(limiter, request);
    throw error;
  }
}

export function createAuthentication(
  applications: ApplicationsService,
  rejectedCallers: RejectedCallers,
  limiter: Limiter,
): RequestHandler {
  return async function authenticate(request, response, next) {
    const application = await countingFailures(limiter, request, async () =>
      applications.authenticate(credentialsOf(request)),
    );
    const source = {
      origin: request.get('origin'),
      referer: request.get('referer'),
      ip: withoutPort(request.ip ?? ''),
    };
    if (!isAuthorized(application.settings.authorizedEndpoints, source)) {
      rejectedCallers.record(application.id, 'api', source);
      throw new ApiError('INVALID_ENDPOINT');
    }
    response.locals.application = application;
    next();
  };
}
