/**
 * An execution that waits in the operation Send and Wait for Reply. Each step continues the execution from its stored
 * data, as after a restart of n8n.
 */
import type { Body } from '../../support/service.js';
import { outputOf, workflowWith, type Credentials, type Fixture, type Item, type Run } from './engine.js';

/** Contains characters that have a meaning in expressions. */
const NODE_NAME = 'Ask "Ana" {{ now }}';
let executions = 0;

/** Runs a workflow with Send and Wait for Reply up to the wait. `loops`: it asks again after each correct code. */
export async function startWaiting(
  { engine }: Fixture,
  as: Credentials,
  to: string,
  { options = {}, loops = false }: { options?: object; loops?: boolean } = {},
) {
  const parameters = {
    resource: 'otp',
    operation: 'sendCodeAndWait',
    to: '={{ $json.phone ?? $json.user.phone }}',
    channel: 'auto',
    options,
  };
  const workflow: Body = workflowWith(parameters, { typeVersion: 1.1, name: NODE_NAME });
  const itself = [{ node: NODE_NAME, type: 'main', index: 0 }];
  workflow.connections = { Items: { main: [itself] } };
  if (loops) workflow.connections[NODE_NAME] = { main: [[], itself] };
  const common = { credentials: as, workflow, executionId: `waiting-${++executions}` };
  const run: Run = await engine.run({ ...common, items: [{ phone: to, order: 7 }] });
  let stored = run.stored;
  // n8n finds the execution and the node by its part of the query string.
  let address = '?signature=token%2Fb';

  /** Opens the page or submits a form in the person's browser, which follows redirects within the page. */
  async function request(form?: object): Promise<{ page: Body; run?: Run }> {
    const query = Object.fromEntries(new URLSearchParams(address));
    const reply: Body = await engine.call('waitingWebhook', { ...common, stored, query, form });
    if (reply.run) ({ stored } = reply.run);
    if (reply.page.status !== 303 || !reply.page.location.startsWith('?')) return reply;
    address = reply.page.location;
    return request();
  }
  return {
    run,
    get: async () => (await request()).page,
    submit: (code: string, more: object = {}) => request({ action: 'verify', code, ...more }),
    press: (action: string) => request({ action }),
    endWait: (): Promise<Run> => engine.call('endWait', { ...common, stored: run.stored }) as never,
    waitTill: Date.parse(JSON.parse(run.stored).waitTill),
    address: () => address,
    open: (changed: string) => void (address = changed),
  };
}

/** Returns the items that the node returned on one of its outputs. */
export const itemsOf = (run: Run | undefined, output: number): Item[] => outputOf(run!, output, NODE_NAME);
/** Returns the number of items on each output. */
export const countsOf = (run: Run | undefined): number[] => [0, 1, 2].map((output) => itemsOf(run, output).length);
