import type { Database } from './database.js';
import { retryConflicts } from './transaction.js';

/**
 * Returns a function that checks that the database accepts writes. A database that has become read-only still replies to
 * queries. Calls share the check in progress, so that callers of `/health/ready` cannot cause many writes.
 */
export function createWriteCheck(db: Database, now: () => number): () => Promise<unknown> {
  let running: Promise<unknown> | undefined;
  const write = () => retryConflicts(async () => db('write_checks').where({ id: 1 }).update({ checked_at: now() }));
  return () => (running ??= write().finally(() => (running = undefined)));
}
