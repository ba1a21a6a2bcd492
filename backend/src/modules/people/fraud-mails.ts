/** Emails the notices to the application's owners. */
import type { Knex } from 'knex';
import type { Base } from '../../platform/base.js';
import type { Provider } from '../../providers/provider.js';
import type { Application } from '../applications/application.js';
import type { ApplicationsService } from '../applications/applications-service.js';
import type { MessagesService } from '../messages/messages-service.js';
import type { Notices } from '../notices/index.js';
import type { DashboardApplication } from './dashboard-application.js';
import { fraudMails, type FraudMail } from './fraud-mail.js';
import type { PeopleStore } from './people-store.js';
import { noticeDraft } from './security-notices.js';

interface Dependencies extends Pick<Base, 'clock' | 'inTransaction' | 'url'> {
  readonly notices: Pick<Notices, 'applicationsToMail' | 'takeToMail'>;
  readonly people: Pick<PeopleStore, 'ofAccount'>;
  readonly applications: Pick<ApplicationsService, 'list'>;
  readonly dashboardApplication: DashboardApplication;
  readonly messages: Pick<MessagesService, 'acceptIn'>;
  /** Returns the email provider; undefined if Passbell cannot send email. */
  readonly emailProvider: () => Provider | undefined;
}

interface Mailing {
  readonly application: Application | undefined;
  readonly owners: readonly string[];
  /** The dashboard application, which sends the emails. */
  readonly sender: Application;
}

export function createFraudMails(dependencies: Dependencies) {
  const { notices, people, applications, dashboardApplication, messages, emailProvider, inTransaction, clock } =
    dependencies;

  const variablesOf = ({ items, ...texts }: FraudMail, { appKey }: Application) => ({
    ...texts,
    ...Object.fromEntries(items.map((item, n) => [`item${n + 1}`, item])),
    link: `${dependencies.url}/dashboard/applications/${appKey}/protection`,
    linkLabel: 'Open the Protection page',
  });

  async function ownersOf(application: Application | undefined): Promise<string[]> {
    if (!application || !emailProvider()) return [];
    const all = await people.ofAccount(application.accountId);
    return all.filter(({ role }) => role === 'owner').map(({ email }) => email);
  }

  /** Stores the emails for the due notices. Without an owner or a mail server, the notices are dropped. */
  async function mailIn(trx: Knex, applicationId: number, { application, owners, sender }: Mailing) {
    const taken = await notices.takeToMail(trx, applicationId, clock.now());
    if (!application) return;
    for (const mail of fraudMails(application, taken))
      for (const owner of owners)
        await messages.acceptIn(trx, noticeDraft(sender, owner, variablesOf(mail, application), clock.now()));
  }

  /**
   * Stores the due emails in the transaction that marks their notices as emailed, so that each notice is emailed
   * exactly once.
   */
  return async function mailOwners(): Promise<void> {
    const ids = await notices.applicationsToMail();
    if (ids.length === 0) return;
    const all = await applications.list();
    const sender = await dashboardApplication();
    for (const id of ids) {
      const application = all.find((one) => one.id === id);
      const mailing = { application, owners: await ownersOf(application), sender };
      await inTransaction((trx) => mailIn(trx, id, mailing));
    }
  };
}
