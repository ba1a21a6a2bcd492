/** Recipient keys and decoy sessions, for callers that verify a recipient's code without its `maskId`. */
import { MINUTE, SECOND } from '../../platform/clock.js';
import { sha256, type Keyring } from '../../platform/crypto.js';
import type { Application } from '../applications/application.js';
import { parseRecipient, phoneDigits } from '../recipients/recipient.js';
import { invalidRecipient, recipientHint } from '../recipients/recipient-mistakes.js';
import { recipientKeyOf, UNMATCHABLE_HASH, type OtpSession } from './otp-session.js';

/** Validity of decoy sessions: the default validity of codes. */
const DECOY_SECONDS = (5 * MINUTE) / SECOND;
const DECOY_CODE_LENGTH = 6;

/** Returns the rate-limit keys that the recipient's sessions may use. A test recipient's key is its address. */
function limitKeysOf(to: string): [string, ...string[]] {
  const parsed = parseRecipient(to);
  const [first, ...others] = [parsed?.limitKey, parsed?.address, phoneDigits(to)].filter((key) => key !== undefined);
  if (first === undefined) throw invalidRecipient(to, recipientHint(to));
  return [first, ...others];
}

/** Returns the keys under which the recipient's sessions may be stored. */
export const recipientKeys = ({ id }: Application, to: string): string[] =>
  limitKeysOf(to).map((limitKey) => recipientKeyOf(id, limitKey));

/**
 * Returns a decoy session for a recipient without an open session. Guesses for a decoy session are limited as for any
 * session, so that replies do not reveal whether a code was sent. These guesses do not count for the recipient:
 * otherwise, attackers could lock a recipient out before a code is sent. A decoy session contains no address, and a new
 * one replaces it when it expires.
 */
export function decoySession(keyring: Keyring, { id }: Application, to: string, now: number): OtpSession {
  const recipientKey = sha256(keyring.mac('decoy-session', `${id}:${limitKeysOf(to)[0]}`));
  // Decoy sessions of different recipients expire at different times, like real sessions.
  const offset = Number.parseInt(recipientKey.slice(0, 8), 16) % DECOY_SECONDS;
  const seconds = Math.floor(now / SECOND);
  const createdAt = (seconds - ((seconds + offset) % DECOY_SECONDS)) * SECOND;
  return {
    maskId: sha256(`${recipientKey}:${createdAt}`).slice(0, 32),
    applicationId: id,
    recipient: '',
    recipientKey,
    channel: 'SMS',
    codeHash: UNMATCHABLE_HASH,
    codeLength: DECOY_CODE_LENGTH,
    codeSpace: 10 ** DECOY_CODE_LENGTH,
    messageId: null,
    createdAt,
    expiresAt: createdAt + DECOY_SECONDS * SECOND,
  };
}
