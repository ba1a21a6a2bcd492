/**
 * Protection against cross-site request forgery: every POST needs a token that only the dashboard's own pages contain, and
 * must not come from another site according to the browser's headers.
 */
import type { Keyring } from '../../platform/crypto.js';

const PURPOSE = 'dashboard-form';

/** `holder` identifies the session or the sign-in in progress, from the cookie of the browser. */
export const formTokenOf = (keyring: Keyring, holder: string): string => keyring.mac(PURPOSE, holder);

export interface PostedForm {
  readonly token: string;
  /** The `Sec-Fetch-Site` and `Origin` headers, which scripts cannot set. */
  readonly fetchSite: string | undefined;
  readonly origin: string | undefined;
  /** Hosts under which browsers reach the service. */
  readonly hosts: readonly string[];
}

const hostOf = (origin: string): string => (URL.canParse(origin) ? new URL(origin).host : '');

export function isOwnForm(keyring: Keyring, holder: string, form: PostedForm): boolean {
  const { token, fetchSite, origin, hosts } = form;
  const isCrossSite =
    (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none') ||
    (origin !== undefined && !hosts.includes(hostOf(origin)));
  return keyring.macMatches(token, PURPOSE, holder) && !isCrossSite;
}
