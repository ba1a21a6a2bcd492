/** Replays sends and verifications through the rules of the fraud guard, with counters in memory. */
import type {
  Decision,
  FraudSend,
  GuardedApplication,
  Increment,
  KeyedBucket,
  RecipientRecord,
  ScopeState,
  Trip,
} from '../../backend/src/modules/fraud/fraud.js';
import {
  countSend,
  countVerification,
  indexFrom,
  NO_RECORD,
  readCounts,
  type CounterRange,
} from '../../backend/src/modules/fraud/fraud-counters.js';
import { decideNotification } from '../../backend/src/modules/fraud/fraud-notifications.js';
import { decide } from '../../backend/src/modules/fraud/fraud-rules.js';
import type { FraudSettings } from '../../backend/src/modules/fraud/fraud-settings.js';

type Row = { -readonly [Name in keyof KeyedBucket]: KeyedBucket[Name] };

/**
 * Creates counters in memory: for each dimension and size, a map from keys to rows. A key's rows are in ascending order of
 * `start`.
 */
function createCounters() {
  const bySize = () => ({
    minute: new Map<string, Row[]>(),
    hour: new Map<string, Row[]>(),
    day: new Map<string, Row[]>(),
  });
  const tables = { prefix: bySize(), country: bySize(), source: bySize(), application: bySize() };
  /** The counter keys of each source, by the key prefix that reads use. */
  const keysOfSource = {
    minute: new Map<string, string[]>(),
    hour: new Map<string, string[]>(),
    day: new Map<string, string[]>(),
  };

  function add(increment: Increment): void {
    const { dimension, key, size, start, sent, verified, spend } = increment;
    const table = tables[dimension][size];
    const rows = table.get(key) ?? [];
    if (!table.has(key)) {
      table.set(key, rows);
      const source = key.slice(0, key.lastIndexOf(' ') + 1);
      const keys = keysOfSource[size];
      if (dimension === 'source') keys.set(source, [...(keys.get(source) ?? []), key]);
    }
    let i = rows.length - 1;
    while (i >= 0 && rows[i]!.start > start) i--;
    const row = rows[i];
    if (row?.start !== start) return void rows.splice(i + 1, 0, { key, start, sent, verified, spend });
    row.sent += sent;
    row.verified += verified;
    row.spend += spend;
  }

  /** Returns the rows since `from`. Removes older rows, because time does not go backwards. */
  function rowsSince(rows: Row[] | undefined, from: number): readonly Row[] {
    if (rows && rows.length > 0 && rows[0]!.start < from) rows.splice(0, indexFrom(rows, from));
    return rows ?? [];
  }

  function rowsOf(read: CounterRange): readonly KeyedBucket[] {
    const table = tables[read.dimension][read.size];
    if (!read.startsWith) return rowsSince(table.get(read.key), read.from);
    const lists = (keysOfSource[read.size].get(read.key) ?? []).map((key) => rowsSince(table.get(key), read.from));
    const filled = lists.filter((rows) => rows.length > 0);
    return filled.length <= 1 ? (filled[0] ?? []) : filled.flat().sort((a, b) => a.start - b.start);
  }

  return { add, rowsOf };
}

export interface ReplayOptions {
  readonly application: Omit<GuardedApplication, 'scopes' | 'everVerified'>;
  readonly settings: FraudSettings;
  /** Counts that precede the first send. */
  readonly history?: readonly Increment[];
}

export interface Replay {
  /** Decides whether to allow a send, and counts the send if it is allowed. */
  send(send: Omit<FraudSend, 'recipient'>, now: number, kind?: 'code' | 'notification'): Decision;
  /** Records that the recipient was verified before the first send, or by a message that is not replayed. */
  recall(number: string, verifiedAt: number): void;
  verify(send: Pick<FraudSend, 'number' | 'country'>, now: number): void;
  /** All trips so far that paused a scope. */
  readonly trips: readonly (Trip & { readonly at: number })[];
}

/** Creates a replay. The time must not go backwards from one call to the next. */
export function createReplay({ application, settings, history = [] }: ReplayOptions): Replay {
  const counters = createCounters();
  history.forEach(counters.add);
  const recipients = new Map<string, RecipientRecord>();
  const scopes = new Map<string, ScopeState>();
  const trips: (Trip & { at: number })[] = [];
  let everVerified = history.some(({ verified }) => verified > 0);

  const scopesNow = (): GuardedApplication => ({ ...application, everVerified, scopes: [...scopes.values()] });

  return {
    trips,
    send(send, now, kind = 'code') {
      const decideOn = kind === 'code' ? decide : decideNotification;
      const full = { ...send, recipient: recipients.get(send.number) };
      const guarded = scopesNow();
      const decision = decideOn(full, readCounts(send, now, counters.rowsOf), guarded, settings, now);
      if (decision.allowed) {
        const { record, increments } = countSend(full, decision, now);
        if (record) recipients.set(send.number, record);
        increments.forEach(counters.add);
      } else {
        if (decision.mark) counters.add(decision.mark);
        if (!decision.trip) return decision;
        const { trip, state, increments } = decision.trip;
        scopes.set(`${trip.scope} ${trip.key}`, state);
        increments.forEach(counters.add);
        trips.push({ ...trip, at: now });
      }
      return decision;
    },
    recall(number, verifiedAt) {
      const known = recipients.get(number) ?? NO_RECORD;
      recipients.set(number, { ...known, verifiedAt: Math.max(verifiedAt, known.verifiedAt ?? 0) });
    },
    verify({ number, country }, now) {
      const { record, increments } = countVerification({ number, country }, recipients.get(number), now);
      recipients.set(number, record);
      increments.forEach(counters.add);
      everVerified = true;
    },
  };
}
