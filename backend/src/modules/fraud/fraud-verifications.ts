/**
 * Counts verified codes, and codes that were not delivered. Verified codes raise the conversion, and exempt their
 * recipients from the other rules (fraud rule R0). Undelivered codes do not change it, because nobody could enter them.
 */
import type { Knex } from 'knex';
import { countedNumber, parseRecipient } from '../recipients/recipient.js';
import { countUndelivered, countVerification } from './fraud-counters.js';
import type { FraudGuard, VerifiedCode } from './fraud-guard.js';
import type { FraudReader } from './fraud-reader.js';
import { recipientKeysOf, recordExpiry, type RecipientKeyring } from './fraud-recipient.js';
import type { FraudScopesStore } from './fraud-scopes-store.js';
import type { CountedIncrements, FraudStore } from './fraud-store.js';

interface Dependencies {
  readonly store: FraudStore;
  readonly reader: Pick<FraudReader, 'isEverVerified' | 'forget'>;
  readonly scopesStore: Pick<FraudScopesStore, 'wasPausedSince'>;
  readonly keyring: RecipientKeyring;
}

/** Returns the destination of a code to a phone number, and the keys of its recipient; undefined for other recipients. */
function phoneOf(keyring: RecipientKeyring, applicationId: number, recipient: string) {
  const parsed = recipient.startsWith('+') ? parseRecipient(recipient) : undefined;
  if (!parsed) return undefined;
  const { limitKey, address, country = '' } = parsed;
  const keys = recipientKeysOf(keyring, applicationId, limitKey);
  return { applicationId, number: countedNumber(address), country, keys };
}

export function createCountUndelivered({
  store,
  scopesStore,
  keyring,
}: Omit<Dependencies, 'reader'>): FraudGuard['countUndelivered'] {
  return async function countUndeliveredCodes(trx, codes) {
    const counted: CountedIncrements[] = [];
    for (const { applicationId, recipient, createdAt } of codes) {
      const phone = phoneOf(keyring, applicationId, recipient);
      const known = await store.recipients(trx, phone?.keys ?? [], [applicationId]);
      const [key, before] = [...known][0] ?? [];
      const change = phone && countUndelivered(phone, before, createdAt);
      if (key === undefined || !before || !change) continue;
      // A pause has subtracted its unverified recipients from the larger scopes.
      if (await scopesStore.wasPausedSince(trx, applicationId, before.countedAt)) continue;
      const { record, increments } = change;
      if (await store.saveUndelivered(trx, { applicationId, key, record }, before))
        counted.push({ applicationId, increments });
    }
    await store.addToCounters(trx, counted);
  };
}

export function createCountVerified({
  store,
  reader,
  keyring,
}: Omit<Dependencies, 'scopesStore'>): FraudGuard['countVerified'] {
  return async function countVerified(trx: Knex, codes: readonly VerifiedCode[], now: number): Promise<void> {
    // Test recipients get no messages.
    const sent = codes.filter(({ messageId }) => messageId !== null);
    const phones = sent.flatMap((code) => phoneOf(keyring, code.applicationId, code.recipient) ?? []);
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
