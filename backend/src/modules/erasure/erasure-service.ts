/** Erases the stored data of a recipient. docs/security.md lists the exceptions, with retention times. */
import type { Knex } from 'knex';
import type { InTransaction } from '../../platform/db/transaction.js';
import { requireRight, type Actor } from '../access/actor.js';
import type { Application } from '../applications/application.js';
import type { AuditService } from '../audit/audit-service.js';
import { parseRecipient, phoneDigits } from '../recipients/recipient.js';

/** Erases an address from one kind of data, in the caller's transaction. Returns the number of erased items. */
type Erase = (trx: Knex, applicationIds: readonly number[], address: string) => Promise<number>;

/** In the order of erasure: sessions first, because a concurrent verification creates a user. */
export const ERASED_KINDS = ['codes', 'users', 'messages', 'secondFactors'] as const;
export type Erased = Readonly<Record<(typeof ERASED_KINDS)[number], number>>;

export interface Erasure {
  readonly erased: Erased;
  /** Applications that list the address as a test recipient. An erasure does not change this setting. */
  readonly testRecipientOf: readonly Application[];
}

export type ErasureService = ReturnType<typeof createErasureService>;

const NONE: Erased = { codes: 0, users: 0, messages: 0, secondFactors: 0 };

const sum = (a: Erased, b: Erased): Erased =>
  Object.fromEntries(ERASED_KINDS.map((kind) => [kind, a[kind] + b[kind]])) as Erased;

export function createErasureService(
  erasers: Readonly<Record<keyof Erased, Erase>>,
  inTransaction: InTransaction,
  audit: AuditService,
) {
  /** The audit entry outlives the erasure, so it contains counts, but nothing about the recipient. */
  const eraseInAccount = (actor: Actor, accountId: number, applicationIds: readonly number[], address: string) =>
    inTransaction(async (trx): Promise<Erased> => {
      const erased: Record<keyof Erased, number> = { ...NONE };
      for (const kind of ERASED_KINDS) erased[kind] = await erasers[kind](trx, applicationIds, address);
      const found = ERASED_KINDS.filter((kind) => erased[kind] > 0);
      const changes = found.map((kind) => ({ name: kind, before: String(erased[kind]), after: '' }));
      const subject = address.includes('@') ? 'an email address' : 'a phone number';
      if (found.length > 0) await audit.record(trx, actor, { accountId, action: 'recipient.erase', subject, changes });
      return erased;
    });

  /**
   * Erases a recipient from these applications, in one transaction and with one audit entry per account. Email
   * addresses match case-insensitively. Returns undefined if the text is neither a phone number nor an email address.
   */
  async function erase(
    actor: Actor,
    applications: readonly Application[],
    recipient: string,
  ): Promise<Erasure | undefined> {
    requireRight(actor, 'own');
    const address = parseRecipient(recipient)?.address ?? phoneDigits(recipient);
    if (address === undefined) return undefined;
    let erased = NONE;
    for (const accountId of new Set(applications.map((application) => application.accountId))) {
      const ids = applications.filter((one) => one.accountId === accountId).map(({ id }) => id);
      erased = sum(erased, await eraseInAccount(actor, accountId, ids, address));
    }
    const isSame = (other: string) => other.toLowerCase() === address.toLowerCase();
    const testRecipientOf = applications.filter(({ settings }) => Object.keys(settings.testRecipients).some(isSame));
    return { erased, testRecipientOf };
  }

  return { erase };
}
