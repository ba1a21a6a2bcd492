/**
 * Accepts browser widget calls only from pages on the application's allow-list. Only the calling page may read the
 * reply.
 */
import type { Request, RequestHandler, Response } from 'express';
import { ApiError } from '../../platform/contract/errors.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import { sourceKey, withoutPort } from '../../platform/http/source-address.js';
import { createValidator, parametersOf } from '../../platform/http/validation.js';
import { sha256 } from '../../platform/crypto.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import type { Rule } from '../../platform/rate-limit/rule.js';
import { isAuthorized } from '../applications/allow-list.js';
import { assertActive } from '../applications/application.js';
import { countFailedAuthentication } from '../applications/authentication.js';
import type { ApplicationsService } from '../applications/applications-service.js';
import type { RejectedCallers } from '../applications/rejected-callers.js';
import type { TwoFactorCall } from './caller.js';
import { parseUrl } from '../../platform/url.js';

type TwoFactorRequest = Schemas['TwoFactorRequest'];

const domainUrlParameter = createValidator<Pick<TwoFactorRequest, 'domainUrl'>>('TwoFactorRequest', ['domainUrl']);
const appKeyParameter = createValidator<Pick<TwoFactorRequest, 'appKey'>>('TwoFactorRequest', ['appKey']);

const ALLOW_ORIGIN_HEADER = 'Access-Control-Allow-Origin';
/** Replaces the default hint about the allow-list, which is not the cause here. */
const DOMAIN_URL_HINT =
  'Set domainUrl to the origin of the page that sends the request, such as https://shop.example. It must equal the Origin header.';

/** Returns the origin of an http or https URL; undefined for any other URL, or if the URL contains credentials. */
function originOf(url: string): string | undefined {
  const parsed = /^https?:\/\//i.test(url) ? parseUrl(url) : undefined;
  return parsed?.username || parsed?.password ? undefined : parsed?.origin;
}

/** Replies to CORS preflight requests, which do not identify the application. */
export const preflight: RequestHandler = (request, response, next) => {
  response.vary('Origin');
  const origin = request.get('origin');
  if (request.method !== 'OPTIONS' || origin === undefined || origin !== originOf(origin)) return next();
  response.set({
    [ALLOW_ORIGIN_HEADER]: origin,
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': 'Content-Type',
    // Browsers cache the reply for at most two hours.
    'Access-Control-Max-Age': '7200',
  });
  response.status(204).end();
};

/** Returns the origin of the calling page. Throws when `domainUrl` differs from the browser's Origin header. */
function pageOriginOf(request: Request, response: Response): string {
  const pageOrigin = originOf(domainUrlParameter(parametersOf(request)).domainUrl);
  const origin = request.get('origin');
  if (pageOrigin === undefined || (origin !== undefined && origin !== pageOrigin))
    throw new ApiError('INVALID_ENDPOINT', { field: 'domainUrl', hint: DOMAIN_URL_HINT });
  if (origin !== undefined) response.set(ALLOW_ORIGIN_HEADER, origin);
  return pageOrigin;
}

export const sourceOf = (request: Request): string => sourceKey(withoutPort(request.ip ?? ''));

/**
 * Returns a secret that identifies the browser on the calling site. Returns undefined without a nonce, because network
 * address and User-Agent are not secret.
 */
export const browserOf = (nonce: string | undefined, response: Response): string | undefined =>
  nonce === undefined ? undefined : `${nonce}\n${response.locals.pageOrigin}`;

/**
 * Middleware that authorizes a widget call. Stores the application for `applicationOf` and the page for {@link
 * browserOf}. Expects a parsed body.
 */
export function createWidgetAccess(
  applications: ApplicationsService,
  limiter: Limiter,
  rejectedCallers: RejectedCallers,
): RequestHandler {
  return async (request, response, next) => {
    const pageOrigin = pageOriginOf(request, response);
    const application = await applications.find(appKeyParameter(parametersOf(request)).appKey);
    if (!application) await countFailedAuthentication(limiter, request);
    assertActive(application);
    // The IP address belongs to the visitor and not to the site, so only the page origin is checked.
    const caller = { origin: pageOrigin, ip: '' };
    if (!isAuthorized(application.settings.authorizedEndpoints, caller)) {
      rejectedCallers.record(application.id, 'widget', caller);
      response.removeHeader(ALLOW_ORIGIN_HEADER);
      throw new ApiError('INVALID_ENDPOINT');
    }
    if (!application.settings.twoFactorWidget) throw new ApiError('WIDGET_OFF');
    const key = `widget:${application.id}:${sourceOf(request)}`;
    const windows = [{ limit: application.settings.limits.widgetCallsPerMinute, seconds: 60 }];
    await limiter.take([{ key, code: 'TOO_MANY_CALLS', windows }]);
    response.locals.application = application;
    response.locals.pageOrigin = pageOrigin;
    next();
  };
}

/** Prevents attackers from checking a list of users. With a userToken, the site's server vouches for the user. */
export function createIdentityLimit(limiter: Limiter) {
  return async function countIdentity({ application, identity, userToken, source }: TwoFactorCall): Promise<void> {
    const limit = application.settings.limits.widgetIdentitiesPerHour;
    if (userToken !== undefined || limit === 0) return;
    const key = `widget-identities:${application.id}:${source}`;
    const ruleOf = (name: string, times: number): Rule => ({
      key: name,
      code: 'TOO_MANY_CALLS',
      windows: [{ limit: times, seconds: 3600 }],
    });
    const refundIdentity = await limiter
      .take([ruleOf(`${key}:${sha256(identity.toLowerCase())}`, 1)])
      .catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'TOO_MANY_CALLS') return undefined;
        throw error;
      });
    if (!refundIdentity) return;
    await limiter.take([ruleOf(key, limit)]).catch(async (error: unknown) => {
      await refundIdentity();
      throw error;
    });
  };
}
