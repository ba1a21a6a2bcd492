/** Sends messages about orders and invoices. */
import type { Channel, ChannelName } from '../../providers/provider.js';
import { HOUR, type Clock } from '../../platform/clock.js';
import { random, sha256 } from '../../platform/crypto.js';
import type { Write } from '../../platform/db/transaction.js';
import { ApiError, failure } from '../../platform/contract/errors.js';
import type { components } from '../../platform/contract/generated/api.js';
import { NOTIFICATION_HOURS } from '../../platform/limits.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import type { Rule } from '../../platform/rate-limit/rule.js';
import { chooseLanguage, messageLanguage } from '../templates/rendering/languages.js';
import { oneLine } from '../templates/rendering/text.js';
import type { Application } from '../applications/application.js';
import type { IdempotencyService, Link } from '../idempotency/idempotency-service.js';
import { surelyFailed, type Delay, type Outcome } from '../messages/message.js';
import { newMessageId, type MessagesService } from '../messages/messages-service.js';
import { sendEnvelope, sendMessage, type Send } from '../messages/send-envelope.js';
import { burstRule, channelOf, planSend, testOutcome, type SendPlan } from '../messages/send-plan.js';
import type { DeviceInfo } from './device-info.js';
import { requestedTemplate, requireVariables, type NotificationKind, type TemplateName } from './catalogue.js';

type Schemas = components['schemas'];
type Variables = Readonly<Record<string, string>>;
type NotificationReply = Schemas['NotificationReply'] | Schemas['Failure'];

/** What both endpoints take, with variables as text. */
export interface NotificationRequest {
  readonly to: string;
  readonly authWay?: string;
  readonly templateType: string;
  readonly variables: Variables;
  readonly language?: string;
}

export interface NotificationsDependencies {
  readonly messages: MessagesService;
  readonly idempotency: IdempotencyService;
  readonly limiter: Limiter;
  readonly channels: ReadonlyMap<ChannelName, Channel>;
  readonly clock: Clock;
  /** Language and country of calls that nobody named a language for, such as `en-US`. */
  readonly voiceLanguage: string;
  /** Of what costs nothing. */
  readonly currency: string;
}

/** Sends a notification, at most once for an Idempotency-Key. Throws the refusal; a send that failed is a reply. */
export type SendNotification = (
  application: Application,
  kind: NotificationKind,
  request: NotificationRequest,
  about: {
    readonly idempotencyKey: string | undefined;
    readonly requestId: string;
    /** Shown in the results. */
    readonly deviceInfo?: DeviceInfo;
  },
) => Promise<NotificationReply>;

/** A request whose template, variables and recipient are right. */
interface Notification {
  readonly template: TemplateName;
  readonly variables: Variables;
  /** Of the request or the application, when it is spoken. */
  readonly language: string | undefined;
  readonly plan: SendPlan;
}

