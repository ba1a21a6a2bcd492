/** The first run: without an owner, a person at this machine becomes the owner in the browser, without the printed link. */
import { request } from 'node:http';
import { createVisitor, hiddenFields, signIn, type Visitor } from '../support/dashboard.js';
import { freshMail, freshPhone, startService, type TestService } from '../support/service.js';
import { until } from '../support/wait.js';

const PHONE = '+4915123456789';
const START = '/start';
const FIRST = '/start/first';
const CODE = '/sign-in/code';
const PHONE_PATH = '/sign-in/phone';
const CODE_LINK = `href="/dashboard${CODE}">Enter the code you requested`;
const FORM_ACTION = `action="/dashboard${FIRST}"`;

let passbell: TestService;
beforeEach(async () => void (passbell = await startService()));
afterEach(() => passbell.stop());

const codeIn = (html: string): string | undefined => /name="code" value="(\d{6})"/.exec(html)?.[1];
const fieldsOf = (email = freshMail(), phone = PHONE) => ({ name: 'Fjordwear', email, phone, timeZone: 'Europe/Oslo' });
const codeOnPhone = (visitor: Visitor): Promise<string> =>
  until('the code on the phone', async () => codeIn((await visitor.get(PHONE_PATH)).html));

/** Goes through the first run in this browser, and returns the reply to the code. */
async function become(visitor: Visitor, fields = fieldsOf()) {
  const asked = await visitor.submit(START, FIRST, fields);
  expect(asked).toMatchObject({ status: 303, location: `/dashboard${CODE}` });
  const code = await codeOnPhone(visitor);
  return visitor.submit(CODE, CODE, { code });
}

/** Requests a path as another program does, which can set every header. */
const statusOf = (path: string, headers: Record<string, string>): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    request(`${passbell.url}${path}`, { headers: { Accept: 'text/html', ...headers } }, async (response) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      resolve({ status: response.statusCode!, text });
    })
      .on('error', reject)
      .end();
  });

