/** Defaults of the limits that an application can change; 0 turns a limit off. */
export const DEFAULT_LIMITS = {
  /** Enough time to notice that no message arrived. Doubled after the second send and again after the third. */
  cooldownSeconds: 30,
  /** Anything above this is a loop or SMS pumping, not a person. */
  sendsPer10Minutes: 5,
  sendsPerDay: 10,
  /** Allows a checkout rush, but stops a loop that runs without pauses. */
  burstPerSecond: 20,
  burstPerMinute: 100,
  /** Five guesses at a six-digit code. */
  wrongCodesPerLock: 5,
  /** Counts over all sessions of a recipient, so that a new send does not allow new guesses. */
  wrongCodesPerHour: 20,
  /** A repeat of the same notification within this time is a double click or a workflow that ran twice. */
  notificationRepeatSeconds: 30,
  /** Per network address: enough for an office, too few to search for identities that use two-factor. */
  widgetCallsPerMinute: 60,
  /** Per network address, for users without a userToken: enough for a large office, too few to look up a user list. */
  widgetIdentitiesPerHour: 200,
} as const;
export type ApplicationLimits = { readonly [N in keyof typeof DEFAULT_LIMITS]: number };
