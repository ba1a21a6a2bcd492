/** Codes that were sent: the recipient, a hash of the text, and the number of wrong guesses. */
import type { ChannelName } from '../../platform/contract/channels.js';

export interface OtpCode {
  readonly maskId: string;
  readonly applicationId: number;
  readonly recipient: string;
  /** Hash of the application id and the recipient's rate-limit key, which all variants of the address share. */
  readonly recipientKey: string;
  /** The channel to try first. */
  readonly channel: ChannelName;
  /** Keyed hash of the text that the recipient received. */
  readonly codeHash: string;
  readonly codeLength: number;
  /** Number of possible codes of the same format. */
  readonly codeSpace: number;
  /** Null for a test recipient, to whom no message is sent. */
  readonly messageId: string | null;
  /** The caller's own reference; null without one, and after the recipient has been erased. */
  readonly reference: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/**
 * A hash that matches no guess. If the code does not exist, the guess is compared with this hash, so that response time
 * does not reveal whether the code exists.
 */
export const UNMATCHABLE_HASH = '-.-';

/** Wrong guesses of all of a recipient's codes. */
export interface RecipientGuesses {
  /** Times of wrong guesses in the last hour. */
  times: readonly number[];
  /** Risk of the wrong guesses in each hour of the last day, oldest first. */
  risks: readonly { readonly hour: number; readonly risk: number }[];
  /** End of the lock; 0 or a past time if the recipient is not locked. */
  lockedUntil: number;
  changed: boolean;
}

/** A code whose database rows are locked by a transaction. A recipient's codes share one `guesses` object. */
export interface LockedCode extends OtpCode {
  readonly guesses: RecipientGuesses;
  /** Whether there are other live codes with the same recipient key. */
  readonly hasOthers: boolean;
  /** `ended`: another of the recipient's codes was verified, or the recipient was erased. `canceled`: by the application. */
  state: 'live' | 'verified' | 'ended' | 'canceled';
  /** Time of the verification; null before it, and after the recipient has been erased. */
  verifiedAt: number | null;
  /** Keyed hash that identifies the caller that may repeat the verification; null if no caller may. */
  repeatableBy: string | null;
  wrongGuesses: number;
  /** Keyed hash of the last wrong code; null before the first one. */
  lastWrongCode: string | null;
  lockedUntil: number;
  /** Whether a wrong guess has just locked the code or its recipient. */
  newlyLocked: boolean;
  /** Whether the code has ended its recipient's cooldown before, which it does only once. */
  readonly cooldownEnded: boolean;
  /** Whether a wrong guess was counted. */
  changed: boolean;
  newlyVerified: boolean;
}

/** Context of a code's hash, so that equal texts have different hashes. */
export const codeContext = (maskId: string): string => `otp:${maskId}`;
export const wrongCodeContext = (maskId: string): string => `wrong-otp:${maskId}`;

/**
 * Returns the number of possible codes, with 10 choices per digit and 26 per letter: an attacker may know which
 * characters are letters. A code supplied by the caller may be less random.
 */
export const codeSpaceOf = (text: string): number =>
  [...text].reduce((space, character) => space * (/\d/.test(character) ? 10 : 26), 1);
