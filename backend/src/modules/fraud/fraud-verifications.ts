/**
 * Counts verified codes. Verified codes raise the conversion, and exempt their recipients from the other rules (fraud
 * rule R0).
 */
import type { Knex } from 'knex';
import { countedNumber, parseRecipient } from '../recipients/recipient.js';
import { countVerification } from './fraud-counters.js';
import type { FraudGuard, VerifiedCode } from './fraud-guard.js';
import type { FraudReader } from './fraud-reader.js';
import { recipientKeysOf, recordExpiry, type RecipientKeyring } from './fraud-recipient.js';
import type { FraudStore } from './fraud-store.js';

interface Dependencies {
  readonly store: FraudStore;
  readonly reader: Pick<FraudReader, 'isEverVerified' | 'forget'>;
  readonly keyring: RecipientKeyring;
}

export function createCountVerified({ store, reader, keyring }: Dependencies): FraudGuard['countVerified'] {
  /** Returns the codes that were sent to phone numbers, with the keys of their recipients. Skips test recipients. */
  function verifiedPhones(codes: readonly VerifiedCode[]) {
    return codes.flatMap(({ applicationId, recipient, messageId }) => {
      const parsed = messageId === null || !recipient.startsWith('+') ? undefined : parseRecipient(recipient);
      if (!parsed) return [];
      const { limitKey, address, country = '' } = parsed;
      const number = countedNumber(address);
      return [{ applicationId, number, country, keys: recipientKeysOf(keyring, applicationId, limitKey) }];
    });
  }

  return async function countVerified(trx: Knex, codes: readonly VerifiedCode[], now: number): Promise<void> {
    const phones = verifiedPhones(codes);
    if (phones.length === 0) return;
    const ids = [...new Set(phones.map(({ applicationId }) => applicationId))];
    const known = await store.recipients(
      trx,
      phones.flatMap(({ keys }) => keys),
      ids,
    );
    const counted = phones.map(({ applicationId, keys, ...destination }) => {
      const before = keys.map((key) => known.get(key)).find((found) => found !== undefined);
      const { record, increments } = countVerification(destination, before, now);
      // The same recipient's other codes in this batch must not count again.
      known.set(keys[0]!, record);
      return { applicationId, increments, record, key: keys[0]!, expiresAt: recordExpiry(record) };
    });
    await store.addToCounters(trx, counted);
    await store.saveVerified(trx, counted);
    const first = ids.filter((id) => !reader.isEverVerified(id));
    await store.setEverVerified(trx, first, now);
    first.forEach(reader.forget);
  };
}
