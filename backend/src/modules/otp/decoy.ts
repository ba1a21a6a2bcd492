/** Decoy codes, for callers that verify a recipient's code without its `maskId`. */
import { MINUTE, SECOND } from '../../platform/clock.js';
import { sha256, type Keyring } from '../../platform/crypto.js';
import type { Application } from '../applications/application.js';
import { UNMATCHABLE_HASH, type OtpCode } from './otp-code.js';
import type { RecipientLookup } from './recipient-keys.js';

/** The default validity of codes. */
const DECOY_SECONDS = (5 * MINUTE) / SECOND;
const DECOY_CODE_LENGTH = 6;

/**
 * Returns a decoy for a recipient without an open code. No guess matches it. Guesses are limited as for any code, so that
 * replies do not reveal whether a code was sent. They do not count for the recipient: otherwise, attackers could lock a
 * recipient out before a code is sent. A decoy contains no address, and a new one replaces it when it expires.
 */
export function decoyCode(keyring: Keyring, { id }: Application, { addresses }: RecipientLookup, now: number): OtpCode {
  // Not a rate-limit key: if plus-tag variants shared a decoy, a difference between their locks would reveal which one
  // was sent a code. All versions use the name `decoy-session`, because they run together during an upgrade.
  const recipientKey = sha256(keyring.mac('decoy-session', `${id}:${addresses[0]}`));
  // The decoys of different recipients expire at different times, like codes that were sent.
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
    reference: null,
    createdAt,
    expiresAt: createdAt + DECOY_SECONDS * SECOND,
  };
}
