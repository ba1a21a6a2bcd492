/** Lets in requests with a valid key pair from an authorized place, and puts the application where routes find it. */
import type { Request, RequestHandler, Response } from 'express';
import { ApiError } from '../../platform/contract/errors.js';
import { FAILED_AUTHENTICATIONS_PER_MINUTE } from '../../platform/limits.js';
import { isAuthorized } from './allow-list.js';
import type { Application } from './application.js';
import type { ApplicationsService, KeyPair } from './applications-service.js';
import type { Refusals } from './rejected-callers.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import { sourceKey, withoutPort } from '../../platform/http/source-address.js';

/** The application that a request was authenticated for. */
export const applicationOf = (response: Response): Application => response.locals.application as Application;

function keyPairOf(request: Request): KeyPair {
  const appKey = request.get('clientId')?.trim();
  const appSecret = request.get('clientSecret')?.trim();
  if (!appKey || !appSecret) throw new ApiError('MISSING_CREDENTIALS');
  return { appKey, appSecret };
}

export function createAuthentication({
  applications,
  limiter,
  refusals,
}: {
  applications: ApplicationsService;
  limiter: Limiter;
  refusals: Pick<Refusals, 'note'>;
}): RequestHandler {
  /** Only failures count, and only failures are slowed: a neighbour's wrong key does not stop a shop that has the right one. */
  async function countFailure(request: Request): Promise<void> {
    await limiter.take([
      {
        key: `auth:${sourceKey(withoutPort(request.ip ?? ''))}`,
        code: 'TOO_MANY_FAILED_AUTHENTICATIONS',
        windows: [{ limit: FAILED_AUTHENTICATIONS_PER_MINUTE, seconds: 60 }],
      },
    ]);
  }

  return async (request, response, next) => {
    try {
      const application = await applications.authenticate(keyPairOf(request));
      const caller = {
        origin: request.get('origin'),
        referer: request.get('referer'),
        ip: withoutPort(request.ip ?? ''),
      };
      if (!isAuthorized(application.settings.authorizedEndpoints, caller)) {
        refusals.note(application.id, 'api', caller);
        throw new ApiError('INVALID_ENDPOINT');
      }
      response.locals.application = application;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'INVALID_CREDENTIALS') await countFailure(request);
      throw error;
    }
    next();
  };
}
