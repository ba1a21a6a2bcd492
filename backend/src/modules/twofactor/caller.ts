import { DAY, SECOND, type Clock } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Keyring } from '../../platform/crypto.js';
import type { Application } from '../applications/application.js';
import type { ApplicationsService } from '../applications/applications-service.js';
import { parseRecipient } from '../recipients/recipient.js';
import type { FactorUser, TwoFactorCaller } from './second-factor.js';

export const SOURCE_HASH_PURPOSE = 'two-factor-client';

export interface TwoFactorCall {
  readonly application: Application;
  readonly identity: string;
  readonly userToken?: string | undefined;
  /** Identifies the browser: network address, page and User-Agent. */
  readonly source: string;
}

export function addressOf(identity: string): string {
  const recipient = parseRecipient(identity);
  if (recipient?.type !== 'email')
    throw new ApiError('INVALID_PARAMETER', { values: { text: 'identity must be an e-mail address' } });
  return recipient.address;
}

export const userOf = (application: Application, address: string): FactorUser => ({
  applicationId: application.id,
  identity: address.toLowerCase(),
});

export function createCallerOf(applications: ApplicationsService, keyring: Keyring, clock: Clock) {
  /**
   * Returns whether the call has a userToken, `<expires>.<signature>`, with which the site's server vouches for the user. Throws
   * when it is not valid, or when it is missing and required. See docs/two-factor.md.
   */
  function checkUserToken({ application, identity, userToken }: TwoFactorCall): boolean {
    if (userToken === undefined) {
      if (application.settings.strictTwoFactor) throw new ApiError('USER_TOKEN_REQUIRED');
      return false;
    }
    const [expires = '', signature = ''] = userToken.split('.');
    if (!applications.isSignedBy(application, `${identity}\n${expires}`, signature))
      throw new ApiError('INVALID_USER_TOKEN');
    const now = clock.now();
    const expiresAt = Number(expires) * SECOND;
    if (expiresAt <= now) throw new ApiError('USER_TOKEN_EXPIRED');
    // A userToken is for one page view, so a long validity is a mistake of the site.
    if (expiresAt > now + DAY) throw new ApiError('INVALID_USER_TOKEN');
    return true;
  }

  return function callerOf(call: TwoFactorCall): TwoFactorCaller {
    const { application } = call;
    const address = addressOf(call.identity);
    const hasUserToken = checkUserToken(call);
    // Tells the user apart from a neighbour behind the same network address who copies the User-Agent.
    const source = `${call.source}\n${hasUserToken}`;
    const sourceHash = keyring.mac(SOURCE_HASH_PURPOSE, source);
    return { application, user: userOf(application, address), address, source, sourceHash, hasUserToken };
  };
}
