/** The built Activepieces piece, loaded with Activepieces' framework as its engine does, against the service. */
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createTestClock } from '../support/clock.js';
import { root } from '../support/process.js';
import {
  freshMail,
  freshPhone,
  NO_LIMITS,
  startService,
  wrongCode,
  type Body,
  type TestService,
} from '../support/service.js';
import { advancing, until } from '../support/wait.js';
import { startWebhookServer, type WebhookServer } from '../support/webhook-server.js';
import { startForwarder, startStaticServer } from './n8n/forwarder.js';

const folder = join(root, 'clients/activepieces');
const require = createRequire(join(folder, 'package.json'));

let piece: Body;
let framework: Body;
let passbell: TestService;
let hooks: WebhookServer;
let connection: Body;
beforeAll(async () => {
  const { status, stderr } = spawnSync(process.execPath, ['build.mjs'], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  framework = require('@activepieces/pieces-framework');
  // Activepieces loads this path of the package, and finds the piece by its class.
  piece = Object.values<Body>(await import(join(folder, 'dist/src/index.js'))).find(
    (value) => value.constructor.name === 'Piece',
  );
  // Signatures must match the machine's clock, which the piece uses to check how old a call is.
  const clock = createTestClock(Math.floor(Date.now() / 1000) * 1000);
  passbell = await startService({ WEBHOOKS_ALLOW_PRIVATE: 'true' }, { clock });
  hooks = await startWebhookServer();
  connection = await connectionTo();
});
afterAll(async () => {
  await hooks?.close();
  await passbell?.stop();
});

const connectionTo = async (baseUrl = passbell.url, change: object = NO_LIMITS): Promise<Body> => ({
  ...(await passbell.application(change)),
  baseUrl,
});

interface Run {
  readonly id?: string;
  readonly step?: string;
  readonly connection?: Body;
  readonly method?: 'run' | 'test';
}

let runs = 0;
/** Runs an action as the engine does. Each call is a new run, unless `id` names it. */
function act(
  action: string,
  propsValue: object,
  { id, step = 'step_1', method = 'run', ...rest }: Run = {},
): Promise<Body> {
  return piece.getAction(action)[method]({
    ...framework.createMockActionContext({ propsValue }),
    auth: { type: 'CUSTOM_AUTH', props: rest.connection ?? connection },
    run: { id: id ?? `run-${++runs}` },
    step: { name: step },
  });
}

/** Returns the text of the failure of a step. */
const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => Promise.reject(new Error('the step succeeded')),
    (error: Error) => error.message,
  );

describe('the piece', () => {
  it('has metadata that Activepieces accepts', () => {
    // Activepieces stores it as JSON. Its schema lacks secret texts in connections, which its own pieces have as well.
    const { auth, ...metadata } = JSON.parse(JSON.stringify(piece.metadata()));
    const parsed = framework.PieceMetadata.safeParse({
      ...metadata,
      name: '@passbell/piece-passbell',
      version: '0.2.0',
    });
    expect(parsed.error?.issues ?? []).toEqual([]);
    expect(Object.values<Body>(auth.props).map(({ type }) => type)).toEqual([
      'SHORT_TEXT',
      'SHORT_TEXT',
      'SECRET_TEXT',
    ]);
    expect(Object.keys(piece.actions())).toEqual([
      'send_otp',
      'verify_otp',
      'send_order_notification',
      'send_invoice_notification',
    ]);
  });

  it('shows the text of the selected template, and its fields', async () => {
    const { variables } = piece.getAction('send_order_notification').props;
    const fields = await variables.props({ templateType: 'order_shipped' });
    expect(Object.keys(fields)).toContain('trackingNo');
    expect(fields.orderId).toMatchObject({ displayName: 'Order ID', required: true });
    expect(JSON.stringify(fields)).toContain('is on its way');
    expect(Object.keys(await variables.props({ templateType: 'order_placed' }))).not.toContain('trackingNo');
  });

  it('tests a connection', async () => {
    const validate = (change: object) => piece.auth.validate({ auth: { ...connection, ...change } });
    expect(await validate({})).toEqual({ valid: true });
    const wrong = await validate({ appSecret: 'sk_wrong' });
    expect(wrong).toEqual({
      valid: false,
      error: expect.stringContaining('App Key and the App Secret in the connection'),
    });
    const page = await startStaticServer(200, { 'Content-Type': 'text/html' }, '<html></html>');
    expect(await validate({ baseUrl: page.url })).toMatchObject({
      valid: false,
      error: expect.stringContaining('must be'),
    });
    page.close();
    const unreachable = await validate({ baseUrl: page.url });
    expect(unreachable).toEqual({ valid: false, error: expect.stringContaining('that the server is running.') });
    // The test of a connection sends nothing.
    expect(unreachable.error).not.toContain('sent');
  });
});

