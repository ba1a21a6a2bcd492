/** Profiles Passbell's processes at the highest number of requests in flight. */
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CATALOGUE } from './servers/catalogue.mjs';
import { startModule } from './servers/processes.mjs';

const MAX_FUNCTIONS = 40;
const MAX_GROUPS = 20;
const WRITE_MS = 30_000;
/** Time that is ignored at the start and at the end of a profiled run. */
const EDGE_MS = 500;

/** Returns the package of a function, or undefined for Node's built-in functions. */
function packageOf({ url }) {
  const at = url.lastIndexOf('node_modules/');
  if (at !== -1) return url.slice(at + 13).match(/^(?:@[^/]+\/)?[^/]+/)[0];
  return /backend\/dist/.test(url) ? 'own' : undefined;
}

const SOCKET_WRITES = /^(?:writeBuffer|writev|write\w+String)$/;

function groupOf(frame) {
  const { url, functionName } = frame;
  if (functionName === '(garbage collector)') return 'gc';
  if (url === '') return SOCKET_WRITES.test(functionName) ? 'native: socket writes' : 'native: other';
  return packageOf(frame) ?? url.replace(/^(node:(?:internal\/)?[^/]+).*/, '$1');
}

const sourceMaps = new Map();

/** Returns the place of a function in its source file. */
function placeOf({ url, lineNumber, columnNumber }) {
  if (!/backend\/dist/.test(url)) return { file: url.replace(/^.*node_modules\//, ''), line: lineNumber };
  if (!sourceMaps.has(url)) sourceMaps.set(url, new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`), 'utf8'))));
  const { originalSource = url, originalLine = lineNumber } = sourceMaps.get(url).findEntry(lineNumber, columnNumber);
  return { file: originalSource.replace(/^.*\/src\//, 'own/'), line: originalLine };
}

function nameOf(frame) {
  const { file, line } = placeOf(frame);
  return `${frame.functionName || '(anonymous)'}  ${file}${file ? `:${line + 1}` : ''}`;
}

/**
 * Returns milliseconds by function, by package, and by package including the built-in functions that it called.
 * Excludes idle time.
 */
export function selfTimes({ nodes, samples, timeDeltas }) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const node of nodes) for (const child of node.children ?? []) byId.get(child).parent = node;
  const sums = { functions: new Map(), groups: new Map(), callers: new Map() };
  const add = (map, name, ms) => map.set(name, (map.get(name) ?? 0) + ms);
  const callerOf = (node) => {
    if (node.callFrame.functionName === '(garbage collector)') return 'gc';
    for (let at = node; at; at = at.parent) if (packageOf(at.callFrame)) return packageOf(at.callFrame);
    return 'node itself';
  };
  let total = 0;
  samples.forEach((id, i) => {
    const node = byId.get(id);
    if (['(idle)', '(root)'].includes(node.callFrame.functionName) || isProfilerCost(node)) return;
    const ms = timeDeltas[i] / 1000;
    total += ms;
    add(sums.functions, nameOf(node.callFrame), ms);
    add(sums.groups, groupOf(node.callFrame), ms);
    add(sums.callers, callerOf(node), ms);
  });
  const ordered = (map) => [...map].sort((a, b) => b[1] - a[1]);
  return { total, ...Object.fromEntries(Object.entries(sums).map(([name, map]) => [name, ordered(map)])) };
}

/** Whether a call-tree node belongs to the profiler itself. */
function isProfilerCost(node) {
  for (let at = node; at; at = at.parent) if (at.callFrame.url.endsWith('profile-hook.mjs')) return true;
  return false;
}

function formatEntries(entries, total, cycles, limit) {
  const line = ([name, ms]) =>
    `  ${((100 * ms) / total).toFixed(1).padStart(5)} %  ${((1000 * ms) / cycles).toFixed(1).padStart(6)} µs  ${name}`;
  return entries.slice(0, limit).map(line).join('\n');
}

function describe(file, cycles) {
  const { total, functions, groups, callers } = selfTimes(JSON.parse(readFileSync(file, 'utf8')));
  return [
    `Profile ${file}: ${(total / cycles).toFixed(3)} ms a cycle, share and µs a cycle`,
    'by package:',
    formatEntries(groups, total, cycles, MAX_GROUPS),
    'by package, with what it made Node do (writes to sockets, cryptography, timers, …):',
    formatEntries(callers, total, cycles, MAX_GROUPS),
    'by function:',
    formatEntries(functions, total, cycles, MAX_FUNCTIONS),
  ].join('\n');
}

export async function profilePassbell({ options, databases, progress }) {
  const inFlight = Math.max(...options.inFlight);
  const load = await startModule(fileURLToPath(new URL('load.mjs', import.meta.url)));
  const server = await CATALOGUE.passbell.start({ name: 'passbell', databases, options, profileTo: options.out });
  const roles = { api: server.pids.server[0], worker: server.pids.worker };
  const signal = () => Object.values(roles).forEach((pid) => process.kill(pid, 'SIGUSR2'));
  try {
    const cycles = (seconds) => load.call({ target: server.target, phase: 'cycle', inFlight, seconds });
    progress(`profiling passbell, ${inFlight} in flight`);
    await load.call({ target: server.target, phase: 'cycle', inFlight, count: Math.max(options.warm, 1) });
    const running = cycles(options.seconds + (2 * EDGE_MS) / 1000);
    await sleep(EDGE_MS);
    signal();
    await sleep(options.seconds * 1000);
    signal();
    const { rate } = await running;
    const files = Object.keys(roles).map((role) => join(options.out, `${role}.cpuprofile`));
    for (const end = Date.now() + WRITE_MS; !files.every(existsSync) && Date.now() < end;) await sleep(100);
    await sleep(EDGE_MS);
    return files.map((file) => describe(file, rate * options.seconds)).join('\n\n');
  } finally {
    await server.stop();
    await load.stop();
    await databases.release();
  }
}
