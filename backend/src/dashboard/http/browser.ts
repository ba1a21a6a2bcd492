/** What a request tells of the browser that sent it, and what the browser is asked to keep. */
import type { Request, Response } from 'express';
import { readCookie, setCookie, type Cookie, type CookieName } from './cookies.js';
import type { FormBody } from '../form.js';
import { textOf } from '../form.js';
import type { Posted } from './form-token.js';

export type Browser = ReturnType<typeof createBrowser>;

/** `baseUrl` is the service's address as browsers see it, where it is set. */
export function createBrowser(baseUrl: string | undefined) {
  const behindHttps = baseUrl?.startsWith('https:') ?? false;
  const ownHosts = baseUrl === undefined ? [] : [new URL(baseUrl).host];
  const isSecure = (request: Request): boolean => behindHttps || request.secure;

  return {
    read: (request: Request, name: CookieName): string | undefined =>
      readCookie(request.headers.cookie, name, isSecure(request)),

    keep(request: Request, response: Response, cookie: Cookie): void {
      response.append('Set-Cookie', setCookie(cookie, isSecure(request)));
    },

    /** What tells whether a form is one of ours. */
    posted: (request: Request, body: FormBody): Posted => ({
      token: textOf(body, 'token'),
      fetchSite: request.get('Sec-Fetch-Site'),
      origin: request.get('Origin'),
      hosts: [request.headers.host ?? '', ...ownHosts],
    }),
  };
}

export function bodyOf(request: Request): FormBody {
  const body = (request.body ?? {}) as Record<string, string | string[]>;
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, [value].flat()]));
}

/** Those of the values that are text; a name that comes twice is none of ours. */
export const texts = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

/** The id of the element that the page's script will replace; undefined when a whole page is asked for. */
export const targetOf = (request: Request): string | undefined =>
  request.get('HX-Request') ? (request.get('HX-Target') ?? '') : undefined;

/** Leads a browser on, also one whose script would put the next page where a part of this one belongs. */
export function lead(request: Request, response: Response, to: string): void {
  if (targetOf(request) === undefined) response.redirect(303, to);
  else response.set('HX-Redirect', to).status(204).end();
}