describe('the actions', () => {
  it('send a code, and verify it by its recipient or its Verification ID', async () => {
    const limited = await connectionTo(passbell.url, {});
    const to = freshPhone();
    const sent = await act('send_otp', { to, channel: 'SMS', otpLength: '8', expiry: '' }, { connection: limited });
    expect(sent).toMatchObject({ channel: 'SMS', to: expect.stringContaining('*'), maskId: expect.any(String) });
    const code = await passbell.codeFor(to);
    expect(code).toMatch(/^\d{8}$/);
    expect(JSON.stringify(sent)).not.toContain(code);
    expect(await act('verify_otp', { code: wrongCode(code), recipient: to }, { connection: limited })).toMatchObject({
      verified: false,
      reason: 'INVALID_OTP',
      attemptsLeft: 4,
    });
    expect(
      await act('verify_otp', { code, recipient: 'ignored', maskId: sent.maskId }, { connection: limited }),
    ).toMatchObject({
      verified: true,
      token: expect.any(String),
      user: { phone: to },
    });
  });

  it('notify about orders and invoices, and leave out fields of other templates', async () => {
    const to = freshMail();
    const variables = { orderId: 'A-7', refundId: 'R-1', trackingNo: '' };
    await act('send_order_notification', { to, templateType: 'order_shipped', variables });
    expect((await passbell.inbox(to))[0]!.text).toContain('A-7');
    const other = freshMail();
    const invoice = { invoiceNumber: 'I-9', amount: 'USD 9' };
    await act('send_invoice_notification', { to: other, templateType: 'invoice_generated', variables: invoice });
    expect((await passbell.inbox(other))[0]!.text).toContain('$9.00');
  });

  it.each<[string, string, object, RegExp]>([
    ['a number without country code', 'send_otp', { to: '(415) 555-0199' }, /country code/],
    ['no recipient', 'send_otp', { to: '' }, /Fill in To/],
    ['a number without country code', 'verify_otp', { code: '123456', recipient: '(415) 555-0199' }, /country code/],
    ['no code', 'verify_otp', { code: '', recipient: '+14155550123' }, /Code is empty/],
    ['a bad code', 'send_otp', { to: '+14155550123', ownCode: '!' }, /^Own Code must be/],
    ['an unknown channel', 'send_otp', { to: '+14155550123', channel: 'PIGEON' }, /Choose SMS/],
    [
      'a missing variable',
      'send_order_notification',
      { to: '+14155550123', templateType: 'order_shipped', variables: {} },
      /Order ID/,
    ],
  ])('%s is an error of %s that says what to do', async (_what, action, values, text) => {
    expect(await failureOf(act(action, values))).toMatch(text);
  });

  it('an error contains neither the App Secret nor a code', async () => {
    const wrong = { ...connection, appSecret: 'sk_wrong' };
    for (const action of ['send_otp', 'verify_otp']) {
      const values = { to: freshPhone(), recipient: freshPhone(), code: '735190', ownCode: '735190' };
      expect(await failureOf(act(action, values, { connection: wrong }))).not.toMatch(/sk_|735190/);
    }
  });
});

