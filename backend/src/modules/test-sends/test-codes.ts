/** Test codes that people and API keys send: real codes, with the application's own channels and limits. */
import { CHANNELS } from '../../platform/contract/channels.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import { requireRight, type Actor } from '../access/actor.js';
import { assertActive, type Application } from '../applications/application.js';
import { AUTH_TYPES } from '../../platform/contract/auth-types.js';
import type { Shared } from '../audit/audit-service.js';
import type { MessageLookup } from '../messages/message-lookup.js';
import type { OtpService } from '../otp/index.js';
import type { Routing } from '../providers/routing.js';
import { createTestLimit } from './test-limit.js';

/** Limits per sender: enough for a day of testing, too low for SMS pumping. */
export const TEST_CODES_PER_10_MINUTES = 5;
const TEST_CODES_PER_DAY = 20;

/** A person, or the API keys of an account. */
export interface TestSender {
  readonly actor: Actor;
  /** The senders with the same key share a limit. */
  readonly limitKey: string;
}

export interface TestCode {
  readonly maskId: string;
  /** "" for a test recipient, to whom no message is sent. */
  readonly messageId: string;
  readonly state: Schemas['MessageState'];
  readonly to: string;
  /** One entry for each channel tried; the successful channel comes first. */
  readonly attempts: readonly Pick<Schemas['SendResult'], 'authType' | 'success' | 'message'>[];
  readonly charge: string;
  readonly currency: string;
  /** Whether the code went to the dev inbox instead of a provider. */
  readonly standIn: boolean;
}

export type TestCodes = ReturnType<typeof createTestCodes>;

const OPEN_STATES: readonly Schemas['MessageState'][] = ['queued', 'sending'];

export const isOpen = ({ messageId, state }: TestCode): boolean => messageId !== '' && OPEN_STATES.includes(state);

export function createTestCodes(
  { limiter, inTransaction, audit }: Pick<Shared, 'audit' | 'inTransaction'> & { readonly limiter: Limiter },
  otp: OtpService,
  lookup: Pick<MessageLookup, 'view'>,
  isFree: Routing['isFree'],
) {
  const isStandIn = ({ accountId }: Application, authType: Schemas['AuthType']): boolean =>
    CHANNELS.some((channel) => AUTH_TYPES[channel] === authType && isFree({ accountId }, channel));

  const limited = createTestLimit(limiter, {
    tests: 'test codes',
    per10Minutes: TEST_CODES_PER_10_MINUTES,
    perDay: TEST_CODES_PER_DAY,
  });

  function testCode(
    application: Application,
    state: Schemas['MessageState'],
    results: readonly Schemas['SendResult'][],
  ): TestCode {
    const [{ maskId, messageId, to, charge, currency, authType }] = results as [Schemas['SendResult']];
    const standIn = isStandIn(application, authType);
    return { maskId, messageId, state, to, attempts: results, charge, currency, standIn };
  }

  async function find(application: Application, messageId: string): Promise<TestCode> {
    const view = await lookup.view(application.id, messageId);
    const { maskId, state, to, attempts, charge, currency, authType } = view;
    return { maskId, messageId, state, to, attempts, charge, currency, standIn: isStandIn(application, authType) };
  }

  /** Sends a test code. Throws if the application or a limit rejects it. */
  async function send(sender: TestSender, application: Application, to: string, requestId: string): Promise<TestCode> {
    requireRight(sender.actor, 'change');
    assertActive(application);
    const request = { to, otpLength: 6, expiry: 5 };
    const entry = { accountId: application.accountId, action: 'message.test' as const, subject: application.name };
    const reply = await limited(sender.limitKey, async () => {
      // Before the code is sent, so that none is sent without an entry.
      await inTransaction((trx) => audit.record(trx, sender.actor, entry));
      return otp.send(application, request, { idempotencyKey: undefined, requestId });
    });
    if (!reply.data) throw new ApiError('SEND_FAILED', { values: { reason: reply.message } });
    const { results } = reply.data;
    if (!reply.success) return testCode(application, 'failed', results);
    const { messageId } = results[0]!;
    return messageId === '' ? testCode(application, 'sent', results) : find(application, messageId);
  }

  async function verify(application: Application, maskId: string, code: string): Promise<Schemas['SessionToken']> {
    return (await otp.verify(application, { maskId, otp: code })).token;
  }

  return { send, find, verify };
}
