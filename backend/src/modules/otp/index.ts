/** One-time passcodes: sending, verification and usage counts. */
import type { Knex } from 'knex';
import type { Base } from '../../platform/base.js';
import type { FraudGuard } from '../fraud/fraud-service.js';
import type { SendOutcome } from '../providers/routing.js';
import type { SessionsService } from '../sessions/sessions-service.js';
import type { UsageRecorder } from '../usage/index.js';
import type { EventBody, EventName, WebhookEvent } from '../webhooks/event.js';
import type { Outbox } from '../webhooks/outbox.js';
import { canceledEvent, lockedEvent, verifiedEvent } from './code-events.js';
import { createCodeStatus } from './code-status.js';
import { createCodeUsageStore } from './code-usage-store.js';
import { createCodeUsage } from './code-usage.js';
import { createEndCooldown } from './cooldown.js';
import { createOtpStore, type RecentCode } from './otp-store.js';
import { createRecipientStore } from './recipient-store.js';
import { createReportVerified } from './report-service.js';
import { createSendService, type SendDependencies } from './send-service.js';
import { createFindVerifiedUsers } from './verified-users.js';
import { createVerifyService } from './verify-service.js';

interface Dependencies extends Omit<SendDependencies, 'store'>, Pick<Base, 'db' | 'inTransaction'> {
  readonly fraud: FraudGuard;
  readonly sessions: SessionsService;
  readonly usage: UsageRecorder;
  readonly outbox: Outbox;
  readonly recordOutcome: (outcome: SendOutcome) => void;
}

type CodeEventName = Extract<EventName, `otp.${string}`>;

const TIME_COLUMNS = {
  'otp.verified': 'verified_at',
  'otp.locked': 'locked_at',
  'otp.canceled': 'canceled_at',
} as const;

/** How many of a recipient's latest codes the dashboard shows. */
const MAX_CODES_SHOWN = 10;

export type OtpService = ReturnType<typeof createOtp>['service'];

export function createOtp(dependencies: Dependencies) {
  const { db, inTransaction, sessions, messages, usage, clock, limiter, recordOutcome } = dependencies;
  const store = createOtpStore(db);
  const recipients = createRecipientStore(db);
  const endCooldown = createEndCooldown(limiter);
  const findVerifiedUsers = createFindVerifiedUsers(messages, sessions, clock);
  const shared = { ...dependencies, store, endCooldown, findVerifiedUsers };
  const codeUsage = createCodeUsage(createCodeUsageStore(db), messages, usage, recordOutcome, clock);

  async function recentEvent(trx: Knex, event: CodeEventName, code: RecentCode): Promise<WebhookEvent> {
    if (event === 'otp.locked') return lockedEvent(code, code.at);
    if (event === 'otp.canceled') return canceledEvent(code, code.at);
    const [user] = await findVerifiedUsers(trx, [code]);
    return verifiedEvent(code, user!, code.at);
  }

  /** Returns an application's latest events of one type, newest first, reconstructed from its codes. */
  const recentEvents = (applicationId: number, event: CodeEventName, limit: number): Promise<EventBody[]> =>
    inTransaction(async (trx) => {
      const events: EventBody[] = [];
      for (const code of await store.recent(trx, applicationId, TIME_COLUMNS[event], limit))
        events.push((await recentEvent(trx, event, code)).body);
      return events;
    });

  return {
    service: {
      ...createSendService(shared),
      ...createVerifyService(shared),
      reportVerified: createReportVerified(shared),
      ...createCodeStatus(shared),
      recentEvents,
      find: store.find,
      erase: store.erase,
      describe: (applicationId: number, address: string) =>
        recipients.describe(applicationId, address, MAX_CODES_SHOWN),
      areEntered: recipients.areEntered,
      enteredAt: recipients.enteredAt,
      unlock: recipients.unlock,
    },
    pendingCodes: codeUsage.pending,
    maintenance: [() => store.cleanUp(clock.now()), codeUsage.countExpired],
  };
}
