/** What n8n has run, as its list of executions tells it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Body } from '../../support/service.js';
import type { N8n } from './server.js';

export interface Execution {
  id: string;
  status: 'success' | 'error';
  /** The error that stopped it. */
  error?: Body;
  /** What left a node by an output, in its last run. */
  output(node: string, index?: number): Body[];
}

/** n8n's form of data that point at each other: a list in which a text in an object is the place of its value. */
function unflatten(text: string): Body {
  const list = JSON.parse(text) as unknown[];
  const made = new Map<number, unknown>();
  const valueAt = (place: number): unknown => {
    const value = list[place];
    if (typeof value !== 'object' || value === null) return value;
    if (made.has(place)) return made.get(place);
    const result: Body = Array.isArray(value) ? [] : {};
    made.set(place, result);
    for (const [key, inner] of Object.entries(value))
      result[key] = typeof inner === 'string' ? valueAt(Number(inner)) : inner;
    return result;
  };
  return valueAt(0);
}

const ENDED = ['success', 'error', 'crashed', 'canceled'];

async function read(n8n: N8n, id: string): Promise<Execution> {
  const { status, data } = await n8n.ask('GET', `/executions/${id}`);
  const { runData, error } = unflatten(data).resultData;
  return {
    id,
    status,
    error,
    output: (node, index = 0) => runData[node]?.at(-1)?.data?.main?.[index] ?? [],
  };
}

/** Does what starts an execution of a workflow, and waits for the execution's end. */
export async function executionAfter(n8n: N8n, workflowId: string, start: () => Promise<unknown>): Promise<Execution> {
  const list = async (): Promise<Body[]> =>
    (await n8n.ask('GET', `/executions?${new URLSearchParams({ filter: JSON.stringify({ workflowId }) })}`)).results;
  const before = new Set((await list()).map(({ id }) => id));
  await start();
  for (;;) {
    const ended = (await list()).find(({ id, status }) => !before.has(id) && ENDED.includes(status));
    if (ended) return read(n8n, ended.id);
    await pause(100);
  }
}
