/** The suppression list of an account. Each change by a person has an entry in the audit log, without the address. */
import { requireRight, type Actor } from '../access/actor.js';
import type { Shared } from '../audit/audit-service.js';
import { parseRecipient } from '../recipients/recipient.js';
import { addressKey, parseList, REASONS, type Suppression } from './suppression.js';
import type { SuppressionsStore } from './suppressions-store.js';

export const MAX_LISTED = 200;
/** Maximum number of addresses in an export. */
const MAX_EXPORTED = 100_000;

const isEmail = (text: string): boolean => parseRecipient(text)?.type === 'email';

/** Numbers of addresses in a list. `existing`: already suppressed; `repeated`: listed more than once. */
export interface ListPreview {
  readonly added: number;
  readonly existing: number;
  readonly repeated: number;
  readonly wrongLines: readonly number[];
}

export type SuppressionsService = ReturnType<typeof createSuppressionsService>;

export function createSuppressionsService(
  store: SuppressionsStore,
  { inTransaction, audit, clock }: Pick<Shared, 'audit' | 'clock' | 'inTransaction'>,
) {
  async function list(actor: Actor, accountId: number, search = '', all = false): Promise<Suppression[]> {
    requireRight(actor, 'read');
    return store.list(accountId, search.trim().toLowerCase(), all ? MAX_EXPORTED : MAX_LISTED);
  }

  /** Returns false if the address is not suppressed. */
  async function remove(actor: Actor, accountId: number, address: string): Promise<boolean> {
    requireRight(actor, 'change');
    return inTransaction(async (trx) => {
      const removed = (await store.remove(trx, accountId, address)) > 0;
      const entry = { accountId, action: 'suppression.remove', subject: 'an email address' } as const;
      if (removed) await audit.record(trx, actor, entry);
      return removed;
    });
  }

  /** Counts the addresses of a list that an import would add. Changes nothing. */
  async function previewList(actor: Actor, accountId: number, csv: string): Promise<ListPreview> {
    requireRight(actor, 'own');
    const { entries, wrongLines } = parseList(csv, isEmail);
    const addresses = [...new Set(entries.map(({ address }) => addressKey(address)))];
    const existing = await store.countAmong(accountId, addresses);
    return { added: addresses.length - existing, existing, repeated: entries.length - addresses.length, wrongLines };
  }

  /**
   * Adds the addresses in the first column of a CSV file. Returns how many are new, and the numbers of the lines that contain
   * no email address. Adds nothing if there are such lines, unless they are skipped.
   */
  async function importList(actor: Actor, accountId: number, csv: string, skipWrongLines = false) {
    requireRight(actor, 'own');
    const { entries, wrongLines } = parseList(csv, isEmail);
    if (wrongLines.length > 0 && !skipWrongLines) return { added: 0, wrongLines };
    const cause = { source: actor.name, details: null, createdAt: clock.now() };
    const added = await inTransaction(async (trx) => {
      let count = 0;
      for (const reason of REASONS) {
        const addresses = entries.filter((entry) => entry.reason === reason).map(({ address }) => address);
        count += await store.add(trx, accountId, addresses, { ...cause, reason });
      }
      const subject = count === 1 ? '1 email address' : `${count} email addresses`;
      if (count > 0) await audit.record(trx, actor, { accountId, action: 'suppression.import', subject });
      return count;
    });
    return { added, wrongLines };
  }

  return { list, remove, previewList, importList };
}
