/** What the service counts, for Prometheus. Labels have few values: never a recipient, an id or an application. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { SECOND } from './clock.js';
import { contract } from './contract/contract.js';

export interface Backlog {
  /** Messages that wait for a worker. */
  readonly messages: number;
  /** Age of the oldest of them in milliseconds; 0 when there is none. */
  readonly oldestMs: number;
}

export interface Metrics {
  /** An answered request; `result` is "ok" or the error code. */
  request(path: string, result: string, seconds: number): void;
  /** A message that came to its end, from the moment it was accepted. */
  delivery(channel: string, state: string, seconds: number): void;
  /** An attempt that failed, and what that means: permanent, passing or unclear. */
  failedAttempt(channel: string, kind: string): void;
  /** The page that Prometheus reads; `backlog` is measured for it. */
  page(backlog: () => Promise<Backlog>): Promise<{ contentType: string; text: string }>;
}

/** `/messages/{id}` is one path, whatever the id. */
const pattern = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Histogram({
    name: 'passbell_request_seconds',
    help: 'Requests of the API by path and result (ok or the error code), and how long they took',
    labelNames: ['path', 'result'],
    buckets: SECONDS,
    registers,
  });
  const deliveries = new Histogram({
    name: 'passbell_delivery_seconds',
    help: 'Messages that came to their end by channel and state, and how long after they were accepted',
    labelNames: ['channel', 'state'],
    buckets: SECONDS,
    registers,
  });
  const failedAttempts = new Counter({
    name: 'passbell_failed_attempts_total',
    help: 'Attempts to hand a message to a provider that failed, by channel and kind',
    labelNames: ['channel', 'kind'],
    registers,
  });
  const queued = new Gauge({ name: 'passbell_queued_messages', help: 'Messages that wait for a worker', registers });
  const oldest = new Gauge({
    name: 'passbell_oldest_queued_seconds',
    help: 'Age of the oldest message that waits for a worker',
    registers,
  });

  // Anything may be asked for; only the paths of the contract become labels.
  const paths = Object.keys(contract.paths).map((path) => [path, pattern(path)] as const);
  const label = (path: string) => paths.find(([, matches]) => matches.test(path))?.[0] ?? 'other';
  return {
    request: (path, result, seconds) => requests.observe({ path: label(path), result }, seconds),
    delivery: (channel, state, seconds) => deliveries.observe({ channel, state }, seconds),
    failedAttempt: (channel, kind) => failedAttempts.inc({ channel, kind }),
    async page(backlog) {
      // The rest is told also while the database is away.
      const { messages, oldestMs } = await backlog().catch(() => ({ messages: NaN, oldestMs: NaN }));
      queued.set(messages);
      oldest.set(oldestMs / SECOND);
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
