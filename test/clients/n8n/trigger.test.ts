/** Passbell Trigger in n8n's engine, with the webhooks of the running service. */
import { createHmac } from 'node:crypto';
import { OPERATOR } from '../../../backend/src/modules/access/actor.js';
import { utcDay } from '../../../backend/src/platform/clock.js';
import { createTestClock } from '../../support/clock.js';
import { freshPhone, startService, type Body } from '../../support/service.js';
import { startWebhookServer, type WebhookCall, type WebhookServer } from '../../support/webhook-server.js';
import { advancing, until } from '../../support/wait.js';
import { startFixture, workflowWith, type Credentials, type Fixture } from './engine.js';

/** Receives webhook calls in place of n8n's server. */
let n8n: WebhookServer;
let fixture: Fixture;
beforeAll(async () => {
  n8n = await startWebhookServer();
  // Signatures must match the machine's clock, which n8n's engine uses.
  const clock = createTestClock(Math.floor(Date.now() / 1000) * 1000);
  fixture = await startFixture({ WEBHOOKS_ALLOW_PRIVATE: 'true' }, { clock });
});
afterAll(async () => {
  await fixture.stop();
  await n8n.close();
});

const workflow = (events: string[], filters: object = {}, path = 'passbell'): Body => ({
  ...workflowWith({}),
  nodes: [
    {
      ...workflowWith({}).nodes[1],
      name: 'Passbell Trigger',
      type: 'n8n-nodes-passbell.passbellTrigger',
      webhookId: `webhook-${path}`,
      parameters: { events, filters },
    },
  ],
  connections: {},
});

/** Creates a workflow with a trigger, and its state as n8n's server would store it. */
async function newTrigger(events = ['message.accepted'], credentials: Credentials = fixture.credentials) {
  let staticData: Body = {};
  let selected = events;
  let filters: object = {};
  const call = async (command: string, request: object) => {
    const all = { credentials, workflow: workflow(selected, filters), webhookUrl: n8n.url, staticData, ...request };
    const response = await fixture.engine.call(command, all);
    staticData = response.staticData;
    return response;
  };
  const hook = async (method: string) => (await call('hook', { method })).result;
  return {
    hook,
    async activate() {
      const exists = await hook('checkExists');
      if (!exists) await hook('create');
      // Makes the webhook visible to every process.
      fixture.passbell.clock.advance(2000);
      return exists;
    },
    clearState: () => void (staticData = {}),
    selectEvents: (next: string[]) => void (selected = next),
    setFilters: (next: object) => void (filters = next),
    secret: () => JSON.stringify(staticData).match(/whsec_[\w+/]{43}=/)?.[0],
    webhook: ({ headers, body }: Pick<WebhookCall, 'headers' | 'body'>, id = 'workflow-1') =>
      call('webhook', { headers, body, workflow: { ...workflow(selected, filters), id } }),
    /** Passes a request to the trigger, and does not store the trigger's new state. */
    async webhookWithoutStoring({ headers, body }: WebhookCall) {
      const stored = staticData;
      const response = await call('webhook', { headers, body });
      staticData = stored;
      return response;
    },
  };
}

const listWebhooks = async (): Promise<Body[]> =>
  (await fixture.passbell.get('/webhooks', {}, { keys: fixture.keys })).data.webhooks;

const nextCall = (after = n8n.calls.length): Promise<WebhookCall> =>
  until('a webhook call', () => n8n.calls[after], advancing(fixture.passbell.clock, 100));

const order = (): Promise<Body> =>
  fixture.passbell.post(
    '/notifications/order',
    { to: freshPhone(), templateType: 'order_shipped', variables: { orderId: 'A-1' } },
    { keys: fixture.keys },
  );

afterEach(async () => {
  for (const { webhookId } of await listWebhooks())
    await fixture.passbell.fetch(`/api/v1/webhooks/${webhookId}`, { method: 'DELETE' }, { keys: fixture.keys });
});

it('registers a webhook, starts the workflow for an event, and deletes the webhook', async () => {
  const trigger = await newTrigger();
  expect(await trigger.activate()).toBe(false);
  expect(await listWebhooks()).toMatchObject([{ url: expect.stringContaining(n8n.url), events: ['message.accepted'] }]);

  const sent = await order();
  const { result, response } = await trigger.webhook(await nextCall());
  expect(response).toMatchObject({ status: 200 });
  expect(result.workflowData).toMatchObject([
    [
      {
        json: { event: 'message.accepted', data: { maskId: sent.data.results[0].maskId, template: 'order_shipped' } },
      },
    ],
  ]);

  expect(await trigger.hook('delete')).toBe(true);
  expect(await listWebhooks()).toEqual([]);
  expect(trigger.secret()).toBeUndefined();
  expect(await trigger.hook('delete')).toBe(true);
});

it('starts the workflow when a code is verified', async () => {
  const trigger = await newTrigger(['otp.verified']);
  await trigger.activate();
  const { maskId, code } = await fixture.passbell.send(freshPhone(), {}, { keys: fixture.keys });
  const before = n8n.calls.length;
  await fixture.passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys: fixture.keys });
  const { result } = await trigger.webhook(await nextCall(before));
  expect(result.workflowData[0][0].json).toMatchObject({ event: 'otp.verified', data: { maskId } });
});

