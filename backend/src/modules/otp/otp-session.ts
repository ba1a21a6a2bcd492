/** OTP sessions. A session stores a code that was sent to a recipient, and the guesses made. */
import type { ChannelName } from '../../platform/contract/channels.js';
import { sha256 } from '../../platform/crypto.js';

export interface OtpSession {
  readonly maskId: string;
  readonly applicationId: number;
  readonly recipient: string;
  /** Hash of the application's id and the rate-limit key, which is the same for all spellings of the recipient. */
  readonly recipientKey: string;
  /** The channel to try first. */
  readonly channel: ChannelName;
  /** Keyed hash of the code. */
  readonly codeHash: string;
  readonly codeLength: number;
  /** Number of possible codes. */
  readonly codeSpace: number;
  /** Null for a test recipient, to which nothing is sent. */
  readonly messageId: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Wrong guesses for a recipient, across all sessions. */
export interface RecipientGuesses {
  /** Times of wrong guesses in the last hour. */
  times: readonly number[];
  /** Risk of the wrong guesses in each hour of the last day, oldest first. */
  risks: readonly { readonly hour: number; readonly risk: number }[];
  /** End of the lock; 0 or a past time if the recipient is not locked. */
  lockedUntil: number;
  changed: boolean;
}

/** A session whose rows a transaction has locked. Sessions of one recipient share one `guesses` object. */
export interface LockedSession extends OtpSession {
  readonly guesses: RecipientGuesses;
  /** Whether the recipient has other live sessions. */
  readonly hasOthers: boolean;
  /** `ended`: another session of the recipient was verified. */
  state: 'live' | 'verified' | 'ended';
  wrongGuesses: number;
  lockedUntil: number;
  changed: boolean;
}

/** Binds the hash of a code to its session, so that equal codes have different hashes. */
export const codeContext = (maskId: string): string => `otp:${maskId}`;

/** Identifies a recipient of an application in sessions, guess counts and limits, without containing the address. */
export const recipientKeyOf = (applicationId: number, limitKey: string): string =>
  sha256(`${applicationId}:${limitKey}`);
