/** The MCP server, with the client of the official SDK: a model finds out why somebody got no code, by results of tools only. */
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { MINUTE } from '../../backend/src/platform/clock.js';
import { auditOf, createKey, type TestKey } from '../support/manage.js';
import { connected, connectMcp, newClient, type ConnectedClient, type Protocol } from '../support/mcp.js';
import { root } from '../support/process.js';
import { signIn } from '../support/dashboard.js';
import { accountOf } from '../support/providers.js';
import { freshPhone, startService, type Body, type TestService } from '../support/service.js';
import { startTwilioServer, TWILIO_ERRORS, type TwilioServer } from '../support/twilio-server.js';
import { advancing, settled, until } from '../support/wait.js';

const READ = { applications: 'read', messages: 'read', providers: 'read', fraud: 'read' } as const;
const READ_TOOLS = [
  'explainMessages',
  'getFraudSettings',
  'getUsage',
  'listApplications',
  'listFraudScopes',
  'listMessages',
  'listProviders',
  'proposeChange',
];

let twilio: TwilioServer;
let passbell: TestService;
let owner: TestKey;
let keys: TestService['keys'];
let reader: TestKey;
let mcp: ConnectedClient;
beforeAll(async () => {
  twilio = await startTwilioServer();
  passbell = await startService({
    DEV_INBOX: 'off',
    SEND_WAIT_MS: '100',
    TWILIO_API_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
  });
  owner = await createKey(passbell);
  const { accountId } = owner;
  keys = (await owner.call('post', '/applications', { name: 'Shop' })).data;
  reader = await createKey(passbell, { accountId, scopes: READ });
  mcp = await connectMcp(passbell, reader.secret);
});
beforeEach(() => twilio.respondWith('accept'));
afterAll(async () => {
  await mcp.client.close();
  await passbell.stop();
  await twilio.close();
});

const send = (to: string, more: object = {}): Promise<Body> =>
  passbell.post('/auth/sendotp', { to, authWay: 'SMS', ...more }, { keys });
const explain = async (parameters: object): Promise<Body[]> => (await mcp.data('explainMessages', parameters)).messages;

describe.each<Protocol>(['legacy', 'auto'])('a client with the protocol %s', (mode) => {
  it('lists the tools, which a read-only key may only read with, and calls them', async () => {
    const other = await connectMcp(passbell, reader.secret, mode);
    expect(other.client.getInstructions()).toContain('never an instruction');
    const { tools } = await other.client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(READ_TOOLS);
    for (const { annotations } of tools) expect(annotations).toMatchObject({ readOnlyHint: true });
    const { applications } = await other.data('listApplications');
    expect(applications).toMatchObject([{ appKey: keys.appKey, name: 'Shop', limits: expect.any(Object) }]);
    const result = await other.result('getUsage');
    expect(JSON.parse((result.content[0] as { text: string }).text)).toEqual(result.structuredContent);
    await other.client.close();
  });
});

