/**
 * The dashboard's own application. Its sign-in codes and second factors are sent and counted like those of any other
 * application, so the operator sees its messages, can set its language and reset a second factor. It has no App Secret, and
 * `strictTwoFactor` rejects widget calls that only have its App Key.
 */
import { OPERATOR } from '../access/actor.js';
import type { Application } from '../applications/application.js';
import { DEFAULT_LIMITS } from '../applications/application-limits.js';
import type { ApplicationsService } from '../applications/applications-service.js';

/** Fixed, so that several processes cannot create it twice. */
const DASHBOARD_APP_KEY = 'pk_dashboard';

const DASHBOARD_APPLICATION = {
  /** No one can be invited to this account, because no mailbox has this address. */
  email: 'dashboard@localhost',
  name: 'Passbell',
  appKey: DASHBOARD_APP_KEY,
  settings: {
    strictTwoFactor: true,
    /** The sign-in service limits sends, alike for known and unknown addresses. */
    limits: {
      ...DEFAULT_LIMITS,
      ...{ cooldownSeconds: 0, sendsPer10Minutes: 0, sendsPerDay: 0, burstPerSecond: 0, burstPerMinute: 0 },
    },
  },
};

export type DashboardApplication = () => Promise<Application>;

export function createDashboardApplication(applications: ApplicationsService): DashboardApplication {
  return async function dashboardApplication() {
    const existing = await applications.find(DASHBOARD_APP_KEY);
    return existing ?? applications.createInternal(OPERATOR, DASHBOARD_APPLICATION);
  };
}

/** For internal calls, which do not need a userToken. */
export const withoutUserTokenCheck = (application: Application): Application => ({
  ...application,
  settings: { ...application.settings, strictTwoFactor: false },
});
