/** `passbell apply` with a running service: the example, changes by hand, bad input, and interruptions. */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import type { Scopes } from '../../backend/src/modules/management-keys/management-key.js';
import { createDataFolder } from '../support/data-folder.js';
import { auditOf, createKey, type TestKey } from '../support/manage.js';
import { startService, type TestService } from '../support/service.js';
import { run, type Run } from './command.js';

const root = new URL('../../', import.meta.url);
const EXAMPLE = new URL('examples/configuration/shop.yaml', root).pathname;
const VARIABLES = { GATEWAY_PASSWORD: 'first-password', ERP_URL: 'https://8.8.8.8' };

let passbell: TestService;
let folder: string;
beforeAll(async () => {
  passbell = await startService();
  folder = createDataFolder('apply');
});
afterAll(async () => {
  await passbell.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(() => void Object.assign(process.env, VARIABLES));
afterAll(() => Object.keys(VARIABLES).forEach((name) => delete process.env[name]));

/** Creates an account with providers, and a key for it. */
async function createAccount(scopes?: Scopes): Promise<TestKey> {
  const key = await createKey(passbell, scopes ? { scopes } : {});
  await passbell.core.providers.service.allow(OPERATOR, key.accountId, true);
  return key;
}

const applyFile = ({ secret }: Pick<TestKey, 'secret'>, file: string, ...options: string[]): Promise<Run> =>
  run(passbell, 'apply', file, '--url', passbell.url, '--key', secret, ...options);

/** Writes a configuration to a file, and applies it. */
function applyText(key: Pick<TestKey, 'secret'>, text: string, ...options: string[]): Promise<Run> {
  const file = join(folder, 'configuration.yaml');
  writeFileSync(file, text);
  return applyFile(key, file, ...options);
}

const shop = (more = '') => `applications:\n  shop:\n    name: Shop\n${more}`;

const UNTESTED =
  'note: providers/gateway sends no messages yet. Send a test message on its page in the dashboard, or with POST /providers/gateway/test\n';

it('sets up the shop of the example, finds nothing to change the second time, and repairs a change by hand', async () => {
  const key = await createAccount();
  const planned = await applyFile(key, EXAMPLE, '--plan');
  expect(planned).toMatchObject({ code: 2, err: '', out: expect.stringContaining('Plan: 10 to create, 1 to change.') });
  expect((await key.call('get', '/applications')).data.applications).toEqual([]);

  const secretsFile = join(folder, 'secrets.jsonl');
  writeFileSync(secretsFile, '', { mode: 0o644 });
  const created = await applyFile(key, EXAMPLE, '--secrets-out', secretsFile);
  expect(created).toMatchObject({ code: 0, out: expect.stringContaining('created applications/shop-fr\n') });
  expect(created.err).toBe(UNTESTED);
  expect(created.out).not.toMatch(/sk_|whsec_|first-password|8\.8\.8\.8/);
  expect(statSync(secretsFile).mode & 0o777).toBe(0o600);
  const secrets = readFileSync(secretsFile, 'utf8').trim().split('\n');
  expect(secrets.map((line) => JSON.parse(line))).toEqual(
    ['shop-de', 'shop-fr'].flatMap((id) => [
      { object: `applications/${id}`, appKey: expect.stringMatching(/^pk_/), appSecret: expect.stringMatching(/^sk_/) },
      { object: `applications/${id}/webhooks/erp`, secret: expect.stringMatching(/^whsec_/) },
    ]),
  );
  const { appKey, appSecret } = JSON.parse(secrets[2]!);
  expect(await passbell.get('/auth/authentication', {}, { keys: { appKey, appSecret } })).toMatchObject({
    success: true,
  });

  const audited = await auditOf(passbell, key.accountId);
  expect(await applyFile(key, EXAMPLE)).toEqual({ code: 0, out: 'No changes.\n', err: '' });
  expect(await applyFile(key, EXAMPLE, '--plan')).toEqual({ code: 0, out: 'No changes.\n', err: '' });
  expect(await auditOf(passbell, key.accountId)).toEqual(audited);

  const path = '/applications/shop-de';
  await key.call('patch', path, { quietHours: '', limits: { sendsPerDay: 5 }, silentSeconds: 30 });
  await key.call('put', `${path}/templates/order_shipped/EMAIL/de`, {
    text: 'Hallo!\n\nIhr Paket kommt.',
    subject: 'x',
  });
  await key.call('delete', `${path}/webhooks/erp`);
  await key.call('post', `${path}/fraud/scopes`, { scope: 'prefix', key: '+491512345', action: 'resume' });
  await key.call('put', '/routes/SMS/*', { providers: [{ provider: 'gateway', weight: 5 }] });
  await key.call('put', '/prices/SMS', { prices: { DE: '0.07', AT: '0.08', FR: '0.09', '*': '0.12', CH: '1' } });
  const drift = [
    '~ routes/SMS/*',
    '    providers: [{"weight":5,"provider":"gateway"}] → [{"provider":"gateway"}]',
    '~ prices/SMS',
    '    prices.FR: 0.0900 → 0.0600',
    '    prices.CH: 1.0000 → (none)',
    '~ applications/shop-de',
    '    quietHours:  → 22:00-08:00',
    '    limits.sendsPerDay: 5 → 8',
    '+ applications/shop-de/webhooks/erp',
    '    url: ${ERP_URL}/passbell/shop-de',
    '    events: ["otp.verified","message.failed"]',
    '~ applications/shop-de/templates/order_shipped/EMAIL/de',
    '    subject: x → Ihre Bestellung {{ orderId }} ist unterwegs',
    '    text:',
    '        Hallo!',
    '        ',
    '      - Ihr Paket kommt.',
    '      + Ihre Bestellung {{ orderId }} ist unterwegs.',
    '+ applications/shop-de/fraud/allowedPrefixes/+491512345',
    'Plan: 2 to create, 4 to change.',
    '',
  ];
  const repaired = await applyFile(key, EXAMPLE, '--plan');
  expect({ ...repaired, out: repaired.out.split('\n') }).toEqual({ code: 2, out: drift, err: '' });
  expect(await applyFile(key, EXAMPLE)).toMatchObject({ code: 0, err: '' });
  expect(await applyFile(key, EXAMPLE)).toEqual({ code: 0, out: 'No changes.\n', err: '' });
  // The file does not contain this setting.
  expect((await key.call('get', path)).data).toMatchObject({ silentSeconds: 30, limits: { sendsPerDay: 8 } });
});

it('stores changed secrets, which the plan does not show, and stores the same secret only once', async () => {
  const key = await createAccount();
  const challenge = '    challenge: turnstile\n    challengeSiteKey: site\n    challengeSecret: ${TURNSTILE}\n';
  const text = `${readFileSync(EXAMPLE, 'utf8')}\n  third:\n    name: Third\n${challenge}`;
  process.env.TURNSTILE = 'challenge-secret';
  expect(await applyText(key, text)).toMatchObject({ code: 0, err: UNTESTED });
  expect(await applyText(key, text)).toEqual({ code: 0, out: 'No changes.\n', err: '' });
  process.env.GATEWAY_PASSWORD = 'second-password';
  process.env.TURNSTILE = 'other-challenge-secret';
  expect(await applyText(key, text, '--plan')).toEqual({ code: 0, out: 'No changes.\n', err: '' });
  const out = 'No changes.\nchanged providers/gateway (secrets)\nchanged applications/third (secrets)\n';
  expect(await applyText(key, text)).toEqual({ code: 0, out, err: UNTESTED });
  const audited = await auditOf(passbell, key.accountId);
  expect(await applyText(key, text)).toEqual({ code: 0, out: 'No changes.\n', err: '' });
  expect(await auditOf(passbell, key.accountId)).toEqual(audited);
  delete process.env.TURNSTILE;
});

it('prints new secrets once, and never those of test recipients', async () => {
  const key = await createAccount();
  const text = shop('    testRecipients: { "+15550100": "481516" }\n');
  const { out } = await applyText(key, text);
  expect(out).toMatch(/\{"object":"applications\/shop","appKey":"pk_\w+","appSecret":"sk_[\w-]+"\}\n/);
  const changed = await applyText(key, text.replace('481516', '234234'));
  expect(changed.out).toContain('testRecipients.+15550100: (hidden) → (hidden)\n');
  expect(out + changed.out).not.toMatch(/481516|234234/);
  expect((await key.call('get', '/applications/shop')).data.testRecipients).toEqual({ '+15550100': '234234' });
});

it.each([
  [
    'an unknown field',
    shop('    nam: Shop\n'),
    'line 4: applications.shop.nam is neither a known field nor a valid ID',
  ],
  [
    'an unknown limit',
    shop('    limits:\n      sends: 1\n'),
    'line 5: applications.shop.limits.sends is neither a known field',
  ],
  [
    'an invalid ID',
    shop().replace('shop:', 'My shop:'),
    'line 2: applications.My shop is neither a known field nor a valid ID',
  ],
  ['a wrong type', shop('    silentSeconds: soon\n'), 'line 4: applications.shop.silentSeconds must be integer'],
  [
    'a number for a text',
    'providers:\n  a: { type: 1, name: x }',
    'line 2: providers.a.type must be a string; put it in quotes',
  ],
  [
    'a missing field',
    'applications:\n  shop:\n    language: de\n',
    "line 2: applications.shop must have required property 'name'",
  ],
  ['an unknown choice', shop('    status: on\n'), 'line 4: applications.shop.status must be one of active, inactive'],
  [
    'a wrong list item',
    shop('    countries:\n      - DE\n      - 1\n'),
    'line 6: applications.shop.countries.1 must be a string',
  ],
  [
    'a wrong link',
    shop('    webhooks: { a: { url: x, events: [otp.verified] } }\n'),
    'line 4: applications.shop.webhooks.a.url must be a URL',
  ],
  [
    'a wrong country',
    'prices:\n  SMS:\n    Germany: 1\n',
    'line 3: prices.SMS.Germany is neither a known field nor a valid ID',
  ],
  ['a missing variable', shop('    language: ${NO_SUCH}\n'), 'line 4: set the environment variable NO_SUCH'],
  ['two objects with the same ID', `${shop()}  shop:\n    name: B\n`, 'line 4: this name or ID occurs twice'],
  ['no YAML', 'applications:\n  shop: [\n', 'line 3: Flow sequence'],
  ['two documents', '{}\n---\n{}\n', 'line 2: Source contains multiple documents'],
  ['an unknown anchor', 'applications: *shops\n', 'an anchor or merge key cannot be used: Unresolved alias'],
  [
    'anchors that expand to a huge file',
    `a0: &a0 [x]\n${[0, 1, 2, 3, 4].map((n) => `a${n + 1}: &a${n + 1} [${`*a${n}, `.repeat(9)}]\n`).join('')}`,
    'an anchor or merge key cannot be used: Excessive alias count',
  ],
  [
    'a merge key without a mapping',
    shop('    <<: 5\n'),
    'an anchor or merge key cannot be used: Merge sources must be maps',
  ],
  [
    'a variable with a name of JavaScript',
    shop('    language: ${constructor}\n'),
    'line 4: set the environment variable',
  ],
  ['an empty file', '', 'line 1: the file must be object'],
  [
    'a secret of a challenge',
    shop('    challengeSecret: x\n'),
    'line 4: applications.shop.challengeSecret is a secret; write it as ${NAME}',
  ],
  [
    'a secret of a provider',
    readFileSync(EXAMPLE, 'utf8').replace('${GATEWAY_PASSWORD}', 'exposed'),
    'line 16: providers.gateway.settings.secret is a secret; write it as ${NAME}',
  ],
])('rejects %s with its line, and changes nothing', async (_name, text, problem) => {
  const key = await createAccount();
  const before = await auditOf(passbell, key.accountId);
  expect(await applyText(key, text)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining(`error: ${problem}`),
  });
  expect(await auditOf(passbell, key.accountId)).toEqual(before);
});

it('lists all problems at once', async () => {
  const { err } = await applyText(await createAccount(), shop('    a: 1\n    b: 2\n'));
  expect(err.match(/line \d/g)).toEqual(['line 4', 'line 5']);
});

it('reports what was applied if the server rejects a part, and continues with the next run', async () => {
  const key = await createAccount();
  const templates =
    "    templates:\n      otp/SMS/en: { text: 'no code' }\n      otp/SMS/de: { text: 'Code: {{ code }}' }\n";
  const text = shop(templates);
  const { code, out, err } = await applyText(key, text);
  expect([code, out.includes('created applications/shop\n')]).toEqual([1, true]);
  expect(err).toMatch(/^error: line 5: applications\/shop\/templates\/otp\/SMS\/en: .*code/);
  expect(err).toContain(
    'Applied: 1. Not applied: applications/shop/templates/otp/SMS/en, applications/shop/templates/otp/SMS/de.',
  );
  const rest = await applyText(key, text.replace('no code', '{{ code }}'));
  expect(rest).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^\+ applications\/shop\/templates\/otp\/SMS\/en/),
  });
  expect(await applyText(key, text.replace('no code', '{{ code }}'))).toMatchObject({ out: 'No changes.\n' });
});

