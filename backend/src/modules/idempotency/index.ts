/** Idempotency: a repeated request with the same Idempotency-Key gets the first reply again. */
import type { Clock } from '../../platform/clock.js';
import type { Keyring } from '../../platform/crypto.js';
import type { Database } from '../../platform/db/database.js';
import { createIdempotencyService } from './idempotency-service.js';
import { createIdempotencyStore } from './idempotency-store.js';

/** `waitMs`: normal duration of a request, in milliseconds. */
export function createIdempotency(db: Database, keyring: Keyring, clock: Clock, waitMs: number) {
  const store = createIdempotencyStore(db);
  return {
    service: createIdempotencyService(store, keyring, clock, waitMs),
    /** Ends the leases of crashed processes. */
    releaseAll: () => store.releaseAll(clock.now()),
    maintenance: [() => store.cleanUp(clock.now())],
  };
}
