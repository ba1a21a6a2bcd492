/** Passbell Trigger, in n8n's engine, on the webhooks of the running service. */
import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createTestClock } from '../../support/clock.js';
import { freshPhone, startService, type Body } from '../../support/service.js';
import { startWebhookServer, type WebhookCall, type WebhookServer } from '../../support/webhook-server.js';
import { startWorkbench, workflowWith, type Credentials, type Workbench } from './engine.js';

/** Stands where n8n's server would take the calls. */
let n8n: WebhookServer;
let bench: Workbench;
beforeAll(async () => {
  n8n = await startWebhookServer();
  // Signatures are of now, and n8n's engine has the machine's clock.
  const clock = createTestClock(Math.floor(Date.now() / 1000) * 1000);
  bench = await startWorkbench({ WEBHOOKS_ALLOW_PRIVATE: 'true' }, { clock });
});
afterAll(async () => {
  await bench.stop();
  await n8n.close();
});

const workflow = (events: string[], path = 'passbell'): Body => ({
  ...workflowWith({}),
  nodes: [
    {
      ...workflowWith({}).nodes[1],
      name: 'Passbell Trigger',
      type: 'n8n-nodes-passbell.passbellTrigger',
      webhookId: `webhook-${path}`,
      parameters: { events },
    },
  ],
  connections: {},
});

/** A workflow with a trigger, as n8n's server keeps it. */
async function newTrigger(events = ['message.delivered'], credentials: Credentials = bench.credentials) {
  let staticData: Body = {};
  let chosen = events;
  const ask = async (command: string, request: object) => {
    const all = { credentials, workflow: workflow(chosen), webhookUrl: n8n.url, staticData, ...request };
    const answer = await bench.engine.ask(command, all);
    staticData = answer.staticData;
    return answer;
  };
  const hook = async (method: string) => (await ask('hook', { method })).result;
  return {
    hook,
    async activate() {
      const exists = await hook('checkExists');
      if (!exists) await hook('create');
      // Every process of the service knows of it.
      bench.passbell.clock.advance(2000);
      return exists;
    },
    forget: () => void (staticData = {}),
    choose: (next: string[]) => void (chosen = next),
    secret: () => JSON.stringify(staticData).match(/whsec_[\w-]{43}/)?.[0],
    webhook: ({ headers, body }: Pick<WebhookCall, 'headers' | 'body'>) => ask('webhook', { headers, body }),
  };
}

const listed = async (): Promise<Body[]> =>
  (await bench.passbell.get('/webhooks', {}, { keys: bench.keys })).data.webhooks;

async function nextCall(after = n8n.calls.length): Promise<WebhookCall> {
  while (n8n.calls.length <= after) {
    bench.passbell.clock.advance(100);
    await pause(5);
  }
  return n8n.calls[after]!;
}

const order = (): Promise<Body> =>
  bench.passbell.post(
    '/notifications/order',
    { to: freshPhone(), templateType: 'order_shipped', variables: { orderId: 'A-1' } },
    { keys: bench.keys },
  );

afterEach(async () => {
  for (const { webhookId } of await listed())
    await bench.passbell.fetch(`/api/v1/webhooks/${webhookId}`, { method: 'DELETE' }, { keys: bench.keys });
});

it('registers, starts the workflow with an event, and removes itself', async () => {
  const trigger = await newTrigger();
  expect(await trigger.activate()).toBe(false);
  expect(await listed()).toMatchObject([{ url: expect.stringContaining(n8n.url), events: ['message.delivered'] }]);

  const sent = await order();
  const { result, answer } = await trigger.webhook(await nextCall());
  expect(answer).toEqual({});
  expect(result.workflowData).toMatchObject([
    [
      {
        json: { event: 'message.delivered', data: { maskId: sent.data.results[0].maskId, template: 'order_shipped' } },
      },
    ],
  ]);

  expect(await trigger.hook('delete')).toBe(true);
  expect(await listed()).toEqual([]);
  expect(trigger.secret()).toBeUndefined();
  expect(await trigger.hook('delete')).toBe(true);
});

