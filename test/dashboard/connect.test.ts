/** The Connect page: instructions, test codes, and the status of the first API call. */
import { TOOLS } from '../../backend/src/dashboard/connect/tools.js';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { TEST_CODES_PER_10_MINUTES } from '../../backend/src/modules/test-sends/test-codes.js';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { hiddenFields, signIn, type Reply, type Visitor } from '../support/dashboard.js';
import { formsOf } from '../support/forms.js';
import { addTwilio } from '../support/providers.js';
import { NO_SEND_LIMITS, startService, wrongCode, type TestService } from '../support/service.js';
import { startTwilioServer } from '../support/twilio-server.js';
import { advancing, until } from '../support/wait.js';

let passbell: TestService;
let owner: Visitor;
beforeAll(async () => {
  passbell = await startService();
  owner = await signIn(passbell);
});
afterAll(() => passbell.stop());
// Uses a new person for each test, because sends are limited per person.
beforeEach(async () => {
  owner = await signIn(passbell);
});

const pathOf = ({ appKey }: KeyPair) => `/applications/${appKey}/connect`;
const textOf = (html: string): string =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/\s+/g, ' ');
const send = (keys: KeyPair, to: string, by = owner) => by.submit(pathOf(keys), `${pathOf(keys)}/test`, { to });

/** Submits a code on `page`, which is shown after a send. */
function verify(keys: KeyPair, page: Reply, code: string): Promise<Reply> {
  const path = `${pathOf(keys)}/verify`;
  return owner.post(path, { ...hiddenFields(page.html, `/dashboard${path}`), code });
}

it.each(Object.keys(TOOLS).filter((tool) => tool !== 'shop'))(
  'shows the App Key and the service URL at connect/%s',
  async (tool) => {
    const { status, html } = await owner.get(`${pathOf(passbell.keys)}/${tool}`);
    expect(status).toBe(200);
    expect(html).toContain(passbell.keys.appKey);
    expect(html).toContain(passbell.url);
    expect(html).not.toContain(passbell.keys.appSecret);
  },
);

it('warns that a shop cannot connect until one has, and has one main button', async () => {
  const keys = await passbell.application();
  const read = async () => (await owner.get(`${pathOf(keys)}/shop`)).html;
  const warning = 'A shop can usually connect only to a public HTTPS address';
  const before = await read();
  expect(before).toContain(warning);
  expect(before.match(/class="button" name="kind"/g)).toHaveLength(1);
  const application = await passbell.core.applications.service.load(keys.appKey);
  await passbell.core.automations.service.connect(OPERATOR, application, 'shopify');
  const after = await read();
  expect(after).not.toContain(warning);
  expect(after).not.toMatch(/class="button" name="kind"/);
});

it('shows the operator how to add Passbell to Zapier, and other people how to get an invitation', async () => {
  const path = `${pathOf(passbell.keys)}/zapier`;
  const operator = textOf((await owner.get(path)).html);
  expect(operator).toContain('As the operator of this server, add Passbell to Zapier once');
  expect(operator).not.toContain('Ask the operator');
  const member = textOf((await (await signIn(passbell, 'member')).get(path)).html);
  expect(member).toContain('sends you an invitation link');
  expect(member).toContain('Ask the operator of this server to give it a public HTTPS address');
});

it('starts with the choice of a tool, and shows no command before it is chosen', async () => {
  const path = pathOf(passbell.keys);
  const { html } = await owner.get(path);
  expect(textOf(html)).toContain('What do you use?');
  expect(html).not.toContain('<pre');
  const links = [...html.matchAll(/href="([^"]*\/connect\/[^"]*)"/g)].map(([, href]) => href);
  const tools = ['node', 'shop', 'n8n', 'zapier', 'node-red', 'activepieces'];
  expect(links).toEqual(tools.map((tool) => `/dashboard${path}/${tool}`));
});

it.each(['shop', 'n8n', 'zapier', 'node-red', 'activepieces'])(
  'shows commands for %s only after a click',
  async (tool) => {
    const { html } = await owner.get(`${pathOf(passbell.keys)}/${tool}`);
    expect(html.replace(/<details>[\s\S]*?<\/details>/g, '')).not.toContain('<pre');
  },
);

