/**
 * The first run: while the server has no owner, a person at this machine becomes the owner in the browser, without the
 * printed link. Their code arrives in the dev inbox, which the page shows as a phone.
 *
 * Only local requests start it, which keeps out other machines and, by their Host header, domains that point at this
 * machine. Because some proxies cannot be detected, it is also limited to servers without production settings and to
 * the time after the start. Forms of other sites lack the form token.
 */
import type { InboxMessage } from '../../modules/dev-inbox/dev-inbox.js';
import { DASHBOARD_APP_KEY } from '../../modules/people/dashboard-application.js';
import { MINUTE, SECOND } from '../../platform/clock.js';
import { devInboxAccess } from '../../platform/config/exposure.js';
import type { Modules } from '../modules.js';
import type { SignInVisit } from '../sign-in-page.js';

export const FIRST_RUN_MINUTES = 30;

export type FirstRun = ReturnType<typeof createFirstRun>;

type FirstRunModules = Modules<'applications' | 'clock' | 'config' | 'devInbox' | 'people' | 'providers'>;
type Local = Pick<SignInVisit, 'isLocal'>;

export function createFirstRun(modules: FirstRunModules) {
  const { applications, clock, config, devInbox, people } = modules;
  const { routing } = modules.providers;
  const until = clock.now() + FIRST_RUN_MINUTES * MINUTE;
  const isStandIn = (channel: 'SMS' | 'EMAIL') => routing.operatorProviders.get(channel)?.standIn === true;
  /** Whether a page may show messages of the dev inbox to this visitor. */
  const hasPhone = ({ isLocal }: Local): boolean => isLocal && devInboxAccess(config) === 'local' && isStandIn('EMAIL');

  return {
    /** Whether this visitor may become the owner. Stays true until they have entered the code. */
    isAllowed: async (visit: Local): Promise<boolean> =>
      hasPhone(visit) && isStandIn('SMS') && people.service.hasNobody(),
    /** Whether the first run can still be started. */
    isOnTime: (): boolean => clock.now() < until,
    hasPhone,
    /**
     * Returns the dashboard's messages for the phone on the page for the code, oldest first; undefined if it has no
     * phone. Codes of other applications to this number would not sign the person in.
     */
    async messages(visit: SignInVisit): Promise<InboxMessage[] | undefined> {
      const { requested } = visit.progress;
      if (requested?.phone === undefined || !hasPhone(visit)) return undefined;
      const dashboard = await applications.service.find(DASHBOARD_APP_KEY);
      const messages = dashboard ? (devInbox?.listOf(dashboard.id, requested.phone) ?? []) : [];
      const since = Math.floor(requested.at / SECOND);
      return messages.filter(({ createdTime }) => createdTime >= since).reverse();
    },
  };
}
