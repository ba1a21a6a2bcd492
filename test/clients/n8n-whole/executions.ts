/** Workflow executions, read from n8n's execution list. */
import type { Body } from '../../support/service.js';
import { until } from '../../support/wait.js';
import type { N8n } from './server.js';

export interface Execution {
  id: string;
  status: 'success' | 'error';
  error?: Body;
  /** Returns the items that a node returned on one of its outputs in its last run. */
  output(node: string, index?: number): Body[];
}

/** Parses n8n's flattened JSON: a list of values, in which strings inside objects are indexes into the list. */
function unflatten(text: string): Body {
  const list = JSON.parse(text) as unknown[];
  const resolved = new Map<number, unknown>();
  const valueAt = (index: number): unknown => {
    const value = list[index];
    if (typeof value !== 'object' || value === null) return value;
    if (resolved.has(index)) return resolved.get(index);
    const result: Body = Array.isArray(value) ? [] : {};
    resolved.set(index, result);
    for (const [key, inner] of Object.entries(value))
      result[key] = typeof inner === 'string' ? valueAt(Number(inner)) : inner;
    return result;
  };
  return valueAt(0);
}

const FINAL_STATUSES = ['success', 'error', 'crashed', 'canceled'];

async function readExecution(n8n: N8n, id: string): Promise<Execution> {
  const { status, data } = await n8n.callApi('GET', `/executions/${id}`);
  const { runData, error } = unflatten(data).resultData;
  return {
    id,
    status,
    error,
    output: (node, index = 0) => runData[node]?.at(-1)?.data?.main?.[index] ?? [],
  };
}

/** Calls `start`, and waits until the execution that it starts has ended. */
export async function executionAfter(n8n: N8n, workflowId: string, start: () => Promise<unknown>): Promise<Execution> {
  const list = async (): Promise<Body[]> =>
    (await n8n.callApi('GET', `/executions?${new URLSearchParams({ filter: JSON.stringify({ workflowId }) })}`))
      .results;
  const before = new Set((await list()).map(({ id }) => id));
  await start();
  const hasEnded = ({ id, status }: Body) => !before.has(id) && FINAL_STATUSES.includes(status);
  const { id } = await until('the end of the execution', async () => (await list()).find(hasEnded));
  return readExecution(n8n, id);
}
