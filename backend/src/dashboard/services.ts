/** What the pages work with: the services of the modules, never a store. */
import type { Clock } from '../clock.js';
import type { ApplicationsService } from '../modules/applications/applications-service.js';
import type { Refusals } from '../modules/applications/refusals.js';
import type { AuditService } from '../modules/audit/audit-service.js';
import type { MessagesService } from '../modules/messages/messages-service.js';
import type { TestCodes } from '../modules/otp/test-codes.js';
import type { OwnFactor } from '../modules/people/own-factor.js';
import type { PeopleService } from '../modules/people/people-service.js';
import type { PersonSessions } from '../modules/people/person-sessions.js';
import type { SignInService } from '../modules/people/sign-in-service.js';
import type { TemplatesService } from '../modules/templates/templates-service.js';
import type { TwoFactorService } from '../modules/twofactor/twofactor-service.js';
import type { WebhooksService } from '../modules/webhooks/webhooks-service.js';

export interface DashboardServices {
  readonly applications: ApplicationsService;
  readonly refusals: Refusals;
  readonly testCodes: TestCodes;
  readonly messages: MessagesService;
  readonly templates: TemplatesService;
  readonly twoFactor: TwoFactorService;
  readonly webhooks: WebhooksService;
  readonly people: PeopleService;
  readonly signIn: SignInService;
  readonly ownFactor: OwnFactor;
  readonly sessions: PersonSessions;
  readonly audit: AuditService;
  readonly clock: Clock;
  /** The service's address as people open it, without a slash at the end. */
  readonly url: string;
}
