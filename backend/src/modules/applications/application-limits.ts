/** Default application limits. 0 turns a limit off. */
export const DEFAULT_LIMITS = {
  /** Pause between two sends to a recipient, doubled after the second send and again after the third. */
  cooldownSeconds: 30,
  /** Sends to one recipient. More sends are probably a loop or SMS pumping. */
  sendsPer10Minutes: 5,
  sendsPerDay: 10,
  /** Sends by the whole application: enough for many customers at once, but few enough to stop a runaway loop. */
  burstPerSecond: 20,
  burstPerMinute: 100,
  /** Wrong codes after which a session is locked. */
  wrongCodesPerLock: 5,
  /** Wrong codes in all of a recipient's sessions. A new session does not reset the count. */
  wrongCodesPerHour: 20,
  /** How long a repeated notification is rejected. Repeats are probably double clicks or workflows that ran twice. */
  notificationRepeatSeconds: 30,
  /** Notifications with one template to one recipient: enough for several orders at once. */
  notificationsPer10Minutes: 3,
  /** Notifications to one recipient: enough for five messages about each of four orders. */
  notificationsPerDay: 20,
  /** SMS, WhatsApp messages and calls about orders and invoices, to all recipients: 1,000 orders with five messages. */
  phoneNotificationsPerDay: 5000,
  /** Widget calls from one IP address: enough for an office, but too few to search for users with two-factor. */
  widgetCallsPerMinute: 60,
  /** Users that one IP address can look up without a userToken: enough for a large office. */
  widgetIdentitiesPerHour: 200,
} as const;
export type ApplicationLimits = { readonly [N in keyof typeof DEFAULT_LIMITS]: number };
