/** OTP sessions. A session stores the recipient and hash of a sent code, and the number of wrong guesses. */
import type { ChannelName } from '../../platform/contract/channels.js';
import { sha256 } from '../../platform/crypto.js';

export interface OtpSession {
  readonly maskId: string;
  readonly applicationId: number;
  readonly recipient: string;
  /** Hash of the application id and the recipient's rate-limit key, which all variants of the address share. */
  readonly recipientKey: string;
  /** The channel to try first. */
  readonly channel: ChannelName;
  /** Keyed hash of the code. */
  readonly codeHash: string;
  readonly codeLength: number;
  /** Number of possible codes of the same format. */
  readonly codeSpace: number;
  /** Null for a test recipient, to whom no message is sent. */
  readonly messageId: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/**
 * A hash that matches no code. If the session does not exist, the code is compared with this hash, so that response
 * time does not reveal whether the session exists.
 */
export const UNMATCHABLE_HASH = '-.-';

/** Wrong guesses of a recipient's codes, across all of the recipient's sessions. */
export interface RecipientGuesses {
  /** Times of wrong guesses in the last hour. */
  times: readonly number[];
  /** Risk of the wrong guesses in each hour of the last day, oldest first. */
  risks: readonly { readonly hour: number; readonly risk: number }[];
  /** End of the lock; 0 or a past time if the recipient is not locked. */
  lockedUntil: number;
  changed: boolean;
}

/** Identifies the sessions of one recipient. */
export interface RecipientSessions {
  /** The keys under which they may be stored. Other addresses share these keys. */
  readonly recipientKeys: readonly string[];
  /** All spellings of the recipient's address, in lower case. */
  readonly addresses: readonly [string, ...string[]];
}

/** A session whose database rows are locked by a transaction. A recipient's sessions share one `guesses` object. */
export interface LockedSession extends OtpSession {
  readonly guesses: RecipientGuesses;
  /** Whether there are other live sessions with the same recipient key. */
  readonly hasOthers: boolean;
  /** `ended`: another of the recipient's sessions was verified, or the recipient was erased. */
  state: 'live' | 'verified' | 'ended';
  /** Time of the verification; null before it, and after the recipient has been erased. */
  verifiedAt: number | null;
  /** Keyed hash that identifies the caller that may repeat the verification; null if no caller may. */
  repeatableBy: string | null;
  wrongGuesses: number;
  /** Keyed hash of the last wrong code; null before the first one. */
  lastWrongCode: string | null;
  lockedUntil: number;
  /** Whether the code has ended its recipient's cooldown before, which it does only once. */
  readonly cooldownEnded: boolean;
  /** Whether a wrong guess was counted. */
  changed: boolean;
  newlyVerified: boolean;
}

/** Binds a code's hash to its session, so that equal codes have different hashes. */
export const codeContext = (maskId: string): string => `otp:${maskId}`;
/** Context of the hash of a session's last wrong code. */
export const wrongCodeContext = (maskId: string): string => `wrong-otp:${maskId}`;

/**
 * Returns the key that identifies an application's recipient in sessions, guess counts and limits, without containing
 * the address.
 */
export const recipientKeyOf = (applicationId: number, limitKey: string): string =>
  sha256(`${applicationId}:${limitKey}`);
