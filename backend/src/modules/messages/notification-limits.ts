/**
 * An application's limits for notifications. Unlike codes, notifications have no rule that notices when their recipients
 * are not real, so anyone who can place orders could otherwise send any number of messages.
 */
import { sha256 } from '../../platform/crypto.js';
import type { Budget, Limit, Rule } from '../../platform/rate-limit/rule.js';
import type { Application } from '../applications/application.js';
import { LIMITS, type ApplicationLimits } from '../applications/application-limits.js';
import type { LimitedMessage } from './message-limits.js';

const named = (name: keyof ApplicationLimits, scope: string) => ({
  code: 'NOTIFICATION_LIMIT' as const,
  values: { setting: LIMITS[name].label, scope },
});

/** Limits all SMS, WhatsApp messages and calls, because they are the ones that cost money. */
const phoneBudget = ({ id, settings: { limits } }: Application): Budget => ({
  ...named('phoneNotificationsPerDay', 'from this application today'),
  key: `notifications:${id}`,
  perDay: limits.phoneNotificationsPerDay,
  amount: 1,
});

export function notificationLimits({
  application,
  plan,
  template,
}: Pick<LimitedMessage, 'application' | 'plan' | 'template'>): Limit[] {
  const { id, settings } = application;
  const { notificationsPer10Minutes, notificationsPerDay } = settings.limits;
  const key = `notifications:${sha256(`${id}:${plan.limitKey}`)}`;
  const rules: Rule[] = [
    {
      ...named('notificationsPer10Minutes', 'with this template to this recipient'),
      key: `${key}:${template}`,
      windows: [{ limit: notificationsPer10Minutes, seconds: 600 }],
      durable: true,
      refundable: true,
    },
    {
      ...named('notificationsPerDay', 'to this recipient'),
      key,
      windows: [{ limit: notificationsPerDay, seconds: 86_400 }],
      durable: true,
      refundable: true,
    },
  ];
  return plan.channels.every((channel) => channel === 'EMAIL') ? rules : [...rules, phoneBudget(application)];
}
