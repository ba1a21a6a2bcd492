/** n8n's retries never send a message twice. A new execution sends a new message. */
import { freshPhone, type Body } from '../../support/service.js';
import { startForwarder, type Exchange } from './forwarder.js';
import { outputOf, startFixture, workflowWith, type Fixture } from './engine.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const SEND = { resource: 'otp', operation: 'send', to: '={{ $json.to }}' };
const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const itemsFor = (count: number): { to: string }[] => Array.from({ length: count }, () => ({ to: freshPhone() }));
const messageCounts = async (items: { to: string }[]): Promise<number[]> =>
  Promise.all(items.map(async ({ to }) => (await fixture.passbell.inbox(to)).length));

/** A forwarder that drops the first reply for a recipient. */
async function startLossyForwarder(to: string) {
  let droppedReplies = 0;
  const forwarder = await startForwarder(
    fixture.passbell.url,
    ({ request }: Exchange) => request?.to === to && droppedReplies++ === 0,
  );
  return { forwarder, credentials: { ...fixture.credentials, baseUrl: forwarder.url } };
}

const keysOf = (exchanges: readonly Exchange[], to: string) =>
  exchanges.filter(({ request }) => request.to === to).map(({ headers }) => headers['idempotency-key']);

it('"Retry On Fail" after a dropped reply sends no item twice', async () => {
  const items = itemsFor(3);
  const { forwarder, credentials } = await startLossyForwarder(items[1]!.to);
  const result = await fixture.runAs(credentials, SEND, items, RETRY);
  expect(result.status).toBe('success');
  expect(outputOf(result)).toHaveLength(3);
  expect(await messageCounts(items)).toEqual([1, 1, 1]);

  const keys = keysOf(forwarder.exchanges, items[1]!.to);
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
  // The workflow continues with the message that was delivered.
  const { maskId } = outputOf(result)[1]!.json;
  const otp = await fixture.passbell.codeFor(items[1]!.to);
  expect(await fixture.passbell.post('/auth/verifyotp', { maskId, otp }, { keys: fixture.keys })).toMatchObject({
    success: true,
  });
  forwarder.close();
});

it('"Retry On Fail" after a dropped reply verifies a code once', async () => {
  const to = freshPhone();
  const { code } = await fixture.passbell.send(to, {}, { keys: fixture.keys });
  const { forwarder, credentials } = await startLossyForwarder(to);
  const parameters = { resource: 'otp', operation: 'verify', verifyBy: 'recipient', to, otp: code };
  const version = { typeVersion: 1.1 };
  const result = await fixture.runAs(credentials, parameters, [{}], { ...RETRY, ...version });
  expect(outputOf(result, 0)).toMatchObject([{ json: { verified: true, user: { phone: to } } }]);
  expect(forwarder.exchanges).toHaveLength(2);
  // A new execution has another key, so that the code works only once.
  const again = await fixture.runAs(credentials, parameters, [{}], version);
  expect(outputOf(again, 1)).toMatchObject([{ json: { verified: false, reason: 'INVALID_OTP' } }]);
  forwarder.close();
});

it('"Retry" in the execution list sends no item twice', async () => {
  const items = itemsFor(3);
  const { forwarder, credentials } = await startLossyForwarder(items[1]!.to);
  const workflow = workflowWith(SEND);
  const failed = await fixture.engine.run({ credentials, workflow, items, executionId: 'first' });
  expect(failed).toMatchObject({ status: 'error', error: { context: { itemIndex: 1 } } });
  expect(await messageCounts(items)).toEqual([1, 1, 0]);

  const again = { credentials, workflow, stored: failed.stored };
  const second = await fixture.engine.retry({ ...again, executionId: 'second' });
  expect(second.status).toBe('success');
  expect(outputOf(second)).toHaveLength(3);
  expect(await messageCounts(items)).toEqual([1, 1, 1]);
  await fixture.engine.retry({ ...again, executionId: 'third' });
  expect(await messageCounts(items)).toEqual([1, 1, 1]);
  forwarder.close();
});

it('a new execution sends a new message', async () => {
  const items = itemsFor(1);
  await fixture.run(SEND, items);
  await fixture.run(SEND, items);
  expect(await messageCounts(items)).toEqual([2]);
});

it('a new execution with the same custom key sends nothing', async () => {
  const items = itemsFor(1);
  const parameters = { ...SEND, options: { idempotencyKey: '=Bestellung für {{ $json.to }}' } };
  const first = await fixture.runOne(parameters, items[0]);
  const second = await fixture.runOne(parameters, items[0]);
  expect(second).toEqual(first);
  expect(await messageCounts(items)).toEqual([1]);
});

