/** `userToken`: the site's server says that it knows the user of the page. `<expires>.<signature>`; docs/two-factor.md. */
import { SECOND, type Clock } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import { USER_TOKEN_MAX_SECONDS } from '../../platform/limits.js';
import type { Application } from '../applications/application.js';
import type { ApplicationsService } from '../applications/applications-service.js';

/** Whether a call is vouched for; throws when it carries a token that is not good. */
export type CheckUserToken = (application: Application, identity: string, userToken: string | undefined) => boolean;

export function createCheckUserToken(applications: ApplicationsService, clock: Clock): CheckUserToken {
  return (application, identity, userToken) => {
    if (userToken === undefined) {
      if (application.settings.strictTwoFactor) throw new ApiError('USER_TOKEN_REQUIRED');
      return false;
    }
    const [expires = '', signature = ''] = userToken.split('.');
    if (!applications.signed(application, `${identity}\n${expires}`, signature))
      throw new ApiError('INVALID_USER_TOKEN');
    const now = clock.now();
    if (Number(expires) * SECOND <= now) throw new ApiError('USER_TOKEN_EXPIRED');
    if (Number(expires) * SECOND > now + USER_TOKEN_MAX_SECONDS * SECOND) throw new ApiError('INVALID_USER_TOKEN');
    return true;
  };
}
