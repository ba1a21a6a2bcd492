/**
 * An execution that waits in the operation Send and Wait for Response. Each step continues the execution from its stored
 * data, as after a restart of n8n. A local server receives what the page sends to n8n.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Body } from '../../support/service.js';
import { outputOf, workflowWith, type Credentials, type Fixture, type Item, type Run } from './engine.js';

/** Contains characters that have a meaning in expressions. */
const NODE_NAME = 'Ask "Ana" {{ now }}';
let executions = 0;

export interface Page {
  status: number;
  body: string;
  headers: Headers;
}

/** Passes requests to a webhook of the engine; replies like n8n once the execution no longer waits. */
async function startWaitingWebhooks(handle: (query: object, form: object) => Promise<Body | undefined>) {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { searchParams } = new URL(request.url!, 'http://n8n.example');
      const form = JSON.parse(Buffer.concat(chunks).toString() || '{}') as object;
      const send = (page: Body | undefined) => {
        if (page) return response.writeHead(page.status, { 'Content-Type': page['content-type'] }).end(page.body);
        const message = 'The execution "13 has finished already.';
        response.writeHead(409).end(JSON.stringify({ code: 409, message, stacktrace: 'ConflictError: at /usr/lib' }));
      };
      handle(Object.fromEntries(searchParams), form).then(send, (error: Error) => {
        console.error(error);
        response.writeHead(500).end();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook-waiting`;
}

/** Runs a workflow with Send and Wait for Response up to the wait. `loops`: it asks again after each correct code. */
export async function startWaiting(
  { engine, passbell }: Fixture,
  as: Credentials,
  to: string,
  { options = {}, loops = false, typeVersion = 1.2 }: { options?: object; loops?: boolean; typeVersion?: number } = {},
) {
  const parameters = {
    resource: 'otp',
    operation: 'sendCodeAndWait',
    to: '={{ $json.phone ?? $json.user.phone }}',
    channel: 'auto',
    options,
  };
  const workflow: Body = workflowWith(parameters, { typeVersion, name: NODE_NAME });
  const itself = [{ node: NODE_NAME, type: 'main', index: 0 }];
  workflow.connections = { Items: { main: [itself] } };
  if (loops) workflow.connections[NODE_NAME] = { main: [itself] };
  let stored: string;
  /** The run that the last action continued. */
  let continued: Run | undefined;
  let isWaiting = true;

  /** Calls the webhook of the node as the page does. */
  async function call(query: object, form: object): Promise<Body | undefined> {
    if (!isWaiting) return undefined;
    const { page, run: next } = await engine.call('waitingWebhook', { ...common, stored, query, form });
    if (next) {
      continued = next as Run;
      ({ stored } = next);
      isWaiting = next.status === 'waiting';
    }
    return page;
  }
  const waitingUrl = await startWaitingWebhooks(call);
  const common = { credentials: as, workflow, executionId: `waiting-${++executions}`, waitingUrl };
  const run: Run = await engine.run({ ...common, items: [{ phone: to, order: 7 }] });
  ({ stored } = run);
  /** Returns the page with which a run responds to the person's browser; "" if it sent no code. */
  const responseOf = (of: Run): string => {
    const [first]: Body[] = itemsOf(of, 0);
    return first?.binary ? Buffer.from(first.binary.data.data, 'base64').toString() : '';
  };
  const addressOf = (of: Run): string => /href="([^"]*)"/.exec(responseOf(of))?.[1]?.replaceAll('&#38;', '&') ?? '';
  let address = addressOf(run);

  /** Opens the page or submits a form in the person's browser, which follows redirects between the pages. */
  async function request(form?: Record<string, string>, url = address): Promise<{ page: Page; run?: Run }> {
    continued = undefined;
    const { pathname, search } = new URL(url);
    const response = await fetch(passbell.url + pathname + search, {
      redirect: 'manual',
      headers: { Connection: 'close' },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    const result = continued as Run | undefined;
    if (response.status === 303) {
      address = new URL(response.headers.get('location')!, url).href;
      return { ...(await request()), ...(result && { run: result }) };
    }
    const { status, headers } = response;
    return { page: { status, headers, body: await response.text() }, ...(result && { run: result }) };
  }
  return {
    run,
    firstPage: responseOf(run),
    /** Opens the page of a run that waits again. */
    follow: (of: Run) => void (address = addressOf(of)),
    call,
    get: async (url?: string) => (await request(undefined, url)).page,
    submit: (code: string, url?: string) => request({ code }, url),
    resend: (channel = '') => request({ resend: channel }),
    cancel: () => request({ cancel: 'yes' }),
    /** Continues the execution as n8n does when the wait time is over. */
    async endWait(): Promise<Run> {
      isWaiting = false;
      return (await engine.call('endWait', { ...common, stored })) as Run;
    },
    waitTill: Date.parse(JSON.parse(run.stored).waitTill),
    address: () => address,
  };
}

/** Returns the items that the node returned on one of its outputs. */
export const itemsOf = (run: Run | undefined, output: number): Item[] => outputOf(run!, output, NODE_NAME);
/** Returns the number of items on each output. */
export const countsOf = (run: Run | undefined): number[] => [0, 1, 2].map((output) => itemsOf(run, output).length);
