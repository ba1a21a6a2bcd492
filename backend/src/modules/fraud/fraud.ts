/** The fraud guard's types: sends, counters, scopes, pauses and decisions. */

/**
 * The rule that refuses a message: `R2` to `R4` are in `fraud-rules.ts`, `R5` is in `fraud-source.ts`, `R6` is in
 * `fraud-spend.ts`, and `person` is a pause that a person started. R0 only exempts recipients. R1, the number classes,
 * is in `recipients`.
 */
export type RuleName = 'R2' | 'R3' | 'R4' | 'R5' | 'R6' | 'person';

/**
 * The part of an application's traffic that is refused, from small to large. For R2 and R4, `application` means all
 * recipients in new countries; for R6 and for pauses that people started, it means all recipients.
 */
export type Scope = 'source' | 'prefix' | 'country' | 'application';

/** A message that a paid provider would carry. */
export interface FraudSend {
  /** E.164 number, as in `countedNumber` of `recipients`. */
  readonly number: string;
  /** ISO 3166 code; "" for numbers without a country. */
  readonly country: string;
  /** The end user's IPv4 address or IPv6 /64; undefined if the caller did not pass `clientIp`. */
  readonly source: string | undefined;
  /** Whether the message is a voice call, or may become one. */
  readonly voice: boolean;
  /** The highest cost that the message can have, in ten-thousandths of the currency. */
  readonly cost: number;
  /** The stored record of the recipient in this application. */
  readonly recipient: RecipientRecord | undefined;
}

/** A recipient's record in an application, so that the recipient is not counted again for each message. */
export interface RecipientRecord {
  /** When the recipient was counted; its verification is added to the buckets of this time. */
  readonly countedAt: number;
  /** Number of messages since `countedAt`, including the counted message, but without undelivered ones. */
  readonly messages: number;
  /** How many times the recipient is counted as unverified in the buckets of `countedAt`. */
  readonly unverified: number;
  /** The source of the counted send. */
  readonly source: string | undefined;
  /** Whether the send was also counted for {@link NEW_COUNTRIES}. */
  readonly newCountry: boolean;
  /** When any message to the recipient was last verified. */
  readonly verifiedAt: number | undefined;
}

/**
 * What the counters count by. Keys of `source` consist of the source, a space and a country; the only key of
 * `application` is "".
 */
export type Dimension = 'prefix' | 'country' | 'source' | 'application';

/**
 * The `country` key under which all countries that are not established are counted together. The home country and
 * countries with many verifications are established.
 */
export const NEW_COUNTRIES = '*';

export type BucketSize = 'minute' | 'hour' | 'day';

/** Counts the recipients of messages sent in a period, and how many of these recipients have been verified since. */
export interface Bucket {
  /** Epoch milliseconds; a multiple of the bucket's size. */
  readonly start: number;
  readonly sent: number;
  readonly verified: number;
  /** Cost of all messages, in ten-thousandths of the currency. */
  readonly spend: number;
}

export interface KeyedBucket extends Bucket {
  readonly key: string;
}

/** An addition to a bucket, which may not exist yet. */
export interface Increment extends KeyedBucket {
  readonly dimension: Dimension;
  readonly size: BucketSize;
}

/** The rows that a decision needs, all in ascending order of `start`. */
export interface FraudCounts {
  /** In the order of `prefixesOf`. */
  readonly prefixes: readonly (readonly Bucket[])[];
  readonly country: CountryCounts;
  readonly newCountries: Omit<CountryCounts, 'days'>;
  readonly source: readonly KeyedBucket[];
  /** The source's daily marks: the days on which the source was refused because few codes were entered. */
  readonly sourceMarks: readonly Bucket[];
  readonly applicationDays: readonly Bucket[];
}

export interface CountryCounts {
  readonly minutes: readonly Bucket[];
  readonly hours: readonly Bucket[];
  readonly days: readonly Bucket[];
}

