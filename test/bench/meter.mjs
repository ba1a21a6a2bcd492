/** Measures a server at a given number of requests in flight: its throughput, and the CPU time of every process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { usageBetween, calibrate, load1, processorSeconds, residentBytes, snapshot } from './measure.mjs';

/** Maximum wait until all messages of a run are delivered. */
const DRAIN_MS = 30_000;
const DRAIN_POLL_MS = 20;
/** A server and its database are idle if none of their processes uses more than 10 ms of CPU time in this time. */
const IDLE_CHECK_MS = 100;
/** Maximum wait until they are idle. */
const IDLE_WAIT_MS = 3000;
/**
 * Load before each run, which is not measured. While the other servers are measured, a server closes idle database
 * connections and its memory is cleaned up.
 */
const LEAD_IN_SECONDS = 0.7;
/**
 * Maximum time of a warm-up. After 20 seconds, better-auth has finished about 3000 cycles, and its CPU time no longer
 * falls after 1500.
 */
const MAX_WARM_SECONDS = 20;
/** Requests in flight and maximum number of sends during the preparation of a verify-only run. */
const PREPARE_IN_FLIGHT = 32;
const MAX_PREPARED = 60_000;

export function createMeter({ load, databases, options, databasePids }) {
  /** Last measured cycles per second, by server and number of requests in flight. */
  const rates = new Map();
  /** Acknowledged sends, by server. */
  const acknowledged = new Map();

  async function runLoad(server, order) {
    const result = await (server.run ?? load.call)({ target: server.target, ...order });
    if (order.phase !== 'verify') acknowledged.set(server.name, (acknowledged.get(server.name) ?? 0) + result.done);
    return result;
  }

  /** Waits until all acknowledged messages have reached the provider. Returns the waiting time in seconds. */
  async function drain(server) {
    if (!server.delivered) return 0;
    const started = performance.now();
    while (performance.now() - started < DRAIN_MS) {
      if ((await server.delivered()) >= acknowledged.get(server.name)) break;
      await sleep(DRAIN_POLL_MS);
    }
    return (performance.now() - started) / 1000;
  }

  /** Waits until deferred work is done, so that it counts for the server that caused it and not for the next one. */
  async function waitUntilIdle(pids) {
    const used = () => Object.values(pids).map((pid) => processorSeconds(pid) ?? 0);
    const until = performance.now() + IDLE_WAIT_MS;
    for (let before = used(); performance.now() < until;) {
      await sleep(IDLE_CHECK_MS);
      const after = used();
      if (after.every((seconds, n) => seconds - before[n] < 0.0101)) return;
      before = after;
    }
  }

  async function prepare(server, inFlight) {
    const rate = rates.get(`${server.name} ${inFlight}`) ?? rates.get(server.name) ?? 500;
    const count = Math.min(MAX_PREPARED, Math.ceil(rate * (LEAD_IN_SECONDS + options.seconds)) + inFlight);
    const { errors, firstError } = await runLoad(server, { phase: 'prepare', inFlight: PREPARE_IN_FLIGHT, count });
    if (errors > 0) throw new Error(`${server.name} failed ${errors} sends before a verify run: ${firstError}`);
    await drain(server);
  }

  return {
    /** Runs one of `turns` equal parts of the warm-up. */
    async warm(server, turns) {
      if (options.warm === 0) return;
      const inFlight = Math.max(...options.inFlight);
      const count = Math.ceil(options.warm / turns);
      const seconds = MAX_WARM_SECONDS / turns;
      const result = await runLoad(server, { phase: 'cycle', inFlight, count, seconds });
      if (result.errors > 0)
        throw new Error(`${server.name} failed ${result.errors} cycles of warm-up: ${result.firstError}`);
      rates.set(server.name, result.rate);
      await drain(server);
    },

    async measure(server, phase, inFlight) {
      if (phase === 'verify') await prepare(server, inFlight);
      const pids = { ...server.pids, ...databasePids, load: server.run ? undefined : load.pid };
      await runLoad(server, { phase, inFlight, seconds: LEAD_IN_SECONDS });
      await waitUntilIdle(pids);
      const speedBefore = calibrate();
      const before = snapshot(pids);
      const statusBefore = await databases.status();
      const result = await runLoad(server, { phase, inFlight, seconds: options.seconds });
      const drainSeconds = await drain(server);
      await waitUntilIdle(pids);
      const { cpu, ...machine } = usageBetween(before, snapshot(pids));
      const statusAfter = await databases.status();
      const speedAfter = calibrate();
      if (phase === 'cycle') rates.set(`${server.name} ${inFlight}`, result.rate);
      const per = (total) => total / result.done;
      return {
        ...result,
        drainSeconds,
        cpuMs: Object.fromEntries(Object.entries(cpu).map(([name, seconds]) => [name, per(seconds * 1000)])),
        rss: Object.fromEntries(Object.entries(server.pids).map(([name, pid]) => [name, residentBytes(pid)])),
        status: Object.fromEntries(
          Object.keys(statusAfter).map((name) => [name, per(statusAfter[name] - statusBefore[name])]),
        ),
        noise: { ...machine, speedMs: [speedBefore, speedAfter], load1: load1() },
      };
    },
  };
}
