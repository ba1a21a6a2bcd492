/** Combines runs that measured the same server with the same number of requests in flight. */
import { median, medianInterval, spread } from './statistics.mjs';

/** In a quiet round, other processes and the host of a virtual machine take at most this many cores from each run. */
const MAX_TAKEN_CORES = 0.2;

export const isQuiet = (runs) =>
  runs.every(({ noise }) => (noise.othersCores ?? 0) + (noise.stolenCores ?? 0) <= MAX_TAKEN_CORES);

/** Returns the runs in quiet rounds, or all runs if more than half of the requested rounds were disturbed. */
export function runsAt({ runs, options }, server, phase, inFlight) {
  const all = runs.filter((run) => run.server === server && run.phase === phase && run.inFlight === inFlight);
  const quiet = all.filter((run) => run.quiet);
  return quiet.length >= options.runs / 2 ? quiet : all;
}

/** Processes of a server under test, without the fake provider and the load tool. */
const OWN_PROCESSES = ['server', 'worker', 'database', 'redis'];

/** CPU time of an operation in all processes, in milliseconds. */
const cpuTotalOf = ({ cpuMs }) => OWN_PROCESSES.reduce((sum, name) => sum + (cpuMs[name] ?? 0), 0);

/**
 * The CPU time of a server divided by that of another server, as the median with its interval. Divides runs of the same
 * round, which were measured within seconds.
 */
export function cpuRatio(results, server, other, phase, inFlight) {
  const others = runsAt(results, other, phase, inFlight);
  const ratios = runsAt(results, server, phase, inFlight).map((run, n) => cpuTotalOf(run) / cpuTotalOf(others[n]));
  return medianInterval(ratios);
}

/**
 * Combines the runs of a server with this phase and number of requests in flight. Returns undefined if there are none.
 */
export function pointOf(results, server, phase, inFlight) {
  const runs = runsAt(results, server, phase, inFlight);
  if (runs.length === 0) return undefined;
  const steps = Object.keys(runs[0].latency);
  const cpu = Object.fromEntries(
    Object.keys(runs[0].cpuMs).map((name) => [name, median(runs.map((r) => r.cpuMs[name]))]),
  );
  return {
    rate: spread(runs.map((run) => run.rate)),
    cpu,
    cpuTotal: spread(runs.map(cpuTotalOf)),
    cpuServer: spread(runs.map((run) => run.cpuMs.server)),
    latency: Object.fromEntries(
      steps.map((step) => [
        step,
        Object.fromEntries(['p50', 'p95', 'p99'].map((p) => [p, median(runs.map((run) => run.latency[step][p]))])),
      ]),
    ),
    rss: Object.fromEntries(Object.keys(runs[0].rss).map((name) => [name, median(runs.map((run) => run.rss[name]))])),
    status: Object.fromEntries(
      Object.keys(runs[0].status).map((name) => [name, median(runs.map((run) => run.status[name]))]),
    ),
    drain: median(runs.map((run) => run.drainSeconds)),
    errors: runs.reduce((sum, run) => sum + run.errors, 0),
    firstError: runs.find((run) => run.firstError)?.firstError,
  };
}

/** The number of concurrent requests at which the performance targets are checked: the highest number measured. */
export const claimLevel = ({ options }) => Math.max(...options.inFlight);

/** Speed and load of the machine during the runs. */
export function noiseOf({ runs, options }) {
  // Each server has one run in each round.
  const rounds = runs.filter(({ server }) => server === options.only[0]);
  const of = (pick) => spread(runs.flatMap(({ noise }) => pick(noise)));
  const speed = of(({ speedMs }) => speedMs);
  return {
    speed: speed && { ...speed, slowest: speed.max / speed.min },
    others: of(({ othersCores }) => othersCores ?? NaN),
    stolen: of(({ stolenCores }) => stolenCores ?? NaN),
    load1: of(({ load1 }) => load1),
    rounds: rounds.length,
    quietRounds: rounds.filter(({ quiet }) => quiet).length,
  };
}
