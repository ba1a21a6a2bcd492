/** Counts the SQL statements and round trips of each send and each verify, on separate servers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CATALOGUE } from './servers/catalogue.mjs';
import { startModule } from './servers/processes.mjs';
import { startCounter } from './sql-count.mjs';
import { claimLevel } from './summary.mjs';

/** Number of counted operations. High enough that periodic work of the processes is negligible. */
const OPERATIONS = 1000;
/** Time allowed for work that continues after a reply, such as storing an outcome. */
const SETTLE_MS = 500;

async function countOn(name, context) {
  const inFlight = claimLevel(context);
  const counters = [];
  const count = async (url) => {
    counters.push(await startCounter(url), await startCounter(url));
    return counters.map((counter) => counter.url);
  };
  const load = await startModule(fileURLToPath(new URL('load.mjs', import.meta.url)));
  const server = await CATALOGUE[name].start({ ...context, name: `${name}-count`, count });
  const target = { ...server.target, name };
  try {
    await load.call({ target, phase: 'cycle', inFlight, seconds: 30, count: OPERATIONS });
    const countsByOperation = {};
    for (const phase of ['prepare', 'verify']) {
      await sleep(SETTLE_MS);
      for (const counter of counters) counter.reset();
      const { done, errors, firstError } = await load.call({ target, phase, inFlight, count: OPERATIONS });
      if (errors > 0) throw new Error(`${name} failed while its statements were counted: ${firstError}`);
      await sleep(SETTLE_MS);
      const [api, worker] = counters.map((counter) => counter.per(done));
      countsByOperation[phase === 'prepare' ? 'send' : 'verify'] = server.pids.worker ? { api, worker } : { api };
    }
    return countsByOperation;
  } finally {
    await server.stop();
    await load.stop();
    for (const counter of counters) await counter.close();
    await context.databases.release();
  }
}

export async function countStatements({ options, databases, progress }) {
  const counts = {};
  for (const name of options.only.filter((name) => CATALOGUE[name].counted)) {
    progress(`counting the statements of ${name}`);
    counts[name] = await countOn(name, { databases, options, progress });
  }
  return counts;
}
