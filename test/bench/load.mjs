/**
 * The load tool: a separate process that runs a closed loop with a fixed number of requests in flight. Controlled over
 * IPC.
 */
import { createConnection } from './http-client.mjs';
import { stepsOf } from './requests.mjs';
import { summarize } from './statistics.mjs';

/** Number of failures after which a run is stopped. */
const MAX_ERRORS = 200;

/** Sends that are not verified yet, by server. */
const prepared = new Map();

/** Calls `lane` in `inFlight` parallel loops until the time `until`, or until `lane` returns false. */
async function inParallel({ origins, inFlight, until }, lane) {
  const started = performance.now();
  const loop = async (_, n) => {
    const connection = createConnection(origins[n % origins.length]);
    while (performance.now() < until && (await lane(connection)) !== false);
    connection.close();
  };
  await Promise.all(Array.from({ length: inFlight }, loop));
  return (performance.now() - started) / 1000;
}

async function run({ target, phase, inFlight, seconds = 60, count = Infinity }) {
  const steps = stepsOf(target);
  const waiting = prepared.get(target.name) ?? [];
  prepared.set(target.name, waiting);
  const names = phase === 'cycle' ? steps.steps : phase === 'verify' ? steps.steps.slice(1) : ['send'];
  const times = Object.fromEntries(names.map((name) => [name, []]));
  const errors = [];
  let begun = 0;
  let done = 0;

  async function lane(connection) {
    if (begun >= count || errors.length >= MAX_ERRORS) return false;
    if (phase === 'verify' && waiting.length === 0) return false;
    begun++;
    let sent = phase === 'verify' ? waiting.pop() : undefined;
    for (const name of names) {
      const start = performance.now();
      try {
        const result = await steps[name](connection, sent);
        times[name].push(performance.now() - start);
        sent ??= result;
      } catch (error) {
        errors.push(`${name}: ${error.message}`);
        connection.close();
        return true;
      }
    }
    if (phase === 'prepare') waiting.push(sent);
    done++;
    return true;
  }

  const until = performance.now() + seconds * 1000;
  const elapsed = await inParallel({ origins: [target.origin].flat(), inFlight, until }, lane);
  return {
    done,
    elapsed,
    rate: done / elapsed,
    latency: Object.fromEntries(names.map((name) => [name, summarize(times[name])])),
    errors: errors.length,
    firstError: errors[0],
  };
}

process.on('message', async ({ id, ...order }) => {
  try {
    process.send({ id, result: await run(order) });
  } catch (error) {
    process.send({ id, error: error.stack });
  }
});
process.on('disconnect', () => process.exit());
process.send({ ready: true });
