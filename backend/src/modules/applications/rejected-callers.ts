/**
 * Records callers rejected by allow-lists, for the maintainers of the lists. Anyone can call at any rate, so calls are
 * counted in memory and written every few seconds. The memory and the table are both bounded.
 */
import { DAY, type Clock } from '../../platform/clock.js';
import type { RequestSource } from './allow-list.js';
import { callerOf, excessCallers, OTHER_CALLERS, type RejectedCaller, type RejectedVia } from './rejected-caller.js';
import type { RejectedCallersStore } from './rejected-callers-store.js';

/** Maximum number of applications in memory. Calls to further applications are not recorded until the next write. */
const MAX_PENDING = 200;
/** Long enough to show a weekly job at least once. */
export const REJECTED_CALLER_DAYS = 8;

export type RejectedCallers = ReturnType<typeof createRejectedCallers>;

interface Pending {
  readonly applicationId: number;
  readonly via: RejectedVia;
  readonly callers: Map<string, RejectedCaller>;
}

function add(callers: Map<string, RejectedCaller>, one: RejectedCaller): void {
  const before = callers.get(one.caller);
  const [times, firstAt] = before ? [before.times + one.times, before.firstAt] : [one.times, one.firstAt];
  callers.set(one.caller, { ...one, times, firstAt });
}

export function createRejectedCallers(store: RejectedCallersStore, clock: Clock) {
  let pending = new Map<string, Pending>();
  let writing = Promise.resolve();

  function pendingOf(applicationId: number, via: RejectedVia, now: number): Pending | undefined {
    const key = `${applicationId} ${via}`;
    if (!pending.has(key) && pending.size < MAX_PENDING) {
      const others = { via, caller: OTHER_CALLERS, address: '', times: 0, firstAt: now, lastAt: now };
      pending.set(key, { applicationId, via, callers: new Map([[OTHER_CALLERS, others]]) });
    }
    return pending.get(key);
  }

  /** Counts a rejected call in memory, so that the reply is not delayed. */
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

  /** Waits for a write in progress first, so that {@link list} never returns partial counts. */
  const write = (): Promise<void> => (writing = writing.catch(() => {}).then(writePending));

  /** Recently rejected callers, latest first. Counts of other processes appear after their next write. */
  async function list(applicationId: number): Promise<RejectedCaller[]> {
    await write();
    return store.list(applicationId);
  }

  const cleanUp = (): Promise<void> => store.cleanUp(clock.now() - REJECTED_CALLER_DAYS * DAY);

  return { record, write, list, cleanUp };
}
