/** Formats the results as text. */
import { claimLevel, cpuRatio, noiseOf, pointOf } from './summary.mjs';

const TITLES = {
  cycle: 'full cycles (send, verify, token)',
  send: 'sends only',
  verify: 'verifies only (with the token)',
};
/** SQL statements with fewer executions per operation belong to periodic work, and are omitted. */
const MIN_EXECUTIONS = 0.05;
const MAX_SQL_LENGTH = 110;

const fixed = (value, digits) => (Number.isFinite(value) ? value.toFixed(digits) : '–');
const rate = (value) => fixed(value, value < 100 ? 1 : 0);

/** Aligns the first column to the left, and all other columns to the right. */
function alignColumns(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  const pad = (cell, column) => (column === 0 ? String(cell).padEnd(widths[0]) : String(cell).padStart(widths[column]));
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}

function latencyCell(point) {
  const cell = ({ p50, p95, p99 }) => [p50, p95, p99].map((ms) => fixed(ms, ms < 10 ? 1 : 0)).join('/');
  return Object.values(point.latency).map(cell).join('  ');
}

const CPU = ['server', 'worker', 'database', 'redis', 'provider', 'load'];

function table(results, phase, inFlight) {
  const { only } = results.options;
  const points = only.map((name) => [name, pointOf(results, name, phase, inFlight)]).filter(([, point]) => point);
  const head = [
    'server',
    '/s',
    'min–max',
    'p50/p95/p99 ms of each request',
    'all ms',
    ...CPU.map((it) => `${it} ms`),
    'MB',
    'errors',
  ];
  const rows = points.map(([name, point]) => [
    name,
    rate(point.rate.median),
    `${rate(point.rate.min)}–${rate(point.rate.max)}`,
    latencyCell(point),
    fixed(point.cpuTotal.median, 3),
    ...CPU.map((it) => (point.cpu[it] === undefined ? '–' : fixed(point.cpu[it], 3))),
    fixed(point.rss.server / 2 ** 20, 0),
    point.errors,
  ]);
  const failed = points
    .filter(([, point]) => point.errors > 0)
    .map(([name, point]) => `  ${name}: ${point.errors} failed, such as: ${point.firstError}`);
  return [`${TITLES[phase]}, ${inFlight} in flight`, alignColumns([head, ...rows]), ...failed].join('\n');
}

function countsOf(name, counted) {
  return Object.entries(counted).flatMap(([operation, processes]) =>
    Object.entries(processes).flatMap(([process, { roundTrips, statements, texts }]) => [
      `  ${name}, a ${operation}, ${process}: ${fixed(roundTrips, 1)} round trips, ${fixed(statements, 1)} statements`,
      ...texts
        .filter(({ times }) => times >= MIN_EXECUTIONS)
        .map(
          ({ sql, times }) =>
            `      ${fixed(times, 2)}  ${sql.length > MAX_SQL_LENGTH ? `${sql.slice(0, MAX_SQL_LENGTH)}…` : sql}`,
        ),
    ]),
  );
}

function counts({ counts: counted }) {
  if (Object.keys(counted).length === 0) return [];
  return ['Counted on the wire:', ...Object.entries(counted).flatMap(([name, it]) => countsOf(name, it)), ''];
}

function noise(results) {
  const { speed, others, stolen, load1, rounds, quietRounds } = noiseOf(results);
  if (!speed) return '';
  const range = (values) =>
    values ? `${fixed(values.median, 2)} (${fixed(values.min, 2)}–${fixed(values.max, 2)})` : 'unknown';
  return [
    `The machine meanwhile: a fixed calculation took ${fixed(speed.median, 1)} ms (${fixed(speed.min, 1)}–${fixed(speed.max, 1)}),`,
    `other processes used ${range(others)} cores, the host kept back ${range(stolen)}, load average ${range(load1)}.`,
    `${quietRounds} of ${rounds} rounds were quiet${quietRounds < rounds ? '; figures leave out the others if enough rounds were quiet' : ''}.`,
  ].join(' ');
}

export function report(results, catalogue) {
  const { options, versions } = results;
  return [
    `Node ${versions.node}, ${versions.database} (innodb_flush_log_at_trx_commit=${versions.flush}), Redis ${versions.redis}`,
    `${options.runs} × ${options.seconds} s a point, the servers in turn; median. Deferred work counts for the server that caused it. CPU time is a full operation's, in milliseconds; "all" is server, worker, database and Redis.`,
    'Passbell: SMS to a fresh number with a code of the caller, delivered to a local stand-in for Twilio that takes it at',
    `once. better-auth: a code by ${options.betterAuthBy}, delivery a no-op.`,
    ...options.only.map((name) => `  ${name.padEnd(25)} ${catalogue[name].about}`),
    '',
    ...options.phases.flatMap((phase) => options.inFlight.flatMap((inFlight) => [table(results, phase, inFlight), ''])),
    ...counts(results),
    noise(results),
  ].join('\n');
}

const CPU_AIMS = {
  'better-auth-cookie': 'aim: at most 0.15',
  'better-auth-redis-cookie': 'aim: at most 0.28',
};

