/** Sends the message of an automation as a notification, with all limits and the fraud guard. */
import { HOUR, SECOND } from '../../platform/clock.js';
import { ERRORS } from '../../platform/contract/generated/errors.js';
import { TEMPLATES } from '../../platform/contract/generated/templates.js';
import { ApiError, UNAVAILABLE_RETRY_SECONDS } from '../../platform/contract/errors.js';
import { random } from '../../platform/crypto.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import type { Rule } from '../../platform/rate-limit/rule.js';
import { withinLimits } from '../../platform/rate-limit/within-limits.js';
import type { Application } from '../applications/application.js';
import { LIMITS } from '../applications/application-limits.js';
import { readRequest } from '../notifications/notification-request.js';
import type { NotificationsService } from '../notifications/notifications-service.js';
import type { Automation, EventResult } from './automation.js';
import { fillFields, MappingError } from './mapping.js';
import { channelProblem, refusalText } from './refusals.js';
import type { JsonObject } from './shop-type.js';

export interface SendMessageDependencies {
  readonly notifications: NotificationsService;
  readonly limiter: Pick<Limiter, 'take'>;
}

/** A limit or a temporary problem prevents the message from being sent now. */
export class RetryLater extends Error {
  constructor(
    message: string,
    readonly seconds: number,
  ) {
    super(message);
  }
}

const TEMPORARY = ['IDEMPOTENCY_IN_FLIGHT', 'SERVICE_UNAVAILABLE'];

/** Whether the same request may succeed later. A repeated notification never does: it would be sent twice. */
function isTemporary({ code }: ApiError): boolean {
  const { throttled = false }: { message: string; throttled?: boolean } = ERRORS[code];
  return code !== 'DUPLICATE_NOTIFICATION' && (throttled || TEMPORARY.includes(code));
}

/** Limits the messages of one shop, whose orders anyone can place. */
const shopRule = ({ settings: { limits } }: Application, { shopId }: Automation): Rule => ({
  key: `shop:${shopId}`,
  code: 'NOTIFICATION_LIMIT',
  values: { setting: LIMITS.shopMessagesPerHour.label, scope: 'from this shop' },
  windows: [{ limit: limits.shopMessagesPerHour, seconds: HOUR / SECOND }],
});

export function createSendMessage({ notifications, limiter }: SendMessageDependencies) {
  async function send(application: Application, automation: Automation, body: JsonObject, idempotencyKey: string) {
    const { template, channel } = automation;
    const { kind } = TEMPLATES[template];
    const { to, language, variables } = fillFields(automation, body);
    if (to === '') throw new MappingError('The event contains no recipient. Check the “Recipient” field.');
    const problem = channelProblem(channel, to);
    if (problem !== undefined) throw new MappingError(problem);
    const request = readRequest[kind]({
      to,
      templateType: template,
      variables,
      ...(channel === null ? {} : { authWay: channel }),
      ...(language === '' ? {} : { language }),
    });
    const requestId = `automation-${random.hex(8)}`;
    return withinLimits(limiter, [shopRule(application, automation)], () =>
      notifications.send(application, kind, request, { idempotencyKey, requestId }),
    );
  }

  /**
   * Sends the message, at most once per `idempotencyKey`. Throws {@link RetryLater} if it may be sent later; returns
   * all other failures.
   */
  return async function sendMessage(
    application: Application,
    automation: Automation,
    body: JsonObject,
    idempotencyKey: string,
  ): Promise<EventResult> {
    const { event, id: automationId } = automation;
    const failed = (text: string): EventResult => ({ event, automationId, outcome: 'failed', text });
    try {
      const reply = await send(application, automation, body, idempotencyKey);
      const { messageId, sendTime } = reply.data?.results[0] ?? {};
      const message = messageId ? { messageId } : {};
      const time = !reply.success || sendTime === undefined ? {} : { sendAt: sendTime * SECOND };
      const outcome = reply.success ? 'sent' : 'failed';
      return { event, automationId, outcome, text: reply.message, ...message, ...time };
    } catch (error) {
      if (error instanceof MappingError) return failed(error.message);
      if (!(error instanceof ApiError)) throw error;
      if (!isTemporary(error)) return failed(refusalText(error));
      throw new RetryLater(refusalText(error), error.details.retryAfterSeconds ?? UNAVAILABLE_RETRY_SECONDS);
    }
  };
}
