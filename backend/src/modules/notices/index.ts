/** Notices for the owners of applications. The modules that find a fact store it; the `people` module sends the emails. */
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/db/database.js';
import { createNoticesStore } from './notices-store.js';

export type Notices = ReturnType<typeof createNotices>;

export function createNotices(db: Database, clock: Clock) {
  const { deleteOld, ...store } = createNoticesStore(db);
  return { ...store, maintenance: [() => deleteOld(clock.now())] };
}
