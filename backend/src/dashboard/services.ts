import type { Clock } from '../platform/clock.js';
import type { PriceTable } from '../platform/config/prices-file.js';
import type { ApplicationsService } from '../modules/applications/applications-service.js';
import type { RejectedCallers } from '../modules/applications/rejected-callers.js';
import type { AuditService } from '../modules/audit/audit-service.js';
import type { ErasureService } from '../modules/erasure/erasure-service.js';
import type { ReadFraudOverview } from '../modules/fraud/fraud-overview.js';
import type { FraudPauses } from '../modules/fraud/fraud-pauses.js';
import type { FraudSettingsService } from '../modules/fraud/fraud-settings-service.js';
import type { FraudWhatIf } from '../modules/fraud/fraud-what-if.js';
import type { MessageLookup } from '../modules/messages/message-lookup.js';
import type { MessagesService } from '../modules/messages/messages-service.js';
import type { Confirmation } from '../modules/people/confirmation.js';
import type { Passkeys } from '../modules/people/passkeys.js';
import type { PeopleService } from '../modules/people/people-service.js';
import type { PersonSecondFactor } from '../modules/people/person-second-factor.js';
import type { PersonSessions } from '../modules/people/person-sessions.js';
import type { SignInLinks } from '../modules/people/sign-in-links.js';
import type { SignIn } from '../modules/people/sign-in.js';
import type { TemplatesService } from '../modules/templates/index.js';
import type { TestCodes } from '../modules/test-sends/test-codes.js';
import type { TestMessages } from '../modules/test-sends/test-messages.js';
import type { UpgradesService } from '../modules/upgrades/index.js';
import type { UsageService } from '../modules/usage/index.js';

export interface DashboardServices {
  readonly applications: ApplicationsService;
  readonly rejectedCallers: RejectedCallers;
  readonly testCodes: TestCodes;
  readonly messages: MessagesService;
  readonly messageLookup: MessageLookup;
  readonly erasure: ErasureService;
  readonly usage: UsageService;
  readonly fraudOverview: ReadFraudOverview;
  readonly fraudPauses: FraudPauses;
  readonly fraudSettings: FraudSettingsService;
  readonly fraudWhatIf: FraudWhatIf;
  readonly templates: TemplatesService;
  readonly testMessages: TestMessages;
  readonly prices: PriceTable;
  readonly people: PeopleService;
  readonly signIn: SignIn;
  readonly signInLinks: SignInLinks;
  readonly passkeys: Passkeys;
  readonly confirmation: Confirmation;
  readonly secondFactor: PersonSecondFactor;
  readonly sessions: PersonSessions;
  readonly audit: AuditService;
  readonly upgrades: UpgradesService;
  readonly clock: Clock;
  /** Currency that is shown for messages without a price. */
  readonly currency: string;
  /** Public service URL, without a trailing slash. */
  readonly url: string;
}
