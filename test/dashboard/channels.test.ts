/** The channels page: providers, their secrets, tests, routes and states. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { hiddenFields, waitForMailedCode, signIn, type Fields, type Visitor } from '../support/dashboard.js';
import { startGatewayServer, type GatewayServer } from '../support/gateway-server.js';
import { accountOf, waitForRoutingUpdate, setRoute } from '../support/providers.js';
import { freshMail, freshPhone, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { advancing, until } from '../support/wait.js';

const SECRET = 'gateway s3cret/93518';

let passbell: TestService;
let gateway: GatewayServer;
let owner: Visitor;
beforeAll(async () => {
  [passbell, gateway] = [await startService(), await startGatewayServer()];
});
afterAll(async () => {
  await passbell.stop();
  await gateway.close();
});
beforeEach(async () => {
  owner = await signIn(passbell, 'owner', { email: freshMail() });
  gateway.respondWith(() => ({ status: 200, body: { id: 'gw-1' } }));
});
afterEach(async () => {
  for (const { id } of await providers()) await passbell.core.providers.service.remove(OPERATOR, await accountId(), id);
  passbell.clock.advance(3_600_000);
});

const accountId = () => accountOf(passbell);
const providers = async () => passbell.core.providers.service.list(OPERATOR, await accountId());
const routes = async () => passbell.core.providers.routes.list(OPERATOR, await accountId());

const ADD_PATH = '/channels/add/http-gateway';
const gatewayFields = (): Fields => ({
  name: 'Local SMS',
  'setting-channel': 'SMS',
  'setting-url': `${gateway.url}/send`,
  'setting-body': '{"to": "{{ to }}", "text": "{{ text }}"}',
  'setting-authentication': 'bearer',
  'secret-secret': SECRET,
});

/** Adds a provider, and returns the path of its page. */
async function addGateway(fields: Fields = {}): Promise<string> {
  const { location } = await owner.submit(ADD_PATH, ADD_PATH, { ...gatewayFields(), ...fields });
  expect(location).toMatch(/^\/dashboard\/channels\/providers\/PRV-/);
  return location.replace('/dashboard', '');
}
/** Adds a provider, and sends a test message, without which it would send no messages. */
async function addLiveGateway(fields: Fields = {}): Promise<string> {
  const path = await addGateway(fields);
  await owner.submit(path, `${path}/test`, { test: 'message', to: freshPhone() });
  return path;
}
const idOf = (path: string): string => path.split('/').at(-1)!;

it('lets only owners open provider settings; other roles see only the list', async () => {
  const path = await addGateway();
  for (const role of ['member', 'viewer'] as const) {
    const visitor = await signIn(passbell, role);
    const { html } = await visitor.get('/channels');
    expect(html).toContain('Local SMS');
    expect(html).not.toMatch(/Add a provider|Move |Remove|gateway\.url/);
    expect((await visitor.get(path)).status).toBe(403);
    expect((await visitor.get('/channels/add')).status).toBe(403);
  }
});

it('shows each error next to its field, and never shows a secret', async () => {
  const typed = { ...gatewayFields(), name: '', 'setting-body': '', 'setting-timeoutSeconds': 'soon' };
  const { status, html } = await owner.submit(ADD_PATH, ADD_PATH, typed);
  expect(status).toBe(422);
  expect(html).toMatch(/id="field-setting-body-error">Enter the request body\./);
  expect(html).toMatch(/id="field-setting-timeoutSeconds-error">“Time limit in seconds” must be a whole number\./);
  expect(html).toMatch(/id="field-secret-secret-error">Enter the token again\./);
  expect(html).toContain(`value="${gateway.url}/send"`);
  expect(html).not.toContain(SECRET);
  const unnamed = await owner.submit(ADD_PATH, ADD_PATH, { ...gatewayFields(), name: ' ' });
  expect(unnamed.html).toMatch(/id="field-name-error">The name must have/);
  const combined = await owner.submit(ADD_PATH, ADD_PATH, { ...gatewayFields(), 'setting-authentication': 'header' });
  expect(combined.html).toMatch(/id="field-setting-authenticationName-error">Enter the name of the header\./);
  const twilio = await owner.submit('/channels/add/twilio', '/channels/add/twilio', { name: 'Twilio' });
  expect(twilio.html).toMatch(
    /id="field-setting-accountSid-error">[\s\S]*id="field-setting-smsFrom-error">Enter at least/,
  );
  // SMS need one of the two.
  expect(twilio.html).not.toMatch(/(?:SMS sender|Messaging service) \(optional\)/);
  expect(await providers()).toEqual([]);
});

