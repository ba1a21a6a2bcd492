/**
 * Test messages that people send from the dashboard to try out a template. The messages are real, but strictly limited.
 */
import { TEMPLATES } from '../../platform/contract/generated/templates.js';
import { createValidator } from '../../platform/http/validation.js';
import { actorOf, requireRight } from '../access/actor.js';
import { assertActive, type Application } from '../applications/application.js';
import type { Shared } from '../audit/audit-service.js';
import { readRequest } from '../notifications/notification-request.js';
import type { NotificationsService } from '../notifications/notifications-service.js';
import type { OtpService } from '../otp/index.js';
import type { SendService } from '../otp/send-service.js';
import type { Person } from '../people/person.js';
import { overrideTitle, type OverrideKey } from '../templates/template.js';
import { createTestLimit } from './test-limit.js';

export const TEST_MESSAGES_PER_10_MINUTES = 20;
const TEST_MESSAGES_PER_DAY = 100;

interface TestMessage extends OverrideKey {
  /** A phone number or email address, depending on the channel. */
  readonly to: string;
  readonly variables: Readonly<Record<string, string>>;
}

interface TestMessageReply {
  readonly message: string;
  readonly success: boolean;
  /** "" for a test recipient, to whom no message is sent. */
  readonly messageId: string;
}

export type TestMessages = ReturnType<typeof createTestMessages>;

const otpParameters = createValidator<Parameters<SendService['send']>[1]>('SendOtpRequest');

interface Dependencies extends Pick<Shared, 'audit' | 'inTransaction' | 'limiter'> {
  readonly otp: OtpService;
  readonly notifications: NotificationsService;
}

export function createTestMessages(dependencies: Dependencies) {
  const { otp, notifications, limiter, inTransaction, audit } = dependencies;

  const limited = createTestLimit(limiter, {
    tests: 'test messages',
    per10Minutes: TEST_MESSAGES_PER_10_MINUTES,
    perDay: TEST_MESSAGES_PER_DAY,
  });

  function sendNow(application: Application, message: TestMessage, requestId: string) {
    const { template, channel: authWay, language, to, variables } = message;
    const options = { idempotencyKey: undefined, requestId };
    if (template === 'otp') return otp.send(application, otpParameters({ to, authWay, language }), options);
    const { kind } = TEMPLATES[template as keyof typeof TEMPLATES];
    const request = readRequest[kind]({ to, authWay, language, templateType: template, variables });
    return notifications.send(application, kind, request, { ...options, isTest: true });
  }

  /**
   * Sends a message with the stored text. Throws if the request is rejected; returns a failure reply if the send fails.
   */
  async function send(
    person: Person,
    application: Application,
    message: TestMessage,
    requestId: string,
  ): Promise<TestMessageReply> {
    const actor = actorOf(person);
    requireRight(actor, 'change');
    assertActive(application);
    const subject = `${application.name}: ${overrideTitle(message)}`;
    const entry = { accountId: application.accountId, action: 'template.test' as const, subject };
    const reply = await limited(`test-message:${person.id}`, async () => {
      // Before the message is sent, so that none is sent without an entry.
      await inTransaction((trx) => audit.record(trx, actor, entry));
      return sendNow(application, message, requestId);
    });
    const [result] = reply.data?.results ?? [];
    return { success: reply.success, message: reply.message, messageId: result?.messageId ?? '' };
  }

  return { send };
}
