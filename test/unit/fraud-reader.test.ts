/** The fraud guard's cached data: two readers of one database stand for two processes. */
import { createExcessCache } from '../../backend/src/modules/fraud/excess-cache.js';
import { createExcessesStore } from '../../backend/src/modules/fraud/excesses-store.js';
import { ONE_RECIPIENT } from '../../backend/src/modules/fraud/gauges.js';
import { createFraudReader } from '../../backend/src/modules/fraud/fraud-reader.js';
import { createFraudScopesStore } from '../../backend/src/modules/fraud/fraud-scopes-store.js';
import { isPaused, pauseByRule } from '../../backend/src/modules/fraud/pause-state.js';
import { createRecipientsStore } from '../../backend/src/modules/fraud/recipients-store.js';
import { SECOND } from '../../backend/src/platform/clock.js';
import { createLog } from '../../backend/src/platform/log.js';
import { createTestClock } from '../support/clock.js';
import { setUpSqlite } from '../support/sqlite-database.js';

const database = setUpSqlite();
const PREFIX = { scope: 'prefix', key: '+1415555' } as const;
const SEND = { number: '+14155551110', country: 'US', address: undefined };
const OTHER = { number: '+330670000012', country: 'FR', address: undefined };

function createProcess(clock = createTestClock()) {
  const db = database();
  const excesses = createExcessesStore(db);
  const scopesStore = createFraudScopesStore(db);
  const recipients = createRecipientsStore(db);
  const cache = createExcessCache();
  const log = createLog('silent');
  const reader = createFraudReader({ db, excesses, recipients, scopesStore, cache, clock, log });
  return { clock, cache, reader, scopesStore, excesses };
}

/** Pauses the prefix, and lowers its excess, as a rule does. */
function pause({ scopesStore, clock }: ReturnType<typeof createProcess>, applicationId: number) {
  const now = clock.now();
  const evidence = { from: now, sent: 1, verified: 0 };
  const state = pauseByRule(undefined, { ...PREFIX, rule: 'prefix', evidence, isInUse: false }, now);
  const change = { excess: -8, sent: -10, verified: 0 };
  const charges = [{ ...PREFIX, change, perHour: 0, at: state.pausedUntil! }];
  return scopesStore.trip(applicationId, { state, charges }, 0, now, async () => undefined);
}

it('knows the pause of another process as soon as it knows the lower excess', async () => {
  const applicationId = 1;
  const one = createProcess();
  const other = createProcess(one.clock);
  const charges = Array.from({ length: 10 }, () => ({
    ...PREFIX,
    change: ONE_RECIPIENT,
    perHour: 1,
    at: one.clock.now(),
  }));
  await one.excesses.add({ applicationId, charges });
  expect((await other.reader.read(applicationId, SEND, [])).excessOf(PREFIX)).toMatchObject({ excess: 10 });
  one.clock.advance(1.5 * SECOND);
  // Reads the states of the application again, but not the excess of the prefix.
  await other.reader.read(applicationId, OTHER, []);
  expect(await pause(one, applicationId)).toBe(true);
  one.clock.advance(0.5 * SECOND);
  const known = await other.reader.read(applicationId, SEND, []);
  expect(known.excessOf(PREFIX)).toMatchObject({ excess: 2 });
  expect(isPaused(known.stateOf(PREFIX), one.clock.now())).toBe(true);
});

it('lets sends in progress use what is cached when it is told to read again', async () => {
  const applicationId = 2;
  const process = createProcess();
  const { clock, reader, excesses } = process;
  const day = { country: 'US', day: clock.now(), sent: 10, verified: 7 };
  await excesses.add({ applicationId, charges: [], day });
  await pause(process, applicationId);
  const known = await reader.read(applicationId, SEND, []);
  reader.forget(applicationId);
  expect(known.days).toHaveLength(1);
  expect(reader.cachedOf(applicationId).days).toHaveLength(1);
  expect(isPaused(known.stateOf(PREFIX), clock.now())).toBe(true);
});

it('stores a pause once when two processes detect it', async () => {
  const one = createProcess();
  const other = createProcess(one.clock);
  const reports: number[] = [];
  const trips = [one, other].map(async (process, n) => (await pause(process, 3)) && reports.push(n));
  await Promise.all(trips);
  expect(reports).toHaveLength(1);
});