it('keeps rejected settings of a gateway as unsaved changes, and names the field', async () => {
  const path = await addGateway();
  const { status, html } = await owner.submit(path, path, { ...gatewayFields(), 'setting-url': 'not a url' });
  expect([status, html]).toEqual([
    422,
    expect.stringMatching(/id="field-setting-url-error">“Address” must start with/),
  ]);
  // A form that contains a problem is unsaved.
  expect(html).toMatch(/<form(?:(?!<\/form)[\s\S])*class="problem" id="field-setting-url-error"/);
});

it('stores a secret without showing it again, and keeps it if its field is empty', async () => {
  const path = await addGateway({ 'setting-url': `${gateway.url}/old?key=url-k3y` });
  const { html } = await owner.get(path);
  expect(html).toContain('Leave it empty to keep the stored value.');
  const saved = await owner.submit(path, path, { ...gatewayFields(), name: 'Renamed', 'secret-secret': '' });
  expect(saved.status).toBe(303);
  expect(await providers()).toMatchObject([{ name: 'Renamed', secrets: ['secret'] }]);
  const pages = [html, (await owner.get('/channels')).html, (await owner.get('/audit')).html];
  expect(pages.join()).not.toContain(SECRET);
  expect(pages.at(-1)).toMatch(/changed the provider[\s\S]*added the provider/);
  // The path and query of an address may contain a key.
  expect(pages.at(-1)).toContain(gateway.url);
  expect(pages.at(-1)).not.toMatch(/url-k3y/);
  await owner.submit(path, `${path}/test`, { test: 'message', to: freshPhone() });
  expect(gateway.requests.at(-1)!.headers.authorization).toBe(`Bearer ${SECRET}`);
});

it('asks for confirmation on a page that contains the secret only in sealed form', async () => {
  const { html: form } = await owner.get(ADD_PATH);
  passbell.clock.advance(16 * 60_000);
  const asked = await owner.post(ADD_PATH, { ...hiddenFields(form, `/dashboard${ADD_PATH}`), ...gatewayFields() });
  expect(asked).toMatchObject({ status: 403, html: expect.stringContaining('Confirm your identity') });
  expect(asked.html).not.toContain(SECRET);
  const confirmationCode = await waitForMailedCode(passbell, owner.person!.email);
  const added = await owner.post(ADD_PATH, { ...hiddenFields(asked.html, `/dashboard${ADD_PATH}`), confirmationCode });
  const path = added.location.replace('/dashboard', '');
  await owner.submit(path, `${path}/test`, { test: 'message', to: freshPhone() });
  expect(gateway.requests.at(-1)!.headers.authorization).toBe(`Bearer ${SECRET}`);
});

it('reports a conflict when someone else has changed the provider', async () => {
  const path = await addGateway();
  const opened = hiddenFields((await owner.get(path)).html, `/dashboard${path}`);
  await passbell.core.providers.service.change(OPERATOR, await accountId(), idOf(path), { name: 'Theirs' });
  const conflict = await owner.post(path, {
    ...opened,
    ...gatewayFields(),
    name: 'Mine',
    'secret-secret': 'new-secret',
  });
  expect(conflict.status).toBe(409);
  expect(conflict.html).toMatch(/Theirs[\s\S]*Mine/);
  expect(conflict.html).not.toContain('new-secret');
  expect(await providers()).toMatchObject([{ name: 'Theirs' }]);
  expect((await owner.post(path, hiddenFields(conflict.html, `/dashboard${path}`))).status).toBe(303);
  expect(await providers()).toMatchObject([{ name: 'Mine' }]);
  await owner.submit(path, `${path}/test`, { test: 'message', to: freshPhone() });
  expect(gateway.requests.at(-1)!.headers.authorization).toBe('Bearer new-secret');
});

