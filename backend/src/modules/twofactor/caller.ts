import { DAY, SECOND, type Clock } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Keyring } from '../../platform/crypto.js';
import type { Application } from '../applications/application.js';
import type { ApplicationsService } from '../applications/applications-service.js';
import { parseRecipient } from '../recipients/recipient.js';
import { NO_BROWSER, type FactorUser, type TwoFactorCaller } from './second-factor.js';

export const BROWSER_HASH_PURPOSE = 'two-factor-browser';
const SOURCE_HASH_PURPOSE = 'two-factor-source';

/**
 * Format of a userToken. The signed text ends with `sign-in` or digits, so that a signature for one form is never valid
 * for the other.
 */
const USER_TOKEN_FORMAT = /^(\d{1,12})(\.sign-in)?\.([0-9a-f]{64})$/;

export interface TwoFactorCall {
  readonly application: Application;
  readonly identity: string;
  readonly userToken?: string | undefined;
  /** A secret that only the calling browser has; undefined if the browser sent none. */
  readonly browser: string | undefined;
  /** IP address. Used to limit guesses, not to identify the user. */
  readonly source: string;
}

export function addressOf(identity: string): string {
  const recipient = parseRecipient(identity);
  if (recipient?.type !== 'email')
    throw new ApiError('INVALID_PARAMETER', {
      field: 'identity',
      values: { text: 'identity must be an email address' },
    });
  return recipient.address;
}

export const userOf = (application: Application, address: string): FactorUser => ({
  applicationId: application.id,
  identity: address.toLowerCase(),
});

export function createCallerOf(applications: ApplicationsService, keyring: Keyring, clock: Clock) {
  /**
   * Checks a call's userToken. A token of the form `<expires>.<signature>` or `<expires>.sign-in.<signature>` proves
   * that the site's server vouches for the user, but only the first form replaces a code. Throws if the token is not
   * valid, or is required but missing. See docs/two-factor.md.
   */
  function checkUserToken({
    application,
    identity,
    userToken,
  }: TwoFactorCall): Pick<TwoFactorCaller, 'hasUserToken' | 'tokenReplacesCode'> {
    if (userToken === undefined) {
      if (application.settings.strictTwoFactor) throw new ApiError('USER_TOKEN_REQUIRED');
      return { hasUserToken: false, tokenReplacesCode: false };
    }
    const [, expires = '', signIn, signature = ''] = USER_TOKEN_FORMAT.exec(userToken) ?? [];
    const text = `${identity}\n${expires}${signIn === undefined ? '' : '\nsign-in'}`;
    if (!applications.isSignedBy(application, text, signature)) throw new ApiError('INVALID_USER_TOKEN');
    const now = clock.now();
    const expiresAt = Number(expires) * SECOND;
    if (expiresAt <= now) throw new ApiError('USER_TOKEN_EXPIRED');
    // A userToken is meant for one page view, so a long validity is a mistake in the site's code.
    if (expiresAt > now + DAY) throw new ApiError('INVALID_USER_TOKEN');
    return { hasUserToken: true, tokenReplacesCode: signIn === undefined };
  }

  return function callerOf(call: TwoFactorCall): TwoFactorCaller {
    const { application, browser, source } = call;
    const address = addressOf(call.identity);
    return {
      application,
      user: userOf(application, address),
      address,
      browser,
      browserHash: browser === undefined ? NO_BROWSER : keyring.mac(BROWSER_HASH_PURPOSE, browser),
      sourceHash: keyring.mac(SOURCE_HASH_PURPOSE, source),
      ...checkUserToken(call),
    };
  };
}
