/** Account limits that only the operator can raise, because the operator pays for the messages. 0 means no ceiling. */
import { DASHBOARD_ACCOUNT, OPERATOR_ACCOUNT } from './application.js';
import { DEFAULT_LIMITS, type ApplicationLimits } from './application-limits.js';
import type { Numbers, NumbersChange } from './fraud-numbers.js';

export interface AccountCeilings {
  readonly applications: number;
  /** Messages per UTC day: codes and notifications from all of the account's applications. */
  readonly messagesPerDay: number;
  /** Message cost per UTC day, in whole units of the price table's currency. */
  readonly spendPerDay: number;
  /** Messages to one recipient: codes and notifications from all of the account's applications. */
  readonly recipientPer10Minutes: number;
  readonly recipientPerDay: number;
  /** The loosest value that applications can set for each limit. */
  readonly limits: ApplicationLimits;
  /** The loosest values of the fraud guard's settings, by name. Settings without a bound can have any value. */
  readonly fraud: Numbers;
}

/** The ceilings that the operator has changed. */
export type StoredCeilings = Partial<Omit<AccountCeilings, 'limits'>> & {
  readonly limits?: Partial<ApplicationLimits>;
};

export type CeilingsChange = Omit<StoredCeilings, 'fraud'> & { readonly fraud?: NumbersChange };

/** Default ceilings: high enough for a shop, but low enough to limit the bill until the operator notices abuse. */
const DEFAULT_CEILINGS: AccountCeilings = {
  applications: 20,
  messagesPerDay: 10_000,
  spendPerDay: 50,
  recipientPer10Minutes: 20,
  recipientPerDay: 50,
  limits: {
    cooldownSeconds: 10,
    sendsPer10Minutes: 20,
    sendsPerDay: 50,
    burstPerSecond: 100,
    burstPerMinute: 1000,
    wrongCodesPerLock: 10,
    wrongCodesPerHour: 50,
    notificationRepeatSeconds: 5,
    notificationsPer10Minutes: 20,
    notificationsPerDay: 50,
    phoneNotificationsPerDay: 10_000,
    widgetCallsPerMinute: 600,
    widgetIdentitiesPerHour: 2000,
  },
  fraud: {},
};

const NO_CEILINGS: AccountCeilings = {
  applications: 0,
  messagesPerDay: 0,
  spendPerDay: 0,
  recipientPer10Minutes: 0,
  recipientPerDay: 0,
  limits: Object.fromEntries(Object.keys(DEFAULT_LIMITS).map((name) => [name, 0])) as ApplicationLimits,
  fraud: {},
};

type LimitName = keyof ApplicationLimits;

/**
 * Limits in seconds, where a higher value is stricter. All other limits are counts, where a lower value is stricter and
 * 0 turns the limit off.
 */
const PAUSES: readonly LimitName[] = ['cooldownSeconds', 'notificationRepeatSeconds'];
export const isPause = (name: LimitName): boolean => PAUSES.includes(name);

/** Returns an account's effective ceilings. By default, the two built-in accounts have no ceilings. */
export function ceilingsOf(email: string, change: StoredCeilings = {}): AccountCeilings {
  const defaults = [OPERATOR_ACCOUNT, DASHBOARD_ACCOUNT].includes(email) ? NO_CEILINGS : DEFAULT_CEILINGS;
  return { ...defaults, ...change, limits: { ...defaults.limits, ...change.limits } };
}

function stricterLimit(name: LimitName, value: number, bound: number): number {
  if (bound === 0) return value;
  if (isPause(name)) return Math.max(value, bound);
  return value === 0 ? bound : Math.min(value, bound);
}

/** Returns an application's effective limits: limits looser than the account's ceilings are set to the ceilings. */
export function withinCeilings(limits: ApplicationLimits, bounds: ApplicationLimits): ApplicationLimits {
  const entries = Object.entries(limits) as [LimitName, number][];
  return Object.fromEntries(
    entries.map(([name, value]) => [name, stricterLimit(name, value, bounds[name])]),
  ) as ApplicationLimits;
}

/** A change exceeds an account ceiling. */
export class CeilingError extends Error {
  constructor(
    readonly ceiling: 'applications' | LimitName,
    readonly bound: number,
  ) {
    const allowed = `${ceiling !== 'applications' && isPause(ceiling) ? 'at least' : 'at most'} ${bound}`;
    super(`the account allows ${allowed} for ${ceiling}; only the operator can change this`);
  }
}

/** Returns the limits that are looser than their ceilings. */
export function looserThanCeilings(
  limits: Partial<ApplicationLimits>,
  bounds: ApplicationLimits,
): Partial<ApplicationLimits> {
  const entries = Object.entries(limits) as [LimitName, number][];
  return Object.fromEntries(entries.filter(([name, value]) => stricterLimit(name, value, bounds[name]) !== value));
}
