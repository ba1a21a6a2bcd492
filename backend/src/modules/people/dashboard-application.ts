/**
 * The dashboard's built-in application. Sign-in codes and second factors work as for any other application, so the
 * operator can see the messages, set the language and reset a second factor. The application has no App Secret, and
 * `strictTwoFactor` rejects widget calls that only have the App Key.
 */
import { OPERATOR } from '../access/actor.js';
import { DASHBOARD_ACCOUNT, type Application } from '../applications/application.js';
import { DEFAULT_LIMITS, NO_LIMITS } from '../applications/application-limits.js';
import type { ApplicationsService } from '../applications/applications-service.js';

/** A fixed App Key, so that concurrent processes cannot create the application twice. */
export const DASHBOARD_APP_KEY = 'pk_dashboard';

const DASHBOARD_APPLICATION = {
  email: DASHBOARD_ACCOUNT,
  name: 'Passbell',
  appKey: DASHBOARD_APP_KEY,
  settings: {
    strictTwoFactor: true,
    /**
     * Sign-in codes and guesses are limited in sign-in-limits.ts. The application's limits per recipient would let an
     * attacker lock a person out, so all of them are off, except the number of guesses per code.
     */
    limits: { ...NO_LIMITS, wrongCodesPerLock: DEFAULT_LIMITS.wrongCodesPerLock },
  },
};

export type DashboardApplication = () => Promise<Application>;

export function createDashboardApplication(applications: ApplicationsService): DashboardApplication {
  return async function dashboardApplication() {
    const existing = await applications.find(DASHBOARD_APP_KEY);
    const application = existing ?? (await applications.createInternal(OPERATOR, DASHBOARD_APPLICATION));
    // Overrides values stored by an earlier version or changed by the operator.
    const { limits, strictTwoFactor } = DASHBOARD_APPLICATION.settings;
    return { ...application, settings: { ...application.settings, limits, strictTwoFactor } };
  };
}

/** Returns the application with the userToken check turned off. For internal calls, which have no userToken. */
export const withoutUserTokenCheck = (application: Application): Application => ({
  ...application,
  settings: { ...application.settings, strictTwoFactor: false },
});