it('an empty custom key is ignored', async () => {
  const items = itemsFor(1);
  await fixture.runOne({ ...SEND, options: { idempotencyKey: '={{ $json.nothing }} ' } }, items[0]);
  await fixture.runOne({ ...SEND, options: { idempotencyKey: ' ' } }, items[0]);
  expect(await messageCounts(items)).toEqual([2]);
});

it('each item, node and loop iteration sends a separate message, even to the same recipient', async () => {
  const [item] = itemsFor(1);
  const other = { ...workflowWith(SEND).nodes[1], id: 'c', name: 'Other' };
  const start = { ...workflowWith(SEND).nodes[0] };
  const path = (node: string) => ({ node, type: 'main', index: 0 });
  const workflow: Body = workflowWith(SEND);
  workflow.nodes.push(other, { ...start, id: 'd', name: 'A' }, { ...start, id: 'e', name: 'B' });
  workflow.connections = {
    Items: { main: [[path('A'), path('B')]] },
    A: { main: [[path('Passbell')]] },
    B: { main: [[path('Passbell'), path('Other')]] },
  };
  const request = { credentials: fixture.credentials, workflow, items: [item, item] };
  const result = await fixture.engine.run({ ...request, executionId: 'loop' });
  expect(result).toMatchObject({ status: 'success' });
  expect(result.nodes.Passbell).toHaveLength(2);
  expect(await messageCounts([item!])).toEqual([6]);
});

describe('the node as an agent tool', () => {
  const fromModel = (name: string) => `={{ $fromAI("${name}", "${name}", "string") }}`;
  const tool = (settings: object, parameters: object = { ...SEND, to: fromModel('to') }): Body => {
    const workflow = workflowWith(parameters, { type: 'n8n-nodes-passbell.passbellTool', ...settings });
    workflow.nodes.push({
      id: 'g',
      name: 'Agent',
      type: 'test.agent',
      typeVersion: 1,
      position: [0, 0],
      parameters: {},
    });
    workflow.connections = {
      Items: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
      Passbell: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
    };
    return workflow;
  };

  it('sends one message for each item, even if a call is retried', async () => {
    const items = itemsFor(2);
    const { forwarder, credentials } = await startLossyForwarder(items[0]!.to);
    const workflow = tool(RETRY);
    const result = await fixture.engine.run({ credentials, workflow, items, executionId: 'tool' });
    const answers = outputOf(result, 0, 'Agent').map(({ json }) => json.answer);
    for (const answer of answers) expect(answer).toContain('OTP sent successfully');
    expect(await messageCounts(items)).toEqual([1, 1]);
    expect(keysOf(forwarder.exchanges, items[0]!.to)).toHaveLength(2);
    forwarder.close();
  });

  it('includes advice for the model in the error message', async () => {
    const request = { credentials: fixture.credentials, workflow: tool({}), items: [{ to: 'nobody' }] };
    const result = await fixture.engine.run({ ...request, executionId: 'tool-fails' });
    expect(outputOf(result, 0, 'Agent')[0]!.json.answer).toContain('failed: invalid recipient. Enter a phone number');
  });

  it('reports a wrong code to the model', async () => {
    const { maskId } = await fixture.passbell.send(freshPhone(), {}, { keys: fixture.keys });
    const parameters = { resource: 'otp', operation: 'verify', maskId, otp: fromModel('code') };
    const workflow = tool({}, parameters);
    const request = { credentials: fixture.credentials, workflow, items: [{ code: 'nope' }] };
    const result = await fixture.engine.run({ ...request, executionId: 'tool-verify' });
    expect(outputOf(result, 0, 'Agent')[0]!.json.answer).toContain('"verified":false');
  });

  it.each([
    [{}, false],
    [{ options: { includeToken: true } }, true],
  ])('with %j shows the session token to the model: %s', async (options, isShown) => {
    const { maskId, code } = await fixture.passbell.send(freshPhone(), {}, { keys: fixture.keys });
    const parameters = { resource: 'otp', operation: 'verify', maskId, otp: fromModel('code'), ...options };
    const request = { credentials: fixture.credentials, workflow: tool({}, parameters), items: [{ code }] };
    const result = await fixture.engine.run({ ...request, executionId: `tool-token-${isShown}` });
    const { answer } = outputOf(result, 0, 'Agent')[0]!.json;
    expect(answer).toContain('"verified":true');
    expect(answer.includes('"token"')).toBe(isShown);
  });
});
