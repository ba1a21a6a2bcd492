import { createBackgroundWork } from '../../platform/background.js';
import type { Provider } from '../../providers/provider.js';
import type { AccountProfiles } from '../applications/account-profile-service.js';
import type { ApplicationsService } from '../applications/applications-service.js';
import type { Shared } from '../audit/audit-service.js';
import type { MessagesService } from '../messages/messages-service.js';
import type { Notices } from '../notices/index.js';
import type { OtpService } from '../otp/index.js';
import type { TwoFactorService } from '../twofactor/index.js';
import { createConfirmation } from './confirmation.js';
import { createDashboardApplication } from './dashboard-application.js';
import { createEmailCheck } from './email-check.js';
import { createFraudMails } from './fraud-mails.js';
import { createPasskeys } from './passkeys.js';
import { createPasskeysStore } from './passkeys-store.js';
import { createPeopleService } from './people-service.js';
import { createPeopleStore } from './people-store.js';
import { createPersonSecondFactor } from './person-second-factor.js';
import { createPersonSessions } from './person-sessions.js';
import { createPersonSessionsStore } from './person-sessions-store.js';
import { createSecurityNotices } from './security-notices.js';
import { createSignInLinks } from './sign-in-links.js';
import { createSignInLinksStore } from './sign-in-links-store.js';
import { createSignInLog } from './sign-in-log.js';
import { createSignIn } from './sign-in.js';
import { createWeeklyEmails } from './weekly-emails.js';

interface Dependencies extends Pick<
  Shared,
  'audit' | 'clock' | 'db' | 'inTransaction' | 'keyring' | 'limiter' | 'log' | 'url'
> {
  /** The provider that sends sign-in codes; undefined if Passbell cannot send email. */
  readonly emailProvider: () => Provider | undefined;
  readonly applications: ApplicationsService;
  readonly profiles: AccountProfiles;
  readonly messages: MessagesService;
  readonly otp: OtpService;
  readonly twoFactor: TwoFactorService;
  readonly notices: Notices;
}

export function createPeople(dependencies: Dependencies) {
  const { db, clock, log, emailProvider, applications, messages, twoFactor } = dependencies;
  const store = createPeopleStore(db);
  const sessionsStore = createPersonSessionsStore(db);
  const linksStore = createSignInLinksStore(db);
  const dashboardApplication = createDashboardApplication(applications);
  const notices = createSecurityNotices(dashboardApplication, messages, emailProvider, clock, log);
  const service = createPeopleService({ ...dependencies, store, notices });
  const sessions = createPersonSessions(sessionsStore, store, dependencies);
  const secondFactor = createPersonSecondFactor(dashboardApplication, twoFactor, notices);
  const passkeys = createPasskeys(createPasskeysStore(db), notices, dependencies);
  const signInLog = createSignInLog(store, notices, dependencies);
  const background = createBackgroundWork(log);
  const parts = { ...dependencies, dashboardApplication, notices, sessions, secondFactor, passkeys, signInLog };
  const isEmailDown = createEmailCheck(emailProvider, clock);
  const signIn = createSignIn({ ...parts, people: service, background, isEmailDown });
  return {
    service,
    sessions,
    signIn,
    secondFactor,
    passkeys,
    signInLinks: createSignInLinks(linksStore, service, notices, dependencies),
    confirmation: createConfirmation({ ...parts, signIn }),
    weeklyEmails: createWeeklyEmails({ ...parts, store }),
    mailFraudNotices: createFraudMails({ ...parts, people: store, notices: dependencies.notices }),
    /** Waits until all requested sign-in codes are enqueued. */
    stop: background.stop,
    maintenance: [
      () => sessionsStore.cleanUp(clock.now()),
      () => store.cleanUpInvitations(clock.now()),
      () => linksStore.cleanUp(clock.now()),
    ],
  };
}
