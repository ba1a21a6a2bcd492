/** The packed nodes in a complete Node-RED. Installs it first, so it is not part of `npm test`: run `npm run test:node-red`. */
import { createHmac } from 'node:crypto';
import {
  freshMail,
  freshPhone,
  NO_LIMITS,
  startService,
  wrongCode,
  type Body,
  type TestService,
} from '../../support/service.js';
import { createTestClock } from '../../support/clock.js';
import { advancing, until } from '../../support/wait.js';
import { startForwarder, startStaticServer, type Exchange } from '../n8n/forwarder.js';
import { editorTests } from './editor.js';
import { flowWith, from, NOTIFY, SEND, VERIFY, WAIT, type Connection } from './flows.js';
import { installNodeRed, startNodeRed, type NodeRed } from './server.js';

let passbell: TestService;
let nodeRed: NodeRed;
beforeAll(async () => {
  installNodeRed();
  // Signatures must match the machine's clock, which the nodes use to check how old a call is.
  const clock = createTestClock(Math.floor(Date.now() / 1000) * 1000);
  passbell = await startService({ WEBHOOKS_ALLOW_PRIVATE: 'true' }, { clock });
  nodeRed = await startNodeRed();
});
afterAll(async () => {
  await nodeRed?.stop();
  await passbell?.stop();
});

const connectionOf = async (change = NO_LIMITS): Promise<Connection> => ({
  ...(await passbell.application(change)),
  baseUrl: passbell.url,
});
const results = (): Promise<Body[]> => nodeRed.post('/results', {});
const resultOn = (output: string): Promise<Body> =>
  until(`a message on ${output}`, async () => (await results()).find((result) => result.output === output));

/** Deploys a node, and sends it one message. Returns the output that it used. */
async function runNode(connection: Connection | undefined, node: object, payload: object): Promise<Body> {
  await nodeRed.deploy(flowWith(connection, node));
  return nodeRed.post('/in', payload);
}

describe('the nodes', () => {
  it('send a code, and keep the other properties of the message', async () => {
    const to = freshPhone();
    const sent = await runNode(await connectionOf(), { ...SEND, channel: 'SMS', otpLength: '8' }, { to });
    expect(sent).toMatchObject({
      output: 'Sent',
      kept: 'yes',
      payload: { to: expect.stringContaining('*'), channel: 'SMS' },
    });
    expect(Date.parse(sent.payload.expiresAt)).toBeGreaterThan(passbell.clock.now());
    expect(await passbell.codeFor(to)).toMatch(/^\d{8}$/);
  });

  it('verify a code by its recipient or its Verification ID, and output a wrong one on Not Verified', async () => {
    const connection = await connectionOf({});
    const to = freshPhone();
    const { maskId, code } = await passbell.send(to, {}, { keys: connection as never });
    const wrong = await runNode(connection, VERIFY, { to, code: wrongCode(code) });
    expect(wrong).toMatchObject({
      output: 'Not Verified',
      kept: 'yes',
      payload: { verified: false, reason: 'INVALID_OTP', attemptsLeft: 4 },
    });
    const byId = { ...VERIFY, ...from('maskId', 'payload.maskId'), failures: 'output' };
    expect(await runNode(connection, byId, { maskId, to: 'ignored', code })).toMatchObject({
      output: 'Verified',
      payload: { verified: true, token: expect.any(String), user: { phone: to } },
    });
  });

  it('notify about orders and invoices, and leave out fields of other templates', async () => {
    const connection = await connectionOf();
    const to = freshMail();
    const stale = { ...NOTIFY.variables, refundId: { value: 'R-1', type: 'str' } };
    expect(await runNode(connection, { ...NOTIFY, variables: stale }, { to, orderId: 'A-7' })).toMatchObject({
      output: 'Sent',
    });
    expect((await passbell.inbox(to))[0]!.text).toContain('A-7');
    const invoice = {
      ...NOTIFY,
      kind: 'invoice',
      templateType: 'invoice_generated',
      variables: {
        invoiceNumber: { value: 'I-9', type: 'str' },
        amount: { value: '"USD " & (5 + 4)', type: 'jsonata' },
      },
    };
    const other = freshMail();
    expect(await runNode(connection, invoice, { to: other })).toMatchObject({ output: 'Sent' });
    expect((await passbell.inbox(other))[0]!.text).toContain('$9.00');
  });

  it('use the API once for each message of a list', async () => {
    const connection = await connectionOf();
    const list = Array.from({ length: 5 }, () => freshMail());
    await nodeRed.deploy(flowWith(connection, SEND));
    const outputs = await Promise.all(list.map((to) => nodeRed.post('/in', { to })));
    expect(outputs.map(({ output }) => output)).toEqual(list.map(() => 'Sent'));
    for (const to of list) expect(await passbell.inbox(to)).toHaveLength(1);
  });
});

