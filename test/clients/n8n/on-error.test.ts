/** The "On Error" setting of the n8n node, and waiting for throttled requests. */
import { freshMail, freshPhone, wrongCode } from '../../support/service.js';
import { startForwarder, startStaticServer } from './forwarder.js';
import { outputOf, startFixture, workflowWith, type Fixture } from './engine.js';
import { createCredentials, ORDER, SEND, TOKEN, VERIFY } from './failure-cases.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const CONTINUE = { onError: 'continueRegularOutput' };

describe('the On Error setting', () => {
  const items = () => [{ to: freshPhone() }, { to: 'nobody' }, { to: freshPhone() }];
  const sent = async (list: { to: string }[]) =>
    Promise.all(list.map(async ({ to }) => (to === 'nobody' ? 0 : (await fixture.passbell.inbox(to)).length)));

  it('"Stop Workflow" names the failed item, and does not process the items after it', async () => {
    const list = items();
    const result = await fixture.run(SEND, list);
    expect(result).toMatchObject({
      status: 'error',
      error: {
        message: 'invalid recipient',
        description: expect.stringContaining('Item 1: '),
        context: { itemIndex: 1 },
      },
    });
    expect(await sent(list)).toEqual([1, 0, 0]);
  });

  it('"Continue" outputs every item, linked to its input item', async () => {
    const list = items();
    const output = outputOf(await fixture.run(SEND, list, CONTINUE));
    expect(output.map(({ pairedItem }) => pairedItem.item)).toEqual([0, 1, 2]);
    expect(output[1]!.json).toMatchObject({ error: 'invalid recipient' });
    expect(await sent(list)).toEqual([1, 0, 1]);
  });

  it('"Continue (using error output)" outputs failed items on the error output, linked to their input items', async () => {
    const list = items();
    const result = await fixture.run(SEND, list, { onError: 'continueErrorOutput' });
    expect(outputOf(result, 0).map(({ pairedItem }) => pairedItem.item)).toEqual([0, 2]);
    expect(outputOf(result, 1)).toHaveLength(1);
    expect(outputOf(result, 1)[0]).toMatchObject({
      json: { to: 'nobody', error: 'invalid recipient', details: { code: 'INVALID_RECIPIENT' } },
      pairedItem: { item: 1 },
    });
  });

  it('"Continue (using error output)" adds the error output to the two outputs of Verify', async () => {
    const { maskId, code } = await fixture.passbell.send(freshPhone(), {}, { keys: fixture.keys });
    const other = await fixture.passbell.send(freshPhone(), {}, { keys: fixture.keys });
    const list = [{ maskId: '' }, { maskId: other.maskId, code: wrongCode(other.code) }, { maskId, code }];
    const parameters = { ...VERIFY, ifNotVerified: 'branch' };
    const result = await fixture.run(parameters, list, { onError: 'continueErrorOutput' });
    expect([0, 1, 2].map((output) => outputOf(result, output).map(({ pairedItem }) => pairedItem.item))).toEqual([
      [2],
      [1],
      [0],
    ]);
  });

  it.each([
    ['To', { to: '={{ $json. }}' }],
    ['an option', { options: { language: '={{ $json. }}' } }],
    ['Simplify', { simple: '={{ $json. }}' }],
  ])('applies to an invalid expression in %s, which fails each item before anything is sent', async (_what, change) => {
    const list = [{ to: freshPhone() }, { to: freshPhone() }];
    const result = await fixture.run({ ...SEND, ...change }, list, { onError: 'continueErrorOutput' });
    expect(outputOf(result, 1)).toMatchObject(
      list.map((_to, item) => ({ json: { details: { code: 'INVALID_INPUT' } }, pairedItem: { item } })),
    );
    expect(await sent(list)).toEqual([0, 0]);
  });

  it('applies to a deleted credential', async () => {
    const list = items();
    const workflow = workflowWith(SEND, { onError: 'continueErrorOutput' });
    const deleted = { ...fixture.credentials, isDeleted: true };
    const result = await fixture.engine.run({ credentials: deleted, workflow, items: list });
    expect(result.status).toBe('success');
    expect(outputOf(result, 0)).toEqual([]);
    expect(outputOf(result, 1)).toMatchObject(
      list.map((_to, item) => ({
        json: { message: 'Select a Passbell credential in this node.', details: { code: 'NO_CREDENTIAL' } },
        pairedItem: { item },
      })),
    );
  });

  it('applies to replies with "success" that are not from Passbell', async () => {
    const body = JSON.stringify({ success: true, message: 'ok', data: {} });
    const server = await startStaticServer(200, { 'Content-Type': 'application/json' }, body);
    const as = { ...fixture.credentials, baseUrl: server.url };
    const item = { to: freshPhone(), maskId: 'f'.repeat(32), code: '123456', token: 't' };
    for (const parameters of [SEND, VERIFY, TOKEN, { ...ORDER, orderId: 'A-1' }]) {
      const result = await fixture.runAs(as, parameters, [item, item], { onError: 'continueErrorOutput' });
      expect(outputOf(result, 0)).toEqual([]);
      expect(outputOf(result, 1)).toMatchObject(Array(2).fill({ json: { details: { code: 'NOT_PASSBELL' } } }));
    }
    server.close();
  });

  it('applies only to the invalid items among 50', async () => {
    const list = Array.from({ length: 50 }, (_, n) => ({ to: n % 5 === 4 ? 'nobody' : freshMail() }));
    const result = await fixture.run(SEND, list, { onError: 'continueErrorOutput' });
    expect(outputOf(result, 0)).toHaveLength(40);
    expect(outputOf(result, 1).map(({ pairedItem }) => pairedItem.item)).toEqual([
      4, 9, 14, 19, 24, 29, 34, 39, 44, 49,
    ]);
  });
});

