/**
 * Metrics for Prometheus. Labels have few values: never a recipient, an id or an application, and providers only of the
 * operator.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { SECOND } from './clock.js';
import { contract } from './contract/contract.js';

export interface Backlog {
  readonly messages: number;
  /** Age of the oldest queued message in milliseconds; 0 if no message is queued. */
  readonly oldestMs: number;
}

/** Whether one of the operator's providers is in a state. */
export interface StateOfProvider {
  readonly provider: string;
  readonly state: string;
  readonly isCurrent: boolean;
}

export type Metrics = ReturnType<typeof createMetrics>;

const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Histogram({
    name: 'passbell_request_seconds',
    help: 'API requests by path and result (ok or the error code), and their duration',
    labelNames: ['path', 'result'],
    buckets: DURATION_BUCKETS,
    registers,
  });
  const deliveries = new Histogram({
    name: 'passbell_delivery_seconds',
    help: 'Finished messages by channel and state, and the time since they were accepted',
    labelNames: ['channel', 'state'],
    buckets: DURATION_BUCKETS,
    registers,
  });
  const failedAttempts = new Counter({
    name: 'passbell_failed_attempts_total',
    help: 'Failed attempts to send a message through a provider, by channel and kind',
    labelNames: ['channel', 'kind'],
    registers,
  });
  const queued = new Gauge({ name: 'passbell_queued_messages', help: 'Messages waiting to be sent', registers });
  const oldest = new Gauge({
    name: 'passbell_oldest_queued_seconds',
    help: 'Age of the oldest message waiting to be sent',
    registers,
  });

  const providerState = new Gauge({
    name: 'passbell_provider_state',
    help: "1 for the state of each of the operator's providers (not verified, live, failing or off), 0 for the others",
    labelNames: ['provider', 'state'],
    registers,
  });
  const paidRefused = new Gauge({
    name: 'passbell_paid_messages_refused',
    help: '1 while all messages that cost money are refused, because the fraud guard cannot read its counters',
    registers,
  });
  const fraudRefusals = new Counter({
    name: 'passbell_fraud_refusals_total',
    help: 'Requests that the fraud guard refused or asked a challenge for, by rule',
    labelNames: ['rule'],
    registers,
  });
  const fraudPauses = new Counter({
    name: 'passbell_fraud_pauses_total',
    help: 'Pauses and challenges that the fraud guard started, by rule and scope',
    labelNames: ['rule', 'scope'],
    registers,
  });

  const patterns = Object.keys(contract.paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }));
  // Counts all paths that are not in the contract as `other`, because clients can request any path.
  const label = (path: string) => patterns.find(({ pattern }) => pattern.test(path))?.path ?? 'other';

  return {
    request: (path: string, result: string, seconds: number) =>
      requests.observe({ path: label(path), result }, seconds),
    delivery: (channel: string, state: string, seconds: number) => deliveries.observe({ channel, state }, seconds),
    failedAttempt: (channel: string, kind: string) => failedAttempts.inc({ channel, kind }),
    fraudRefusal: (rule: string) => fraudRefusals.inc({ rule }),
    fraudPause: (rule: string, scope: string) => fraudPauses.inc({ rule, scope }),
    async page(
      backlog: () => Promise<Backlog>,
      refusesPaid: () => Promise<boolean>,
      providerStates: () => Promise<readonly StateOfProvider[]>,
    ): Promise<{ contentType: string; text: string }> {
      paidRefused.set((await refusesPaid()) ? 1 : 0);
      providerState.reset();
      const states = await providerStates().catch(() => []);
      for (const { provider, state, isCurrent } of states) providerState.set({ provider, state }, isCurrent ? 1 : 0);
      // Reports NaN while the database is down, so that all other metrics stay available.
      const { messages, oldestMs } = await backlog().catch(() => ({ messages: NaN, oldestMs: NaN }));
      queued.set(messages);
      oldest.set(oldestMs / SECOND);
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