describe('failures', () => {
  const inactive = () => connectionOf({ status: 'inactive' });
  const withCooldown = async () => {
    const connection = await connectionOf({});
    return { connection, to: freshPhone() };
  };

  interface Case {
    node: object;
    payload: object;
    connection?: Connection | undefined;
    text: RegExp;
  }
  const CASES: Record<string, () => Promise<Case>> = {
    INVALID_INPUT: async () => ({
      node: SEND,
      payload: { to: '1' },
      connection: undefined,
      text: /Choose a Passbell server/,
    }),
    MISSING_CREDENTIALS: async () => ({
      node: SEND,
      payload: { to: freshPhone() },
      connection: { baseUrl: passbell.url, appKey: '', appSecret: '' },
      text: /App Key and the App Secret/,
    }),
    INVALID_CREDENTIALS: async () => ({
      node: SEND,
      payload: { to: freshPhone() },
      connection: { ...(await connectionOf()), appSecret: 'sk_wrong' },
      text: /App Key and the App Secret/,
    }),
    APPLICATION_INACTIVE: async () => ({
      node: SEND,
      payload: { to: freshPhone() },
      connection: await inactive(),
      text: /inactive/,
    }),
    MISSING_RECIPIENT: async () => ({ node: SEND, payload: {}, text: /Fill in To/ }),
    INVALID_RECIPIENT: async () => ({ node: SEND, payload: { to: '(415) 555-0199' }, text: /country code/ }),
    COUNTRY_NOT_ALLOWED: async () => ({
      node: SEND,
      payload: { to: freshPhone() },
      connection: await connectionOf({ settings: { countries: ['DE'] } }),
      text: /application's settings/,
    }),
    INVALID_AUTH_WAY: async () => ({
      node: { ...SEND, channel: 'PIGEON' },
      payload: { to: freshPhone() },
      text: /Choose SMS/,
    }),
    INVALID_PARAMETER: async () => ({
      node: { ...SEND, ownCode: '!' },
      payload: { to: freshPhone() },
      text: /^Own Code must be 4 to 10/,
    }),
    MISSING_PARAMETERS: async () => ({ node: VERIFY, payload: { to: freshPhone() }, text: /Code is empty/ }),
    MISSING_TEMPLATE_VARIABLES: async () => ({ node: NOTIFY, payload: { to: freshPhone() }, text: /Order ID/ }),
    UNKNOWN_TEMPLATE: async () => ({
      node: { ...NOTIFY, templateType: 'order_lost' },
      payload: { to: freshPhone(), orderId: '1' },
      text: /order_shipped/,
    }),
    COOLDOWN: async () => {
      const { connection, to } = await withCooldown();
      await passbell.send(to, {}, { keys: connection as never });
      return { node: SEND, payload: { to }, connection, text: /Try again in/ };
    },
    UNEXPECTED_REPLY: async () => {
      const server = await startStaticServer(200, { 'Content-Type': 'text/html' }, '<html></html>');
      return {
        node: SEND,
        payload: { to: freshPhone() },
        connection: { ...(await connectionOf()), baseUrl: server.url },
        text: /must be the address/,
      };
    },
    CONNECTION_FAILED: async () => {
      const server = await startStaticServer(200, {}, '');
      server.close();
      return {
        node: SEND,
        payload: { to: freshPhone() },
        connection: { ...(await connectionOf()), baseUrl: server.url },
        text: /is running/,
      };
    },
  };

  describe.each(Object.keys(CASES))('%s', (code) => {
    it.each(['catch', 'output'])('goes to one branch only: %s', async (failures) => {
      const { node, payload, text, ...rest } = await CASES[code]!();
      const connection = 'connection' in rest ? rest.connection : await connectionOf();
      const result = await runNode(connection, { ...node, failures }, payload);
      expect(result.output).toBe(failures === 'catch' ? 'Catch' : 'Failed');
      const failure = failures === 'catch' ? result.error.cause : result.payload;
      expect(failure.code).toBe(code);
      expect(`${failure.error}. ${failure.message}`).toMatch(text);
      if (failures === 'catch') {
        expect(result.error).toMatchObject({
          code,
          message: expect.stringContaining(failure.error),
          source: { id: 'under' },
        });
        // The message that the flow has sent into the node.
        expect(result.payload).toEqual(payload);
      }
      expect(result.kept).toBe('yes');
      expect(await results()).toHaveLength(1);
      expect(JSON.stringify(result)).not.toContain(connection?.appSecret || 'sk_');
    });
  });
});

