import { ApplicationNotFoundError, type Application } from '../applications/application.js';
import type { ApplicationsService } from '../applications/applications-service.js';
import { DASHBOARD_APP_KEY } from '../people/dashboard-application.js';
import type { Caller } from './action.js';

export type OwnApplications = ReturnType<typeof createOwnApplications>;

/** Finds the applications that a caller may use. */
export function createOwnApplications(applications: Pick<ApplicationsService, 'findInAccount' | 'list' | 'load'>) {
  async function find({ accountId }: Caller, reference: string): Promise<Application> {
    if (accountId === undefined) return applications.load(reference);
    const application = await applications.findInAccount(accountId, reference);
    if (!application) throw new ApplicationNotFoundError(reference);
    return application;
  }

  /**
   * Returns all applications that the caller may use, or only the named one. The operator's do not include the dashboard
   * application, whose users are those of the dashboard.
   */
  async function own(caller: Caller, reference?: string): Promise<readonly Application[]> {
    if (reference !== undefined) return [await find(caller, reference)];
    const { accountId } = caller;
    return (await applications.list()).filter((application) =>
      accountId === undefined ? application.appKey !== DASHBOARD_APP_KEY : application.accountId === accountId,
    );
  }

  return Object.assign(own, { find });
}
