/**
 * Protects forms against cross-site request forgery. Every POST request needs a token that only dashboard pages
 * contain, and is rejected if its headers show that it comes from another site.
 */
import type { Keyring } from '../../platform/crypto.js';
import { parseUrl } from '../../platform/url.js';

const FORM_TOKEN_PURPOSE = 'dashboard-form';

/** Returns the form token. `holder` identifies the browser's session, or its sign-in in progress. */
export const formTokenOf = (keyring: Keyring, holder: string): string => keyring.mac(FORM_TOKEN_PURPOSE, holder);

export interface PostedForm {
  readonly token: string;
  /** The header `Sec-Fetch-Site`. Scripts can set neither this header nor `Origin`. */
  readonly fetchSite: string | undefined;
  readonly origin: string | undefined;
  /** Hosts at which browsers reach the service. */
  readonly hosts: readonly string[];
}

const hostOf = (origin: string): string => parseUrl(origin)?.host ?? '';

export function isOwnForm(keyring: Keyring, holder: string, form: PostedForm): boolean {
  const { token, fetchSite, origin, hosts } = form;
  const isCrossSite =
    (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none') ||
    (origin !== undefined && !hosts.includes(hostOf(origin)));
  return keyring.macMatches(token, FORM_TOKEN_PURPOSE, holder) && !isCrossSite;
}
