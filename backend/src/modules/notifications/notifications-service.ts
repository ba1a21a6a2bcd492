import { HOUR } from '../../platform/clock.js';
import { ApiError, failure } from '../../platform/contract/errors.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import { random, sha256 } from '../../platform/crypto.js';
import type { Rule } from '../../platform/rate-limit/rule.js';
import type { Application } from '../applications/application.js';
import type { RecordResult } from '../idempotency/idempotency-service.js';
import { channelOf } from '../../platform/contract/auth-types.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import { certainlyNotSent, newMessageId, type MessageDraft, type Outcome } from '../messages/message.js';
import type { MessageLookup } from '../messages/message-lookup.js';
import { requestLimits, sendWithinLimits } from '../messages/message-limits.js';
import { PlanRefused, planSend, testOutcome, type SendPlan } from '../messages/send-plan.js';
import { sendEnvelope, replyTextOf, type Send } from '../messages/send-results.js';
import { chooseLanguage, languageVariables, requestedLanguage } from '../templates/language-codes.js';
import type { SendDependencies, SendOptions } from '../otp/send-service.js';
import { untrustedLine } from '../templates/rendering/text.js';
import { pdfName, type FetchAttachment } from './attachments.js';
import { breakLinks } from './broken-links.js';
import type { NotificationKind, TemplateName } from './catalogue.js';
import { findTemplate, requestedTemplate, requireVariables, templateOf } from './catalogue.js';
import type { DeviceInfo } from './device-info.js';
import type { NotificationRequest } from './notification-request.js';
import { orderKeyOf } from './order-key.js';
import { sendTimeOf, type SendAt } from './send-time.js';

/** How long Passbell tries to deliver a notification. Order updates are outdated after a day. */
const NOTIFICATION_HOURS = 24;

type Variables = Readonly<Record<string, string>>;
type NotificationReply = Schemas['NotificationReply'] | Schemas['Failure'];

interface Dependencies extends Omit<SendDependencies, 'store' | 'write' | 'challenges' | 'keyring'> {
  readonly lookup: Pick<MessageLookup, 'find'>;
  readonly fetchAttachment: FetchAttachment;
}

interface NotificationOptions extends SendOptions {
  readonly deviceInfo?: DeviceInfo;
  /** Whether a person tries out a template. Such messages have a limit for each person instead. */
  readonly isTest?: boolean;
}

export type NotificationsService = ReturnType<typeof createNotifications>['service'];

interface Notification {
  readonly template: TemplateName;
  readonly variables: Variables;
  /** The request's language, or else the application's; undefined if neither is supported. */
  readonly language: string | undefined;
  readonly plan: SendPlan;
  readonly sendAt: SendAt | undefined;
  readonly attachmentUrl: string | undefined;
  readonly reference: string | undefined;
}

/** Variables that contain the link to a document if the request has no other link. */
const DOCUMENT_LINKS = ['invoiceUrl', 'orderDetailsLink'] as const;

/**
 * Returns the variables for an attachment in a message to a phone number. Passbell does not download it, because
 * WhatsApp downloads documents itself, and other messages only contain a link.
 */
function linkVariables({ template, variables, attachmentUrl }: Notification): Variables {
  if (attachmentUrl === undefined) return {};
  const name = DOCUMENT_LINKS.find((link) => templateOf(template).optional.includes(link));
  const link = name && variables[name] === undefined ? { [name]: attachmentUrl } : {};
  return { ...link, attachmentUrl, attachmentName: documentName(variables) };
}

const documentName = ({ invoiceNumber, orderId }: Variables): string => pdfName(invoiceNumber ?? orderId ?? '');

/** Variables that Passbell sets itself. */
const RESERVED: readonly string[] = ['attachmentName', 'attachmentUrl'];