/** The numbers that explain why a scope is paused or a send is refused. */
export interface Evidence {
  /** Start of the stretch of time that was evaluated. */
  readonly from: number;
  readonly sent: number;
  readonly verified: number;
  /** The conversion that the rule expected, from 0 to 1; undefined for caps. */
  readonly expected?: number;
  /** The cap that was reached: recipients, countries, or ten-thousandths of the currency. */
  readonly limit?: number;
  /** The unit of the cap; `voice` if voice calls are not allowed at all. */
  readonly unit?: 'recipients' | 'countries' | 'spend' | 'voice';
  readonly spend?: number;
  /** Whether `limit` is the owner's budget, from which nobody is exempt. */
  readonly isBudget?: boolean;
}

export interface Refusal {
  readonly rule: RuleName;
  readonly scope: Scope;
  /** A prefix with `+`, an ISO 3166 code, a source, or "" for the application. */
  readonly key: string;
  /** Epoch milliseconds; undefined if the refusal lasts until a person acts. */
  readonly until: number | undefined;
  readonly evidence: Evidence;
}

/** A rule's finding that a scope contains fraud. `pause` turns the finding into a pause. */
export interface Trip {
  readonly rule: 'R3' | 'R4';
  readonly scope: 'prefix' | 'country' | 'application';
  readonly key: string;
  readonly evidence: Evidence;
  /** Whether the scope is an established country, whose pauses always end by themselves. */
  readonly established: boolean;
}

/** Identifies a scope of an application. `key`: a prefix with `+`, an ISO 3166 code, or "" for the application. */
export type ScopeRef = Pick<ScopeState, 'scope' | 'key'>;

/** The stored state of a scope that was paused or allowed at least once. */
export interface ScopeState {
  readonly scope: 'prefix' | 'country' | 'application';
  readonly key: string;
  /** Number of consecutive pauses, up to the ladder's last level; 0 if the scope was never paused. */
  readonly level: number;
  readonly pausedAt: number;
  /** Epoch milliseconds; 0 if the scope was never paused; undefined if the pause lasts until a person acts. */
  readonly pausedUntil: number | undefined;
  readonly rule: RuleName;
  readonly evidence: Evidence;
  /**
   * Whether the scope was an established country at the last trip. The level of established countries drops within
   * hours.
   */
  readonly established: boolean;
  /** When the permission that a person gave the scope ends; `Infinity` if never, 0 if there was none. */
  readonly allowedUntil: number;
}

/** The fraud guard's data about an application, without its settings and counters. */
export interface GuardedApplication {
  /** Country of the sender number. */
  readonly homeCountry: string | undefined;
  /** The countries that the owner listed. */
  readonly countries: readonly string[];
  /** When the guard started to record. R3 to R5 only observe during the first days after this time. */
  readonly guardedSince: number;
  /** Whether any code of this application was ever verified, or reported as verified. */
  readonly everVerified: boolean;
  /** Whether the site checks codes itself. If so, rules use the conversion only if the site reports verified codes. */
  readonly verifiedElsewhere: boolean;
  /** The states of the send's scopes; others are ignored. */
  readonly scopes: readonly ScopeState[];
}

/**
 * The changes to store in one transaction when a rule trips. Discarded if another process has already paused the scope.
 */
export interface TripEffects {
  readonly trip: Trip;
  readonly state: ScopeState;
  readonly increments: readonly Increment[];
}

export type Decision =
  | {
      readonly allowed: true;
      /**
       * Whether only the spend is counted, because R0 exempts the recipient, a person allows the prefix, or the message
       * is a notification.
       */
      readonly exempt: boolean;
      /** Whether the message counts toward the limits for all new countries; for notifications, see fraud-notifications.ts. */
      readonly newCountry: boolean;
      /** The refusal that would have happened outside the observation period. */
      readonly observed: Refusal | undefined;
    }
  | {
      readonly allowed: false;
      readonly refusal: Refusal;
      readonly trip: TripEffects | undefined;
      /** The daily mark for the refused source. */
      readonly mark?: Increment | undefined;
    };
