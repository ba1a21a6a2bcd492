/** Admits calls of the browser widget from pages on the application's allow-list. Only the calling page may read the reply. */
import type { Request, RequestHandler, Response } from 'express';
import { ApiError } from '../../platform/contract/errors.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import { sourceKey, withoutPort } from '../../platform/http/source-address.js';
import { createValidator, parametersOf } from '../../platform/http/validation.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import { isAuthorized } from '../applications/allow-list.js';
import { assertActive } from '../applications/application.js';
import type { ApplicationsService } from '../applications/applications-service.js';
import type { RejectedCallers } from '../applications/rejected-callers.js';

type TwoFactorRequest = Schemas['TwoFactorRequest'];

const pageOnly = createValidator<Pick<TwoFactorRequest, 'domainUrl'>>('TwoFactorRequest', ['domainUrl']);
const keyOnly = createValidator<Pick<TwoFactorRequest, 'appKey'>>('TwoFactorRequest', ['appKey']);

const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';

/** Returns the origin of a URL, or undefined for anything but a plain http or https URL. */
function originOf(url: string): string | undefined {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const { origin, username, password } = new URL(url);
  return username || password ? undefined : origin;
}

/** Replies to the CORS preflight, which does not name the application yet. */
export const preflight: RequestHandler = (request, response, next) => {
  response.vary('Origin');
  const origin = request.get('origin');
  if (request.method !== 'OPTIONS' || origin === undefined || origin !== originOf(origin)) return next();
  response.set({
    [ALLOW_ORIGIN]: origin,
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': 'Content-Type',
    // Browsers cache the reply for at most two hours.
    'Access-Control-Max-Age': '7200',
  });
  response.status(204).end();
};

/** Returns the origin of the calling page. Throws when `domainUrl` differs from the browser's Origin header. */
function pageOriginOf(request: Request, response: Response): string {
  const pageOrigin = originOf(pageOnly(parametersOf(request)).domainUrl);
  const origin = request.get('origin');
  if (pageOrigin === undefined || (origin !== undefined && origin !== pageOrigin))
    throw new ApiError('INVALID_ENDPOINT');
  if (origin !== undefined) response.set(ALLOW_ORIGIN, origin);
  return pageOrigin;
}

const addressKeyOf = (request: Request): string => sourceKey(withoutPort(request.ip ?? ''));

/** Identifies a browser on a site, as far as possible, by its network address, page origin and User-Agent. */
export const browserOf = (request: Request, response: Response): string =>
  [addressKeyOf(request), response.locals.pageOrigin, request.get('user-agent')].join('\n');

/** Sets the application for `applicationOf` and the page for {@link browserOf}. Expects a parsed body. */
export function createWidgetAccess(
  applications: ApplicationsService,
  limiter: Limiter,
  rejectedCallers: RejectedCallers,
): RequestHandler {
  return async (request, response, next) => {
    const pageOrigin = pageOriginOf(request, response);
    const application = await applications.find(keyOnly(parametersOf(request)).appKey);
    assertActive(application);
    // The network address is the visitor's, not the site's, so only the page is checked.
    const caller = { origin: pageOrigin, ip: '' };
    if (!isAuthorized(application.settings.authorizedEndpoints, caller)) {
      rejectedCallers.record(application.id, 'widget', caller);
      response.removeHeader(ALLOW_ORIGIN);
      throw new ApiError('INVALID_ENDPOINT');
    }
    const key = `widget:${application.id}:${addressKeyOf(request)}`;
    const windows = [{ limit: application.settings.limits.widgetCallsPerMinute, seconds: 60 }];
    await limiter.take([{ key, code: 'TOO_MANY_CALLS', windows }]);
    response.locals.application = application;
    response.locals.pageOrigin = pageOrigin;
    next();
  };
}
