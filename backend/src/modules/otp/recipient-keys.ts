/** The keys that identify a recipient in codes, guess counts and limits, without containing the address. */
import { sha256 } from '../../platform/crypto.js';
import type { Application } from '../applications/application.js';
import { assertRecipient } from '../messages/send-plan.js';
import { parseRecipient, phoneDigits, spellingsOf } from '../recipients/recipient.js';

/** Identifies the codes of one recipient. */
export interface RecipientLookup {
  /** The keys under which they may be stored. Other addresses share these keys. */
  readonly recipientKeys: readonly string[];
  /** All spellings of the recipient's address, in lower case. */
  readonly addresses: readonly string[];
}

export const recipientKeyOf = (applicationId: number, limitKey: string): string =>
  sha256(`${applicationId}:${limitKey}`);

/** Codes for test recipients, and codes created by earlier versions, use the address itself as their rate-limit key. */
const limitKeysOf = (address: string): ReadonlySet<string> =>
  new Set([address, address.toLowerCase(), parseRecipient(address)?.limitKey ?? address]);

/** Returns all keys under which the codes and wrong guesses of an address may be stored. */
export const recipientKeysOf = (applicationId: number, address: string): string[] =>
  [...limitKeysOf(address)].map((limitKey) => recipientKeyOf(applicationId, limitKey));

/**
 * Returns how to find the codes of a recipient, which a caller may have written in any format. Throws if no code can be
 * sent to it.
 */
export function recipientLookup(application: Application, to: string): RecipientLookup {
  assertRecipient(application, to);
  const stored = [parseRecipient(to)?.address, phoneDigits(to)].filter((address) => address !== undefined);
  const addresses = stored.flatMap(spellingsOf);
  return { recipientKeys: stored.flatMap((address) => recipientKeysOf(application.id, address)), addresses };
}