describe('on a server without an owner', () => {
  it.each([
    ['SMS', PHONE],
    ['email', ''],
  ])('makes the person the owner, with a code by %s that the page shows', async (_channel, phone) => {
    const visitor = createVisitor(passbell.url);
    for (const path of ['/sign-in', '/login']) {
      const { headers } = await fetch(`${passbell.url}${path}`, { redirect: 'manual' });
      expect(headers.get('Location')).toBe('/dashboard/sign-in');
    }
    const start = await fetch(passbell.url, { headers: { Accept: 'text/html' }, redirect: 'manual' });
    expect([start.status, start.headers.get('Location')]).toEqual([303, '/dashboard/start']);
    expect((await visitor.get('/sign-in')).location).toBe('/dashboard/start');
    const fields = fieldsOf(freshMail(), phone);
    const { appKey } = await passbell.application({ name: 'Demo' });
    const reply = await become(visitor, fields);
    expect(reply).toMatchObject({ status: 303, location: '/dashboard/home' });
    // Messages name the shop. Nothing could be sent yesterday.
    const { name, timeZone } = await passbell.core.applications.service.load(appKey);
    expect([name, timeZone]).toEqual(['Fjordwear', 'Europe/Oslo']);
    const home = await visitor.get('/home');
    expect(home.html).not.toContain('Yesterday');
    expect(home.html).toContain('was created for you. It has its own API credentials');
    // Without a channel, a real code cannot be sent.
    expect(home.html).toContain('Connect a channel first, then send a code');
    expect(home.html).not.toContain('>Send a code</a>');
    expect(home.html).toMatch(/href="[^"]+\/connect#test-code">Send a test code<\/a>/);
    const figures = /id="today-figures".*?Messages in the dev inbox do not count.*?no reports yet.*?no codes yet/s;
    expect(home.html).not.toContain('id="today-figures"');
    await passbell.send(freshPhone());
    expect((await visitor.get('/home')).html).toMatch(figures);
    const account = await visitor.get('/account');
    expect(account.html).toContain(fields.email);
    expect(account.html).toContain('Fjordwear');
    expect((await fetch(passbell.url, { headers: { Accept: 'text/html' }, redirect: 'manual' })).status).toBe(200);
  });

  it('sends another code after a pause, which the page names', async () => {
    const visitor = createVisitor(passbell.url);
    await visitor.submit(START, FIRST, fieldsOf());
    const early = await visitor.submit(CODE, FIRST);
    expect([early.status, early.html]).toEqual([422, expect.stringContaining('before you request another code')]);
    passbell.clock.advance(30_000);
    expect(await visitor.submit(CODE, FIRST)).toMatchObject({ status: 303, location: `/dashboard${CODE}` });
  });

  it.each([
    ['12', 'Start with the country code, as in'],
    ['+49 12', 'This number is too short.'],
    ['0049 151 23456789012345', 'This number is too long.'],
    ['+999 123456', 'This country code does not exist.'],
    ['+49 30 901820', 'Enter a mobile number.'],
    ['+881612345678', 'Enter a mobile number.'],
  ])('rejects the number "%s" and states the reason: %s', async (phone, reason) => {
    const { status, html } = await createVisitor(passbell.url).submit(START, FIRST, fieldsOf(freshMail(), phone));
    expect([status, html.split(reason).length - 1]).toEqual([422, 1]);
    expect(html.split('country code').length - 1).toBeLessThan(2);
  });

  it('fills in the form again while a code is waiting, with a link to the page for the code', async () => {
    const visitor = createVisitor(passbell.url);
    const fields = fieldsOf();
    await visitor.submit(START, FIRST, fields);
    const { html } = await visitor.get(CODE);
    expect(html).toContain('you become the owner of this server');
    expect(html).toContain(`href="/dashboard${START}">Use another number`);
    const waiting = await visitor.follow(await visitor.get('/sign-in'));
    for (const value of Object.values(fields)) expect(waiting.html).toContain(`value="${value}"`);
    expect(waiting.html).toContain(CODE_LINK);
    // Another browser learns nothing about the request.
    const other = await createVisitor(passbell.url).get(START);
    for (const value of [fields.email, fields.phone, CODE_LINK]) expect(other.html).not.toContain(value);
    passbell.clock.advance(10 * 60_000);
    const expired = await visitor.get(START);
    expect(expired.html).toContain(fields.email);
    expect(expired.html).not.toContain(CODE_LINK);
  });

  it('does not count an incomplete code as an attempt', async () => {
    const visitor = createVisitor(passbell.url);
    await visitor.submit(START, FIRST, fieldsOf());
    const code = await codeOnPhone(visitor);
    for (const wrong of ['1', '12345', '1234567', 'abcdef', ...Array.from({ length: 10 }, () => '12 345')]) {
      const { status, html } = await visitor.submit(CODE, CODE, { code: wrong });
      expect([status, html]).toEqual([422, expect.stringContaining('The code has 6 digits.')]);
    }
    expect((await visitor.submit(CODE, CODE, { code: ` ${code.slice(0, 3)} ${code.slice(3)}` })).status).toBe(303);
  });

  it('is open to one person: the code of the second finds an owner', async () => {
    const late = createVisitor(passbell.url);
    await late.submit(START, FIRST, fieldsOf());
    const code = await codeOnPhone(late);
    await become(createVisitor(passbell.url), fieldsOf(freshMail(), '+4915123456788'));
    const hasOwner = [410, expect.stringContaining('This server already has an owner')];
    const reply = await late.post(CODE, { ...(await tokenOf(late, CODE)), code });
    expect([reply.status, reply.html]).toEqual(hasOwner);
    const opened = await createVisitor(passbell.url).get(START);
    expect([opened.status, opened.html]).toEqual(hasOwner);
    expect((await (await signIn(passbell)).get(START)).location).toBe('/dashboard/home');
  });

  it('is closed half an hour after the start, and the page says how to open it again', async () => {
    const visitor = createVisitor(passbell.url);
    const token = await tokenOf(visitor, START, FIRST);
    passbell.clock.advance(30 * 60_000);
    const { status, html } = await visitor.get(START);
    expect([status, html]).toEqual([403, expect.stringContaining('restart Passbell')]);
    expect((await visitor.post(FIRST, { ...token, ...fieldsOf() })).status).toBe(403);
    expect((await fetch(passbell.url, { headers: { Accept: 'text/html' }, redirect: 'manual' })).status).toBe(200);
  });
});

const tokenOf = async (visitor: Visitor, page: string, action = page) =>
  hiddenFields((await visitor.get(page)).html, `/dashboard${action}`);