it('names the line of a limit that the server rejects', async () => {
  const { err } = await applyText(await createAccount(), shop('    limits:\n      sendsPerDay: 2000000\n'));
  expect(err).toContain(
    'line 5: applications/shop: limits.sendsPerDay: Enter a whole number from 0 to 1,000,000; 0 turns it off. Correct',
  );
});

it('names the right that the key lacks', async () => {
  const text = shop('    webhooks: { erp: { url: https://8.8.8.8/, events: [otp.verified] } }\n');
  const reader = await createAccount({ applications: 'own' });
  expect(await applyText(reader, text)).toMatchObject({ code: 1, err: expect.stringContaining('right webhooks:own') });
  const changer = await createAccount({ applications: 'change', webhooks: 'own' });
  expect(await applyText(changer, text)).toMatchObject({
    code: 1,
    err: expect.stringContaining('right applications:own'),
  });
});

it('does not repeat values of environment variables in errors', async () => {
  const key = await createAccount();
  process.env.ERP_URL = 'not an origin';
  const { err } = await applyText(key, shop('    authorizedEndpoints: ["${ERP_URL}"]\n'));
  expect(err).toContain('“${ERP_URL}”');
  expect(err).not.toContain('not an origin');
});

it('says so if the server stores a value in another form', async () => {
  const key = await createAccount();
  const { code, err } = await applyText(key, shop('    countries: [Germany]\n'));
  expect([code, err]).toEqual([
    0,
    'note: the server stores countries of applications/shop in another form, so each run changes it again\n',
  ]);
});

