/**
 * Finds a recipient's sessions, and creates decoy sessions, for callers that verify a recipient's code without its
 * `maskId`.
 */
import { MINUTE, SECOND } from '../../platform/clock.js';
import { sha256, type Keyring } from '../../platform/crypto.js';
import type { Application } from '../applications/application.js';
import { parseRecipient, phoneDigits, spellingsOf } from '../recipients/recipient.js';
import { invalidRecipient, recipientHint } from '../recipients/recipient-mistakes.js';
import { recipientKeyOf, UNMATCHABLE_HASH, type OtpSession, type RecipientSessions } from './otp-session.js';

/** Validity of decoy sessions: the default validity of codes. */
const DECOY_SECONDS = (5 * MINUTE) / SECOND;
const DECOY_CODE_LENGTH = 6;

/** Returns how to find the sessions of a recipient. A test recipient's rate-limit key is its address. */
export function recipientSessions({ id }: Application, to: string): RecipientSessions {
  const parsed = parseRecipient(to);
  const stored = [parsed?.address, phoneDigits(to)].filter((address) => address !== undefined);
  const [first, ...others] = stored.flatMap(spellingsOf);
  if (first === undefined) throw invalidRecipient(to, recipientHint(to));
  const limitKeys = parsed ? [parsed.limitKey, ...stored] : stored;
  return {
    recipientKeys: limitKeys.map((limitKey) => recipientKeyOf(id, limitKey)),
    addresses: [first, ...others],
  };
}

/**
 * Returns a decoy session for a recipient without an open session. Guesses for a decoy session are limited as for any
 * session, so that replies do not reveal whether a code was sent. These guesses do not count for the recipient:
 * otherwise, attackers could lock a recipient out before a code is sent. A decoy session contains no address, and a new
 * one replaces it when it expires.
 */
export function decoySession(
  keyring: Keyring,
  { id }: Application,
  { addresses }: RecipientSessions,
  now: number,
): OtpSession {
  // Not a rate-limit key: if plus-tag variants shared a decoy session, a difference between their locks would reveal
  // which one was sent a code.
  const recipientKey = sha256(keyring.mac('decoy-session', `${id}:${addresses[0]}`));
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
