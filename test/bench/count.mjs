/** Statements and round trips of a send and of a verify, counted on instances of their own. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CATALOGUE } from './servers/catalogue.mjs';
import { startModule } from './servers/processes.mjs';
import { startCounter } from './sql-count.mjs';
import { claimLevel } from './summary.mjs';

/** Enough that what a process does by itself once a second hardly shows. */
const OPERATIONS = 1000;
/** What is done after a reply, such as storing an outcome, ends within this time. */
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
    await load.order({ target, phase: 'cycle', inFlight, seconds: 30, count: OPERATIONS });
    const counted = {};
    for (const phase of ['prepare', 'verify']) {
      await sleep(SETTLE_MS);
      for (const counter of counters) counter.reset();
      const { done, errors, firstError } = await load.order({ target, phase, inFlight, count: OPERATIONS });
      if (errors > 0) throw new Error(`${name} failed while its statements were counted: ${firstError}`);
      await sleep(SETTLE_MS);
      const [api, worker] = counters.map((counter) => counter.per(done));
      counted[phase === 'prepare' ? 'send' : 'verify'] = server.pids.worker ? { api, worker } : { api };
    }
    return counted;
  } finally {
    await server.stop();
    await load.stop();
    for (const counter of counters) await counter.close();
    await context.databases.release();
  }
}

export async function countStatements({ options, databases, say }) {
  const counts = {};
  for (const name of options.only.filter((it) => CATALOGUE[it].counted)) {
    say(`counting the statements of ${name}`);
    counts[name] = await countOn(name, { databases, options, say });
  }
  return counts;
}
