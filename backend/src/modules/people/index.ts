import type { Clock } from '../../platform/clock.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import type { Database } from '../../platform/db/database.js';
import { createInTransaction } from '../../platform/db/transaction.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import type { Provider } from '../../providers/provider.js';
import type { ApplicationsService } from '../applications/applications-service.js';
import type { AuditService } from '../audit/audit-service.js';
import type { OtpService } from '../otp/index.js';
import type { TwoFactorService } from '../twofactor/index.js';
import { createDashboardApplication } from './dashboard-application.js';
import { createPeopleService } from './people-service.js';
import { createPeopleStore } from './people-store.js';
import { createPersonSecondFactor } from './person-second-factor.js';
import { createPersonSessions } from './person-sessions.js';
import { createPersonSessionsStore } from './person-sessions-store.js';
import { createSignIn } from './sign-in.js';

export interface PeopleDependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly limiter: Limiter;
  readonly providers: ReadonlyMap<ChannelName, Provider>;
  readonly applications: ApplicationsService;
  readonly otp: OtpService;
  readonly twoFactor: TwoFactorService;
  readonly audit: AuditService;
}

export function createPeople({
  db,
  clock,
  limiter,
  providers,
  applications,
  otp,
  twoFactor,
  audit,
}: PeopleDependencies) {
  const store = createPeopleStore(db);
  const sessionsStore = createPersonSessionsStore(db);
  const dashboardApplication = createDashboardApplication(applications);
  const service = createPeopleService(store, applications, createInTransaction(db), audit, clock);
  return {
    service,
    sessions: createPersonSessions(sessionsStore, store, clock),
    signIn: createSignIn({ people: service, dashboardApplication, otp, twoFactor, limiter, providers }),
    secondFactor: createPersonSecondFactor(dashboardApplication, twoFactor),
    maintenance: [() => sessionsStore.cleanUp(clock.now()), () => store.cleanUpInvitations(clock.now())],
  };
}
