/**
 * Checks whether the mail server accepts connections and the credentials, so that sign-in pages do not promise a code
 * that cannot arrive.
 */
import { setTimeout } from 'node:timers/promises';
import { SECOND, type Clock } from '../../platform/clock.js';
import type { Provider } from '../../providers/provider.js';

/** A mail server that takes longer counts as down, because the person is waiting for the page. */
const MAX_WAIT_MS = 3 * SECOND;
/** Requests for codes within this time share one check, because mail servers limit the number of connections. */
const VALID_MS = 10 * SECOND;

export type EmailCheck = ReturnType<typeof createEmailCheck>;

/**
 * Creates a check that returns true if the mail server does not respond in time, or rejects the credentials. The check
 * never throws.
 */
export function createEmailCheck(provider: () => Provider | undefined, clock: Clock) {
  let latest: { readonly at: number; readonly isDown: Promise<boolean> } | undefined;

  async function check(): Promise<boolean> {
    const result = provider()
      ?.check?.()
      .then(
        () => false,
        () => true,
      );
    return result === undefined ? false : Promise.race([result, setTimeout(MAX_WAIT_MS, true, { ref: false })]);
  }

  return function isEmailDown(): Promise<boolean> {
    const now = clock.now();
    if (latest === undefined || now - latest.at >= VALID_MS) latest = { at: now, isDown: check() };
    return latest.isDown;
  };
}
