/** Detects requests that a proxy forwarded, and rejects requests that may come from another machine. */
import type { Request, RequestHandler } from 'express';
import type { Log } from '../log.js';

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** Headers in which proxies pass on the client's IP address. */
const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-real-ip'];

/** Headers that proxies add. Apart from these headers, requests through a local proxy look like local requests. */
const PROXY_HEADERS = [...FORWARDING_HEADERS, 'via', 'x-forwarded-host', 'x-forwarded-proto'];

/**
 * Returns whether the Host header of a request is a loopback host, and no proxy forwarded the request. Checking the Host header
 * prevents DNS rebinding: another site can point its domain at this machine, but the header still contains that domain.
 * HTTP/1.0 shows that a request came through a proxy: nginx before 1.29.7 uses it by default, but browsers never do.
 * Because some proxies cannot be detected, use this only if `productionSettings` returns no settings.
 */
export function isLocalRequest({ httpVersion, headers }: Request): boolean {
  const proxied = httpVersion === '1.0' || PROXY_HEADERS.some((name) => headers[name] !== undefined);
  return !proxied && LOOPBACK_HOST.test(headers.host ?? '');
}

/** Rejects all requests but {@link isLocalRequest}. */
export const onlyLocalRequests: RequestHandler = (request, response, next) => {
  if (isLocalRequest(request)) return next();
  response.status(403).type('text').send('This page is only available at localhost, without a proxy.\n');
};

/**
 * Logs one warning if a request came through a proxy. Use this if `TRUST_PROXY` is not set: all clients behind the
 * proxy then appear to have the same IP address.
 */
export function warnAboutProxy(log: Log): RequestHandler {
  let warned = false;
  return (request, _response, next) => {
    if (!warned && FORWARDING_HEADERS.some((name) => request.headers[name] !== undefined)) {
      warned = true;
      log.warn(
        'a request has forwarding headers such as X-Forwarded-For, but TRUST_PROXY is not set, so they are ignored; behind a proxy, set TRUST_PROXY',
      );
    }
    next();
  };
}
