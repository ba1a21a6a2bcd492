/** Finds the OTP session of a recipient, for callers that verify a code without its `maskId`. */
import { MINUTE, SECOND } from '../../platform/clock.js';
import { sha256, type Keyring } from '../../platform/crypto.js';
import type { Application } from '../applications/application.js';
import { parseRecipient, phoneDigits } from '../recipients/recipient.js';
import { invalidRecipient, recipientHint } from '../recipients/recipient-mistakes.js';
import { recipientKeyOf, UNMATCHABLE_HASH, type OtpSession } from './otp-session.js';

/** The default validity of codes. */
const DECOY_SECONDS = (5 * MINUTE) / SECOND;
const DECOY_CODE_LENGTH = 6;

/** The recipient's rate-limit keys. The key of a test recipient is its address. */
function limitKeysOf(to: string): [string, ...string[]] {
  const parsed = parseRecipient(to);
  const [first, ...others] = [parsed?.limitKey, parsed?.address, phoneDigits(to)].filter((key) => key !== undefined);
  if (first === undefined) throw invalidRecipient(to, recipientHint(to));
  return [first, ...others];
}

/** The keys under which sessions of the recipient may be stored. */
export const recipientKeys = ({ id }: Application, to: string): string[] =>
  limitKeysOf(to).map((limitKey) => recipientKeyOf(id, limitKey));

/**
 * Returns the decoy session of a recipient without an open session. Its guesses are limited like those of a session, so that
 * the replies do not reveal whether a code was sent. They do not count for the recipient, who would otherwise be locked out
 * by people who guess before a code was sent. It contains no address, and is replaced by the next one when it expires.
 */
export function decoySession(keyring: Keyring, { id }: Application, to: string, now: number): OtpSession {
  const recipientKey = sha256(keyring.mac('decoy-session', `${id}:${limitKeysOf(to)[0]}`));
  // Different recipients' decoy sessions expire at different times, as those of other sessions do.
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