/** Variables as lines of text, by name; what is blank then is absent. */
function cleaned(variables: Variables): Variables {
  const lines = Object.entries(variables).map(([name, value]) => [name, oneLine(value)] as const);
  return Object.fromEntries(lines.filter(([, line]) => line !== '').sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * The same notification to the same recipient is a mistake of the caller's: a double click, a workflow that ran twice.
 * Addresses with different plus-tags are different recipients here: this rule guards against mistakes, not against abuse.
 */
function repeatRule(application: Application, { plan, template, variables }: Notification): Rule {
  const same = JSON.stringify([application.id, plan.address.toLowerCase(), template, variables]);
  return {
    key: `notification:${sha256(same)}`,
    code: 'DUPLICATE_NOTIFICATION',
    windows: [{ limit: 1, seconds: application.settings.limits.notificationRepeatSeconds }],
    durable: true,
  };
}

function notificationReply(send: Send, outcome: Outcome | Delay | undefined, currency: string): NotificationReply {
  const data = sendEnvelope(send, outcome, currency);
  const message = sendMessage('notification', 'notification sent successfully', outcome);
  if (data.isSent > 0) return { success: true, message, status: 'NotificationsSent', data };
  const reason = data.results.at(-1)?.message ?? 'it could not be delivered in time';
  return failure(new ApiError('SEND_FAILED', { values: { reason }, data }));
}

export function createSendNotification(dependencies: NotificationsDependencies): SendNotification {
  const { messages, idempotency, limiter, channels, clock, voiceLanguage, currency } = dependencies;

  function read(application: Application, kind: NotificationKind, request: NotificationRequest): Notification {
    const plan = planSend(application, request, channels);
    const template = requestedTemplate(request.templateType, kind);
    const variables = cleaned(request.variables);
    requireVariables(template, variables);
    return { template, variables, plan, language: chooseLanguage(request.language, application.settings.language) };
  }

  /** Stores the message and waits for its first outcome; a test recipient's is never stored. */
  async function accept(
    application: Application,
    { template, variables, language, plan }: Notification,
    { maskId: id, expiresAt }: Send,
    requestId: string,
    alongside: readonly Write[],
  ): Promise<Outcome | Delay | undefined> {
    if (plan.testCode !== undefined) return testOutcome(plan.channels[0]!);
    const texts = { ...variables, application: application.name, ...messageLanguage(voiceLanguage, language) };
    const [applicationId, recipient] = [application.id, plan.address];
    const draft = {
      id,
      maskId: id,
      applicationId,
      template,
      requestId,
      recipient,
      plan: plan.channels,
      variables: texts,
      expiresAt,
    };
    return messages.accept(draft, alongside);
  }

  async function sendNow(
    application: Application,
    notification: Notification,
    { requestId, deviceInfo }: Parameters<SendNotification>[3],
    link: Link,
  ): Promise<NotificationReply> {
    const { plan } = notification;
    messages.refuseWhenOverloaded();
    const repeat = repeatRule(application, notification);
    const giveBack = await limiter.take([burstRule(application), repeat]);
    const createdAt = clock.now();
    const messageId = plan.testCode === undefined ? newMessageId() : null;
    const send: Send = {
      maskId: messageId ?? random.hex(16),
      messageId,
      recipient: plan.address,
      channel: plan.channels[0]!,
      createdAt,
      expiresAt: createdAt + NOTIFICATION_HOURS * HOUR,
      ...(deviceInfo ? { deviceInfo } : {}),
    };
    try {
      const outcome = await accept(application, notification, send, requestId, link(send.maskId));
      // Who repairs what was wrong tries the same again; what may yet arrive would arrive twice.
      if (outcome && surelyFailed(outcome)) await giveBack([repeat]).catch(() => undefined);
      return notificationReply(send, outcome, currency);
    } catch (error) {
      // Nothing was stored, so nothing is sent: the next try is the first one.
      await giveBack().catch(() => undefined);
      throw error;
    }
  }

  async function replyFor(id: string, deviceInfo: DeviceInfo | undefined): Promise<NotificationReply> {
    const message = await messages.find(id);
    if (!message) throw new ApiError('SEND_FAILED', { values: { reason: 'it could not be delivered in time' } });
    const send = { ...message, maskId: id, messageId: id, ...(deviceInfo ? { deviceInfo } : {}) };
    return notificationReply(send, await messages.outcomeOf(id), currency);
  }

  return async (application, kind, request, about) => {
    const notification = read(application, kind, request);
    const { template, variables, language, plan } = notification;
    const authWay = request.authWay === undefined ? null : channelOf(request.authWay);
    return idempotency.once({
      applicationId: application.id,
      key: about.idempotencyKey,
      fingerprint: ['notification', plan.address, authWay, template, variables, language],
      run: (link) => sendNow(application, notification, about, link),
      replyFor: (id) => replyFor(id, about.deviceInfo),
    });
  };
}
