/** Creates the idempotency module, which returns the first reply again for requests with the same Idempotency-Key. */
import type { Clock } from '../../platform/clock.js';
import type { Keyring } from '../../platform/crypto.js';
import type { Database } from '../../platform/db/database.js';
import { createIdempotencyService } from './idempotency-service.js';
import { createIdempotencyStore } from './idempotency-store.js';

/** `waitMs`: milliseconds after which callers should retry a request that is still in flight. */
export function createIdempotency(db: Database, keyring: Keyring, clock: Clock, waitMs: number) {
  const store = createIdempotencyStore(db);
  return {
    service: createIdempotencyService(store, keyring, clock, waitMs),
    /** Ends the leases of crashed processes. Call this only if no other process is running. */
    releaseAll: () => store.releaseAll(clock.now()),
    maintenance: [() => store.cleanUp(clock.now())],
  };
}
