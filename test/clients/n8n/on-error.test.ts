/** "On Error" in the settings of the n8n node, and waiting for what is throttled. */
import { freshMail, freshPhone, wrongCode } from '../../support/service.js';
import { startForwarder, startStranger } from './forwarder.js';
import { outputOf, startWorkbench, type Workbench } from './engine.js';
import { own, SEND, VERIFY } from './scenes.js';

let bench: Workbench;
beforeAll(async () => {
  bench = await startWorkbench();
});
afterAll(() => bench.stop());

const CONTINUE = { onError: 'continueRegularOutput' };

describe('On Error', () => {
  const items = () => [{ to: freshPhone() }, { to: 'nobody' }, { to: freshPhone() }];
  const sent = async (list: { to: string }[]) =>
    Promise.all(list.map(async ({ to }) => (to === 'nobody' ? 0 : (await bench.passbell.inbox(to)).length)));

  it('Stop Workflow: names the item, and sends nothing to those after it', async () => {
    const list = items();
    const result = await bench.run(SEND, list);
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

  it('Continue: every item goes on, linked to its own', async () => {
    const list = items();
    const output = outputOf(await bench.run(SEND, list, CONTINUE));
    expect(output.map(({ pairedItem }) => pairedItem.item)).toEqual([0, 1, 2]);
    expect(output[1]!.json).toMatchObject({ error: 'invalid recipient' });
    expect(await sent(list)).toEqual([1, 0, 1]);
  });

  it('Continue (using error output): failed items leave by it, linked to their own', async () => {
    const list = items();
    const result = await bench.run(SEND, list, { onError: 'continueErrorOutput' });
    expect(outputOf(result, 0).map(({ pairedItem }) => pairedItem.item)).toEqual([0, 2]);
    expect(outputOf(result, 1)).toHaveLength(1);
    expect(outputOf(result, 1)[0]).toMatchObject({
      json: { to: 'nobody', error: 'invalid recipient', details: { code: 'INVALID_RECIPIENT' } },
      pairedItem: { item: 1 },
    });
  });

  it('Continue (using error output) beside the two outputs of Verify', async () => {
    const { maskId, code } = await bench.passbell.send(freshPhone(), {}, { keys: bench.keys });
    const other = await bench.passbell.send(freshPhone(), {}, { keys: bench.keys });
    const list = [{ maskId: '' }, { maskId: other.maskId, code: wrongCode(other.code) }, { maskId, code }];
    const parameters = { ...VERIFY, ifNotVerified: 'branch' };
    const result = await bench.run(parameters, list, { onError: 'continueErrorOutput' });
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
  ])('an expression in %s that does not resolve fails each item before anything is sent', async (_what, change) => {
    const list = [{ to: freshPhone() }, { to: freshPhone() }];
    const result = await bench.run({ ...SEND, ...change }, list, { onError: 'continueErrorOutput' });
    expect(outputOf(result, 1)).toMatchObject(
      list.map((_one, item) => ({ json: { details: { code: 'INVALID_INPUT' } }, pairedItem: { item } })),
    );
    expect(await sent(list)).toEqual([0, 0]);
  });

  it('of 50 items with every fifth one bad, exactly those fail', async () => {
    const list = Array.from({ length: 50 }, (_, n) => ({ to: n % 5 === 4 ? 'nobody' : freshMail() }));
    const result = await bench.run(SEND, list, { onError: 'continueErrorOutput' });
    expect(outputOf(result, 0)).toHaveLength(40);
    expect(outputOf(result, 1).map(({ pairedItem }) => pairedItem.item)).toEqual([
      4, 9, 14, 19, 24, 29, 34, 39, 44, 49,
    ]);
  });
});

describe('throttling', () => {
  /** An application whose recipients must wait a second; the service's time goes on when it has refused. */
  async function throttled() {
    const pair = await own(bench, { limits: { cooldownSeconds: 1 } });
    const forwarder = await startForwarder(bench.passbell.url, ({ reply }) => {
      if (reply.code === 'COOLDOWN') bench.passbell.clock.advance(reply.retryAfterSeconds * 1000);
      return false;
    });
    return { forwarder, as: { ...pair, baseUrl: forwarder.url } };
  }

  it('waits as told when the person allows it', async () => {
    const { forwarder, as } = await throttled();
    const item = { to: freshPhone() };
    const result = await bench.runAs(as, { ...SEND, options: { longestWait: 5 } }, [item, item]);
    expect(result.status).toBe('success');
    expect(outputOf(result)).toHaveLength(2);
    expect(forwarder.exchanges.map(({ reply }) => reply.code)).toEqual([undefined, 'COOLDOWN', undefined]);
    expect(await bench.passbell.inbox(item.to)).toHaveLength(2);
    forwarder.close();
  });

  it('does not wait otherwise, and says how long it takes', async () => {
    const { forwarder, as } = await throttled();
    const item = { to: freshPhone() };
    const result = await bench.runAs(as, SEND, [item, item], CONTINUE);
    expect(outputOf(result)[1]!.json).toMatchObject({
      error: 'too many codes for this recipient, try again in 1 seconds',
      details: { retryAfterSeconds: 1 },
    });
    expect(forwarder.exchanges).toHaveLength(2);
    forwarder.close();
  });

  it.each([
    ['what is no number', 'soon', 1],
    ['a number below zero', -5, 1],
    ['more than the field allows', 100_000, 601],
    ['nothing, and the server says to wait for none', 0, 0],
  ])('is bounded when an expression comes to %s', async (_what, longestWait, retryAfterSeconds) => {
    const refusal = { success: false, code: 'COOLDOWN', message: 'too early', retryAfterSeconds };
    const server = await startStranger(200, { 'Content-Type': 'application/json' }, JSON.stringify(refusal));
    const parameters = { ...SEND, options: { longestWait: '={{ $json.wait }}' } };
    const item = { to: freshPhone(), wait: longestWait };
    const result = await bench.runAs({ ...bench.credentials, baseUrl: server.url }, parameters, [item], CONTINUE);
    expect(outputOf(result)[0]!.json).toMatchObject({ error: 'too early' });
    expect(server.paths).toHaveLength(1);
    server.close();
  });

  it('does not begin to wait for longer than allowed', async () => {
    const [as, item] = [await own(bench), { to: freshPhone() }];
    const result = await bench.runAs(as, { ...SEND, options: { longestWait: 29 } }, [item, item], CONTINUE);
    expect(outputOf(result)[1]!.json).toMatchObject({ details: { code: 'COOLDOWN', retryAfterSeconds: 30 } });
  });
});
