/**
 * An application's limits for notifications. Unlike codes, notifications have no rule that notices when their recipients
 * are not real, so anyone who can place orders could otherwise send any number of messages.
 */
import { sha256 } from '../../platform/crypto.js';
import type { Budget, Limit, Rule } from '../../platform/rate-limit/rule.js';
import type { Application } from '../applications/application.js';
import { LIMITS, type ApplicationLimits } from '../applications/application-limits.js';
import type { SendPlan } from './send-plan.js';

const CODE = 'NOTIFICATION_LIMIT' as const;

const valuesOf = (name: keyof ApplicationLimits, scope: string) => ({ setting: LIMITS[name].label, scope });

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
