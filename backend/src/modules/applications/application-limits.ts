/** The limits of an application. Owners can change them, within the ceilings of their account. */
import { capitalized, uncapitalized } from '../../platform/capitalized.js';
import type { SettingTable, ValuesOf } from '../settings/bounded-setting.js';
import { higherIsStricter, lowerIsStricter, namesIn } from '../settings/bounded-setting.js';

const MAX_LIMIT = 1_000_000;

interface Definition {
  readonly default: number;
  /** The loosest value in an account without ceilings of its own. 0: no ceiling. */
  readonly ceiling: number;
  readonly label: string;
  readonly note?: string;
}

function texts(unit: string, { label, note, ceiling }: Definition) {
  const remarks = [unit === 'seconds' && 'in seconds', note].filter(Boolean).join('; ');
  const text = `${uncapitalized(label)}${remarks && `; ${remarks}`}`;
  return { label, text, ceiling, ...(unit && { unit }), ...(note && { hint: `${capitalized(note)}.` }) };
}

const rangeOf = ({ default: usual }: Definition) => ({ default: usual, min: 0, max: MAX_LIMIT });
const count = (unit: string, limit: Definition) => ({ ...lowerIsStricter(rangeOf(limit)), ...texts(unit, limit) });
/** A budget that Passbell computes if it is 0, see `budgets`. Its unit is the account's currency without `unit`. */
const budget = (limit: Omit<Definition, 'default' | 'ceiling'>, unit = '') => {
  return { ...count(unit, { ...limit, default: 0, ceiling: 0 }), zeroIsAutomatic: true };
};
const pause = (limit: Definition) => ({ ...higherIsStricter(rangeOf(limit)), ...texts('seconds', limit) });

/** In the order in which they are shown. 0 turns a limit off, unless the account has a ceiling for it, and makes a budget automatic. */
export const LIMITS = {
  budgetPerDay: budget({
    label: 'Daily budget',
    note: 'cost of SMS, WhatsApp messages and voice calls in a UTC day, in whole units of your currency',
  }),
  /** Bounds applications without prices. */
  messageBudgetPerDay: budget(
    { label: 'Daily message budget', note: 'codes and notifications by SMS, WhatsApp and voice call in a UTC day' },
    'messages',
  ),
  /** Enough for a sale; the messages beyond it are sent later. */
  shopMessagesPerHour: count('messages', {
    default: 500,
    ceiling: 2000,
    label: 'Messages for one connected shop per hour',
  }),
  /** Doubled after the second send and again after the third. */
  cooldownSeconds: pause({
    default: 30,
    ceiling: 10,
    label: 'Minimum wait before another code to the same recipient',
    note: 'doubles after the second code, and again after the third',
  }),
  /** More sends are probably a loop or SMS pumping. */
  sendsPer10Minutes: count('codes', { default: 5, ceiling: 20, label: 'Codes to one recipient in 10 minutes' }),
  sendsPerDay: count('codes', { default: 10, ceiling: 50, label: 'Codes to one recipient in 24 hours' }),
  /** Repeats are probably double clicks or workflows that ran twice. */
  notificationRepeatSeconds: pause({ default: 30, ceiling: 5, label: 'Minimum wait before repeating a notification' }),
  /** Enough for several orders at once. */
  notificationsPer10Minutes: count('notifications', {
    default: 3,
    ceiling: 20,
    label: 'Notifications with the same template to one recipient in 10 minutes',
  }),
  /** Enough for five messages about each of four orders. */
  notificationsPerDay: count('notifications', {
    default: 20,
    ceiling: 50,
    label: 'Notifications to one recipient in 24 hours',
  }),
  wrongCodesPerLock: count('wrong codes', { default: 5, ceiling: 10, label: 'Wrong codes before a code is locked' }),
  /** Counted across all of a recipient's codes. A new code does not reset the count. */
  wrongCodesPerHour: count('wrong codes', {
    default: 20,
    ceiling: 50,
    label: 'Wrong codes per hour before a recipient is locked',
    note: 'fewer for short codes, to keep the chance of guessing one below 0.1% a day',
  }),
  /** Enough for many customers at once, but few enough to stop a runaway loop. */
  burstPerSecond: count('messages', { default: 20, ceiling: 100, label: 'Messages per second, whole application' }),
  burstPerMinute: count('messages', { default: 100, ceiling: 1000, label: 'Messages per minute, whole application' }),
  /** Enough for 1,000 orders with five messages. */
  phoneNotificationsPerDay: count('notifications', {
    default: 5000,
    ceiling: 10_000,
    label: 'Notifications by SMS, WhatsApp and voice call per day, whole application',
    note: 'counted from midnight UTC, like the daily budget',
  }),
  /** Enough for an office, but too few to search for users with two-factor. */
  widgetCallsPerMinute: count('requests', {
    default: 60,
    ceiling: 600,
    label: 'Widget requests per minute from one IP address',
  }),
  /** Users looked up without a userToken: enough for a large office. */
  widgetIdentitiesPerHour: count('users', {
    default: 200,
    ceiling: 2000,
    label: 'Users per hour that one IP address can look up with the widget',
  }),
} as const satisfies SettingTable;

export type ApplicationLimits = ValuesOf<typeof LIMITS>;

export const LIMIT_NAMES = namesIn(LIMITS);

const limitsOf = (value: (name: keyof ApplicationLimits) => number) =>
  Object.fromEntries(LIMIT_NAMES.map((name) => [name, value(name)])) as ApplicationLimits;

export const DEFAULT_LIMITS = limitsOf((name) => LIMITS[name].default);
export const DEFAULT_CEILINGS = limitsOf((name) => LIMITS[name].ceiling);
/** As limits: all off, or automatic. As ceilings: no ceilings. */
export const NO_LIMITS = limitsOf(() => 0);
