/** Erases a recipient's stored data. docs/security.md lists the data that is not erased, with retention times. */
import type { Knex } from 'knex';
import type { InTransaction } from '../../platform/db/transaction.js';
import { requireRight, type Actor } from '../access/actor.js';
import type { Application } from '../applications/application.js';
import type { AuditService } from '../audit/audit-service.js';
import { parseRecipient, phoneDigits, variantsOf } from '../recipients/recipient.js';

/**
 * Erases one kind of data about a phone number or email address, in the caller's transaction. Returns the number of
 * erased items.
 */
type Erase = (trx: Knex, applicationIds: readonly number[], address: string) => Promise<number>;

/** The kinds of data to erase, in this order. Codes come first, because verifying a code can create a user. */
export const ERASED_KINDS = [
  'codes',
  'users',
  'messages',
  'secondFactors',
  'fraudRecords',
  'shopEvents',
  'suppressions',
] as const;
export type ErasedCounts = Readonly<Record<(typeof ERASED_KINDS)[number], number>>;

export interface Erasure {
  readonly erased: ErasedCounts;
  /** Applications that list the address as a test recipient. An erasure does not change this setting. */
  readonly testRecipientOf: readonly Application[];
}

export type ErasureService = ReturnType<typeof createErasureService>;

const NO_COUNTS = Object.fromEntries(ERASED_KINDS.map((kind) => [kind, 0])) as ErasedCounts;

const addCounts = (a: ErasedCounts, b: ErasedCounts): ErasedCounts =>
  Object.fromEntries(ERASED_KINDS.map((kind) => [kind, a[kind] + b[kind]])) as ErasedCounts;

export function createErasureService(
  erasers: Readonly<Record<keyof ErasedCounts, Erase>>,
  inTransaction: InTransaction,
  audit: AuditService,
) {
  /**
   * Erases a recipient from the applications of one account. The audit entry outlives the erased data, so it contains
   * only counts and the recipient type (email address or phone number).
   */
  const eraseInAccount = (actor: Actor, accountId: number, applicationIds: readonly number[], address: string) =>
    inTransaction(async (trx): Promise<ErasedCounts> => {
      const erased: Record<keyof ErasedCounts, number> = { ...NO_COUNTS };
      for (const kind of ERASED_KINDS)
        for (const variant of variantsOf(address)) erased[kind] += await erasers[kind](trx, applicationIds, variant);
      const found = ERASED_KINDS.filter((kind) => erased[kind] > 0);
      const changes = found.map((kind) => ({ name: kind, before: String(erased[kind]), after: '' }));
      const subject = address.includes('@') ? 'an email address' : 'a phone number';
      if (found.length > 0) await audit.record(trx, actor, { accountId, action: 'recipient.erase', subject, changes });
      return erased;
    });

  /**
   * Erases a recipient from these applications, with one transaction and at most one audit entry per account. Ignores
   * the case of email addresses. Returns undefined if `recipient` is neither a phone number nor an email address.
   */
  async function erase(
    actor: Actor,
    applications: readonly Application[],
    recipient: string,
  ): Promise<Erasure | undefined> {
    requireRight(actor, 'own');
    const address = parseRecipient(recipient)?.address ?? phoneDigits(recipient);
    if (address === undefined) return undefined;
    let erased = NO_COUNTS;
    for (const accountId of new Set(applications.map((application) => application.accountId))) {
      const ids = applications.filter((application) => application.accountId === accountId).map(({ id }) => id);
      erased = addCounts(erased, await eraseInAccount(actor, accountId, ids, address));
    }
    const variants = variantsOf(address.toLowerCase());
    const isSame = (other: string) => variants.includes(other.toLowerCase());
    const testRecipientOf = applications.filter(({ settings }) => Object.keys(settings.testRecipients).some(isSame));
    return { erased, testRecipientOf };
  }

  return { erase };
}