describe('retries', () => {
  /** Drops the first `count` replies to a send. */
  async function lossy(count: number) {
    let dropped = 0;
    const forwarder = await startForwarder(passbell.url, ({ path }) => /send|order/.test(path) && dropped++ < count);
    return { forwarder, connection: { ...connection, baseUrl: forwarder.url } };
  }

  it.each(['send_otp', 'send_order_notification'])('of %s in the same run send nothing twice', async (action) => {
    // More than the client's own attempts, so that the step fails.
    const { forwarder, connection: unreliable } = await lossy(3);
    const to = freshMail();
    const values = { to, templateType: 'order_shipped', variables: { orderId: 'A-1' } };
    const again = { id: 'run', connection: unreliable };
    expect(await failureOf(act(action, values, again))).toMatch(/may have been sent/);
    const sent = await act(action, values, again);
    expect(await act(action, values, again)).toEqual(sent);
    expect(await passbell.inbox(to)).toHaveLength(1);
    forwarder.close();
  });

  it('another run, another step and a test in the editor send a new code', async () => {
    const to = freshPhone();
    await act('send_otp', { to }, { id: 'run' });
    await act('send_otp', { to }, { id: 'other' });
    await act('send_otp', { to }, { id: 'other', step: 'step_2' });
    for (let test = 0; test < 2; test++) await act('send_otp', { to }, { id: 'run', method: 'test' });
    expect(await passbell.inbox(to)).toHaveLength(5);
  });

  it('with an own Idempotency Key, even another run sends nothing twice', async () => {
    const to = freshPhone();
    const values = { to, idempotencyKey: 'order A-1 ü' };
    expect(await act('send_otp', values)).toEqual(await act('send_otp', values));
    expect(await passbell.inbox(to)).toHaveLength(1);
  });

  it('verify a code once, and return the same result again', async () => {
    const to = freshPhone();
    await act('send_otp', { to });
    const values = { recipient: to, code: await passbell.codeFor(to) };
    for (let attempt = 0; attempt < 2; attempt++)
      expect(await act('verify_otp', values, { id: 'run' })).toMatchObject({ verified: true, user: { phone: to } });
    expect(await act('verify_otp', values)).toMatchObject({ verified: false });
  });
});

describe('the trigger', () => {
  const stored = new Map<string, unknown>();
  const store = {
    put: async (key: string, value: unknown) => void stored.set(key, value),
    get: async (key: string) => stored.get(key) ?? null,
    delete: async (key: string) => void stored.delete(key),
  };
  const contextOf = (payload: object = {}) => ({
    auth: { type: 'CUSTOM_AUTH', props: connection },
    propsValue: { events: ['message.accepted'] },
    webhookUrl: hooks.url,
    store,
    payload,
  });
  const webhooks = async (): Promise<Body[]> =>
    (await passbell.get('/webhooks', {}, { keys: connection as never })).data.webhooks;

  it('creates a webhook, passes on events with a valid signature, and deletes the webhook', async () => {
    const { onEnable, run, onDisable } = piece.getTrigger('event');
    await onEnable(contextOf());
    expect(await webhooks()).toMatchObject([{ url: hooks.url, events: ['message.accepted'] }]);
    // Makes the subscription visible to every process.
    passbell.clock.advance(1000);
    await act('send_otp', { to: freshPhone() });
    const call = await until('an event', () => hooks.calls[0], advancing(passbell.clock, 100));
    const body = JSON.parse(call.body);
    const event = { event: 'message.accepted', data: { state: 'sent' }, _dedupe_key: body.id };
    expect(await run(contextOf({ body, rawBody: call.body, headers: call.headers }))).toMatchObject([event]);
    expect(await run(contextOf({ body, headers: call.headers }))).toMatchObject([event]);
    const t = Math.floor(Date.now() / 1000);
    const v1 = createHmac('sha256', 'whsec_other').update(`${t}.${call.body}`).digest('hex');
    for (const headers of [{}, { 'passbell-signature': `t=${t},v1=${v1}` }])
      expect(await run(contextOf({ body, rawBody: call.body, headers }))).toEqual([]);
    await onDisable(contextOf());
    expect(await webhooks()).toEqual([]);
  });

  it('can be turned off if its webhook was already deleted', async () => {
    const { onEnable, onDisable } = piece.getTrigger('event');
    await onEnable(contextOf());
    const [{ webhookId }] = (await webhooks()) as [Body];
    await passbell.fetch(`/webhooks/${webhookId}`, { method: 'DELETE' }, { keys: connection as never });
    await onDisable(contextOf());
    expect(stored.size).toBe(0);
  });
});