describe('retries', () => {
  /** Drops the first `count` replies to sends. */
  async function lossy(count: number) {
    const connection = await connectionOf();
    let dropped = 0;
    const forwarder = await startForwarder(
      passbell.url,
      ({ path }: Exchange) => /send|verify/.test(path) && dropped++ < count,
    );
    return { forwarder, connection: { ...connection, baseUrl: forwarder.url } };
  }
  const keysOf = (exchanges: readonly Exchange[]) => exchanges.map(({ headers }) => headers['idempotency-key']);

  it('by the node after a lost reply send nothing twice', async () => {
    const { forwarder, connection } = await lossy(1);
    const to = freshPhone();
    expect(await runNode(connection, SEND, { to })).toMatchObject({ output: 'Sent' });
    expect(forwarder.exchanges).toHaveLength(2);
    expect(new Set(keysOf(forwarder.exchanges)).size).toBe(1);
    expect(await passbell.inbox(to)).toHaveLength(1);
    forwarder.close();
  });

  it('by the flow, which sends the caught message into the node again, send nothing twice', async () => {
    const { forwarder, connection } = await lossy(3);
    const to = freshPhone();
    const flow = flowWith(connection, SEND).map((node) => {
      const { id } = node as { id: string };
      return id === 'catch' ? { ...node, wires: [['under']] } : node;
    });
    await nodeRed.deploy(flow);
    expect(await nodeRed.post('/in', { to })).toMatchObject({ output: 'Sent' });
    expect(forwarder.exchanges).toHaveLength(4);
    expect(await passbell.inbox(to)).toHaveLength(1);
    // Another message sends another code.
    expect(await nodeRed.post('/in', { to })).toMatchObject({ output: 'Sent' });
    expect(await passbell.inbox(to)).toHaveLength(2);
    forwarder.close();
  });

  it('verify a code once, even if the reply is lost', async () => {
    const { forwarder, connection } = await lossy(1);
    const to = freshPhone();
    const { code } = await passbell.send(to, {}, { keys: connection as never });
    expect(await runNode(connection, VERIFY, { to, code })).toMatchObject({ output: 'Verified' });
    expect(await nodeRed.post('/in', { to, code })).toMatchObject({ output: 'Not Verified' });
    forwarder.close();
  });

  it('with an own Idempotency Key send nothing twice, even for another message', async () => {
    const connection = await connectionOf();
    const to = freshMail();
    const node = { ...NOTIFY, ...from('idempotencyKey', 'payload.orderId') };
    const first = await runNode(connection, node, { to, orderId: 'A-1' });
    expect(await nodeRed.post('/in', { to, orderId: 'A-1' })).toEqual(first);
    expect(await passbell.inbox(to)).toHaveLength(1);
  });
});