it('the choice of a shop connects it in the first step', async () => {
  const { html } = await owner.get(`${pathOf(passbell.keys)}/shop`);
  const automations = pathOf(passbell.keys).replace('/connect', '/automations');
  expect(formsOf(html).map(({ path }) => path)).toContain(automations);
  const start = async () => textOf((await owner.get(pathOf(passbell.keys))).html);
  expect(await start()).not.toMatch(/their orders\. \w+ connected/);
  const connected = await owner.submit(`${pathOf(passbell.keys)}/shop`, automations, { kind: 'shopify' });
  expect((await owner.follow(connected)).html).toContain('Now set it up in the shop.');
  expect(await start()).toContain('their orders. Shopify connected');
  const member = await signIn(passbell, 'member');
  expect((await member.get(`${pathOf(passbell.keys)}/shop`)).html).toContain('Only owners can connect a shop.');
  expect(html).not.toContain('Waiting for your first request.');
});

it('replies 404 for an unknown tool', async () => {
  for (const tool of ['perl', 'constructor', 'test'])
    expect((await owner.get(`${pathOf(passbell.keys)}/${tool}`)).status).toBe(404);
});

it('sends and verifies a test code', async () => {
  const keys = await passbell.application();
  const { email } = owner.person!;
  const sent = await send(keys, email);
  expect(sent.status).toBe(200);
  expect(textOf(sent.html)).toMatch(
    /No provider is set up for email, so the message is in the dev inbox of this server/,
  );
  const code = await passbell.codeFor(email);
  expect(sent.html).not.toContain(code);

  const wrong = await verify(keys, sent, wrongCode(code));
  expect(wrong.status).toBe(422);
  expect(textOf(wrong.html)).toContain('Incorrect code. Enter the latest code.');
  const right = await verify(keys, wrong, `${code.slice(0, 3)} ${code.slice(3)}`);
  expect(right.status).toBe(200);
  expect(textOf(right.html)).toContain('Verified.');
  expect(textOf(right.html)).toMatch(/&quot;token&quot;\s*: &quot;[\w-]{12}…&quot;/);
});

it("sends to a phone number over the application's channels", async () => {
  const keys = await passbell.application({ settings: { channels: ['VOICE'] } });
  const { html } = await send(keys, '+1 415 555 0188');
  expect(textOf(html)).toContain('No provider is set up for voice calls');
  expect((await passbell.inbox('+14155550188'))[0]).toMatchObject({ channel: 'VOICE' });
});

it('keeps the form for the code if another code is requested too early', async () => {
  const keys = await passbell.application();
  const sent = await send(keys, 'early@example.com');
  const path = `${pathOf(keys)}/test`;
  const early = await owner.post(path, {
    ...hiddenFields(sent.html, `/dashboard${path}`),
    to: 'early@example.com',
  });
  expect(early.status).toBe(422);
  expect(textOf(early.html)).toContain('Not sent: Too many codes for this recipient. Try again in 30 seconds.');
  const right = await verify(keys, early, await passbell.codeFor('early@example.com'));
  expect(textOf(right.html)).toContain('Verified.');
});

it('explains an invalid recipient', async () => {
  const { status, html } = await send(passbell.keys, 'nobody');
  expect(status).toBe(422);
  expect(html).toContain('value="nobody"');
  expect(textOf(html)).toContain(
    'Enter a phone number with its country code, such as +14155550123, or an email address.',
  );
});

it('shows why an application cannot send', async () => {
  const inactive = await passbell.application({ status: 'inactive' });
  expect(textOf((await send(inactive, 'ana@example.com')).html)).toContain('Not sent: application is inactive.');
  const picky = await passbell.application({ settings: { countries: ['DE'] } });
  const refused = await send(picky, '+14155550189');
  expect(refused.status).toBe(422);
  expect(textOf(refused.html)).toContain('Not sent: sending to this country is turned off for this application.');
  expect(await passbell.inbox('+14155550189')).toEqual([]);
});

it('shows the send progress only on pages of the application that sent the code', async () => {
  const keys = await passbell.application();
  const { html } = await send(keys, 'bea@example.com');
  const { messageId } = hiddenFields(html, `/dashboard${pathOf(keys)}/verify`) as { messageId: string };
  const part = await owner.get(`${pathOf(keys)}/test/${messageId}`, {
    'HX-Request': 'true',
    'HX-Target': 'test-progress',
  });
  expect(part.html).toMatch(/^<div id="test-progress"/);
  const other = await passbell.application();
  expect((await owner.get(`${pathOf(other)}/test/${messageId}`)).status).toBe(404);
});

