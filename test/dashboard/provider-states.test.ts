/** The states of providers: a provider is live only after a credentials check or a test message has succeeded. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { DAY, HOUR, MINUTE } from '../../backend/src/platform/clock.js';
import { hiddenFields, signIn, waitForMailedCode, type Fields, type Visitor } from '../support/dashboard.js';
import { startGatewayServer, type GatewayServer } from '../support/gateway-server.js';
import { accountOf, waitForRoutingUpdate } from '../support/providers.js';
import { freshMail, freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.js';
import { advancing, until } from '../support/wait.js';

const METRICS_TOKEN = 'metrics-t0ken-of-this-test-93518';
const REJECTED = 'the mail server rejected the username or password (535)';

let passbell: TestService;
let gateway: GatewayServer;
let smtp: TestSmtpServer;
let owner: Visitor;
beforeAll(async () => {
  gateway = await startGatewayServer();
  smtp = await startSmtpServer({ credentials: { user: 'shop', password: 'correct' } });
});
afterAll(async () => {
  await gateway.close();
  await smtp.close();
});
beforeEach(async () => {
  passbell = await startService({ METRICS_TOKEN });
  owner = await signIn(passbell, 'owner', { email: freshMail() });
  gateway.respondWith({ status: 200, body: { id: 'gw-1' } });
});
afterEach(() => passbell.stop());

const ADD_SMTP = '/channels/add/smtp';
const smtpFields = (password: string): Fields => ({
  name: 'Shop mail',
  'setting-host': '127.0.0.1',
  'setting-port': new URL(smtp.url).port,
  'setting-security': 'none',
  'setting-user': 'shop',
  'secret-password': password,
  'setting-from': 'codes@shop.example',
});
const ADD_GATEWAY = '/channels/add/http-gateway';
const gatewayFields = (): Fields => ({
  name: 'Local SMS',
  'setting-channel': 'SMS',
  'setting-url': `${gateway.url}/send`,
  'setting-body': '{"to": "{{ to }}", "text": "{{ text }}"}',
  'secret-secret': 'gateway-s3cret',
});

/** Adds a provider with the form, and returns the path of its page and the page. */
async function add(form: string, fields: Fields) {
  const added = await owner.submit(form, form, fields);
  expect(added.location).toMatch(/^\/dashboard\/channels\/providers\/PRV-/);
  const { html } = await owner.follow(added);
  await waitForRoutingUpdate(passbell);
  return { path: added.location.replace('/dashboard', ''), html };
}

/** Returns the text of a page without tags. */
const pageText = async (path: string): Promise<string> =>
  (await owner.get(path)).html
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ');

async function send(to: string, authWay: string): Promise<Body> {
  return passbell.post('/auth/sendotp', { to, authWay }, { keys: await passbell.application(NO_LIMITS) });
}
const listed = async (): Promise<Body> =>
  (await passbell.core.providers.service.list(OPERATOR, await accountOf(passbell)))[0];
const metrics = async (): Promise<string> => {
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  return (await fetch(`${passbell.url}/metrics`, { headers })).text();
};
const isInState = async (name: string, state: string): Promise<boolean> =>
  (await metrics()).includes(`passbell_provider_state{provider="${name}",state="${state}"} 1`);

it('a mail server with a wrong password never becomes live, and gets no email of the dashboard', async () => {
  const { path, html } = await add(ADD_SMTP, smtpFields('wrong'));
  expect(html).toMatch(/class="notice warning result"[^]*rejected the username or password \(535\)/);
  expect(await pageText(path)).toMatch(
    /Shop mail Failing .* because the mail server rejected the username or password/,
  );
  expect(await pageText('/channels')).toMatch(/Email Failing/);
  expect(await pageText('/home')).toMatch(/Email Failing/);
  expect(await listed()).toMatchObject({ verified: false, state: { kind: 'failing', reason: REJECTED } });
  expect(await isInState('Shop mail', 'failing')).toBe(true);

  const code = await send(freshMail(), 'EMAIL');
  expect(code.success).toBe(true);
  // Codes for the dashboard still arrive where they did before.
  passbell.clock.advance(16 * 60_000);
  const asked = await owner.post(ADD_GATEWAY, {
    ...hiddenFields((await owner.get(ADD_GATEWAY)).html, `/dashboard${ADD_GATEWAY}`),
    ...gatewayFields(),
  });
  expect(asked.status).toBe(403);
  await waitForMailedCode(passbell, owner.person!.email);
  expect(smtp.received).toHaveLength(0);
});

