/** CPU time and memory of processes, and load and speed of the machine. Linux only. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';

const TICKS_PER_SECOND = (() => {
  try {
    return Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  } catch {
    return 100;
  }
})();

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Adds the figures of a process or a list of processes; undefined if one of them cannot be read. */
function sumOf(pids, figureOf) {
  const figures = [pids].flat().map(figureOf);
  return figures.includes(undefined) ? undefined : figures.reduce((sum, figure) => sum + figure, 0);
}

function processorSecondsOf(pid) {
  const stat = pid && read(`/proc/${pid}/stat`);
  if (!stat) return undefined;
  // The process name in parentheses may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** CPU time so far of a process or a list of processes, in seconds; undefined if it cannot be read. */
export const processorSeconds = (pids) => sumOf(pids, processorSecondsOf);

function residentBytesOf(pid) {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec((pid && read(`/proc/${pid}/status`)) ?? '')?.[1];
  return kilobytes && Number(kilobytes) * 1024;
}

/** Resident memory of a process or a list of processes, in bytes. */
export const residentBytes = (pids) => sumOf(pids, residentBytesOf);

/** Returns `pid` if it belongs to a local process with one of these names. */
export function localProcess(pid, ...names) {
  return names.includes(read(`/proc/${pid}/comm`)?.trim()) ? pid : undefined;
}

/** CPU seconds since the machine started: busy time, and time stolen by the host of a virtual machine. */
function machineSeconds() {
  const fields = read('/proc/stat')?.split('\n')[0].trim().split(/\s+/).slice(1).map(Number);
  if (!fields) return undefined;
  const [user, nice, system, , , irq, softirq, steal] = fields;
  return { busy: (user + nice + system + irq + softirq) / TICKS_PER_SECOND, stolen: steal / TICKS_PER_SECOND };
}

/** A snapshot of the CPU time of the processes and of the machine. */
export function snapshot(pids) {
  return {
    at: performance.now(),
    cpu: Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, processorSeconds(pid)])),
    own: processorSeconds(process.pid),
    machine: machineSeconds(),
  };
}

/** CPU seconds per process between two snapshots, and the number of cores that other processes used in that time. */
export function usageBetween(before, after) {
  const cpu = {};
  for (const [name, used] of Object.entries(after.cpu))
    if (used !== undefined && before.cpu[name] !== undefined) cpu[name] = used - before.cpu[name];
  const seconds = (after.at - before.at) / 1000;
  const ours = Object.values(cpu).reduce((sum, used) => sum + used, after.own - before.own);
  const machine = after.machine && {
    othersCores: Math.max(0, (after.machine.busy - before.machine.busy - ours) / seconds),
    stolenCores: (after.machine.stolen - before.machine.stolen) / seconds,
  };
  return { cpu, ...machine };
}

/** Returns the duration of a fixed calculation in milliseconds, to detect a slow machine. */
export function calibrate() {
  const started = performance.now();
  let state = 1;
  for (let i = 0; i < 20_000_000; i++) state = (Math.imul(state, 1664525) + 1013904223) | 0;
  const took = performance.now() - started;
  return state === 0 ? NaN : took;
}

export const load1 = () => loadavg()[0];