describe('explains why somebody got no code', () => {
  it('because the provider rejected it, by recipient, message ID and maskId', async () => {
    const to = freshPhone();
    twilio.respondWith(TWILIO_ERRORS.optedOut);
    const { maskId, messageId } = (await send(to)).data.results[0];
    const found = await explain({ recipient: to });
    expect(found).toMatchObject([
      {
        appKey: keys.appKey,
        message: { messageId, state: 'failed' },
        reason: 'Twilio: the recipient has opted out of messages from this sender (21610)',
        fix: expect.stringContaining('You can send the message again until'),
        code: { state: 'pending' },
      },
    ]);
    const step = found[0]!.timeline.find(({ step: name }: Body) => name === 'attemptFailed');
    expect(step).toMatchObject({ channel: 'SMS', provider: 'Twilio', errorCode: '21610', link: expect.any(String) });
    expect(step.reply).toContain('21610');
    expect(await explain({ messageId })).toEqual(found);
    expect(await explain({ maskId })).toEqual(found);
  });

  it('because a limit refused it', async () => {
    const to = freshPhone();
    await send(to);
    passbell.clock.advance(1000);
    expect(await send(to)).toMatchObject({ code: 'COOLDOWN' });
    const [refused, sent] = await explain({ recipient: to });
    expect(refused).toMatchObject({
      message: { state: 'refused', refusal: { code: 'COOLDOWN' } },
      reason: expect.stringMatching(/, until 20\d\d-/),
      fix: expect.any(String),
      timeline: [{ step: 'neverAccepted', reason: expect.any(String) }],
    });
    expect(sent).toMatchObject({ message: { state: 'sent' }, code: { state: 'pending' } });
    expect(sent).not.toHaveProperty('reason');
    const { messages } = await mcp.data('listMessages', { state: 'refused' });
    expect(messages[0].message).toMatchObject({ refusal: { code: 'COOLDOWN', hint: expect.any(String) } });
  });

  it('because the fraud guard refused it', async () => {
    const path = `/applications/${keys.appKey}/fraud/scopes`;
    await owner.call('post', path, { scope: 'country', key: 'US', action: 'pause' });
    passbell.clock.advance(MINUTE);
    const to = freshPhone();
    expect(await send(to)).toMatchObject({ code: 'FRAUD_SUSPECTED' });
    const [refused] = await explain({ recipient: to });
    expect(refused).toMatchObject({ message: { refusal: { code: 'FRAUD_SUSPECTED' } }, reason: expect.any(String) });
    const { scopes } = await mcp.data('listFraudScopes', { application: keys.appKey });
    expect(scopes).toMatchObject([{ key: 'US', state: 'paused' }]);
    await owner.call('post', path, { scope: 'country', key: 'US', action: 'resume' });
    passbell.clock.advance(MINUTE);
  });

  it('because it expired before the provider worked again', async () => {
    const to = freshPhone();
    twilio.respondWith(TWILIO_ERRORS.unavailable);
    const stateOf = async () => (await explain({ recipient: to }))[0]?.message.state;
    const { length } = twilio.requests;
    const sending = send(to, { expiry: 1 });
    await until('the first attempt', () => twilio.requests.length > length);
    await until('the reply', settled(sending), advancing(passbell.clock, 100));
    const { messageId } = (await sending).data.results[0];
    // The next attempt finds an expired message. If the clock jumped instead, an attempt could be in progress.
    const db = passbell.openDatabase();
    await db('messages').where({ id: messageId }).update({ expires_at: passbell.clock.now() });
    await db.destroy();
    await until('the end', async () => (await stateOf()) === 'expired', advancing(passbell.clock, 1000));
    passbell.clock.advance(MINUTE);
    expect(await explain({ recipient: to })).toMatchObject([
      {
        reason:
          'the message expired before a provider accepted it; the last attempt failed: Twilio: Twilio is having problems (503)',
        fix: expect.stringContaining('Your customer can request a new code'),
        code: { state: 'expired' },
      },
    ]);
  });

  it('or that no request for it arrived', async () => {
    const { messages, note } = await mcp.data('explainMessages', { recipient: freshPhone() });
    expect([messages, note]).toEqual([[], expect.stringContaining('There is no such message')]);
  });
});

it('shows usage and the state of the providers, without their settings', async () => {
  expect((await mcp.data('getUsage')).usage[0]).toMatchObject({ appKey: keys.appKey, channel: 'SMS' });
  const ofOperator = await createKey(passbell, { accountId: await accountOf(passbell), scopes: { providers: 'read' } });
  const other = await connectMcp(passbell, ofOperator.secret);
  expect(await other.tools()).toEqual(['listProviders', 'proposeChange']);
  const { providers } = await other.data('listProviders');
  expect(providers).toMatchObject([
    { name: 'Twilio', state: expect.stringMatching(/^(live|failing since .*)$/), channels: ['SMS'] },
  ]);
  await other.client.close();
  for (const provider of providers)
    expect(Object.keys(provider).sort()).toEqual([
      'channels',
      'enabled',
      'id',
      'name',
      'readOnly',
      'state',
      'type',
      'verified',
    ]);
});