describe('the node, when it is throttled,', () => {
  /** Creates an application with a cooldown of one second. A rejection advances the service's clock by one second. */
  async function createThrottledApplication() {
    const pair = await createCredentials(fixture, { limits: { cooldownSeconds: 1 } });
    const forwarder = await startForwarder(fixture.passbell.url, ({ reply }) => {
      if (reply.code === 'COOLDOWN') fixture.passbell.clock.advance(reply.retryAfterSeconds * 1000);
      return false;
    });
    return { forwarder, as: { ...pair, baseUrl: forwarder.url } };
  }

  it('waits for retryAfterSeconds if Max Wait allows it', async () => {
    const { forwarder, as } = await createThrottledApplication();
    const item = { to: freshPhone() };
    const result = await fixture.runAs(as, { ...SEND, options: { longestWait: 5 } }, [item, item]);
    expect(result.status).toBe('success');
    expect(outputOf(result)).toHaveLength(2);
    expect(forwarder.exchanges.map(({ reply }) => reply.code)).toEqual([undefined, 'COOLDOWN', undefined]);
    expect(await fixture.passbell.inbox(item.to)).toHaveLength(2);
    forwarder.close();
  });

  it('waits for the limit per second by default', async () => {
    const pair = await createCredentials(fixture, { limits: { burstPerSecond: 2 } });
    const forwarder = await startForwarder(fixture.passbell.url, ({ reply }) => {
      if (reply.code === 'BURST_LIMIT') fixture.passbell.clock.advance(reply.retryAfterSeconds * 1000);
      return false;
    });
    const items = Array.from({ length: 5 }, () => ({ to: freshPhone() }));
    const result = await fixture.runAs({ ...pair, baseUrl: forwarder.url }, SEND, items);
    expect(outputOf(result)).toHaveLength(5);
    expect(forwarder.exchanges.map(({ reply }) => reply.code)).toContain('BURST_LIMIT');
    forwarder.close();
  });

  it('does not wait for a cooldown by default, and reports retryAfterSeconds', async () => {
    const { forwarder, as } = await createThrottledApplication();
    const item = { to: freshPhone() };
    const result = await fixture.runAs(as, SEND, [item, item], CONTINUE);
    expect(outputOf(result)[1]!.json).toMatchObject({
      error: 'Too many codes for this recipient. Try again in 1 second',
      details: { retryAfterSeconds: 1 },
    });
    expect(forwarder.exchanges).toHaveLength(2);
    forwarder.close();
  });

  it.each([
    ['a non-numeric text', 'soon', 1],
    ['a negative number', -5, 1],
    ['more than the maximum of the field', 100_000, 601],
    ['0, also with a retryAfterSeconds of 0', 0, 0],
  ])('does not wait if the expression for Max Wait evaluates to %s', async (_what, longestWait, retryAfterSeconds) => {
    const rejection = { success: false, code: 'COOLDOWN', message: 'too early', retryAfterSeconds };
    const server = await startStaticServer(200, { 'Content-Type': 'application/json' }, JSON.stringify(rejection));
    const parameters = { ...SEND, options: { longestWait: '={{ $json.wait }}' } };
    const item = { to: freshPhone(), wait: longestWait };
    const result = await fixture.runAs({ ...fixture.credentials, baseUrl: server.url }, parameters, [item], CONTINUE);
    expect(outputOf(result)[0]!.json).toMatchObject({ error: 'too early' });
    expect(server.paths).toHaveLength(1);
    server.close();
  });

  it('does not wait if retryAfterSeconds exceeds Max Wait', async () => {
    const as = await createCredentials(fixture);
    const item = { to: freshPhone() };
    const result = await fixture.runAs(as, { ...SEND, options: { longestWait: 29 } }, [item, item], CONTINUE);
    expect(outputOf(result)[1]!.json).toMatchObject({ details: { code: 'COOLDOWN', retryAfterSeconds: 30 } });
  });
});