function cpuClaims(results, inFlight) {
  const { only } = results.options;
  const own = ['passbell', 'passbell-all', 'passbell-embedded'].filter((name) => only.includes(name));
  const others = only.filter((name) => name.startsWith('better-auth') || name === 'express');
  return own.flatMap((name) =>
    others.map((other) => {
      const { median, low, high } = cpuRatio(results, name, other, 'cycle', inFlight);
      const aim = CPU_AIMS[other] ? ` (${CPU_AIMS[other]})` : '';
      return `CPU time a cycle, all processes: ${name} ${fixed(median, 2)} of ${other}, 95% interval ${fixed(low, 2)}–${fixed(high, 2)}${aim}`;
    }),
  );
}

/** Measures the cost of more processes at the same load: each groups fewer statements. */
function processClaims(results, inFlight) {
  const more = ['passbell-all-2', 'passbell-all-4'].filter((name) => results.options.only.includes(name));
  if (!results.options.only.includes('passbell-all')) return [];
  return more.map((name) => {
    const { median, low, high } = cpuRatio(results, name, 'passbell-all', 'cycle', inFlight);
    return `CPU time a cycle, all processes: ${name} ${fixed(median, 2)} of one process, 95% interval ${fixed(low, 2)}–${fixed(high, 2)} (aim: at most 1.2)`;
  });
}

const TAIL_AIMS = { passbell: 2, 'passbell-all': 2, 'passbell-embedded': 2.5 };

function tailClaims(results, inFlight) {
  return Object.entries(TAIL_AIMS).flatMap(([name, aim]) => {
    const send = pointOf(results, name, 'cycle', inFlight)?.latency.send;
    return send ? [`p99 of a send: ${fixed(send.p99 / send.p50, 1)} × p50 with ${name} (aim: at most ${aim})`] : [];
  });
}

/** Returns the figures of a run, with which later runs are compared. CPU time is in milliseconds. */
export function baselineOf(results) {
  const inFlight = claimLevel(results);
  const points = results.options.only.map((name) => [name, pointOf(results, name, 'cycle', inFlight)?.cpuTotal.median]);
  return { date: results.date, node: results.versions.node, inFlight, cpuMs: Object.fromEntries(points) };
}

/**
 * Compares with the figures of another run. A machine's speed changes between runs, so the CPU time is divided by that
 * of bare Express if both runs measured it.
 */
export function comparison(results, stored) {
  const current = baselineOf(results);
  if (current.inFlight !== stored.inFlight)
    return `Not compared: the stored run had ${stored.inFlight} requests in flight, this one ${current.inFlight}.`;
  const speed = current.cpuMs.express / stored.cpuMs.express;
  const lines = results.options.only.flatMap((name) => {
    const now = current.cpuMs[name];
    const before = stored.cpuMs[name];
    if (!now || !before) return [];
    const adjusted = speed ? `, ${fixed(now / before / speed, 2)} × relative to bare Express` : '';
    return [`${name}: ${fixed(before, 3)} → ${fixed(now, 3)} ms (${fixed(now / before, 2)} ×${adjusted})`];
  });
  return [
    `CPU time per cycle of all processes, compared with the run of ${stored.date} on Node ${stored.node}:`,
    ...lines.map((line) => `  ${line}`),
  ].join('\n');
}

/** One line for each performance target that the runs cover. */
export function claims(results) {
  const inFlight = claimLevel(results);
  const point = (name) => pointOf(results, name, 'cycle', inFlight);
  const own = point('passbell');
  if (!own) return '';
  const lines = [];
  const ratio = (others, wanted) => {
    const measured = others.map((name) => ({ name, rate: point(name)?.rate.median })).filter(({ rate }) => rate);
    if (measured.length === 0) return;
    const fastest = measured.reduce((a, b) => (b.rate > a.rate ? b : a));
    const each = measured.map(({ name, rate }) => `${fixed(own.rate.median / rate, 1)} × ${name}`).join(', ');
    lines.push(`cycles a second: ${each} (aim against ${fastest.name}: at least ${wanted})`);
  };
  ratio(['better-auth', 'better-auth-cookie'], 10);
  ratio(['better-auth-redis', 'better-auth-redis-cookie'], 6);
  lines.push(...cpuClaims(results, inFlight), ...processClaims(results, inFlight), ...tailClaims(results, inFlight));
  const floor = point('express');
  if (floor)
    lines.push(
      `the API process spends ${fixed(own.cpuServer?.median, 3)} ms a cycle, ${fixed(own.cpuServer?.median / floor.cpuServer?.median, 1)} times bare Express (aim: at most 2)`,
    );
  const counted = results.counts.passbell;
  if (counted)
    lines.push(
      `${fixed(counted.send.api.roundTrips, 1)} SQL round trips a send (aim: at most 2), ${fixed(counted.verify.api.roundTrips, 1)} a verify (aim: at most 3), in the API process`,
    );
  const filled = point('passbell-rows');
  if (filled) {
    const cost = ({ cpu }) => cpu.server + (cpu.worker ?? 0) + (cpu.database ?? 0);
    lines.push(
      `with ${results.options.rows} rows a table a cycle costs ${fixed(own.rate.median / filled.rate.median, 2)} times in time and ${fixed(cost(filled) / cost(own), 2)} times in CPU time (aim: at most 1.15)`,
    );
  }
  return [`At ${inFlight} in flight, Passbell:`, ...lines.map((line) => `  ${line}`)].join('\n');
}
