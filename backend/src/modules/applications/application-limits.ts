/** Defaults of the limits that an application can change; 0 turns a limit off. */
export const DEFAULT_LIMITS = {
  /** Enough time to notice that no message arrived. Doubled after the second send and again after the third. */
  cooldownSeconds: 30,
  /** Anything above this is a loop or SMS pumping, not a person. */
  sendsPer10Minutes: 5,
  sendsPerDay: 10,
  /** Allows for a checkout rush, but stops a loop without a pause. */
  burstPerSecond: 20,
  burstPerMinute: 100,
  /** Five guesses at one of a million codes. */
  wrongCodesPerLock: 5,
  /** Counts over all sessions of a recipient, so that a new send does not allow new guesses. */
  wrongCodesPerHour: 20,
  /** The same notification again within this time is a double click or a workflow that ran twice. */
  notificationRepeatSeconds: 30,
  /** Per network address: enough for an office, too slow to search for identities that use two-factor. */
  widgetCallsPerMinute: 60,
  /** Per network address, of users without a userToken: enough for a large office, too few to look up a list of users. */
  widgetIdentitiesPerHour: 200,
} as const;
export type ApplicationLimits = { readonly [N in keyof typeof DEFAULT_LIMITS]: number };