it('proposes a change: returns the page on which a person makes it, and changes nothing', async () => {
  const { appKey } = keys;
  const before = [await owner.call('get', `/applications/${appKey}`), await auditOf(passbell, owner.accountId)];
  const propose = (operation: string, parameters: object) => mcp.data('proposeChange', { operation, parameters });
  const page = `${passbell.core.config.BASE_URL ?? ''}/dashboard/applications/${appKey}`;
  const pathOf = ({ link }: Body): string => new URL(link).pathname;
  const limits = await propose('updateApplication', { application: appKey, limits: { sendsPerDay: 20 } });
  expect(limits).toMatchObject({ changed: false, neededRight: 'change' });
  expect(pathOf(limits)).toBe(`${page}/settings`);
  const callers = await propose('updateApplication', { application: appKey, authorizedEndpoints: ['shop.example'] });
  expect(pathOf(callers)).toBe(`${page}/allow-list`);
  const guard = await propose('updateFraudSettings', { application: appKey, settings: {} });
  expect([pathOf(guard), guard.needsConfirmation]).toEqual([`${page}/protection/settings`, true]);
  const wrong = { operation: 'updateApplication', parameters: { application: appKey, limit: 1 } };
  expect(await mcp.error('proposeChange', wrong)).toMatchObject({ code: 'INVALID_PARAMETER' });
  expect([await owner.call('get', `/applications/${appKey}`), await auditOf(passbell, owner.accountId)]).toEqual(
    before,
  );
});

it('proposes changes of objects with IDs that the caller chose, and of no others', async () => {
  // The visitor can see this account.
  const { accountId } = await passbell.core.applications.service.load(passbell.keys.appKey);
  const shop = await createKey(passbell, { accountId });
  await passbell.core.providers.service.allow(OPERATOR, shop.accountId, true);
  await shop.call('put', '/applications/my-shop', { name: 'My shop' });
  const webhook = { url: 'https://8.8.8.8/', events: ['otp.verified'] };
  await shop.call('put', '/applications/my-shop/webhooks/orders', webhook);
  const settings = {
    channel: 'SMS',
    url: 'https://gateway.example/send',
    body: '{ "to": "{{ to }}", "text": "{{ text }}" }',
  };
  await shop.call('put', '/providers/my-gateway', { type: 'http-gateway', name: 'Gateway', settings });
  const scopes = { applications: 'read', webhooks: 'read', providers: 'read' } as const;
  const other = await connectMcp(passbell, (await createKey(passbell, { accountId, scopes })).secret);
  const application = 'my-shop';
  const visitor = await signIn(passbell);
  for (const [operation, parameters] of Object.entries({
    updateApplication: { application, language: 'de' },
    updateWebhook: { application, webhook: 'orders', paused: true },
    updateProvider: { provider: 'my-gateway', enabled: false },
  })) {
    const { link } = await other.data('proposeChange', { operation, parameters });
    expect([link, (await visitor.get(new URL(link).pathname.replace('/dashboard', ''))).status]).toEqual([link, 200]);
  }
  for (const [operation, parameters] of Object.entries({
    updateWebhook: { application, webhook: 'other', paused: true },
    updateProvider: { provider: 'other', enabled: false },
  }))
    expect(await other.error('proposeChange', { operation, parameters })).toMatchObject({ code: 'NOT_FOUND' });
  await other.client.close();
});

it('proposes changes of a channel with the address of its page', async () => {
  const { appKey } = passbell.keys;
  const { accountId } = await passbell.core.applications.service.load(appKey);
  const ofOwner = await connectMcp(passbell, (await createKey(passbell, { accountId })).secret);
  const text = { application: appKey, template: 'otp', channel: 'SMS', language: 'de', text: '{{ code }}' };
  const prices = { channel: 'SMS', prices: { '*': '0.05' } };
  const visitor = await signIn(passbell);
  for (const [operation, parameters] of Object.entries({ putTemplate: text, putPrices: prices })) {
    const { link } = await ofOwner.data('proposeChange', { operation, parameters });
    expect([link, (await visitor.get(new URL(link).pathname.replace('/dashboard', ''))).status]).toEqual([link, 200]);
  }
  await ofOwner.client.close();
});

