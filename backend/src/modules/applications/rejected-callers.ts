/**
 * Records callers rejected by allow-lists, for the people who edit the lists. Anyone can call at any rate, so calls are
 * counted in memory and written every few seconds, and the numbers of callers in memory and in the table are limited.
 */
import { DAY, type Clock } from '../../platform/clock.js';
import type { RequestSource } from './allow-list.js';
import { callerOf, excessCallers, OTHER_CALLERS, type RejectedCaller, type RejectedVia } from './rejected-caller.js';
import type { RejectedCallersStore } from './rejected-callers-store.js';

/** Maximum size of `pending`. When it is full, calls to further applications are not counted until the next write. */
const MAX_PENDING = 200;
/** How long rejected callers are stored: long enough to include the calls of a weekly job. */
export const REJECTED_CALLER_DAYS = 8;

export type RejectedCallers = ReturnType<typeof createRejectedCallers>;

interface PendingCalls {
  readonly applicationId: number;
  readonly via: RejectedVia;
  readonly callers: Map<string, RejectedCaller>;
}

function add(callers: Map<string, RejectedCaller>, added: RejectedCaller): void {
  const before = callers.get(added.caller);
  const [times, firstAt] = before ? [before.times + added.times, before.firstAt] : [added.times, added.firstAt];
  callers.set(added.caller, { ...added, times, firstAt });
}

export function createRejectedCallers(store: RejectedCallersStore, clock: Clock) {
  let pending = new Map<string, PendingCalls>();
  let writing = Promise.resolve();

  function pendingOf(applicationId: number, via: RejectedVia, now: number): PendingCalls | undefined {
    const key = `${applicationId} ${via}`;
    if (!pending.has(key) && pending.size < MAX_PENDING) {
      const others = { via, caller: OTHER_CALLERS, address: '', times: 0, firstAt: now, lastAt: now };
      pending.set(key, { applicationId, via, callers: new Map([[OTHER_CALLERS, others]]) });
    }
    return pending.get(key);
  }

  /** Counts a rejected call in memory, because a database write would delay the reply. */
  function record(applicationId: number, via: RejectedVia, source: RequestSource): void {
    const now = clock.now();
    const callers = pendingOf(applicationId, via, now)?.callers;
    if (!callers) return;
    add(callers, { via, ...callerOf(via, source), times: 1, firstAt: now, lastAt: now });
    const named = [...callers.values()].filter(({ caller }) => caller !== OTHER_CALLERS);
    for (const { caller, times } of excessCallers(named)) {
      callers.delete(caller);
      add(callers, { ...callers.get(OTHER_CALLERS)!, times, lastAt: now });
    }
  }

  async function writePending(): Promise<void> {
    const all = [...pending.values()];
    pending = new Map();
    for (const { applicationId, via, callers } of all) await store.add(applicationId, via, [...callers.values()]);
  }

  /** Writes the pending counts to the database, after any write in progress. */
  const write = (): Promise<void> => (writing = writing.catch(() => {}).then(writePending));

  /** Lists recently rejected callers, newest first. Includes the counts of other processes up to their last write. */
  async function list(applicationId: number): Promise<RejectedCaller[]> {
    await write();
    return store.list(applicationId);
  }

  const cleanUp = (): Promise<void> => store.cleanUp(clock.now() - REJECTED_CALLER_DAYS * DAY);

  return { record, write, list, cleanUp };
}