it('a corrected password makes the mail server live at once', async () => {
  const { path } = await add(ADD_SMTP, smtpFields('wrong'));
  await owner.submit(path, path, smtpFields('correct'));
  await waitForRoutingUpdate(passbell);
  expect(await pageText('/channels')).toMatch(/Email Live Last worked .* Shop mail/);
  const before = smtp.received.length;
  expect((await send(freshMail(), 'EMAIL')).success).toBe(true);
  expect(smtp.received).toHaveLength(before + 1);
  expect(await isInState('Shop mail', 'live')).toBe(true);
});

it('a new wrong password takes a mail server that worked out of the route', async () => {
  const { path } = await add(ADD_SMTP, smtpFields('correct'));
  expect(await pageText('/channels')).toMatch(/Email Live/);
  await owner.submit(path, path, smtpFields('wrong'));
  await waitForRoutingUpdate(passbell);
  expect(await pageText('/channels')).toMatch(/Email Failing/);
  const before = smtp.received.length;
  await send(freshMail(), 'EMAIL');
  expect(smtp.received).toHaveLength(before);
});

it('a provider without a credentials check becomes live with a test message', async () => {
  const { path, html } = await add(ADD_GATEWAY, gatewayFields());
  expect(html).toMatch(/not verified[\s\S]*Send a test message/i);
  expect(await pageText('/channels')).toMatch(/SMS Not verified/);
  expect(await pageText('/home')).toMatch(/SMS Not verified/);
  expect((await listed()).state).toEqual({ kind: 'not verified' });
  expect(await isInState('Local SMS', 'not verified')).toBe(true);
  const before = gateway.requests.length;
  await send(freshPhone(), 'SMS');
  expect(gateway.requests).toHaveLength(before);

  gateway.respondWith({ status: 401, body: {} });
  await owner.submit(path, `${path}/test`, { test: 'message', to: freshPhone() });
  expect(await pageText('/channels')).toMatch(/SMS Failing/);
  gateway.respondWith({ status: 200, body: { id: 'gw-1' } });
  await owner.submit(path, `${path}/test`, { test: 'message', to: freshPhone() });
  await waitForRoutingUpdate(passbell);
  expect(await pageText('/channels')).toMatch(/SMS Live Last worked .* Local SMS/);
  expect((await listed()).state.kind).toBe('live');
  const sent = gateway.requests.length;
  expect((await send(freshPhone(), 'SMS')).success).toBe(true);
  expect(gateway.requests).toHaveLength(sent + 1);
  passbell.clock.advance(8 * DAY);
  owner = await signIn(passbell, 'owner', { email: freshMail() });
  expect(await pageText('/channels')).toMatch(/SMS Idle Last worked .*Local SMS .* Idle/);
});

it('a provider that is not verified gets no messages while the next provider of the route does', async () => {
  await add(ADD_GATEWAY, gatewayFields());
  passbell.clock.advance(1000);
  const other = await startGatewayServer();
  other.respondWith({ status: 200, body: { id: 'other-1' } });
  const { path } = await add(ADD_GATEWAY, {
    ...gatewayFields(),
    name: 'Other SMS',
    'setting-url': `${other.url}/send`,
  });
  await owner.submit(path, `${path}/test`, { test: 'message', to: freshPhone() });
  await waitForRoutingUpdate(passbell);
  const before = gateway.requests.length;
  expect((await send(freshPhone(), 'SMS')).success).toBe(true);
  expect(gateway.requests).toHaveLength(before);
  expect(other.requests.length).toBe(2);
  await other.close();
});

it('a send names the provider to verify if it is the only one of the channel', async () => {
  await passbell.stop();
  passbell = await startService({ DEV_INBOX: 'off', METRICS_TOKEN });
  owner = await signIn(passbell, 'owner', { email: freshMail() });
  await add(ADD_GATEWAY, gatewayFields());
  expect(await send(freshPhone(), 'SMS')).toMatchObject({
    success: false,
    code: 'CHANNEL_NOT_CONFIGURED',
    message: expect.stringContaining('Local SMS'),
    hint: expect.stringContaining('test message'),
  });
});