it('sends nothing to a test recipient, and verifies its fixed code', async () => {
  const keys = await passbell.application({ settings: { testRecipients: { '+15550100': '246810' } } });
  const sent = await send(keys, '+1 555 0100');
  expect(sent.status).toBe(200);
  expect(textOf(sent.html)).toContain('is a test recipient, so nothing was sent. Enter its fixed code.');
  expect(textOf((await verify(keys, sent, '246810')).html)).toContain('Verified.');
  expect(textOf((await verify(keys, await send(keys, '+1 555 0100'), '135790')).html)).not.toContain('Not sent:');
});

it('limits test codes per person, independently of the application limits', async () => {
  const keys = await passbell.application(NO_SEND_LIMITS);
  for (let n = 0; n < TEST_CODES_PER_10_MINUTES; n++)
    expect((await send(keys, `person${n}@tests.example`)).status).toBe(200);
  const refused = await send(keys, 'late@tests.example');
  expect(refused.status).toBe(422);
  expect(textOf(refused.html)).toMatch(
    /Not sent: Too many test codes\. Try again in \d+ (?:seconds|minutes)\. At most 5 test codes are allowed in 10 minutes/,
  );
  expect(await passbell.inbox('late@tests.example')).toEqual([]);
  const colleague = await signIn(passbell);
  expect((await send(keys, 'late@tests.example', colleague)).status).toBe(200);
});

it('shows that the first call has arrived, and why a call was rejected', async () => {
  const keys = await passbell.application({ settings: { authorizedEndpoints: ['https://shop.example'] } });
  const look = () => owner.get(`${pathOf(keys)}/first-call`, { 'HX-Request': 'true', 'HX-Target': 'first-call' });
  expect(textOf((await look()).html)).toContain('Waiting for your first request.');
  await passbell.get('/auth/authentication', {}, { keys });
  const headers = { origin: 'https://shop.example' };
  const pageWith = (words: string) => {
    const read = async () => {
      const { html } = await look();
      return textOf(html).includes(words) && html;
    };
    return until(`"${words}" on the page`, read, advancing(passbell.clock, 2000));
  };
  expect(
    await pageWith('Request rejected Passbell rejected a request from 127.0.0.1 , which is not on the allow-list.'),
  ).toContain('hx-trigger');
  passbell.clock.advance(60_000);
  await passbell.get('/auth/authentication', {}, { keys, headers });
  expect(await pageWith('Last request')).not.toContain('hx-trigger');
});

it('does not let a viewer send or verify a test code', async () => {
  const viewer = await signIn(passbell, 'viewer');
  const { html } = await viewer.get(pathOf(passbell.keys));
  expect(html).not.toContain('Send me a test code');
  const token = /name="token" value="([^"]*)"/.exec(html)![1]!;
  for (const below of ['/test', '/verify']) {
    const fields = { token, to: 'viewer@tests.example', maskId: '0'.repeat(32), code: '123456' };
    expect((await viewer.post(`${pathOf(passbell.keys)}${below}`, fields)).status).toBe(403);
  }
  expect(await passbell.inbox('viewer@tests.example')).toEqual([]);
});

it("hides another account's application, even at guessed URLs", async () => {
  const outsider = await signIn(passbell, 'owner', { account: 'stranger@example.com' });
  const token = /name="token" value="([^"]*)"/.exec((await outsider.get('/applications')).html)![1]!;
  for (const below of ['', '/curl', '/first-call', `/test/${'0'.repeat(32)}`])
    expect([below, (await outsider.get(`${pathOf(passbell.keys)}${below}`)).status]).toEqual([below, 404]);
  for (const below of ['/test', '/verify'])
    expect((await outsider.post(`${pathOf(passbell.keys)}${below}`, { token, to: 'x@tests.example' })).status).toBe(
      404,
    );
  expect(await passbell.inbox('x@tests.example')).toEqual([]);
});

// Last, because the other tests send to the dev inbox.
it('does not look for a code in the dev inbox if the account has its own provider', async () => {
  const twilio = await startTwilioServer();
  try {
    await addTwilio(passbell, 'Main', twilio);
    const keys = await passbell.application({ settings: { channels: ['SMS'] } });
    const { html } = await send(keys, '+1 415 555 0190');
    expect(textOf(html)).toContain('The provider accepted the message.');
    expect(textOf(html)).not.toContain('dev inbox');
    expect(twilio.requests.map(({ form }) => form['To'])).toEqual(['+14155550190']);
  } finally {
    await twilio.close();
  }
});