describe('a provider test', () => {
  it('shows the raw reply with secrets masked, and is recorded in the audit log', async () => {
    const path = await addGateway();
    const encoded = ['gateway+s3cret%2F93518', 'gateway s3cret\\/93518'];
    const error = `unknown token ${SECRET} ${encoded.join(' ')}`;
    gateway.respondWith({ status: 401, body: `{"error": "${error}", "hint": "ask <support>"}` });
    const { html } = await owner.submit(path, `${path}/test`, { test: 'message', to: freshPhone() });
    expect(html).toContain('The message was not sent.');
    expect(html).toMatch(/Status 401[\s\S]*unknown token •••• •••• ••••[\s\S]*ask &#60;support&#62;/);
    expect(html).not.toContain(SECRET);
    expect((await owner.get('/audit')).html).toContain('sent a test message');
  });

  it('does not say that a message was not sent if the reply does not confirm it', async () => {
    const path = await addGateway();
    gateway.respondWith({ status: 500, body: {} });
    const { html } = await owner.submit(path, `${path}/test`, { test: 'message', to: freshPhone() });
    expect(html).toMatch(/The message may have been sent\.[^<]*Check whether it arrives/);
    expect(html).not.toContain('was not sent');
  });

  it('checks the credentials first if the vendor supports this, and shows both replies', async () => {
    const added = '/channels/add/sms-gate';
    expect((await owner.get(added)).html).toContain('value="https://api.sms-gate.app/3rdparty/v1"');
    const type = { 'setting-server': gateway.url, 'setting-username': 'shop' };
    const { location } = await owner.submit(added, added, { name: 'Phone', ...type, 'secret-password': SECRET });
    const path = location.replace('/dashboard', '');
    const before = gateway.requests.length;
    gateway.respondWith(({ method }) =>
      method === 'GET'
        ? { status: 200, body: [{ name: 'Pixel', note: SECRET }] }
        : { status: 202, body: { id: 'gw-7' } },
    );
    const { html } = await owner.submit(path, `${path}/test`, { test: 'message', to: freshPhone() });
    expect(html).toMatch(/The credentials are valid\.[\s\S]*Pixel[\s\S]*••••[\s\S]*accepted the message[\s\S]*gw-7/);
    expect(html).not.toContain(SECRET);
    gateway.respondWith({ status: 401, body: { message: 'wrong <password>' } });
    const checked = await owner.submit(path, `${path}/test`, { test: 'credentials' });
    expect(checked.html).toMatch(/The provider rejected the credentials \(401\)\.[\s\S]*wrong &#60;password&#62;/);
    expect((await owner.get('/audit')).html).toMatch(/checked the credentials[\s\S]*sent a test message through/);
    expect(gateway.requests.slice(before).map(({ method, path: url }) => `${method} ${url}`)).toEqual([
      'GET /devices',
      'POST /messages',
      'GET /devices',
    ]);
  });

  it('shows the request without sending it', async () => {
    const path = await addGateway();
    const before = gateway.requests.length;
    const { html } = await owner.submit(path, `${path}/test`, { test: 'request', to: '+14155550123' });
    expect(html).toContain(`POST ${gateway.url}/send`);
    expect(html).toMatch(/Authorization: Bearer ••••[\s\S]*\+14155550123/);
    expect(html).not.toContain(SECRET);
    expect(gateway.requests).toHaveLength(before);
  });

  it('requires a recipient that is valid for the channel, and is rate-limited per person', async () => {
    const path = await addGateway();
    const send = (to: string) => owner.submit(path, `${path}/test`, { test: 'message', to });
    const html = expect.stringContaining('Enter your phone number with');
    for (const to of ['ana@example.com', '']) expect(await send(to)).toMatchObject({ status: 422, html });
    expect((await send('0415 555 0188')).html).toContain('Replace the 0 at the start');
    const before = gateway.requests.length;
    expect((await send('+49 900 1234567')).html).toContain('a premium-rate number; enter your own mobile number.');
    expect((await send('+1 555 555 0123')).html).toContain('This number is not assigned to anyone; check its digits.');
    expect(gateway.requests).toHaveLength(before);
    for (let n = 0; n < 20; n++) expect((await send(freshPhone())).status).toBe(200);
    expect(await send(freshPhone())).toMatchObject({ status: 422, html: expect.stringContaining('seconds') });
  });
});

describe('a route', () => {
  async function addTwoGateways() {
    const first = await addLiveGateway();
    // Without a route, the providers are tried in the order in which they were added.
    passbell.clock.advance(1000);
    return [idOf(first), idOf(await addLiveGateway({ name: 'Other SMS' }))] as const;
  }
  const change = (fields: Fields) => owner.submit('/channels', '/channels/routes', fields);

  it('can be reordered with buttons', async () => {
    const [first, second] = await addTwoGateways();
    await change({ change: `up:${second}` });
    expect(await routes()).toMatchObject([{ country: '*', entries: [{ provider: second }, { provider: first }] }]);
    expect((await owner.get('/channels')).html).toMatch(
      /"position">1<(?:(?!"position")[^])*Other SMS[^]*"position">2</,
    );
    await change({ change: `down:${second}` });
    expect(await routes()).toMatchObject([{ entries: [{ provider: first }, { provider: second }] }]);
    const removed = await owner.follow(await change({ change: `remove:${first}` }));
    expect(removed.html).toContain('was removed from SMS, all countries.');
    expect(await routes()).toMatchObject([{ entries: [{ provider: second }] }]);
    await change({ change: 'add', provider: first });
    expect(await routes()).toMatchObject([{ entries: [{ provider: second }, { provider: first }] }]);
    await change({ change: 'reset' });
    expect(await routes()).toEqual([]);
  });

  it('is restored by the Undo button after each change', async () => {
    const [first, second] = await addTwoGateways();
    const undo = async (text: string) => {
      const { html } = await owner.follow(await change({ change: text }));
      const undone = await owner.post('/channels/routes', hiddenFields(html, '/dashboard/channels/routes'));
      expect((await owner.follow(undone)).html).toContain('The route was restored: SMS,');
    };
    await undo(`up:${second}`);
    expect(await routes()).toEqual([]);
    await change({ change: 'weights', [`weight-${first}`]: '70', [`weight-${second}`]: '30' });
    await owner.get('/channels');
    const weighted = await routes();
    expect(weighted).toMatchObject([{ mode: 'ordered', entries: [{ weight: 70 }, { weight: 30 }] }]);
    for (const text of [`remove:${first}`, 'automatic', 'reset']) {
      await undo(text);
      expect(await routes()).toEqual(weighted);
    }
  });

  it('distributes messages by weight', async () => {
    const [first, second] = await addTwoGateways();
    const weights = (a: string, b: string) =>
      change({ change: 'weights', [`weight-${first}`]: a, [`weight-${second}`]: b });
    await weights('3', '1');
    const entries = [
      { provider: first, weight: 3 },
      { provider: second, weight: 1 },
    ];
    expect(await routes()).toMatchObject([{ country: '*', entries }]);
    expect((await owner.get('/channels')).html).toMatch(/75% of messages[\s\S]*25% of messages/);
    for (const wrong of ['1.5', '-1', '5000', 'half'])
      expect(await weights(wrong, '1')).toMatchObject({
        status: 422,
        html: expect.stringMatching(
          new RegExp(
            `<details open[^]*value="${wrong}"[^>]*aria-invalid[^]*"problem"[^>]*>A weight must be a whole number`,
          ),
        ),
      });
    await weights('3', '');
    expect((await owner.get('/channels')).html).toMatch(/100% of messages[\s\S]*Only if the others fail/);
    await weights('', '');
    expect(await routes()).toEqual([expect.objectContaining({ entries: [{ provider: first }, { provider: second }] })]);
  });

  it('chooses automatically, shows why, and is recorded', async () => {
    const [first, second] = await addTwoGateways();
    await change({ change: 'automatic' });
    expect(await routes()).toMatchObject([{ mode: 'automatic', entries: [{ provider: first }, { provider: second }] }]);
    const { routing } = passbell.core.providers;
    const { id: applicationId } = (await passbell.core.applications.service.find(
      (await passbell.application()).appKey,
    ))!;
    const outcome = (provider: string, entered: number, notEntered: number) =>
      routing.recordOutcome({
        applicationId,
        channel: 'SMS',
        country: 'US',
        provider,
        outcomes: { entered, notEntered },
      });
    outcome(second, 400, 100);
    outcome(first, 10, 90);
    await routing.syncScores();
    await change({ change: 'prices', [`price-${first}`]: '0.004', [`price-${second}`]: '0.0075' });
    const { html } = await owner.get('/channels');
    expect(html).toMatch(
      /Other SMS[\s\S]*Tried first for 100% of messages; about 7\d–8\d% of codes entered, based on \d+ codes; price 0.0075/,
    );
    expect(html).toMatch(/Rarely tried first; about \d+–1\d% of codes entered, based on 100 codes; price 0.004/);
    for (const wrong of ['-1', '1e3', 'cheap'])
      expect((await change({ change: 'prices', [`price-${first}`]: wrong })).html).toContain(
        'A price must be a number',
      );
    expect((await owner.get('/audit')).html).toMatch(/fixed order[\s\S]*automatic/);
    await change({ change: 'ordered' });
    const entries = [{ provider: second }, { provider: first }];
    expect(await routes()).toMatchObject([{ mode: 'ordered', entries }]);
  });

  it('preserves the weights of its providers when reordered', async () => {
    const [first, second] = await addTwoGateways();
    await setRoute(passbell, 'SMS', '*', { provider: first, weight: 70 }, { provider: second, weight: 30 });
    expect((await owner.get('/channels')).html).toContain('70% of messages');
    await change({ change: `up:${second}` });
    const entries = [
      { provider: second, weight: 30 },
      { provider: first, weight: 70 },
    ];
    expect(await routes()).toMatchObject([{ entries }]);
  });

  it('is not changed by a form that shows an outdated route', async () => {
    const [first, second] = await addTwoGateways();
    const opened = hiddenFields((await owner.get('/channels')).html, '/dashboard/channels/routes');
    await setRoute(passbell, 'SMS', '*', second);
    const reply = await owner.post('/channels/routes', { ...opened, change: `down:${first}` });
    expect((await owner.follow(reply)).html).toContain('Someone else changed this route');
    expect(await routes()).toMatchObject([{ entries: [{ provider: second }] }]);
  });

  it('can be added for a country', async () => {
    const [, second] = await addTwoGateways();
    const add = (country: string) =>
      owner.submit('/channels', '/channels/countries', {
        channel: 'SMS',
        'country-SMS': country,
        'provider-SMS': second,
      });
    expect(await add('XX')).toMatchObject({
      status: 422,
      html: expect.stringContaining('Enter a country such as India'),
    });
    expect((await add('india')).status).toBe(303);
    expect(await routes()).toMatchObject([{ country: 'IN', channel: 'SMS', entries: [{ provider: second }] }]);
    expect((await owner.get('/channels')).html).toMatch(/India[\s\S]*All other countries/);
    expect((await owner.get('/home')).html).toContain('India: Other SMS');
    expect(await add('IN')).toMatchObject({ status: 422, html: expect.stringContaining('already a route for India') });
  });
});

it('shows when and why a provider started to fail, until it recovers', async () => {
  const { html: before } = await owner.get('/channels');
  expect(before).toContain('the message goes to the <a href="/dev/inbox">dev inbox</a>, a test inbox on this server.');
  // SMS is the first choice, WhatsApp and voice calls are fallbacks.
  expect(
    before.match(/\/settings\/channels#channels">[^<]*<\/a> (?:uses|use) (?:WhatsApp|voice calls) as a fallback\./g),
  ).toHaveLength(2);
  expect(before.match(/Add a provider for [\w ]+/g)).toEqual([
    'Add a provider for SMS',
    'Add a provider for WhatsApp',
    'Add a provider for voice calls',
    'Add a provider for email',
  ]);
  await addLiveGateway();
  await waitForRoutingUpdate(passbell);
  expect((await owner.get('/channels')).html).toMatch(/Last worked<\/dt><dd><time/);
  const keys = await passbell.application(NO_LIMITS);
  const send = () => passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys });
  const pageShows = (text: string) =>
    until(
      `the page to show ${text}`,
      async () => {
        await send();
        return (await owner.get('/channels')).html.includes(text);
      },
      advancing(passbell.clock, 1000),
    );
  gateway.respondWith({ status: 402 });
  await pageShows('has been failing since');
  expect((await owner.get('/channels')).html).toContain('(402)');
  gateway.respondWith({ status: 200, body: { id: 'gw-1' } });
  await pageShows('Last worked</dt><dd><time');
});

it('removes a provider, and its entries in routes', async () => {
  const path = await addGateway();
  await setRoute(passbell, 'SMS', '*', idOf(path));
  const removed = await owner.submit(path, `${path}/remove`);
  expect((await owner.follow(removed)).html).toContain('Local SMS was removed.');
  expect([await providers(), await routes()]).toEqual([[], []]);
});