it('starts the workflow when messages are paused for fraud', async () => {
  const trigger = await newTrigger(['fraud.paused']);
  await trigger.activate();
  const { passbell, keys } = fixture;
  const before = n8n.calls.length;
  const application = await passbell.core.applications.service.load(keys.appKey);
  await passbell.core.fraud.pauses.act(OPERATOR, application, { scope: 'country', key: 'US' }, 'pause');
  const { result } = await trigger.webhook(await nextCall(before));
  expect(result.workflowData[0][0].json).toMatchObject({
    event: 'fraud.paused',
    data: { appKey: keys.appKey, scope: 'country', key: 'US', rule: 'person', until: null },
  });
});

it('starts the workflow when messages are refused for fraud, whatever the filters are', async () => {
  const trigger = await newTrigger(['fraud.refused']);
  trigger.setFilters({ channels: ['EMAIL'], templates: ['otp'] });
  await trigger.activate();
  const { passbell, keys } = fixture;
  const before = n8n.calls.length;
  const { id, name } = await passbell.core.applications.service.load(keys.appKey);
  const refusals = [{ rule: 'prefix', country: 'GB', messages: 3, people: 2, isServed: false } as const];
  const now = passbell.clock.now();
  await passbell.core.fraud.notices.refused.report({ id, name, appKey: keys.appKey }, refusals, utcDay(now), now);
  const { result } = await trigger.webhook(await nextCall(before));
  expect(result.workflowData).toMatchObject([
    [{ json: { event: 'fraud.refused', data: { appKey: keys.appKey, messages: 3, people: 2, refusals } } }],
  ]);
});

it.each([
  [
    'one after the other',
    async (calls: (() => Promise<Body>)[]) => {
      const replies: Body[] = [];
      for (const call of calls) replies.push(await call());
      return replies;
    },
  ],
  ['at the same time', (calls: (() => Promise<Body>)[]) => Promise.all(calls.map((call) => call()))],
])('starts the workflow once for copies of an event that arrive %s', async (_when, receive) => {
  const trigger = await newTrigger();
  await trigger.activate();
  await order();
  const call = await nextCall();
  // n8n stores the state only after it has started the workflow, so that copies can arrive with the earlier state.
  const replies = await receive(Array.from({ length: 4 }, () => () => trigger.webhookWithoutStoring(call)));
  expect(replies.map(({ response }) => response.status)).toEqual([200, 200, 200, 200]);
  expect(replies.filter(({ result }) => result.workflowData)).toHaveLength(1);
  expect(replies.every(({ result }) => result.noWebhookResponse)).toBe(true);
});

it.each([
  [{ channels: ['EMAIL'] }, 0],
  [{ templates: ['otp', 'order_placed'] }, 0],
  [{ channels: ['EMAIL', 'SMS'], templates: ['order_shipped'] }, 1],
])('with the filters %j starts %s workflows for an SMS that an order has shipped', async (filters, count) => {
  const trigger = await newTrigger();
  trigger.setFilters(filters);
  await trigger.activate();
  await order();
  const { result, response } = await trigger.webhook(await nextCall());
  expect(response.status).toBe(200);
  expect(result.workflowData ?? []).toHaveLength(count);
});

it('remembers events after a restart of n8n', async () => {
  const trigger = await newTrigger();
  await trigger.activate();
  await order();
  const call = await nextCall();
  expect((await trigger.webhook(call)).result.workflowData).toHaveLength(1);
  // Another workflow id, because the engine's process still remembers the event of this one.
  expect((await trigger.webhook(call, 'restarted')).result.workflowData).toBeUndefined();
});

describe('the call signature', () => {
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
  ])('is rejected with 401, without an execution, for %s', async (_what, forged) => {
    const { result, response } = await trigger.webhook(forged());
    expect(response.status).toBe(401);
    expect(result).toEqual({ noWebhookResponse: true });
  });

  it.each([
    [301, 401],
    [240, 200],
    [-600, 401],
  ])('created %s seconds ago gets the status %s', async (age, status) => {
    const time = Math.floor(Date.now() / 1000) - age;
    const signature = createHmac('sha256', trigger.secret()!).update(`${time}.${call.body}`).digest('hex');
    expect((await trigger.webhook(signed(`t=${time},v1=${signature}`))).response.status).toBe(status);
  });

  it('is always rejected with 401 while the secret is unknown', async () => {
    trigger.clearState();
    expect((await trigger.webhook(call)).response.status).toBe(401);
  });
});

it('reuses its webhook after n8n restarts', async () => {
  const trigger = await newTrigger();
  await trigger.activate();
  const [first] = await listWebhooks();
  expect(await trigger.activate()).toBe(true);
  expect(await listWebhooks()).toEqual([first]);
});

it.each([
  ['the events have changed', (trigger: Body) => trigger.selectEvents(['message.failed', 'otp.verified'])],
  ['the secret is lost', (trigger: Body) => trigger.clearState()],
])('replaces its webhook when %s', async (_what, change) => {
  const trigger = await newTrigger();
  await trigger.activate();
  const [first] = await listWebhooks();
  change(trigger);
  expect(await trigger.activate()).toBe(false);
  const now = await listWebhooks();
  expect(now).toHaveLength(1);
  expect(now[0].webhookId).not.toBe(first.webhookId);
});

it('reports why Passbell cannot call this n8n server', async () => {
  const strict = await startService({ DEV_INBOX: 'off' });
  const trigger = await newTrigger(['otp.verified'], { ...strict.keys, baseUrl: strict.url });
  await expect(trigger.hook('create')).rejects.toThrow('url must be a public http or https URL');
  await strict.stop();
});