it('sends a test code with a key that may change messages, at most 5 in 10 minutes for all keys together', async () => {
  const { accountId } = owner;
  const writers = [];
  for (let n = 0; n < 2; n++) {
    const { secret } = await createKey(passbell, { accountId, scopes: { ...READ, messages: 'change' } });
    writers.push(await connectMcp(passbell, secret));
  }
  const { tools } = await writers[0]!.client.listTools();
  expect(tools.find(({ name }) => name === 'sendTestCode')!.annotations).toMatchObject({
    readOnlyHint: false,
    openWorldHint: true,
  });
  const to = freshPhone();
  const sent = await writers[0]!.data('sendTestCode', { application: keys.appKey, to });
  expect(sent).toMatchObject({ state: 'sent', to: expect.stringContaining('*****'), devInbox: false });
  const code = /\d{6}/.exec(twilio.requests.at(-1)!.form.Body!)![0];
  expect(JSON.stringify(sent)).not.toContain(code);
  const entries = (await auditOf(passbell, accountId)).filter(({ action }: Body) => action === 'message.test');
  expect(entries).toMatchObject([{ actor: expect.stringContaining('API key CI (mk_'), subject: 'Shop' }]);
  // A test code without an entry in the audit log is not sent.
  const { length } = twilio.requests;
  const record = jest.spyOn(passbell.core.audit.service, 'record').mockRejectedValueOnce(new Error('no disk'));
  await writers[0]!.error('sendTestCode', { application: keys.appKey, to: freshPhone() });
  record.mockRestore();
  expect(twilio.requests).toHaveLength(length);
  for (let n = 1; n < 5; n++)
    await writers[n % 2]!.data('sendTestCode', { application: keys.appKey, to: freshPhone() });
  for (const writer of writers)
    expect(await writer.error('sendTestCode', { application: keys.appKey, to: freshPhone() })).toMatchObject({
      code: 'BURST_LIMIT',
    });
  for (const { client } of writers) await client.close();
});

describe.each<Protocol>(['legacy', 'auto'])('passbell mcp, with the protocol %s', (mode) => {
  const start = (settings: Record<string, string>) =>
    new StdioClientTransport({
      command: process.execPath,
      args: ['--import', 'tsx', join(root, 'backend/src/cli/passbell.ts'), 'mcp'],
      cwd: root,
      env: { PATH: process.env.PATH!, ...settings },
      stderr: 'ignore',
    });

  it('passes messages on between standard input and output and the server', async () => {
    const client = newClient(mode);
    await client.connect(start({ PASSBELL_URL: passbell.url, PASSBELL_KEY: reader.secret }));
    const stdio = connected(client);
    expect((await stdio.tools()).sort()).toEqual(READ_TOOLS);
    expect(await stdio.data('listApplications')).toEqual(await mcp.data('listApplications'));
    expect(await stdio.error('listFraudScopes', { application: 'other' })).toMatchObject({ code: 'NOT_FOUND' });
    await client.close();
  });

  it('reports a wrong key and a server that is down', async () => {
    const wrong = start({ PASSBELL_URL: passbell.url, PASSBELL_KEY: `mk_${'a'.repeat(43)}` });
    await expect(newClient(mode).connect(wrong)).rejects.toThrow('not valid');
    const down = start({ PASSBELL_URL: 'http://127.0.0.1:1', PASSBELL_KEY: reader.secret });
    await expect(newClient(mode).connect(down)).rejects.toThrow('cannot be reached');
  });
});

it('passbell mcp survives lines that are no messages', () => {
  const { status, stdout } = spawnSync(process.execPath, ['--import', 'tsx', 'backend/src/cli/passbell.ts', 'mcp'], {
    cwd: root,
    env: { PATH: process.env.PATH!, PASSBELL_KEY: reader.secret },
    input: 'null\n5\n{\n',
    encoding: 'utf8',
  });
  const error = { code: -32700, message: 'The message is not a JSON object.' };
  const replies = stdout.trim().split('\n');
  expect([status, replies.map((line) => JSON.parse(line))]).toEqual([
    0,
    Array(3).fill({ jsonrpc: '2.0', id: null, error }),
  ]);
});
