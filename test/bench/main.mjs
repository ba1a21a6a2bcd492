/**
 * Starts and warms up the servers, measures them in turn, counts SQL statements, profiles Passbell, and writes the
 * report.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabases } from './databases.mjs';
import { countStatements } from './count.mjs';
import { createMeter } from './meter.mjs';
import { readOptions, USAGE } from './options.mjs';
import { plot } from './plot.mjs';
import { profilePassbell } from './profile.mjs';
import { baselineOf, claims, comparison, report } from './report.mjs';
import { CATALOGUE } from './servers/catalogue.mjs';
import { startModule } from './servers/processes.mjs';
import { isQuiet } from './summary.mjs';

const LOAD_TOOL_PATH = fileURLToPath(new URL('load.mjs', import.meta.url));

/** Progress: a single updated line on a terminal, separate lines otherwise. */
function createProgress() {
  const started = Date.now();
  return (text) => {
    const minutes = ((Date.now() - started) / 60_000).toFixed(1);
    const line = `[${minutes} min] ${text}`;
    process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${line.slice(0, process.stderr.columns - 1)}` : `${line}\n`);
  };
}

/** Servers take turns in the warm-up too, because Node discards compiled code while a server is idle. */
const WARM_TURNS = 8;

/** Disturbed rounds are repeated, up to this many rounds for each requested one. */
const MAX_ROUNDS = 1.5;

/**
 * Returns the servers in order, starting with another one in each round. Servers take turns so that a slow minute of the
 * machine affects all of them.
 */
function startingAt(servers, round) {
  const first = round % servers.length;
  return [...servers.slice(first), ...servers.slice(0, first)];
}

async function measureAll({ servers, options, meter, progress }) {
  const points = options.inFlight.flatMap((inFlight) => options.phases.map((phase) => ({ phase, inFlight })));
  const runs = [];
  for (let turn = 1; turn <= WARM_TURNS; turn++)
    for (const server of servers) {
      progress(`warm-up ${turn} of ${WARM_TURNS}: ${server.name}`);
      await meter.warm(server, WARM_TURNS);
    }
  for (const { phase, inFlight } of points)
    for (let round = 1, quietRounds = 0; quietRounds < options.runs && round <= MAX_ROUNDS * options.runs; round++) {
      const measured = [];
      for (const server of startingAt(servers, round)) {
        progress(`round ${round}: ${server.name}, ${phase}, ${inFlight} in flight`);
        measured.push({
          server: server.name,
          phase,
          inFlight,
          round,
          ...(await meter.measure(server, phase, inFlight)),
        });
      }
      const quiet = isQuiet(measured);
      if (quiet) quietRounds++;
      runs.push(...measured.map((run) => ({ ...run, quiet })));
    }
  return runs;
}

async function runBenchmark(options, databases, progress) {
  const load = await startModule(LOAD_TOOL_PATH);
  const servers = [];
  try {
    for (const name of options.only) {
      progress(`starting ${name}`);
      servers.push({ name, ...(await CATALOGUE[name].start({ name, databases, options, progress })) });
    }
    const meter = createMeter({ load, databases, options, databasePids: await databases.pids() });
    return await measureAll({ servers, options, meter, progress });
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await load.stop();
    await databases.release();
  }
}

export async function main(args) {
  let options;
  try {
    options = readOptions(args);
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`);
    process.exit(2);
  }
  if (options.help) return console.log(USAGE);
  const baseline = JSON.parse(readFileSync(options.compare, 'utf8'));
  mkdirSync(options.out, { recursive: true });
  const progress = createProgress();
  const databases = await openDatabases(options);
  try {
    const versions = { node: process.version, ...(await databases.versions()) };
    const runs = await runBenchmark(options, databases, progress);
    const counts = options.quick ? {} : await countStatements({ options, databases, progress });
    const profile = options.profile ? await profilePassbell({ options, databases, progress }) : undefined;
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
    const results = { date: new Date().toISOString(), versions, options: publicOptions(options), runs, counts };
    const text = report(results, CATALOGUE);
    const compared = comparison(results, baseline);
    console.log([text, profile, claims(results), compared].filter(Boolean).join('\n\n'));
    writeFileSync(join(options.out, 'bench-results.json'), `${JSON.stringify(results, null, 2)}\n`);
    writeFileSync(join(options.out, 'bench-baseline.json'), `${JSON.stringify(baselineOf(results), null, 2)}\n`);
    writeFileSync(join(options.out, 'bench-results.svg'), plot(results));
    console.log(`\nWritten: ${join(options.out, 'bench-results.json')}, bench-baseline.json, bench-results.svg`);
    if (runs.some(({ errors }) => errors > 0)) {
      console.error('\nThere were failed requests: the numbers do not count.');
      process.exitCode = 1;
    }
  } finally {
    await databases.close();
  }
}

/** Returns the options without URLs, which can contain passwords. */
function publicOptions({ databaseUrl: _database, redisUrl: _redis, out: _out, ...options }) {
  return options;
}