it('does not restore a deleted application', async () => {
  const key = await createAccount();
  await applyText(key, shop());
  await key.call('delete', '/applications/shop');
  const expected = { code: 1, err: 'error: line 2: applications/shop was deleted; restore it first\n' };
  expect(await applyText(key, shop())).toMatchObject(expected);
});

/** Starts a server in front of the service. `intercept` returns true if it has handled a request. */
async function startProxy(intercept: (...args: Parameters<RequestListener>) => Promise<boolean>) {
  const server = createServer(async (request, response) => {
    if (await intercept(request, response)) return;
    const headers = Object.entries(request.headers).filter(([name]) => /^(authorization|if-match)$/.test(name));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
    const { method = 'GET', url } = request;
    const reply = await fetch(`${passbell.url}${url}`, { method, headers: headers as [string, string][], ...body });
    response.writeHead(reply.status).end(await reply.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

it('reports lost replies and an unreachable server, and continues with the next run', async () => {
  const key = await createAccount();
  const proxy = await startProxy(async (request) => {
    if (request.method === 'PUT') request.socket.destroy();
    return request.method === 'PUT';
  });
  const lost = await applyText(key, shop(), '--url', proxy.url);
  expect(lost).toMatchObject({ code: 1, err: expect.stringContaining(`there is no reply from ${proxy.url}`) });
  expect(lost.err).toContain('The server may have made this change. If the object has a secret, create a new secret');
  expect(lost.err).toContain('Applied: 0. Not applied: applications/shop.');
  proxy.close();
  const unreachable = await applyText(key, shop(), '--url', proxy.url);
  expect(unreachable).toMatchObject({ code: 1, out: '', err: `error: there is no reply from ${proxy.url}\n` });
  expect(await applyText(key, shop())).toMatchObject({ code: 0 });
});

it('does not overwrite what someone else changes at the same time', async () => {
  const key = await createAccount();
  await applyText(key, shop());
  const proxy = await startProxy(async ({ method }) => {
    if (method === 'PUT') await key.call('patch', '/applications/shop', { language: 'fr' });
    return false;
  });
  const { code, err } = await applyText(key, shop('    language: de\n'), '--url', proxy.url);
  proxy.close();
  expect([code, /changed/.test(err)]).toEqual([1, true]);
  expect((await key.call('get', '/applications/shop')).data.language).toBe('fr');
});

it('rejects another server, and a missing URL, key and file', async () => {
  const key = await createAccount();
  const proxy = await startProxy(async (_request, response) =>
    Boolean(response.writeHead(502).end('<h1>Bad gateway</h1>')),
  );
  const foreign = `error: ${proxy.url} is not a Passbell server (status 502); check PASSBELL_URL\n`;
  expect(await applyText(key, shop(), '--url', proxy.url)).toMatchObject({ code: 1, err: foreign });
  proxy.close();
  expect(await applyText(key, shop(), '--plan', '--url', `${passbell.url}/api/v1`)).toMatchObject({
    code: 1,
    out: '',
    err: `error: ${passbell.url}/api/v1 is not a Passbell server (status 404); check PASSBELL_URL\n`,
  });
  const file = join(folder, 'configuration.yaml');
  const noUrl = await run(passbell, 'apply', file, '--key', key.secret);
  expect(noUrl).toMatchObject({ code: 1, err: expect.stringContaining('set PASSBELL_URL') });
  expect(await applyFile({ secret: 'x' }, file)).toMatchObject({
    code: 1,
    err: expect.stringContaining('set PASSBELL_KEY'),
  });
  expect(await applyFile(key, join(folder, 'none.yaml'))).toMatchObject({
    code: 1,
    err: expect.stringContaining('ENOENT'),
  });
  const wrongKey = await applyFile({ secret: `mk_${'a'.repeat(43)}` }, file);
  expect(wrongKey).toMatchObject({ code: 1, err: expect.not.stringContaining('aaaa') });
});

it('the JSON schema for editors is valid, and accepts the example', () => {
  const schema = JSON.parse(readFileSync(new URL('backend/openapi/apply.schema.json', root), 'utf8'));
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  expect(ajv.validateSchema(schema)).toBe(true);
  expect([ajv.validate(schema, parse(readFileSync(EXAMPLE, 'utf8'), { merge: true })), ajv.errors]).toEqual([
    true,
    null,
  ]);
});
