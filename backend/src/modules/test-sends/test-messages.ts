/** Messages that people send to themselves to see what a template says: real ones, by the way that all others go, and few. */
import type { Channel, ChannelName } from '../../providers/provider.js';
import { ApiError } from '../../platform/contract/errors.js';
import { TEMPLATES } from '../../platform/contract/generated/templates.js';
import { TEST_MESSAGES_PER_10_MINUTES, TEST_MESSAGES_PER_DAY } from '../../platform/limits.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import { sendWindows } from '../../platform/rate-limit/rule.js';
import type { Application } from '../applications/application.js';
import { assertActive } from '../applications/applications-service.js';
import type { NotificationKind } from '../notifications/catalogue.js';
import type { NotificationRequest, SendNotification } from '../notifications/notifications-service.js';
import type { SendOtp } from '../otp/send-service.js';
import type { OverrideKey } from '../templates/overrides-store.js';

export interface TestMessage extends OverrideKey {
  /** A phone number or mail address that fits the channel. */
  readonly to: string;
  readonly variables: Readonly<Record<string, string>>;
}

export interface TestMessageReply {
  /** What came of it so far, for people. */
  readonly message: string;
  readonly success: boolean;
  /** "" when there is none: for a test recipient nothing is sent. */
  readonly messageId: string;
}

export interface TestMessagesDependencies {
  readonly sendOtp: SendOtp;
  readonly sendNotification: SendNotification;
  /** Reads a request as the operation for its kind does. Throws the refusal. */
  readonly read: {
    readonly otp: (request: object) => Parameters<SendOtp>[1];
    readonly notification: Readonly<Record<NotificationKind, (request: object) => NotificationRequest>>;
  };
  readonly limiter: Limiter;
  readonly channels: ReadonlyMap<ChannelName, Channel>;
}

export type TestMessages = ReturnType<typeof createTestMessages>;

export function createTestMessages({ sendOtp, sendNotification, read, limiter, channels }: TestMessagesDependencies) {
  function sendTo(application: Application, message: TestMessage, requestId: string) {
    const { template, channel: authWay, language, to, variables } = message;
    const about = { idempotencyKey: undefined, requestId };
    if (template === 'otp') return sendOtp(application, read.otp({ to, authWay, language }), about);
    const { kind } = TEMPLATES[template as keyof typeof TEMPLATES];
    const request = read.notification[kind]({ to, authWay, language, templateType: template, variables });
    return sendNotification(application, kind, request, about);
  }

  return {
    /** Who carries a channel; undefined where nobody does. */
    carrier: (channel: ChannelName): Pick<Channel, 'provider' | 'standIn'> | undefined => channels.get(channel),

    /** Sends one with the text that is stored. Throws the refusal; a send that failed is a reply. */
    async send(
      application: Application,
      message: TestMessage,
      by: { readonly personId: number; readonly requestId: string },
    ): Promise<TestMessageReply> {
      assertActive(application);
      const giveBack = await limiter.take([
        {
          key: `test-message:${by.personId}`,
          code: 'BURST_LIMIT',
          windows: sendWindows(TEST_MESSAGES_PER_10_MINUTES, TEST_MESSAGES_PER_DAY),
          durable: true,
        },
      ]);
      try {
        const reply = await sendTo(application, message, by.requestId);
        const [result] = reply.data?.results ?? [];
        return { success: reply.success, message: reply.message, messageId: result?.messageId ?? '' };
      } catch (error) {
        // What was refused costs nothing.
        if (error instanceof ApiError) await giveBack().catch(() => undefined);
        throw error;
      }
    },
  };
}
