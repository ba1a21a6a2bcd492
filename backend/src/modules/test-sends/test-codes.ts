/**
 * Codes that people send from the dashboard to see whether sending works: real ones, over the application's own channels and
 * under its own limits, and few of them.
 */
import type { Channel, ChannelName } from '../../providers/provider.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { components } from '../../platform/contract/generated/api.js';
import { TEST_CODES_PER_10_MINUTES, TEST_CODES_PER_DAY } from '../../platform/limits.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import { sendWindows, type Rule } from '../../platform/rate-limit/rule.js';
import type { Application } from '../applications/application.js';
import { assertActive } from '../applications/applications-service.js';
import type { MessagesService } from '../messages/messages-service.js';
import { AUTH_TYPES } from '../messages/send-envelope.js';
import type { SendOtp } from '../otp/send-service.js';
import type { VerifyOtp } from '../otp/verify-service.js';

type Schemas = components['schemas'];

/** How a test code went so far. */
export interface TestCode {
  readonly maskId: string;
  /** "" for a test recipient, to whom nothing is sent. */
  readonly messageId: string;
  readonly state: Schemas['MessageState'];
  /** Masked in part. */
  readonly to: string;
  /** A result for every channel that was tried, the one that succeeded first. */
  readonly attempts: readonly Pick<Schemas['SendResult'], 'authType' | 'success' | 'message'>[];
  readonly charge: string;
  readonly currency: string;
  /** Whether the dev inbox has it in place of a provider. */
  readonly standIn: boolean;
}

export interface TestCodesDependencies {
  readonly sendOtp: SendOtp;
  readonly verifyOtp: VerifyOtp;
  readonly messages: Pick<MessagesService, 'view'>;
  readonly limiter: Limiter;
  readonly channels: ReadonlyMap<ChannelName, Channel>;
}

export type TestCodes = ReturnType<typeof createTestCodes>;

const OPEN: readonly Schemas['MessageState'][] = ['queued', 'sending'];

/** Whether a test code may still change its state by itself. */
export const isOpen = ({ messageId, state }: TestCode): boolean => messageId !== '' && OPEN.includes(state);

const ruleFor = (personId: number): Rule => ({
  key: `test-code:${personId}`,
  code: 'BURST_LIMIT',
  windows: sendWindows(TEST_CODES_PER_10_MINUTES, TEST_CODES_PER_DAY),
  durable: true,
});

/** In words of its own: it is not the application that has sent too much. */
function refuseTests(error: unknown): never {
  const { retryAfterSeconds } = error instanceof ApiError ? error.details : {};
  if (retryAfterSeconds === undefined) throw error;
  const message = `you have sent many test codes, try again in ${retryAfterSeconds} seconds`;
  throw new ApiError('BURST_LIMIT', { retryAfterSeconds, message });
}

export function createTestCodes({ sendOtp, verifyOtp, messages, limiter, channels }: TestCodesDependencies) {
  const isStandIn = (authType: Schemas['AuthType']): boolean =>
    [...channels.values()].some(({ name, standIn }) => AUTH_TYPES[name] === authType && standIn === true);

  function testCode(state: Schemas['MessageState'], results: readonly Schemas['SendResult'][]): TestCode {
    const [{ maskId, messageId, to, charge, currency, authType }] = results as [Schemas['SendResult']];
    return { maskId, messageId, state, to, attempts: results, charge, currency, standIn: isStandIn(authType) };
  }

  return {
    /** Sends a code; throws the refusal of the application or of its limits, and of the limit of these tests. */
    async send(
      application: Application,
      by: { readonly id: number },
      to: string,
      requestId: string,
    ): Promise<TestCode> {
      assertActive(application);
      const giveBack = await limiter.take([ruleFor(by.id)]).catch(refuseTests);
      const request = { to, otpLength: 6, expiry: 5 };
      const reply = await sendOtp(application, request, { idempotencyKey: undefined, requestId }).catch(
        async (error) => {
          // Nothing was sent.
          await giveBack();
          throw error;
        },
      );
      if (!reply.data) throw new ApiError('SEND_FAILED', { values: { reason: reply.message } });
      const { results } = reply.data;
      if (!reply.success) return testCode('failed', results);
      const { messageId } = results[0]!;
      return messageId === '' ? testCode('sent', results) : this.follow(application, messageId);
    },

    /** How a test code goes now; throws when the application has none with this id. */
    async follow(application: Application, messageId: string): Promise<TestCode> {
      const { maskId, state, to, attempts, charge, currency, authType } = await messages.view(
        application.id,
        messageId,
      );
      return { maskId, messageId, state, to, attempts, charge, currency, standIn: isStandIn(authType) };
    },

    /** Verifies a code as the API does; throws the refusal. */
    verify: (application: Application, maskId: string, otp: string): Promise<Schemas['SessionToken']> =>
      verifyOtp(application, { maskId, otp }),
  };
}
