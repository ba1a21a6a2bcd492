/**
 * Lets in calls of the browser widget: from the page that they say, for an application that allows that page. Only that
 * page may read the reply.
 */
import type { Request, RequestHandler, Response } from 'express';
import { ApiError } from '../../platform/contract/errors.js';
import type { components } from '../../platform/contract/generated/api.js';
import { isAuthorized } from '../applications/allow-list.js';
import { assertActive, type ApplicationsService } from '../applications/applications-service.js';
import type { Refusals } from '../applications/rejected-callers.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import { sourceKey, withoutPort } from '../../platform/http/source-address.js';
import { createValidator, parametersOf } from '../../platform/http/validation.js';

type TwoFactorRequest = components['schemas']['TwoFactorRequest'];

const pageOnly = createValidator<Pick<TwoFactorRequest, 'domainUrl'>>('TwoFactorRequest', ['domainUrl']);
const keyOnly = createValidator<Pick<TwoFactorRequest, 'appKey'>>('TwoFactorRequest', ['appKey']);

const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';

/** Longest time that browsers keep the answer to a preflight. */
const PREFLIGHT_SECONDS = 7200;

/** The origin of a page's address; undefined for anything that is no page on the web. */
function originOf(address: string): string | undefined {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  const { origin, username, password } = new URL(address);
  return username || password ? undefined : origin;
}

/** What a browser asks before it posts JSON to another origin. Nothing is known of the application yet. */
export const preflight: RequestHandler = (request, response, next) => {
  response.vary('Origin');
  const origin = request.get('origin');
  if (request.method !== 'OPTIONS' || origin === undefined || origin !== originOf(origin)) return next();
  response.set({
    [ALLOW_ORIGIN]: origin,
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': 'Content-Type',
    'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
  });
  response.status(204).end();
};

/** The page that calls: what it says of itself, and what its browser says when there is one. */
function pageOf(request: Request, response: Response): string {
  const said = originOf(pageOnly(parametersOf(request)).domainUrl);
  const origin = request.get('origin');
  if (said === undefined || (origin !== undefined && origin !== said)) throw new ApiError('INVALID_ENDPOINT');
  if (origin !== undefined) response.set(ALLOW_ORIGIN, origin);
  return said;
}

/**
 * One browser on one site, as far as they can be told: its network address, what it calls itself, and the page. Another
 * site's page in the same browser is somebody else.
 */
export const browserOf = (request: Request, response: Response): string =>
  [sourceKey(withoutPort(request.ip ?? '')), response.locals.page, request.get('user-agent')].join('\n');

/** Puts the application where `applicationOf` finds it, and the page where `browserOf` does. The body is parsed before. */
export function createWidgetAccess({
  applications,
  limiter,
  refusals,
}: {
  applications: ApplicationsService;
  limiter: Limiter;
  refusals: Pick<Refusals, 'note'>;
}): RequestHandler {
  return async (request, response, next) => {
    const page = pageOf(request, response);
    const application = await applications.find(keyOnly(parametersOf(request)).appKey);
    assertActive(application);
    // The visitor's address is not that of a server of the site: only the page counts.
    const caller = { origin: page, ip: '' };
    if (!isAuthorized(application.settings.authorizedEndpoints, caller)) {
      refusals.note(application.id, 'widget', caller);
      response.removeHeader(ALLOW_ORIGIN);
      throw new ApiError('INVALID_ENDPOINT');
    }
    await limiter.take([
      {
        key: `widget:${application.id}:${sourceKey(withoutPort(request.ip ?? ''))}`,
        code: 'TOO_MANY_CALLS',
        windows: [{ limit: application.settings.limits.widgetCallsPerMinute, seconds: 60 }],
      },
    ]);
    response.locals.application = application;
    response.locals.page = page;
    next();
  };
}
