/** Who changed what, and when: kept for good, never with a secret or a code in it. */
import type { Clock } from '../../platform/clock.js';
import type { AuditEntry, AuditStore, Change } from './audit-store.js';

export type { AuditEntry, Change };
export type AuditService = ReturnType<typeof createAuditService>;

/** Longest value that an entry keeps, in characters: what changed is to be read, not stored a second time. */
const VALUE_LENGTH = 500;

/** A value as people read it. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > VALUE_LENGTH ? `${text.slice(0, VALUE_LENGTH - 1)}…` : text;
}

/** What differs between two records, by their names. */
export function changesBetween(before: object, after: object): Change[] {
  const old = before as Record<string, unknown>;
  return Object.entries(after)
    .map(([name, value]) => ({ name, before: textOf(old[name]), after: textOf(value) }))
    .filter((change) => change.before !== change.after);
}

export function createAuditService({ store, clock }: { store: AuditStore; clock: Clock }) {
  return {
    record: (
      by: { readonly accountId: number; readonly email: string },
      entry: { readonly action: string; readonly subject: string; readonly changes?: readonly Change[] },
    ): Promise<void> =>
      store.insert({
        accountId: by.accountId,
        actor: by.email,
        action: entry.action,
        subject: entry.subject.slice(0, 320),
        changes: entry.changes ?? [],
        createdAt: clock.now(),
      }),

    list: (accountId: number, page: { before?: number | undefined; limit: number }): Promise<AuditEntry[]> =>
      store.list(accountId, page),
  };
}
