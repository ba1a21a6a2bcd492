import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { textOf, type FormBody } from '../form.js';
import type { PostedForm } from './form-token.js';

/**
 * Dashboard cookies. `session` stores the session token, `sign-in` the sign-in progress, `known` the people who have
 * signed in with this browser, `flash` the notice for the next page, and `application` the application that was visited
 * last, which the sidebar shows.
 */
export type CookieName = 'session' | 'sign-in' | 'known' | 'flash' | 'application';

export type Browser = ReturnType<typeof createBrowser>;

export function createBrowser(baseUrl: string | undefined) {
  const behindHttps = baseUrl?.startsWith('https:') ?? false;
  const ownHosts = baseUrl === undefined ? [] : [new URL(baseUrl).host];
  const isSecure = (request: Request): boolean => behindHttps || request.secure;

  /** Adds the prefix `__Host-` over https. Browsers accept a cookie with this prefix only from the exact host. */
  const wireName = (request: Request, name: CookieName) => `${isSecure(request) ? '__Host-' : ''}passbell-${name}`;

  const cookie = (request: Request, name: CookieName): string | undefined =>
    parseCookie(request.headers.cookie ?? '')[wireName(request, name)] || undefined;

  /** Sets a cookie until the browser is closed, or for `maxAge` seconds. */
  function setCookie(request: Request, response: Response, name: CookieName, value: string, maxAge?: number): void {
    const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(request) } as const;
    const age = maxAge === undefined ? {} : { maxAge };
    response.append('Set-Cookie', stringifySetCookie(wireName(request, name), value, { ...attributes, ...age }));
  }

  const clearCookie = (request: Request, response: Response, name: CookieName): void =>
    setCookie(request, response, name, '', 0);

  const postedForm = (request: Request, body: FormBody): PostedForm => ({
    token: textOf(body, 'token'),
    fetchSite: request.get('Sec-Fetch-Site'),
    origin: request.get('Origin'),
    hosts: [request.headers.host ?? '', ...ownHosts],
  });

  return { cookie, setCookie, clearCookie, postedForm };
}

export function bodyOf(request: Request): FormBody {
  const body = (request.body ?? {}) as Record<string, string | string[]>;
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, [value].flat()]));
}

/** Removes repeated query parameters, which the dashboard never sends. */
export const stringValues = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

/** Returns the id of the element that htmx replaces, or undefined if the browser requests a whole page. */
export const targetOf = (request: Request): string | undefined =>
  request.get('HX-Request') ? (request.get('HX-Target') ?? '') : undefined;

/** Redirects the browser. Also works for htmx requests, which would otherwise swap the next page into a fragment. */
export function redirectBrowser(request: Request, response: Response, to: string): void {
  if (targetOf(request) === undefined) response.redirect(303, to);
  else response.set('HX-Redirect', to).status(204).end();
}
