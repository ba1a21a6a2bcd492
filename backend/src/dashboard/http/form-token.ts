/**
 * Every POST proves that it comes from a form of ours: with a token that only our pages can know, and, where the browser
 * tells, by not coming from another site.
 */
import type { Keyring } from '../../platform/crypto.js';

const PURPOSE = 'dashboard-form';

/** `holder` is what the browser holds in a cookie: a session, or an attempt to sign in. */
export const formTokenOf = (keyring: Keyring, holder: string): string => keyring.mac(PURPOSE, holder);

export interface Posted {
  readonly token: string;
  /** Headers that a page cannot set by itself. */
  readonly fetchSite: string | undefined;
  readonly origin: string | undefined;
  /** Hosts that the service is reached by. */
  readonly hosts: readonly string[];
}

const hostOf = (origin: string): string => (URL.canParse(origin) ? new URL(origin).host : '');

/** Whether a form that was posted is one of ours. */
export function isOwnForm(keyring: Keyring, holder: string, posted: Posted): boolean {
  const { token, fetchSite, origin, hosts } = posted;
  const elsewhere =
    (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none') ||
    (origin !== undefined && !hosts.includes(hostOf(origin)));
  return keyring.macMatches(token, PURPOSE, holder) && !elsewhere;
}
