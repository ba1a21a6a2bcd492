/**
 * The fraud rules for notifications. Notifications have no code, so no rule can judge the conversion of their recipients.
 */
import { ApiError } from '../../platform/contract/errors.js';
import type { Metrics } from '../../platform/metrics.js';
import type { Limiter, Refund } from '../../platform/rate-limit/limiter.js';
import type { Rule } from '../../platform/rate-limit/rule.js';
import { withinLimits } from '../../platform/rate-limit/within-limits.js';
import type { Decision, FraudCounts, FraudSend, GuardedApplication, Refusal } from './fraud.js';
import { isAllowed } from './fraud-ladder.js';
import type { RuleInput } from './fraud-rules.js';
import { isEstablished, isExempt, isListed, refusalForEveryone, statesOf, voiceRefusal } from './fraud-rules.js';
import type { FraudSettings } from './fraud-settings.js';
import { spendRefusal } from './fraud-spend.js';

/**
 * Applies the fraud rules to a notification. Its cost counts toward the day's spend. `newCountry`: {@link withinCaps}
 * counts it as well.
 */
export function decideNotification(
  send: FraudSend,
  counts: FraudCounts,
  application: GuardedApplication,
  settings: FraudSettings,
  now: number,
): Decision {
  const input: RuleInput = { send, counts, application, settings, now };
  const allow = (newCountry = false): Decision => ({ allowed: true, exempt: true, newCountry, observed: undefined });
  const refuse = (refusal: Refusal): Decision => ({ allowed: false, refusal, trip: undefined });
  const states = statesOf(input);
  const stop = refusalForEveryone(input, states);
  if (stop) return refuse(stop);
  if (isExempt(send, settings, now)) return allow();
  const allowedScopes = states.filter((state) => isAllowed(state, now)).map(({ scope }) => scope);
  const spend = spendRefusal(send, counts.applicationDays, application, settings, now, 'notification');
  if (spend && !allowedScopes.includes('application')) return refuse(spend);
  if (allowedScopes.length > 0 || isListed(application, send.country)) return allow();
  return send.voice ? refuse(voiceRefusal(send, now)) : allow(!isEstablished(input));
}

const HINT =
  "Notifications to people who have not entered a code are limited in countries that are not listed. If you serve this country, list all countries that you serve in the application's settings.";

interface Dependencies {
  readonly limiter: Pick<Limiter, 'take'>;
  readonly metrics: Pick<Metrics, 'fraudRefusal'>;
}

export interface CappedNotification {
  readonly applicationId: number;
  readonly country: string;
  readonly settings: FraudSettings;
}

/**
 * Fraud rule R2 for notifications: limits the messages to a country that is neither listed nor established. The limiter
 * counts them for all processes, because they are not codes that could be entered.
 */
function capsOf({ applicationId, country, settings }: CappedNotification): Rule[] {
  const common = { code: 'FRAUD_SUSPECTED', values: { text: HINT }, durable: true } as const;
  const hour = { limit: settings.newCountryPerHour, seconds: 3600 };
  const day = { limit: settings.newCountryPerDay, seconds: 86_400 };
  const all = { limit: settings.newCountriesPerHour, seconds: 3600 };
  return [
    { ...common, key: `notified:${applicationId}:${country}`, windows: [hour, day] },
    { ...common, key: `notified:${applicationId}`, windows: [all] },
  ];
}

/** Counts a notification toward the caps and runs `work`, or throws `FRAUD_SUSPECTED`. */
export const withinCaps = <T>(
  { limiter, metrics }: Dependencies,
  notification: CappedNotification,
  work: (refund: Refund) => Promise<T>,
): Promise<T> => {
  const take: Limiter['take'] = (caps) =>
    limiter.take(caps).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'FRAUD_SUSPECTED') metrics.fraudRefusal('R2');
      throw error;
    });
  return withinLimits({ take }, capsOf(notification), work);
};
