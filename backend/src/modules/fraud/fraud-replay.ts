/**
 * Replays sends and verifications through the rules, with counters in memory: for the question what other settings would
 * have refused, and for the simulator.
 */
import type {
  Decision,
  FraudSend,
  GuardedApplication,
  Increment,
  KeyedBucket,
  RecipientRecord,
  ScopeState,
  Trip,
} from './fraud.js';
import { countSend, countVerification, readCounts, type Read } from './fraud-counters.js';
import { decide } from './fraud-rules.js';
import type { FraudSettings } from './fraud-settings.js';

type Row = { -readonly [Name in keyof KeyedBucket]: KeyedBucket[Name] };

/** Rows in ascending order of `start`, by dimension and size, and then by key. */
function createCounters() {
  const tables = new Map<string, Map<string, Row[]>>();
  /** The keys of the sources, by what reads of a source look for. */
  const keysOfSource = new Map<string, string[]>();

  function tableOf({ dimension, size }: Pick<Read, 'dimension' | 'size'>): Map<string, Row[]> {
    const name = `${dimension} ${size}`;
    const table = tables.get(name) ?? new Map<string, Row[]>();
    tables.set(name, table);
    return table;
  }

  function add(increment: Increment): void {
    const { dimension, key, start, sent, verified, spend } = increment;
    const table = tableOf(increment);
    const rows = table.get(key) ?? [];
    if (!table.has(key)) {
      table.set(key, rows);
      const source = key.slice(0, key.lastIndexOf(' ') + 1);
      if (dimension === 'source') keysOfSource.set(source, [...(keysOfSource.get(source) ?? []), key]);
    }
    let i = rows.length - 1;
    while (i >= 0 && rows[i]!.start > start) i--;
    const row = rows[i];
    if (row?.start !== start) return void rows.splice(i + 1, 0, { key, start, sent, verified, spend });
    row.sent += sent;
    row.verified += verified;
    row.spend += spend;
  }

  /** Also forgets the rows before `from`, because time does not go backwards. */
  function rowsSince(rows: Row[] | undefined, from: number): readonly Row[] {
    const old = rows?.findIndex(({ start }) => start >= from) ?? 0;
    if (rows && old !== 0) rows.splice(0, old === -1 ? rows.length : old);
    return rows ?? [];
  }

  function rowsOf(read: Read): readonly KeyedBucket[] {
    const table = tableOf(read);
    if (!read.startsWith) return rowsSince(table.get(read.key), read.from);
    const keys = keysOfSource.get(read.key) ?? [];
    if (keys.length === 1) return rowsSince(table.get(keys[0]!), read.from);
    return keys.flatMap((key) => rowsSince(table.get(key), read.from)).sort((a, b) => a.start - b.start);
  }

  return { add, rowsOf };
}

export interface ReplayOptions {
  readonly application: Omit<GuardedApplication, 'scopes' | 'everVerified'>;
  readonly settings: FraudSettings;
}

export interface Replay {
  /** Decides, and counts the send if it is allowed. */
  send(send: Omit<FraudSend, 'recipient'>, now: number): Decision;
  verify(send: Pick<FraudSend, 'number' | 'country'>, now: number): void;
  /** All trips so far that paused something. */
  readonly trips: readonly (Trip & { readonly at: number })[];
}

/** Time must not go backwards from call to call. */
export function createReplay({ application, settings }: ReplayOptions): Replay {
  const counters = createCounters();
  const recipients = new Map<string, RecipientRecord>();
  const scopes = new Map<string, ScopeState>();
  const trips: (Trip & { at: number })[] = [];
  let everVerified = false;

  const scopesNow = (): GuardedApplication => ({ ...application, everVerified, scopes: [...scopes.values()] });

  return {
    trips,
    send(send, now) {
      const full = { ...send, recipient: recipients.get(send.number) };
      const guarded = scopesNow();
      const decision = decide(full, readCounts(send, now, counters.rowsOf), guarded, settings, now);
      if (decision.allowed) {
        const { record, increments } = countSend(full, decision, now);
        if (record) recipients.set(send.number, record);
        increments.forEach(counters.add);
      } else if (decision.trip) {
        const { trip, state, increments } = decision.trip;
        scopes.set(`${trip.scope} ${trip.key}`, state);
        increments.forEach(counters.add);
        trips.push({ ...trip, at: now });
      }
      return decision;
    },
    verify({ number, country }, now) {
      const { record, increments } = countVerification({ number, country }, recipients.get(number), now);
      recipients.set(number, record);
      increments.forEach(counters.add);
      everVerified = true;
    },
  };
}