it('a failure of the credentials is shown at once, survives a restart, and ends with the next success', async () => {
  const { path } = await add(ADD_GATEWAY, gatewayFields());
  await owner.submit(path, `${path}/test`, { test: 'message', to: freshPhone() });
  await waitForRoutingUpdate(passbell);
  gateway.respondWith({ status: 401, body: {} });
  await send(freshPhone(), 'SMS');
  await until('the state failing', async () => (await listed()).state.kind === 'failing');
  const { since, reason } = (await listed()).state;
  expect(reason).toContain('(401)');
  for (const { providers } of passbell.cores) {
    const [view] = await providers.service.list(OPERATOR, await accountOf(passbell));
    expect(view!.state).toEqual({ kind: 'failing', since, reason });
  }

  passbell = await passbell.restart({ METRICS_TOKEN });
  owner = await signIn(passbell, 'owner', { email: freshMail() });
  expect((await listed()).state).toEqual({ kind: 'failing', since, reason });
  expect(await pageText('/channels')).toMatch(/SMS Failing .*Local SMS has been failing since .* \(401\)/);
  expect(await pageText('/home')).toMatch(/SMS Failing/);
  expect(await isInState('Local SMS', 'failing')).toBe(true);
  // Home still counts the failures of the day before.
  passbell.clock.advance(17 * HOUR);
  owner = await signIn(passbell, 'owner', { email: freshMail() });
  expect(await pageText('/home')).toMatch(
    /Local SMS failing for SMS since \d\d:\d\d.*? .* 1 message failed or expired\./,
  );

  passbell.clock.advance(1000);
  gateway.respondWith({ status: 200, body: { id: 'gw-2' } });
  const isLive = async () => (await send(freshPhone(), 'SMS')) && (await listed()).state.kind === 'live';
  await until('the state live', isLive, advancing(passbell.clock, 1000));
  expect((await listed()).state.lastSuccessAt).toBeGreaterThan(since);
});

it('a provider from the environment is used at once, and is live after its first success', async () => {
  await passbell.stop();
  const SMTP_URL = smtp.url.replace('//', '//shop:correct@');
  const settings = { SMTP_URL, MAIL_FROM: 'codes@shop.example', METRICS_TOKEN };
  passbell = await startService(settings);
  owner = await signIn(passbell, 'owner', { email: freshMail() });
  const name = new URL(smtp.url).host;
  expect(await pageText('/channels')).toMatch(/Email Not verified/);
  expect(await isInState(name, 'not verified')).toBe(true);
  expect((await listed()).state).toEqual({ kind: 'not verified' });
  expect((await send(freshMail(), 'EMAIL')).success).toBe(true);
  await until('the state live', () => isInState(name, 'live'));

  // Other credentials have not proved that they work.
  passbell = await passbell.restart({ ...settings, SMTP_URL: smtp.url.replace('//', '//shop:wrong@') });
  expect(await isInState(name, 'not verified')).toBe(true);
  owner = await signIn(passbell, 'owner', { email: freshMail() });
  await send(freshMail(), 'EMAIL');
  await until('the state failing', () => isInState(name, 'failing'));
  expect(await pageText('/channels')).toMatch(/Email Failing/);
});

it('shows when and why messages of a provider failed, with a link to these messages', async () => {
  const { path } = await add(ADD_GATEWAY, gatewayFields());
  await owner.submit(path, `${path}/test`, { test: 'message', channel: 'SMS', to: freshPhone() });
  await waitForRoutingUpdate(passbell);
  const keys = await passbell.application(NO_LIMITS);
  const sendCode = () => passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys });
  await sendCode();
  expect((await owner.get('/channels')).html).not.toContain('The provider rejected');
  gateway.respondWith({ status: 400, body: { error: 'refused' } });
  for (let n = 0; n < 2; n++) await sendCode();
  const { html } = await owner.get('/channels');
  expect(html.match(/<time[^>]*>08:0\d<\/time><div class="quiet small">The provider rejected/g)).toHaveLength(1);
  const link = /href="\/dashboard([^"]*)" aria-label="Show 2 failed messages">2 failed</
    .exec(html)![1]!
    .replaceAll('&amp;', '&');
  expect((await owner.get(link)).html.match(/\/messages\/[\w-]{20,}"/g)).toHaveLength(2);
});