describe('is refused', () => {
  it('to a domain that points at this machine (DNS rebinding)', async () => {
    const { host } = new URL(passbell.url);
    expect((await statusOf('/dashboard/start', { Host: host })).text).toContain(FORM_ACTION);
    const rebound = await statusOf('/dashboard/start', { Host: 'attacker.example' });
    expect([rebound.status, rebound.text]).toEqual([403, expect.stringContaining('no owner yet')]);
    expect(rebound.text).not.toContain(FORM_ACTION);
    expect((await statusOf('/', { Host: 'attacker.example' })).status).toBe(200);
  });

  it.each(['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'Via', 'X-Forwarded-Host', 'X-Forwarded-Proto'])(
    'through a proxy that adds %s',
    async (name) => {
      const proxied = createVisitor(passbell.url, undefined, undefined, { [name]: '192.0.2.1' });
      expect((await proxied.get(START)).html).not.toContain(FORM_ACTION);
      const local = createVisitor(passbell.url);
      const token = await tokenOf(local, START, FIRST);
      const posted = await local.post(FIRST, { ...token, ...fieldsOf() }, { [name]: '192.0.2.1' });
      expect(posted.status).toBe(403);
      await local.submit(START, FIRST, fieldsOf());
      const code = await codeOnPhone(local);
      expect(codeIn((await local.get(PHONE_PATH, { [name]: '192.0.2.1' })).html)).toBeUndefined();
      expect(codeIn((await local.get(CODE, { [name]: '192.0.2.1' })).html)).toBeUndefined();
      const entered = await local.post(CODE, { ...(await tokenOf(local, CODE)), code }, { [name]: '192.0.2.1' });
      expect(entered.status).toBe(410);
      expect(await passbell.core.people.service.hasNobody()).toBe(true);
    },
  );

  it('to forms of other websites, and of other ports of this machine', async () => {
    const visitor = createVisitor(passbell.url);
    const token = await tokenOf(visitor, START, FIRST);
    expect((await createVisitor(passbell.url).post(FIRST, fieldsOf())).status).toBe(403);
    for (const headers of [
      { Origin: 'https://attacker.example' },
      { Origin: 'http://localhost:3000', 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ])
      expect((await visitor.post(FIRST, { ...token, ...fieldsOf() }, headers)).status).toBe(403);
    expect((await visitor.get(START)).headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
    expect(await passbell.inbox(PHONE)).toEqual([]);
  });

  it('with the token of another browser', async () => {
    const token = await tokenOf(createVisitor(passbell.url), START, FIRST);
    expect((await createVisitor(passbell.url).post(FIRST, { ...token, ...fieldsOf() })).status).toBe(403);
  });
});

describe('on a server that other machines may reach', () => {
  it.each([
    ['a public BASE_URL', { BASE_URL: 'https://otp.example' }],
    ['TRUST_PROXY', { TRUST_PROXY: '1' }],
    ['a forced dev inbox', { DEV_INBOX: 'force' }],
  ])('is not offered with %s', async (_what, settings) => {
    await passbell.stop();
    passbell = await startService(settings);
    const { status, html } = await createVisitor(passbell.url).get(START);
    expect([status, html]).toEqual([403, expect.stringContaining('open the one-time link')]);
    expect(html).not.toContain(FORM_ACTION);
  });
});

describe('the phone on the page for a code', () => {
  it('is shown to a person who has signed in with this browser, and to nobody else', async () => {
    const visitor = createVisitor(passbell.url);
    const fields = fieldsOf();
    await become(visitor, fields);
    await visitor.submit('/account', '/sign-out');
    passbell.clock.advance(60_000);
    const { html } = await visitor.get('/sign-in');
    expect(html).toContain('The next page shows the code.');
    expect(html).toContain('Show me a code');
    expect(html).not.toContain('in the dev inbox');
    // The cookie of the browser shows nothing through a proxy.
    expect((await visitor.get('/sign-in', { Via: '1.1 proxy' })).html).not.toContain('Show me a code');
    await visitor.submit('/sign-in', '/sign-in', { email: fields.email });
    expect(await codeOnPhone(visitor)).toMatch(/^\d{6}$/);
    expect((await visitor.get('/sign-in')).html).toContain(CODE_LINK);

    passbell.clock.advance(60_000);
    const attacker = createVisitor(passbell.url);
    expect((await attacker.get('/sign-in')).html).not.toContain('Show me a code');
    await attacker.submit('/sign-in', '/sign-in', { email: fields.email });
    const isSent = async () => (await passbell.inbox(fields.email)).length >= 2;
    await until('the code for the attacker', isSent);
    expect((await attacker.get(CODE)).html).not.toContain('class="handset"');
    expect(codeIn((await attacker.get(PHONE_PATH)).html)).toBeUndefined();
  });

  it('is shown to the person who opened the printed link', async () => {
    const visitor = createVisitor(passbell.url);
    await visitor.get(`/start?key=${await passbell.core.people.service.inviteFirst()}`);
    const { html } = await visitor.get(START);
    expect(html).toContain('The next page shows the first code.');
    expect(html).not.toContain('dev inbox');
    await visitor.submit(START, START, { email: freshMail() });
    expect(await codeOnPhone(visitor)).toMatch(/^\d{6}$/);
  });

  it('leaves out codes that an application sends to the same number at the same time', async () => {
    const visitor = createVisitor(passbell.url);
    await visitor.submit(START, FIRST, fieldsOf());
    const code = await codeOnPhone(visitor);
    await passbell.send(PHONE);
    await until('the code of the application', async () => (await passbell.inbox(PHONE)).length === 2);
    for (const path of [PHONE_PATH, CODE]) {
      const { html } = await visitor.get(path);
      expect([...html.matchAll(/name="code" value="(\d{6})"/g)].map(([, shown]) => shown)).toEqual([code]);
    }
  });

  it('is not shown to a person with an invitation, whose address the code proves', async () => {
    await signIn(passbell);
    const owner = await passbell.core.applications.service.createAccount(
      { name: 'x', may: () => true },
      'shop@example.com',
    );
    const email = freshMail();
    const invitation = { accountId: owner, email, role: 'member' } as const;
    const key = await passbell.core.people.service.invite({ name: 'x', may: () => true }, invitation);
    const visitor = createVisitor(passbell.url);
    await visitor.get(`/start?key=${key}`);
    expect((await visitor.get(START)).html).toContain('the code is in the dev inbox');
    await visitor.submit(START, START, { email });
    expect((await visitor.get(CODE)).html).not.toContain('class="handset"');
  });
});