/** Reduces values to single lines without links in plain variables, removes empty values, and sorts the variables by name. */
function normalizeVariables(variables: Variables): Variables {
  const lines = Object.entries(variables).map(
    ([name, value]) => [name, breakLinks(name, untrustedLine(value))] as const,
  );
  const isKept = ([name, line]: readonly [string, string]) => line !== '' && !RESERVED.includes(name);
  return Object.fromEntries(lines.filter(isKept).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Returns the rule that rejects repeated notifications to a recipient, for example after a double click or when a
 * workflow runs twice. Addresses with different plus-tags are different recipients here, because this rule prevents
 * mistakes, not abuse.
 */
function repeatRule(application: Application, { plan, template, variables, sendAt }: Notification): Rule {
  const duplicateKey = JSON.stringify([application.id, plan.address.toLowerCase(), template, variables, sendAt]);
  return {
    key: `notification:${sha256(duplicateKey)}`,
    code: 'DUPLICATE_NOTIFICATION',
    windows: [{ limit: 1, seconds: application.settings.limits.notificationRepeatSeconds }],
    durable: true,
    refundable: true,
  };
}

function notificationReply(send: Send, outcome: Outcome | undefined, currency: string): NotificationReply {
  const data = sendEnvelope(send, outcome, currency);
  const message = replyTextOf('notification', 'notification sent successfully', outcome);
  if (data.isSent > 0) return { success: true, message, status: 'NotificationsSent', data };
  const reason = data.results.at(-1)?.message ?? 'it could not be delivered in time';
  return failure(new ApiError('SEND_FAILED', { values: { reason }, data }));
}

/** The outcome of a scheduled message. Its charge is 0 until a provider accepts it. */
const scheduledOutcome = (channel: ChannelName, sendAt: number): Outcome => ({
  state: 'queued',
  attempts: [
    { channel, success: true, message: `scheduled for ${new Date(sendAt).toISOString().replace('.000Z', 'Z')}` },
  ],
});

export function createNotifications(dependencies: Dependencies) {
  const { messages, lookup, idempotency, fraud, providerFor, clock, voiceLanguage, currency, fetchAttachment } =
    dependencies;
  const sendLimits = { ...dependencies, guard: fraud.guard };

  function planFor(application: Application, request: NotificationRequest, requestId: string): SendPlan {
    try {
      return fraud.planFor(application, planSend(application, request, providerFor));
    } catch (error) {
      // A request with an unknown template is incorrect, which its caller finds out next.
      const template = findTemplate(request.templateType);
      if (error instanceof PlanRefused && template) {
        const { reference } = request;
        messages.recordRefusal(error, { applicationId: application.id, template, requestId, reference, ...error.send });
      }
      throw error;
    }
  }

  function parseNotification(
    application: Application,
    kind: NotificationKind,
    request: NotificationRequest,
    requestId: string,
  ): Notification {
    const plan = planFor(application, request, requestId);
    const template = requestedTemplate(request.templateType, kind);
    const variables = normalizeVariables(request.variables);
    requireVariables(template, variables);
    const { attachmentUrl, sendAt, reference } = request;
    const language = chooseLanguage(requestedLanguage(request.language, plan.country), application.settings.language);
    return { template, variables, plan, language, attachmentUrl, sendAt, reference };
  }

  function draftOf(
    application: Application,
    notification: Notification,
    { maskId, recipient, expiresAt, sendAt }: Send,
    requestId: string,
  ): MessageDraft {
    const { template, language, plan, reference } = notification;
    const links = plan.channels.includes('EMAIL') ? {} : linkVariables(notification);
    const variables = { ...notification.variables, ...links };
    const texts = { ...variables, application: application.name, ...languageVariables(voiceLanguage, language) };
    const request = { applicationId: application.id, template, requestId, recipient, reference };
    const orderKey = orderKeyOf(application.id, plan, template, variables);
    const times = { expiresAt, sendAt: sendAt ?? undefined };
    return { id: maskId, maskId, ...request, ...times, plan: plan.channels, variables: texts, orderKey };
  }

  async function attachmentOf({ accountId }: Application, { plan, variables, attachmentUrl }: Notification) {
    const isEmail = plan.channels.includes('EMAIL');
    if (attachmentUrl === undefined || !isEmail) return undefined;
    return fetchAttachment(accountId, attachmentUrl, documentName(variables));
  }

  async function sendOnce(
    application: Application,
    notification: Notification,
    { requestId, deviceInfo, isTest = false }: NotificationOptions,
    recordResult: RecordResult,
    wasInterrupted: boolean,
  ): Promise<NotificationReply> {
    const { plan } = notification;
    const createdAt = clock.now();
    const messageId = plan.testCode === undefined ? newMessageId() : null;
    // A person who tries out a template waits for the message.
    const { quietHours } = application.settings;
    const sendAt = sendTimeOf(notification.sendAt, plan.country, isTest ? '' : quietHours, createdAt) ?? null;
    const accepted: Send = {
      maskId: messageId ?? random.hex(16),
      messageId,
      recipient: plan.address,
      channel: plan.channels[0]!,
      createdAt,
      sendAt,
      expiresAt: (sendAt ?? createdAt) + NOTIFICATION_HOURS * HOUR,
      ...(deviceInfo ? { deviceInfo } : {}),
    };
    const repeat = repeatRule(application, notification);
    messages.rejectWhenOverloaded(application.id);
    const draft = draftOf(application, notification, accepted, requestId);
    // No message is sent to test recipients.
    const isSent = messageId !== null;
    if (isSent) await messages.rejectLong(draft);
    const cost = isSent ? await messages.highestCost(draft, plan.country) : 0;
    const message = { application, plan, template: notification.template, cost, isTest };
    // The interrupted run may have counted this notification: sending it now is not a repeat.
    const limits = requestLimits(message, wasInterrupted ? [] : [repeat]);
    const outcome = await sendWithinLimits(sendLimits, message, limits, {
      async send(rows) {
        const batch = [...recordResult(draft.maskId), ...rows];
        if (!isSent) return testOutcome(accepted.channel);
        // Downloaded within the limits, which bound how often a caller can make Passbell call an address.
        const attachment = await attachmentOf(application, notification);
        const sent = await messages.accept({ ...draft, attachment }, batch);
        return sendAt === null ? sent : scheduledOutcome(accepted.channel, sendAt);
      },
      wasNotSent: (result) => result !== undefined && certainlyNotSent(result),
      recordRefusal: (error) => messages.recordRefusal(error, draft),
    });
    return notificationReply(accepted, outcome, currency());
  }

  async function replyFor(
    application: Application,
    id: string,
    deviceInfo: DeviceInfo | undefined,
  ): Promise<NotificationReply> {
    const message = await lookup.find([application.id], id);
    if (!message) throw new ApiError('SEND_FAILED', { values: { reason: 'it could not be delivered in time' } });
    const send = { ...message, maskId: id, messageId: id, ...(deviceInfo ? { deviceInfo } : {}) };
    if (message.state === 'canceled') throw new ApiError('SEND_FAILED', { values: { reason: 'it was canceled' } });
    const isScheduled = message.state === 'scheduled' && message.sendAt !== null;
    const outcome = isScheduled ? scheduledOutcome(message.channel, message.sendAt) : await messages.outcomeOf(id);
    return notificationReply(send, outcome, currency());
  }

  /**
   * Sends a notification, at most once per Idempotency-Key. Throws if the request is rejected; returns a failure reply
   * if the send fails.
   */
  async function send(
    application: Application,
    kind: NotificationKind,
    request: NotificationRequest,
    options: NotificationOptions,
  ): Promise<NotificationReply> {
    const notification = parseNotification(application, kind, request, options.requestId);
    const { template, variables, language, plan, sendAt, attachmentUrl, reference } = notification;
    const authWay = request.authWay === undefined ? null : channelOf(request.authWay);
    const fingerprint = ['notification', plan.address, authWay, template, variables, language];
    return idempotency.runOnce({
      applicationId: application.id,
      key: options.idempotencyKey,
      fingerprint: [
        ...fingerprint,
        ...[sendAt, attachmentUrl, reference && { reference }].filter((value) => value !== undefined),
      ],
      run: (recordResult, wasInterrupted) => sendOnce(application, notification, options, recordResult, wasInterrupted),
      replyFor: (id) => replyFor(application, id, options.deviceInfo),
      onRepeat: options.onRepeat,
    });
  }

  return { service: { send } };
}
