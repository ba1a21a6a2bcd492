/**
 * The cookies of the dashboard. Behind https they bear a name that browsers take from this very host only; on plain http,
 * which is a machine's own, that form does not exist.
 */

/** A cookie as it is sent; without `value` it is removed. */
export interface Cookie {
  readonly name: CookieName;
  readonly value?: string;
  /** Undefined: until the browser is closed. */
  readonly maxAgeSeconds?: number;
}

/** `session`: who is signed in. `sign-in`: how far somebody who is about to has come. `flash`: what the next page says. */
export type CookieName = 'session' | 'sign-in' | 'flash';

const wireName = (name: CookieName, secure: boolean): string => `${secure ? '__Host-' : ''}passbell-${name}`;

/** `Set-Cookie`: not for scripts, and not with requests that another site makes, except that it leads here. */
export function setCookie({ name, value, maxAgeSeconds }: Cookie, secure: boolean): string {
  const age = value === undefined ? 0 : maxAgeSeconds;
  return [
    `${wireName(name, secure)}=${value ?? ''}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    ...(secure ? ['Secure'] : []),
    ...(age === undefined ? [] : [`Max-Age=${age}`]),
  ].join('; ');
}

/** A cookie of a request; values are base64url, hex and dots, so nothing is to be decoded. */
export function readCookie(header: string | undefined, name: CookieName, secure: boolean): string | undefined {
  const start = `${wireName(name, secure)}=`;
  const found = (header ?? '').split(';').map((part) => part.trim());
  return found.find((part) => part.startsWith(start))?.slice(start.length) || undefined;
}
