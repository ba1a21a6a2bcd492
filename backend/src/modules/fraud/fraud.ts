/** The words of the fraud guard: sends, counters, scopes, pauses and decisions. */

/**
 * `R0` exempts, `R1` are the number classes (in `recipients`), `R2` to `R6` are in `fraud-rules.ts`.
 * `person` is a pause that a person started.
 */
export type RuleName = 'R2' | 'R3' | 'R4' | 'R5' | 'R6' | 'person';

/**
 * The part of an application's traffic that a refusal concerns, from small to large. `application` means all recipients in
 * new countries for R2 and R4, and all recipients for R6 and for a pause that a person started.
 */
export type Scope = 'source' | 'prefix' | 'country' | 'application';

/** A message that a paid provider would carry. */
export interface FraudSend {
  /** E.164 number. */
  readonly number: string;
  /** ISO 3166 code; "" for numbers without a country. */
  readonly country: string;
  /** The end user's IPv4 address or IPv6 /64; undefined if the caller did not pass `clientIp`. */
  readonly source: string | undefined;
  /** Whether the message is a voice call, or may become one. */
  readonly voice: boolean;
  /** The most that the message can cost, in ten-thousandths of the currency. */
  readonly cost: number;
  /** What is stored about the recipient in this application. */
  readonly recipient: RecipientRecord | undefined;
}

/** One row for each application and recipient. It prevents that a recipient is counted for each message. */
export interface RecipientRecord {
  /** When the recipient was counted; its verification is added to the buckets of this time. */
  readonly countedAt: number;
  /** Messages since then, the counted one included. */
  readonly messages: number;
  /** How often the recipient is counted as unverified in these buckets. */
  readonly unverified: number;
  /** The source of the counted send. */
  readonly source: string | undefined;
  /** Whether the send was counted for {@link NEW_COUNTRIES}, too. */
  readonly newCountry: boolean;
  /** The last verification, of any message. */
  readonly verifiedAt: number | undefined;
}

/** `source` has the keys of {@link sourceKeyOf}; `application` has the key "". */
export type Dimension = 'prefix' | 'country' | 'source' | 'application';

/** The key of the dimension `country` that adds up all countries that are not established. */
export const NEW_COUNTRIES = '*';

export type BucketSize = 'minute' | 'hour' | 'day';

/** Counts of the recipients that were sent to in the time from `start`, and how many of these recipients were verified since. */
export interface Bucket {
  /** In milliseconds; a multiple of the bucket's size. */
  readonly start: number;
  readonly sent: number;
  readonly verified: number;
  /** In ten-thousandths of the currency, of all messages. */
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
  readonly applicationDays: readonly Bucket[];
}

export interface CountryCounts {
  readonly minutes: readonly Bucket[];
  readonly hours: readonly Bucket[];
  readonly days: readonly Bucket[];
}

/** Why a scope is paused or a send refused, in numbers. */
export interface Evidence {
  /** Start of the stretch of time that is judged. */
  readonly from: number;
  readonly sent: number;
  readonly verified: number;
  /** The conversion that the rule expected, from 0 to 1; undefined for caps. */
  readonly expected?: number;
  /** The cap that was reached: recipients, countries, or ten-thousandths of the currency. */
  readonly limit?: number;
  /** What the cap counts. */
  readonly unit?: 'recipients' | 'countries' | 'spend' | 'voice';
  readonly spend?: number;
}

export interface Refusal {
  readonly rule: RuleName;
  readonly scope: Scope;
  /** A prefix with `+`, an ISO 3166 code, a source, or "" for the application. */
  readonly key: string;
  /** In milliseconds; undefined until a person acts. */
  readonly until: number | undefined;
  readonly evidence: Evidence;
}

/** A rule found fraud in a scope, which `pause` turns into a pause. */
export interface Trip {
  readonly rule: 'R3' | 'R4';
  readonly scope: 'prefix' | 'country' | 'application';
  readonly key: string;
  readonly evidence: Evidence;
  /** Established countries open again by themselves after each pause. */
  readonly established: boolean;
}

/** What is stored about a scope that was paused or allowed once. */
export interface ScopeState {
  readonly scope: 'prefix' | 'country' | 'application';
  readonly key: string;
  /** Pauses in a row, up to the last level of the ladder; 0 if it was never paused. */
  readonly level: number;
  readonly pausedAt: number;
  /** In milliseconds, 0 if it was never paused; undefined until a person acts. */
  readonly pausedUntil: number | undefined;
  readonly rule: RuleName;
  readonly evidence: Evidence;
  /** Of the last trip: the level of established countries goes down within hours. */
  readonly established: boolean;
  /** A person allowed the scope until then; `Infinity` for ever; 0 if not. */
  readonly allowedUntil: number;
}

/** What the guard knows about an application, besides its settings and counters. */
export interface GuardedApplication {
  /** Country of the sender's number. */
  readonly homeCountry: string | undefined;
  /** The countries that the owner listed. */
  readonly countries: readonly string[];
  /** When the guard started to record. R3 to R5 only observe in the first days. */
  readonly guardedSince: number;
  /** Whether any code of this application was ever verified, or reported as verified. */
  readonly everVerified: boolean;
  /** Whether the site checks its codes itself. Rules judge conversions only if it reports them. */
  readonly verifiedElsewhere: boolean;
  /** The states of the send's scopes; others are ignored. */
  readonly scopes: readonly ScopeState[];
}

/** What to store when a rule trips, in one transaction, unless another process has paused the scope meanwhile. */
export interface TripEffects {
  readonly trip: Trip;
  readonly state: ScopeState;
  readonly increments: readonly Increment[];
}

export type Decision =
  | {
      readonly allowed: true;
      /** R0: nothing but the spend is counted. */
      readonly exempt: boolean;
      readonly newCountry: boolean;
      /** What would have been refused if the guard did not only observe. */
      readonly observed: Refusal | undefined;
    }
  | { readonly allowed: false; readonly refusal: Refusal; readonly trip: TripEffects | undefined };
