/** What the pages work with: the services of the modules, never a store. */
import type { Clock } from '../platform/clock.js';
import type { ApplicationsService } from '../modules/applications/applications-service.js';
import type { Refusals } from '../modules/applications/rejected-callers.js';
import type { AuditService } from '../modules/audit/audit-service.js';
import type { MessageLookup } from '../modules/messages/lookup-service.js';
import type { MessagesService } from '../modules/messages/messages-service.js';
import type { UsageService } from '../modules/usage/usage-service.js';
import type { CodeCounts } from '../modules/otp/code-counts.js';
import type { TestCodes } from '../modules/test-sends/test-codes.js';
import type { OwnFactor } from '../modules/people/own-factor.js';
import type { PeopleService } from '../modules/people/people-service.js';
import type { PersonSessions } from '../modules/people/person-sessions.js';
import type { SignInService } from '../modules/people/sign-in-service.js';
import type { TemplatesService } from '../modules/templates/templates-service.js';
import type { TestMessages } from '../modules/test-sends/test-messages.js';
import type { TwoFactorService } from '../modules/twofactor/twofactor-service.js';
import type { WebhooksService } from '../modules/webhooks/webhooks-service.js';
import type { PriceTable } from '../platform/config/prices-file.js';

export interface DashboardServices {
  readonly applications: ApplicationsService;
  readonly refusals: Refusals;
  readonly testCodes: TestCodes;
  readonly messages: MessagesService;
  readonly messageLookup: MessageLookup;
  readonly usage: UsageService;
  readonly codeCounts: CodeCounts;
  readonly templates: TemplatesService;
  readonly testMessages: TestMessages;
  readonly prices: PriceTable;
  readonly twoFactor: TwoFactorService;
  readonly webhooks: WebhooksService;
  readonly people: PeopleService;
  readonly signIn: SignInService;
  readonly ownFactor: OwnFactor;
  readonly sessions: PersonSessions;
  readonly audit: AuditService;
  readonly clock: Clock;
  /** Of what costs nothing. */
  readonly currency: string;
  /** The service's address as people open it, without a slash at the end. */
  readonly url: string;
}