it('marks a low share of accepted messages, and links to those that failed', async () => {
  const { path } = await add(ADD_GATEWAY, gatewayFields());
  await owner.submit(path, `${path}/test`, { test: 'message', channel: 'SMS', to: freshPhone() });
  await waitForRoutingUpdate(passbell);
  const keys = await passbell.application(NO_LIMITS);
  const sendCode = () => passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys });
  gateway.respondWith({ status: 400, body: { error: 'refused' } });
  for (let n = 0; n < 2; n++) await sendCode();
  gateway.respondWith({ status: 200, body: { id: 'gw-2' } });
  const shares = async () => {
    const { html } = await owner.get('/channels');
    const listed =
      /<span class="rate"><span(?: class="(.*?)")?>(\d+%)<\/span> <span class="quiet small">(of \d+)</.exec(html)!;
    return [...listed.slice(1), /Accepted (\d+% .*?) messages/.exec(await pageText(path))![1]];
  };
  for (let n = 0; n < 2; n++) await sendCode();
  // The share of fewer than five messages says little.
  expect(await shares()).toEqual([undefined, '50%', 'of 4', '50% 2 of 4']);
  await sendCode();
  expect(await shares()).toEqual(['badge bad', '60%', 'of 5', '60% Low 3 of 5']);
  expect(await pageText('/channels')).toMatch(/60% of 5 .* 2 failed/);
  expect(await pageText(path)).toContain('2 failed');
  for (let n = 0; n < 15; n++) await sendCode();
  expect(await shares()).toEqual([undefined, '90%', 'of 20', '90% 18 of 20']);
});

it('shows what a provider did in the last day, and is not live after its last messages failed', async () => {
  const { path } = await add(ADD_GATEWAY, gatewayFields());
  await owner.submit(path, `${path}/test`, { test: 'message', channel: 'SMS', to: freshPhone() });
  await waitForRoutingUpdate(passbell);
  expect(await send(freshPhone(), 'SMS')).toMatchObject({ success: true });
  expect(await pageText(path)).toContain('State The latest message or check succeeded.');
  passbell.clock.advance(1000);
  gateway.respondWith({ status: 400, body: { error: 'refused' } });
  await send(freshPhone(), 'SMS');
  expect(await pageText(path)).toContain('State The latest message failed. Last worked');
  await send(freshPhone(), 'SMS');
  expect(await pageText(path)).toContain('State The latest 2 messages failed. Last worked');
  expect(await pageText('/channels')).toMatch(
    /Local SMS .* Live 33% of 3 No reports No codes 08:0\d The provider rejected/,
  );
  passbell.clock.advance(2 * MINUTE);
  await send(freshPhone(), 'SMS');
  expect(await pageText('/channels')).toMatch(
    /SMS Last 3 messages failed .* Local SMS .* Last 3 messages failed 25% of 4/,
  );
  expect(await pageText(path)).toMatch(
    /The last 3 messages failed\. The provider rejected .* Last worked 08:0\d today Last failed 08:0\d The provider rejected .* Last 24 hours .* Accepted 25% 1 of 4 messages Failed 3 none sent by another provider Delivered – No reports Codes entered – No codes/,
  );
  gateway.respondWith({ status: 200, body: { id: 'gw-2' } });
  passbell.clock.advance(1000);
  await send(freshPhone(), 'SMS');
  expect(await pageText('/channels')).toMatch(
    /SMS Live Last worked 08:0\d .* Local SMS .* Live 40% of 5 No reports No codes Outage: 08:0\d to 08:0\d The provider rejected .* 1 failed/,
  );
  expect(await pageText(path)).toMatch(/Live .* State Works again after an outage\. /);
  const outage = /href="\/dashboard([^"]*)">Outage:/.exec((await owner.get(path)).html)![1]!.replaceAll('&amp;', '&');
  // With the accepted message of the last minute.
  expect((await owner.get(outage)).html.match(/\/messages\/[\w-]{20,}"/g)).toHaveLength(4);
});
