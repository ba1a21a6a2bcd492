import type { Bus } from './bus.js';
import type { Clock } from './clock.js';
import type { Keyring } from './crypto.js';
import type { Database } from './db/database.js';
import type { InTransaction, Writer } from './db/transaction.js';
import type { Log } from './log.js';
import type { Queue } from './queue/queue.js';
import type { Limiter } from './rate-limit/limiter.js';

/** The parts of the platform that modules use. Each module picks those that it needs. */
export interface Base {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly db: Database;
  readonly inTransaction: InTransaction;
  readonly keyring: Keyring;
  readonly limiter: Limiter;
  readonly log: Log;
  readonly queue: Queue;
  /** URL of this server, without a trailing slash. */
  readonly url: string;
  readonly write: Writer;
}
