/**
 * An application's limits for notifications. Unlike codes, notifications have no rule that notices when their recipients
 * are not real, so anyone who can place orders could otherwise send any number of messages.
 */
import { sha256 } from '../../platform/crypto.js';
import type { Budget, Limit, Rule } from '../../platform/rate-limit/rule.js';
import type { Application } from '../applications/application.js';
import type { SendPlan } from './send-plan.js';

const CODE = 'NOTIFICATION_LIMIT' as const;

/** The names of the limits on the application's page and in hints. */
export const NOTIFICATION_LIMIT_LABELS = {
  notificationsPer10Minutes: 'Notifications with the same template to one recipient per ten minutes',
  notificationsPerDay: 'Notifications to one recipient in 24 hours',
  phoneNotificationsPerDay: 'Notifications by SMS, WhatsApp and voice call per day, whole application',
} as const;

const valuesOf = (limit: keyof typeof NOTIFICATION_LIMIT_LABELS, scope: string) => ({
  setting: NOTIFICATION_LIMIT_LABELS[limit],
  scope,
});

/** Limits all SMS, WhatsApp messages and calls, because they are the ones that cost money. */
function phoneBudget({ id, settings: { limits } }: Application): Budget[] {
  const perDay = limits.phoneNotificationsPerDay;
  const values = valuesOf('phoneNotificationsPerDay', 'from this application today');
  return perDay > 0 ? [{ key: `notifications:${id}`, code: CODE, values, perDay, amount: 1 }] : [];
}

/** Returns the limits for a notification. Sends to test recipients are not limited, because no message is sent. */
export function notificationLimits(application: Application, plan: SendPlan, template: string): Limit[] {
  if (plan.testCode !== undefined) return [];
  const { id, settings } = application;
  const { notificationsPer10Minutes, notificationsPerDay } = settings.limits;
  const key = `notifications:${sha256(`${id}:${plan.limitKey}`)}`;
  const rules: Rule[] = [
    {
      key: `${key}:${template}`,
      code: CODE,
      values: valuesOf('notificationsPer10Minutes', 'with this template to this recipient'),
      windows: [{ limit: notificationsPer10Minutes, seconds: 600 }],
      durable: true,
    },
    {
      key,
      code: CODE,
      values: valuesOf('notificationsPerDay', 'to this recipient'),
      windows: [{ limit: notificationsPerDay, seconds: 86_400 }],
      durable: true,
    },
  ];
  return plan.channels.every((channel) => channel === 'EMAIL') ? rules : [...rules, ...phoneBudget(application)];
}