describe('send and wait', () => {
  const submit = (url: string, form: Record<string, string>) =>
    fetch(url, { method: 'POST', body: new URLSearchParams(form) });

  /** Starts a wait. Returns the URL of its page. */
  async function startWait(to: string, node: object = {}, baseUrl = passbell.url) {
    const connection = { ...(await connectionOf()), baseUrl };
    const { output, payload } = await runNode(connection, { ...WAIT, ...node }, { to });
    expect(output).toBe('Page');
    // The service's own address is not reachable in tests.
    const { pathname, search } = new URL(payload.url as string);
    return { url: `${passbell.url}${pathname}${search}`, connection };
  }

  it('outputs the page at once, and the input on Verified once the code is entered there', async () => {
    const to = freshPhone();
    const { url } = await startWait(to);
    const wrong = await submit(url, { code: wrongCode(await passbell.codeFor(to)) });
    expect(await wrong.text()).toContain('4');
    expect((await results()).map(({ output }) => output)).toEqual(['Page']);
    const done = await submit(url, { code: await passbell.codeFor(to) });
    expect(done.url).not.toBe(url);
    expect(await resultOn('Verified')).toMatchObject({ kept: 'yes', payload: { verified: true, user: { phone: to } } });
    // Reload, back and a second tab show a page of Passbell, and end nothing twice.
    for (const again of [await fetch(url), await submit(url, { code: await passbell.codeFor(to) })]) {
      expect(again.headers.get('content-type')).toContain('text/html');
      expect(await again.text()).not.toContain('stack');
    }
    expect((await results()).map(({ output }) => output)).toEqual(['Page', 'Verified']);
  });

  it('accepts only codes that it has sent', async () => {
    const to = freshPhone();
    const { url, connection } = await startWait(to);
    const own = await passbell.codeFor(to);
    const login = await passbell.send(to, {}, { keys: connection as never });
    await submit(url, { code: login.code });
    expect((await results()).map(({ output }) => output)).toEqual(['Page']);
    await submit(url, { code: own });
    expect(await resultOn('Verified')).toMatchObject({ payload: { verified: true } });
  });

  it('accepts the new code that the person has requested, and Cancel', async () => {
    const to = freshPhone();
    const { url } = await startWait(to);
    const next = await submit(url, { resend: '' });
    expect(await passbell.inbox(to)).toHaveLength(2);
    await submit(next.url, { code: await passbell.codeFor(to) });
    expect(await resultOn('Verified')).toMatchObject({ payload: { verified: true } });
    const other = await startWait(freshPhone());
    await submit(other.url, { cancel: '' });
    expect(await resultOn('Not Verified')).toMatchObject({ payload: { reason: 'CANCELLED' } });
  });

  it('outputs the input on Timed Out', async () => {
    const to = freshPhone();
    await startWait(to, { waitMinutes: '0.02' });
    expect(await resultOn('Timed Out')).toMatchObject({ payload: { to }, kept: 'yes' });
  });

  it('ends once: a code that is verified while the time runs out is too late, and the page says so', async () => {
    let isChecked = false;
    const forwarder = await startForwarder(passbell.url, async ({ path }) => {
      if (!path.includes('verifyotp')) return false;
      isChecked = true;
      await resultOn('Timed Out');
      passbell.clock.advance(60_000);
      return false;
    });
    let html = '';
    // On a busy machine, the time runs out before the code reaches Node-RED.
    for (let minutes = 0.02; !isChecked; minutes *= 2) {
      const to = freshPhone();
      const { url } = await startWait(to, { waitMinutes: String(minutes) }, forwarder.url);
      html = await (await submit(url, { code: await passbell.codeFor(to) })).text();
    }
    expect(html).toContain('The time to enter the code has passed');
    expect((await results()).map(({ output }) => output)).toEqual(['Page', 'Timed Out']);
    forwarder.close();
  });

  it('ends when the flow is stopped, and its page says so', async () => {
    const { url } = await startWait(freshPhone());
    await nodeRed.deploy([]);
    const page = await fetch(url);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).not.toContain('name="code"');
  });
});

describe('events', () => {
  const EVENTS = { type: 'passbell-events', events: { 'message.accepted': true } };

  it('arrive once, and only with a valid signature', async () => {
    const connection = await connectionOf();
    const flow = flowWith(connection, EVENTS) as { id: string }[];
    await nodeRed.deploy(flow);
    const webhooks = async () => (await passbell.get('/webhooks', {}, { keys: connection as never })).data.webhooks;
    const [webhook] = await until('the webhook', async () => {
      const list = await webhooks();
      return list.length > 0 && list;
    });
    // Makes the subscription visible to every process.
    passbell.clock.advance(1000);
    const to = freshPhone();
    await passbell.send(to, {}, { keys: connection as never });
    const event = await until('an event', async () => (await results())[0], advancing(passbell.clock, 100));
    expect(event).toMatchObject({
      topic: 'message.accepted',
      payload: { authType: 'Sms', state: 'sent', template: 'otp' },
    });
    expect(JSON.stringify(event)).not.toContain(await passbell.codeFor(to));

    const body = JSON.stringify({ id: 'EVT-1', event: 'message.accepted', createdTime: 1, data: {} });
    const time = Math.floor(Date.now() / 1000);
    const v1 = createHmac('sha256', 'whsec_other').update(`${time}.${body}`).digest('hex');
    const forged = await fetch(webhook.url, {
      method: 'POST',
      body,
      headers: { 'Passbell-Signature': `t=${time},v1=${v1}` },
    });
    expect(forged.status).toBe(401);
    expect(await results()).toHaveLength(1);

    // A deploy keeps the webhook; deleting the node deletes it.
    await nodeRed.deploy(flow.map((node) => (node.id === 'under' ? { ...node, name: 'renamed' } : node)));
    await until('the same webhook', async () => (await webhooks())[0]?.webhookId === webhook.webhookId);
    await nodeRed.deploy([]);
    await until('the webhook to be deleted', async () => (await webhooks()).length === 0);
  });
});

describe('the editor', () => editorTests(() => nodeRed));

it('Node-RED logs no secret', () => {
  expect(nodeRed.output()).not.toMatch(/sk_|eyJ/);
});
