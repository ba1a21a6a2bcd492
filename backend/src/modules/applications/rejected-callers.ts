/**
 * Remembers who was refused by the allow-lists, for the people who have to mend them. Anybody can be refused as often as
 * they like: noting one is a few words in memory, what is noted is written now and then, and both are bounded.
 */
import { DAY, type Clock } from '../../platform/clock.js';
import { REFUSED_APPLICATIONS, REFUSED_DAYS } from '../../platform/limits.js';
import type { Caller } from './allow-list.js';
import { nameOf, OTHERS, tooMany, type RefusedCaller, type RefusedVia } from './rejected-caller.js';
import type { RefusalsStore } from './rejected-callers-store.js';

export type Refusals = ReturnType<typeof createRefusals>;

/** What one way into one application has refused since the last write. */
interface Noted {
  readonly applicationId: number;
  readonly via: RefusedVia;
  readonly callers: Map<string, RefusedCaller>;
}

function add(callers: Map<string, RefusedCaller>, one: RefusedCaller): void {
  const before = callers.get(one.caller);
  const [times, firstAt] = before ? [before.times + one.times, before.firstAt] : [one.times, one.firstAt];
  callers.set(one.caller, { ...one, times, firstAt });
}

export function createRefusals({ store, clock }: { store: RefusalsStore; clock: Clock }) {
  let noted = new Map<string, Noted>();

  /** Undefined while too many other applications wait to be written. */
  function notesOf(applicationId: number, via: RefusedVia, now: number): Noted | undefined {
    const key = `${applicationId} ${via}`;
    if (!noted.has(key) && noted.size < REFUSED_APPLICATIONS) {
      const others = { via, caller: OTHERS, address: '', times: 0, firstAt: now, lastAt: now };
      noted.set(key, { applicationId, via, callers: new Map([[OTHERS, others]]) });
    }
    return noted.get(key);
  }

  async function write(): Promise<void> {
    const all = [...noted.values()];
    noted = new Map();
    for (const { applicationId, via, callers } of all) await store.add(applicationId, via, [...callers.values()]);
  }

  return {
    /** Notes a refused call; it takes no time that its caller could see. */
    note(applicationId: number, via: RefusedVia, caller: Caller): void {
      const now = clock.now();
      const callers = notesOf(applicationId, via, now)?.callers;
      if (!callers) return;
      add(callers, { via, ...nameOf(via, caller), times: 1, firstAt: now, lastAt: now });
      for (const { caller, times } of tooMany([...callers.values()].filter((one) => one.caller !== OTHERS))) {
        callers.delete(caller);
        add(callers, { ...callers.get(OTHERS)!, times, lastAt: now });
      }
    },

    /** Stores what was noted. */
    write,

    /** Who was refused in the last days, the last one first. What other processes refused comes with their next write. */
    async list(applicationId: number): Promise<RefusedCaller[]> {
      await write();
      return store.list(applicationId);
    },

    cleanUp: (): Promise<void> => store.cleanUp(clock.now() - REFUSED_DAYS * DAY),
  };
}