it('starts with a code that was verified', async () => {
  const trigger = await newTrigger(['otp.verified']);
  await trigger.activate();
  const { maskId, code } = await bench.passbell.send(freshPhone(), {}, { keys: bench.keys });
  const before = n8n.calls.length;
  await bench.passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys: bench.keys });
  const { result } = await trigger.webhook(await nextCall(before));
  expect(result.workflowData[0][0].json).toMatchObject({ event: 'otp.verified', data: { maskId } });
});

it('starts once with an event that comes twice', async () => {
  const trigger = await newTrigger();
  await trigger.activate();
  await order();
  const call = await nextCall();
  expect((await trigger.webhook(call)).result.workflowData).toHaveLength(1);
  expect(await trigger.webhook(call)).toMatchObject({ result: {}, answer: {} });
  expect((await trigger.webhook(call)).result.workflowData).toBeUndefined();
});

describe('refuses with 401 and starts nothing', () => {
  let trigger: Awaited<ReturnType<typeof newTrigger>>;
  let call: WebhookCall;
  beforeEach(async () => {
    trigger = await newTrigger();
    await trigger.activate();
    await order();
    call = await nextCall();
  });
  const signature = (): string => String(call.headers['passbell-signature']);
  const signed = (header: string): Pick<WebhookCall, 'headers' | 'body'> => ({
    headers: { 'passbell-signature': header },
    body: call.body,
  });

  it.each([
    ['no signature', () => ({ headers: {}, body: call.body })],
    ['a changed body', () => ({ headers: call.headers, body: call.body.replace('A-1', 'A-2').replace('{', '{ ') })],
    ['a changed time', () => signed(signature().replace(/t=\d+/, `t=${Math.floor(Date.now() / 1000) - 1}`))],
    ['another signature', () => signed(signature().replace(/v1=..../, 'v1=0000'))],
    ['a signature without v1', () => signed(signature().split(',')[0]!)],
  ])('%s', async (_what, forged) => {
    const { result, answer } = await trigger.webhook(forged());
    expect(answer.status).toBe(401);
    expect(result).toEqual({ noWebhookResponse: true });
  });

  it.each([
    [301, 401],
    [290, undefined],
    [-310, 401],
  ])('a call that was signed %s seconds ago: %s', async (age, status) => {
    const time = Math.floor(Date.now() / 1000) - age;
    const signature = createHmac('sha256', trigger.secret()!).update(`${time}.${call.body}`).digest('hex');
    expect((await trigger.webhook(signed(`t=${time},v1=${signature}`))).answer.status).toBe(status);
  });

  it('whatever comes when it does not know the secret', async () => {
    trigger.forget();
    expect((await trigger.webhook(call)).answer.status).toBe(401);
  });
});

it('finds its webhook again when n8n starts anew', async () => {
  const trigger = await newTrigger();
  await trigger.activate();
  const [first] = await listed();
  expect(await trigger.activate()).toBe(true);
  expect(await listed()).toEqual([first]);
});

it.each([
  ['the events were changed', (trigger: Body) => trigger.choose(['message.failed', 'otp.verified'])],
  ['the secret is lost', (trigger: Body) => trigger.forget()],
])('makes a new webhook and leaves none behind when %s', async (_what, change) => {
  const trigger = await newTrigger();
  await trigger.activate();
  const [first] = await listed();
  change(trigger);
  expect(await trigger.activate()).toBe(false);
  const now = await listed();
  expect(now).toHaveLength(1);
  expect(now[0].webhookId).not.toBe(first.webhookId);
});

it('says what to do when Passbell must not call this n8n', async () => {
  const strict = await startService();
  const trigger = await newTrigger(['otp.verified'], { ...strict.keys, baseUrl: strict.url });
  await expect(trigger.hook('create')).rejects.toThrow('url must be an http or https address on the public internet');
  await strict.stop();
});
