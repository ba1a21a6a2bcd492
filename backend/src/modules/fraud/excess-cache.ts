/**
 * Caches the excesses that this process has read, and adds its own counts at once, so that parallel sends see each other.
 * Counts of other processes appear when the excesses are read again, every few seconds.
 */
import { MINUTE } from '../../platform/clock.js';
import { changeExcess } from './gauges.js';
import { scopeName, type ApplicationScope } from './excesses-store.js';
import type { Charge, Excess, ScopeRef } from './fraud.js';

/** All entries become stale at multiples of this interval, so that one query can refresh them together. */
const FRESH_MS = 2000;
/** Most prefixes and addresses are used only once. Above this number, entries that are not used any more are removed. */
const MAX_ENTRIES = 20_000;
const UNUSED_MS = MINUTE;

/** An own count, kept until a read from the database contains it. */
interface Addition {
  readonly charge: Charge;
  /** The number of the last read that started before the addition was stored; undefined until it is stored. */
  storedAfterRead: number | undefined;
}

interface Entry {
  readonly scope: ApplicationScope;
  value: Excess | undefined;
  readonly additions: Set<Addition>;
  freshUntil: number;
}

export interface PendingAdditions {
  /** Call this when the transaction that writes the additions has been committed. */
  stored(): void;
  /** Removes the additions, because they will not be stored. */
  undo(): void;
}

const changed = (value: Excess | undefined, { change, perHour, at }: Charge): Excess =>
  changeExcess(value, change, perHour, at);

const reversed = ({ change, ...charge }: Charge): Charge => ({
  ...charge,
  change: { excess: -change.excess, sent: -change.sent, verified: -change.verified },
});

export const reversedCharges = (charges: readonly Charge[]): Charge[] => charges.map(reversed);

export type ExcessCache = ReturnType<typeof createExcessCache>;

export function createExcessCache() {
  const entries = new Map<string, Entry>();
  let reads = 0;
  let cleanedAt = 0;

  function entryOf(applicationId: number, ref: ScopeRef): Entry {
    const id = `${applicationId} ${scopeName(ref)}`;
    const known = entries.get(id);
    if (known) return known;
    const scope = { applicationId, scope: ref.scope, key: ref.key };
    const entry: Entry = { scope, value: undefined, additions: new Set(), freshUntil: 0 };
    entries.set(id, entry);
    return entry;
  }

  function removeUnused(now: number): void {
    if (entries.size <= MAX_ENTRIES || now < cleanedAt + UNUSED_MS) return;
    cleanedAt = now;
    for (const [id, { freshUntil, additions }] of entries)
      if (freshUntil <= now - UNUSED_MS && [...additions].every(({ storedAfterRead }) => storedAfterRead !== undefined))
        entries.delete(id);
  }

  return {
    get: (applicationId: number, ref: ScopeRef): Excess | undefined => entryOf(applicationId, ref).value,

    async refresh(
      scopes: readonly ApplicationScope[],
      now: number,
      read: (scopes: readonly ApplicationScope[]) => Promise<ReadonlyMap<string, Excess>>,
    ): Promise<void> {
      const all = new Set(scopes.map((scope) => entryOf(scope.applicationId, scope)));
      const stale = [...all].filter(({ freshUntil }) => freshUntil <= now);
      if (stale.length === 0) return;
      const readNumber = ++reads;
      const found = await read(stale.map(({ scope }) => scope));
      for (const entry of stale) {
        entry.value = found.get(`${entry.scope.applicationId} ${scopeName(entry.scope)}`);
        entry.freshUntil = (Math.floor(now / FRESH_MS) + 1) * FRESH_MS;
        for (const addition of entry.additions)
          if ((addition.storedAfterRead ?? Infinity) < readNumber) entry.additions.delete(addition);
          else entry.value = changed(entry.value, addition.charge);
      }
      removeUnused(now);
    },

    add(applicationId: number, charges: readonly Charge[]): PendingAdditions {
      const added = charges.map((charge) => {
        const entry = entryOf(applicationId, charge);
        const addition: Addition = { charge, storedAfterRead: undefined };
        entry.additions.add(addition);
        entry.value = changed(entry.value, charge);
        return { entry, addition };
      });
      return {
        stored() {
          for (const { addition } of added) addition.storedAfterRead = reads;
        },
        undo() {
          for (const { entry, addition } of added)
            if (entry.additions.delete(addition)) entry.value = changed(entry.value, reversed(addition.charge));
        },
      };
    },

    /** Forgets the application's excesses, which another process or a person has changed. */
    forget(applicationId: number): void {
      for (const entry of entries.values()) if (entry.scope.applicationId === applicationId) entry.freshUntil = 0;
    },
  };
}
