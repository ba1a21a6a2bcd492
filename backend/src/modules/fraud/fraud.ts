/** The fraud guard's types: sends, scopes, pauses and decisions. */
import type { Schemas } from '../../platform/contract/schemas.js';

/** Why a message is refused or needs a challenge. */
export type RuleName = Schemas['FraudRule'];

/**
 * The part of an application's traffic that is judged together. `prefix`: numbers with the same first digits;
 * `address`: an end user's IP address; `newCountries`: all countries that are not established; `burst`: all codes of
 * the last minutes; `solved`: codes of a country after a solved challenge; `prefixPauses`: the recent pauses of
 * prefixes in a country; `notified`: notifications to a new country, or to all of them; `application`: everything,
 * which only people pause and allow.
 */
export type Scope =
  'prefix' | 'address' | 'country' | 'newCountries' | 'burst' | 'solved' | 'prefixPauses' | 'notified' | 'application';

/** Identifies a scope of an application. `key`: a prefix with `+`, an ISO 3166 code, a hashed IP address, or "". */
export interface ScopeRef {
  readonly scope: Scope;
  readonly key: string;
}

/** A message that a paid provider would carry. */
export interface FraudSend {
  readonly kind: 'code' | 'notification';
  /** E.164 number, as in `countedNumber` of `recipients`. */
  readonly number: string;
  /** ISO 3166 code; "" for numbers without a country. */
  readonly country: string;
  /** Hash of the end user's IPv4 address or IPv6 /64; undefined if the caller did not pass `clientIp`. */
  readonly address: string | undefined;
  /** Whether the message is a voice call, or may become one. */
  readonly voice: boolean;
  readonly isChallengeSolved: boolean;
}

export interface RecipientRecord {
  /** When the recipient was last counted, in epoch milliseconds; 0 if never. */
  readonly countedAt: number;
  /**
   * Number of codes that were sent since `countedAt`, or may have been, if none of them was entered. 0 if the recipient does
   * not count.
   */
  readonly openCodes: number;
  /** The address of the counted send. */
  readonly address: string | undefined;
  /** The scope of several countries in which the recipient was counted, as in `Place`. */
  readonly together: '' | 'served' | undefined;
  /** Whether the recipient was counted in the scope `solved`, too. */
  readonly isSolved: boolean;
  /** How much of the excess an entered code takes away. */
  readonly payback: number;
  /** Number of codes in a row that were not entered. */
  readonly streak: number;
  /** When the last code was sent; 0 if never. */
  readonly sentAt: number;
  /** When the recipient last entered a code. */
  readonly verifiedAt: number | undefined;
  /** Number of changes to the record. */
  readonly version: number;
}

export const NO_RECORD: RecipientRecord = {
  countedAt: 0,
  openCodes: 0,
  address: undefined,
  together: undefined,
  isSolved: false,
  payback: 0,
  streak: 0,
  sentAt: 0,
  verifiedAt: undefined,
  version: 0,
};

/** Recipients who were counted on a UTC day, and how many of them have entered a code since. */
export interface DayCount {
  readonly country: string;
  /** Start of the day, in epoch milliseconds. */
  readonly day: number;
  readonly sent: number;
  readonly verified: number;
}

export interface Evidence {
  /** Start of the count, in epoch milliseconds: when the excess was last 0, or when the previous pause ended. */
  readonly from: number;
  readonly sent: number;
  readonly verified: number;
  /** The lowest conversion that would be normal, from 0 to 1. */
  readonly expected?: number;
  readonly limit?: number;
}

/** The stored state of a scope that was paused or allowed at least once. */
export interface ScopeState extends ScopeRef {
  /** Number of consecutive pauses, before quiet weeks lower it; see `levelOf`. 0 after a person resumed the scope. */
  readonly level: number;
  /** When the last pause or challenge started. */
  readonly pausedAt: number;
  /** Epoch milliseconds; 0 if the scope was never paused; undefined if the pause lasts until a person acts. */
  readonly pausedUntil: number | undefined;
  /** Whether messages have needed a challenge since `pausedAt` while the excess is high; see `isChallenging`. */
  readonly isChallenged: boolean;
  readonly rule: RuleName;
  readonly evidence: Evidence;
  /** When the permission that a person gave the scope ends; `Infinity` if never, 0 if there was none. */
  readonly allowedUntil: number;
}

/**
 * The number of recipients of a scope who did not enter their code, beyond the normal number. A leaky bucket: each recipient adds one
 * at once, each entered code takes more than one away, and time takes the rest away.
 */
export interface Excess extends ExcessChange {
  /** When the excess was last 0. `sent` and `verified` are the recipients and entered codes since then; a pause resets both. */
  readonly since: number;
  /** Epoch milliseconds of the last change. */
  readonly at: number;
}

export interface ExcessChange {
  readonly excess: number;
  readonly sent: number;
  readonly verified: number;
}

export interface Charge extends ScopeRef {
  readonly change: ExcessChange;
  /** How much of the excess an hour takes away. */
  readonly perHour: number;
  /** Epoch milliseconds: up to then, time takes excess away. In the future if the excess is not to drop before; 0 for no time. */
  readonly at: number;
}

export interface Knowledge {
  readonly application: GuardedApplication;
  readonly recipient: RecipientRecord | undefined;
  /** All countries of the application, for the last 15 days. */
  readonly days: readonly DayCount[];
  stateOf(ref: ScopeRef): ScopeState | undefined;
  excessOf(ref: ScopeRef): Excess | undefined;
}

export interface GuardedApplication {
  /** Country of the sender number. */
  readonly homeCountry: string | undefined;
  /** The countries that the owner listed. */
  readonly countries: readonly string[];
  /** Whether the application can ask its users to solve a challenge. */
  readonly hasChallenge: boolean;
  /** Whether the site checks codes itself. If so, conversions mean something only if it reports the entered codes. */
  readonly verifiedElsewhere: boolean;
}

export interface Refusal extends ScopeRef {
  readonly rule: RuleName;
  /** Epoch milliseconds; undefined if the refusal lasts until a person acts, or until a challenge is solved. */
  readonly until: number | undefined;
  readonly evidence: Evidence | undefined;
}

export interface CountedRefusal {
  readonly rule: RuleName;
  readonly country: string;
  readonly messages: number;
  /** Different recipients on each day. */
  readonly people: number;
  /** Whether the application serves the country: it is listed, or people in it enter codes. */
  readonly isServed: boolean;
}

/** People in a country who had to solve a challenge. */
export type Challenged = Pick<CountedRefusal, 'country' | 'people'>;

/** A pause to store. Discarded if another process has paused the scope in the meantime. */
export interface Trip {
  readonly state: ScopeState;
  readonly charges: readonly Charge[];
}

export type Decision =
  | {
      readonly outcome: 'allowed';
      readonly charges: readonly Charge[];
      /** Whether the recipient counts for the conversion of the day. */
      readonly isCounted: boolean;
      readonly record: RecipientRecord | undefined;
      /** The home country, if unusually many codes are not entered there and nothing can be done about it. */
      readonly alert: Refusal | undefined;
    }
  | {
      /** `challenged`: the message is sent if the request contains a solved challenge. */
      readonly outcome: 'refused' | 'challenged';
      readonly refusal: Refusal;
      readonly charges: readonly Charge[];
      readonly record: RecipientRecord | undefined;
      readonly trip: Trip | undefined;
    };
