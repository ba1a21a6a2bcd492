/** Account limits that only the operator can raise, because the operator pays for the messages. 0 means no ceiling. */
import type { Values, ValuesChange } from '../settings/bounded-setting.js';
import { DASHBOARD_ACCOUNT, OPERATOR_ACCOUNT } from './application.js';
import { DEFAULT_CEILINGS, NO_LIMITS, type ApplicationLimits } from './application-limits.js';

/**
 * The ceilings of an account's sums, over all of its applications. The defaults are high enough for a shop, but low
 * enough to limit the bill until the operator notices abuse.
 */
export const ACCOUNT_CEILINGS = {
  applications: { default: 20, text: 'applications of the account' },
  messagesPerDay: { default: 10_000, text: 'messages per UTC day' },
  spendPerDay: { default: 50, text: 'message costs per UTC day, in whole currency units' },
  recipientPer10Minutes: { default: 20, text: 'messages to one recipient in ten minutes' },
  recipientPerDay: { default: 50, text: 'messages to one recipient in 24 hours' },
} as const;

type AccountCeilingName = keyof typeof ACCOUNT_CEILINGS;
export const ACCOUNT_CEILING_NAMES = Object.keys(ACCOUNT_CEILINGS) as AccountCeilingName[];

export interface AccountCeilings extends Readonly<Record<AccountCeilingName, number>> {
  readonly limits: ApplicationLimits;
  /** The loosest values of the fraud guard's settings, by name. Settings without a bound can have any value. */
  readonly fraud: Values;
}

/** The ceilings that the operator has changed. */
export type StoredCeilings = Partial<Omit<AccountCeilings, 'limits'>> & {
  readonly limits?: Partial<ApplicationLimits>;
};

export type CeilingsChange = Omit<StoredCeilings, 'fraud'> & { readonly fraud?: ValuesChange };

/** Returns an account's effective ceilings. By default, the two built-in accounts have no ceilings. */
export function ceilingsOf(email: string, { limits, ...change }: StoredCeilings = {}): AccountCeilings {
  const isBuiltIn = [OPERATOR_ACCOUNT, DASHBOARD_ACCOUNT].includes(email);
  const sums = ACCOUNT_CEILING_NAMES.map((name) => [name, isBuiltIn ? 0 : ACCOUNT_CEILINGS[name].default]);
  return {
    ...(Object.fromEntries(sums) as Record<AccountCeilingName, number>),
    limits: { ...(isBuiltIn ? NO_LIMITS : DEFAULT_CEILINGS), ...limits },
    fraud: {},
    ...change,
  };
}
