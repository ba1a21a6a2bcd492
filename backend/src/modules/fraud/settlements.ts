/**
 * Counts codes that were entered, which raise the conversion and exempt their recipients, and codes that were not
 * delivered, which say nothing about their recipients.
 */
import type { Knex } from 'knex';
import type { Clock } from '../../platform/clock.js';
import { countedNumber, parseRecipient } from '../recipients/recipient.js';
import { startOfDay } from './conversion.js';
import { settle, settledRecord } from './decide.js';
import { addCounted, type Counted } from './excesses-store.js';
import type { ExcessCache } from './excess-cache.js';
import { NO_RECORD, type RecipientRecord } from './fraud.js';
import type { FraudGuard } from './fraud-guard.js';
import type { FraudReader } from './fraud-reader.js';
import {
  recipientKeysOf,
  type RecipientKeyring,
  type RecipientsStore,
  type StoredRecipient,
} from './recipients-store.js';

interface Dependencies {
  readonly recipients: Pick<RecipientsStore, 'find' | 'saveSettled'>;
  readonly reader: Pick<FraudReader, 'cachedOf' | 'forget'>;
  readonly cache: ExcessCache;
  readonly keyring: RecipientKeyring;
  readonly clock: Clock;
}

type Kind = 'verified' | 'undelivered';

interface SettledCode {
  readonly applicationId: number;
  /** E.164 number or email address. */
  readonly recipient: string;
  /** When the code was sent; undefined for a verified code. */
  readonly createdAt?: number;
}

export function createSettlements({
  recipients,
  reader,
  cache,
  keyring,
  clock,
}: Dependencies): Pick<FraudGuard, 'countVerified' | 'countUndelivered'> {
  /** Returns the codes that were sent to phone numbers, with the keys of their recipients. */
  const phonesOf = (codes: readonly SettledCode[]) =>
    codes.flatMap(({ applicationId, recipient, createdAt = Infinity }) => {
      const parsed = recipient.startsWith('+') ? parseRecipient(recipient) : undefined;
      if (!parsed) return [];
      const { limitKey, address, country = '' } = parsed;
      const keys = recipientKeysOf(keyring, applicationId, limitKey);
      return [{ applicationId, number: countedNumber(address), country, keys, createdAt }];
    });
  type Phone = ReturnType<typeof phonesOf>[number];

  function countedOf({ applicationId, number, country }: Phone, record: RecipientRecord, kind: Kind): Counted {
    const charges = settle({ number, country }, record, kind);
    // A pause has already subtracted its recipients from the larger scopes.
    const { stateOf } = reader.cachedOf(applicationId);
    const isSubtracted = charges.some((charge) => (stateOf(charge)?.pausedAt ?? 0) >= record.countedAt);
    if (kind === 'undelivered' && isSubtracted) return { applicationId, charges: [] };
    const change = kind === 'verified' ? { sent: 0, verified: 1 } : { sent: -1, verified: 0 };
    const day = record.isOpen ? { country, day: startOfDay(record.countedAt), ...change } : undefined;
    return { applicationId, charges, day };
  }

  async function count(trx: Knex, codes: readonly SettledCode[], kind: Kind, now: number): Promise<void> {
    const phones = phonesOf(codes);
    if (phones.length === 0) return;
    const ids = [...new Set(phones.map(({ applicationId }) => applicationId))];
    const known = await recipients.find(
      trx,
      phones.flatMap(({ keys }) => keys),
      ids,
    );
    const recordOf = ({ keys }: Phone): RecipientRecord =>
      keys.map((key) => known.get(key)).find((record) => record !== undefined) ?? NO_RECORD;
    const counted: Counted[] = [];
    const settled: StoredRecipient[] = [];
    for (const phone of phones) {
      const { applicationId, keys, createdAt } = phone;
      const before = recordOf(phone);
      // An earlier code did not arrive, but a later one may have.
      if (createdAt < before.sentAt) continue;
      counted.push(countedOf(phone, before, kind));
      const record = settledRecord(before, kind, now);
      // The same recipient's other codes in this batch must not count again.
      known.set(keys[0]!, record);
      settled.push({ applicationId, key: keys[0]!, record });
    }
    await addCounted(trx, counted);
    await recipients.saveSettled(trx, settled);
    for (const { applicationId, charges } of counted) cache.add(applicationId, charges).stored();
    // Until the first code is entered, conversions mean nothing.
    const isFirst = (id: number) => !reader.cachedOf(id).days.some(({ verified }) => verified > 0);
    if (kind === 'verified') ids.filter(isFirst).forEach(reader.forget);
  }

  return {
    /** Skips codes of test recipients. */
    countVerified: (trx, codes, now) =>
      count(
        trx,
        codes.filter(({ messageId }) => messageId !== null),
        'verified',
        now,
      ),
    countUndelivered: (trx, codes) => count(trx, codes, 'undelivered', clock.now()),
  };
}
