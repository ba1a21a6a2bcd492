/** The message pages: filters, timeline, retry, export, and access. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { type Visitor, signIn } from '../support/dashboard.js';
import { freshMail, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { TWILIO_ERRORS, startTwilioServer, twilioError, type TwilioServer } from '../support/twilio-server.js';
import { advancing, settled, until } from '../support/wait.js';

const OTHER_ACCOUNT = 'other@example.com';

let twilio: TwilioServer;
let passbell: TestService;
let owner: Visitor;
let viewer: Visitor;
let outsider: Visitor;
let foreignKeys: TestService['keys'];
beforeAll(async () => {
  twilio = await startTwilioServer();
  passbell = await startService({
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
    TWILIO_WHATSAPP_FROM: '+14155550100',
    TWILIO_API_URL: twilio.url,
  });
  await passbell.core.applications.service.update(OPERATOR, passbell.keys.appKey, NO_LIMITS);
  foreignKeys = await passbell.core.applications.service.create(OPERATOR, {
    name: 'Foreign Shop',
    email: OTHER_ACCOUNT,
  });
  await passbell.core.applications.service.update(OPERATOR, foreignKeys.appKey, NO_LIMITS);
  owner = await signIn(passbell);
  viewer = await signIn(passbell, 'viewer');
  outsider = await signIn(passbell, 'owner', { account: OTHER_ACCOUNT });
  passbell.clock.advance(2000);
});
afterAll(async () => {
  await passbell.stop();
  await twilio.close();
});
beforeEach(() => {
  twilio.respondWith('accept');
  passbell.clock.advance(60_000);
});

let numbers = 0;
const freshNumber = (): string => `+1415200${String(1000 + ++numbers)}`;
const masked = (to: string): string => `${to.slice(0, 5)}*****${to.slice(-2)}`;

interface Sent {
  readonly id: string;
  readonly to: string;
}

interface SendOptions {
  readonly to?: string;
  readonly keys?: TestService['keys'];
  readonly authWay?: string;
  readonly expiry?: number;
  readonly reference?: string;
}

async function send({ to = freshNumber(), keys = passbell.keys, ...parameters }: SendOptions = {}): Promise<Sent> {
  const body = await passbell.post('/auth/sendotp', { to, ...parameters }, { keys });
  return { id: body.data.results[0].messageId, to };
}

async function createFailedMessage(options: SendOptions = {}): Promise<Sent> {
  twilio.respondWith(TWILIO_ERRORS.optedOut);
  const sent = await send({ authWay: 'SMS', ...options });
  twilio.respondWith('accept');
  return sent;
}

/** Inserts copies of a sent message. */
async function insertCopies(number: number, change: (n: number) => object): Promise<void> {
  const { id } = await send();
  const db = passbell.openDatabase();
  const like = await db('messages').where({ id }).first();
  const rows = Array.from({ length: number }, (_, n) => ({ ...like, ...change(n) }));
  for (let n = 0; n < number; n += 50) await db('messages').insert(rows.slice(n, n + 50));
  await db.destroy();
}

/** Returns the ids of the messages on a page, in order. */
const idsOn = (html: string): string[] =>
  [...html.matchAll(/href="\/dashboard\/messages\/(\w{32})"/g)].map(([, id]) => id!);

/** Submits the search form, and returns the URL to which it redirects. */
async function find(visitor: Visitor, fields: Record<string, string>): Promise<string> {
  const { status, location } = await visitor.submit('/messages', '/messages/find', fields);
  expect(status).toBe(303);
  return location.replace(/^\/dashboard/, '');
}

it('lists messages, newest first, with masked recipients and without their content', async () => {
  const first = await send();
  passbell.clock.advance(10);
  const second = await send({ to: freshMail() });
  const { status, html } = await owner.get('/messages');
  expect(status).toBe(200);
  const ids = idsOn(html);
  expect(ids.indexOf(second.id)).toBeLessThan(ids.indexOf(first.id));
  expect(html).toContain(masked(first.to));
  const code = await passbell.codeFor(second.to);
  for (const secret of [first.to, second.to, code]) expect(html).not.toContain(secret);
  expect((await owner.get(`/messages/${second.id}`)).html).not.toContain(code);
});

it("shows a provider's reply as text, and links to the page about its error code", async () => {
  twilio.respondWith(twilioError(400, 21610, 'Attempt <script>alert(1)</script>'));
  const { id } = await send({ authWay: 'SMS' });
  const { html } = await owner.get(`/messages/${id}`);
  expect(html).toContain(
    '<a href="https://www.twilio.com/docs/api/errors/21610" rel="noreferrer">About this error</a>',
  );
  expect(html).toMatch(/<summary>Reply from the provider<\/summary>[\s\S]*Attempt &lt;script>alert\(1\)&lt;/);
  expect(html).not.toContain('<script>alert');
});

it('filters by state, channel, application and time', async () => {
  const dead = await createFailedMessage();
  const mail = await send({ to: freshMail() });
  passbell.clock.advance(5 * 60_000);
  const late = await send();
  expect(idsOn((await owner.get('/messages?state=failed')).html)[0]).toBe(dead.id);
  expect(idsOn((await owner.get('/messages?channel=EMAIL')).html)[0]).toBe(mail.id);
  const inTokyo = (ms: number) => new Date(ms + 9 * 3_600_000).toISOString().slice(0, 16);
  const from = inTokyo(passbell.clock.now() - 60_000);
  const until = inTokyo(passbell.clock.now());
  const inTime = await owner.get(await find(owner, { from, until, zone: 'Asia/Tokyo' }));
  expect(idsOn(inTime.html)).toEqual([late.id]);
  expect(inTime.html).toContain(`value="${until}"`);
  // The form shows the end of this range as the minute before.
  const end = passbell.clock.now() - (passbell.clock.now() % 60_000) - 1;
  expect(idsOn((await owner.get(`/messages?until=${end}`)).html)).not.toContain(late.id);
  const ofApplication = await owner.get(`/messages?application=${passbell.keys.appKey}`);
  expect(idsOn(ofApplication.html)).toContain(late.id);
});

it('finds a recipient in any format, without exposing it in the URL', async () => {
  const { id, to } = await send();
  await send();
  const path = await find(owner, {
    recipient: `${to.slice(0, 2)} (${to.slice(2, 5)}) ${to.slice(5, 8)}-${to.slice(8)}`,
  });
  expect(decodeURIComponent(path)).not.toContain(to.slice(-7));
  const { html } = await owner.get(path);
  expect(idsOn(html)).toEqual([id]);
  expect(html).toContain(`Filters: <a class="button subtle small" href="/dashboard/messages">${masked(to)} `);
  expect(html).not.toContain(to);
  // The sealed recipient in the URL is valid for one account only.
  expect((await outsider.get(path)).html).toContain('No matching messages');
  expect((await owner.get('/messages?who=forged')).html).toContain('No matching messages');
});

it('finds messages by reference, and shows it', async () => {
  const { id } = await send({ reference: 'A-<1001>' });
  await send({ reference: 'A-1002' });
  const path = await find(owner, { reference: ' A-<1001> ' });
  const { html } = await owner.get(path);
  expect(idsOn(html)).toEqual([id]);
  expect(html).toContain('value="A-&lt;1001>"');
  expect((await owner.get(`/messages/${id}`)).html).toContain('A-&lt;1001>');
  expect((await owner.get(path.replace('/messages', '/messages/export'))).html).toContain('A-<1001>');
  expect((await outsider.get(path)).html).toContain('No matching messages');
  expect(idsOn((await owner.get(await find(owner, { reference: '', channel: 'SMS' }))).html)).toContain(id);
});

it('preserves invalid input and explains the error', async () => {
  const { status, html } = await owner.submit('/messages', '/messages/find', { recipient: '0176 12', from: 'soon' });
  expect(status).toBe(422);
  expect(html).toContain('value="0176 12"');
  expect(html).toContain('Enter a complete phone number with its country code');
  expect(html).toContain('Enter a date and a time');
  // A search saves nothing.
  expect(html).toContain('<strong>Check 2 fields.</strong> </p>');
  const reversed = { from: '2027-01-16T10:00', until: '2027-01-16T09:00' };
  const refused = await owner.submit('/messages', '/messages/find', reversed);
  expect(refused.html).toContain('Enter a time that is later than “From”.');
});

it('pages through older messages and back', async () => {
  await insertCopies(55, (n) => ({ id: `more${String(n).padStart(28, '0')}`, created_at: passbell.clock.now() - n }));
  const first = await owner.get('/messages');
  const next = /href="\/dashboard(\/messages\?after=[^"]+)"/.exec(first.html)![1]!.replaceAll('&amp;', '&');
  const second = await owner.get(next);
  expect(idsOn(first.html)).toHaveLength(50);
  expect(idsOn(second.html).length).toBeGreaterThan(4);
  expect(idsOn(first.html).filter((id) => idsOn(second.html).includes(id))).toEqual([]);
  expect(second.html).toContain('Newest');
});

it('refreshes the first page only, and replies 204 while nothing has changed', async () => {
  const first = await owner.get('/messages');
  expect(first.html).toMatch(/hx-trigger="every \d+s"/);
  expect((await owner.get('/messages?live=off')).html).not.toMatch(/hx-trigger="every/);
  const older = await owner.get('/messages?after=1-x');
  expect(older.html).not.toMatch(/hx-trigger="every/);

  const asked = { 'HX-Request': 'true', 'HX-Target': 'message-list' };
  const mark = /name="mark" value="(\w+)"/.exec(first.html)![1];
  const same = await owner.get(`/messages?mark=${mark}`, asked);
  expect([same.status, same.html]).toEqual([204, '']);
  const { id } = await send();
  const changed = await owner.get(`/messages?mark=${mark}`, asked);
  expect(changed.status).toBe(200);
  expect(idsOn(changed.html)[0]).toBe(id);
  expect(changed.html).not.toContain('<html');
});

it('shows the timeline: a failed attempt, the fallback, the price and the delivery reports', async () => {
  twilio.respondWith(({ form }) =>
    form['To']!.startsWith('whatsapp:') ? { status: 201, body: { sid: 'SM1' } } : TWILIO_ERRORS.invalidNumber,
  );
  const { id } = await send();
  const from = { id, provider: 'environment-twilio', providerId: 'SM1', reason: 'the phone is switched off (30003)' };
  const report = (reportedState: 'delivered' | 'undelivered') =>
    passbell.core.messages.service.report({ type: 'reported', ...from, reportedState });
  passbell.clock.advance(1500);
  await report('undelivered');
  passbell.clock.advance(1500);
  await report('delivered');
  const { html } = await owner.get(`/messages/${id}`);
  const titles = [...html.matchAll(/class="step-title">([^<]+)</g)].map(([, text]) => text);
  expect(titles).toEqual([
    'Requested',
    'SMS: failed',
    'Next channel: WhatsApp',
    'WhatsApp: sent',
    'Undelivered',
    'Delivered',
    'Code not entered yet',
  ]);
  expect(html).toContain('1.5 s later');
  expect(html).toMatch(
    /The code has not been entered yet\. It is valid until <time[^]*Twilio[^<]* reported the delivery\./,
  );
  expect(html).toContain('The phone is switched off (30003).');
  expect(html).toContain('SM1');
});

it('ends the timeline with the entered code, and then gives no advice about a code that was reported as lost', async () => {
  twilio.respondWith({ status: 201, body: { sid: 'SM7' } });
  const { data } = await passbell.post('/auth/sendotp', { to: freshNumber(), authWay: 'SMS' });
  const { messageId: id, maskId } = data.results[0];
  const otp = /\b\d{6}\b/.exec(twilio.requests.at(-1)!.form['Body']!)![0];
  const from = { id, provider: 'environment-twilio', providerId: 'SM7', reason: 'the phone is switched off (30003)' };
  await passbell.core.messages.service.report({ type: 'reported', ...from, reportedState: 'undelivered' });
  const page = async () => (await owner.get(`/messages/${id}`)).html;
  expect(await page()).toMatch(
    /Undelivered[^]*This person has not entered a code since then, but can request a new one\.<\/p><p>In the last 7 days, \d+ of \d+ messages with a delivery report (?:was|were) undelivered: .*If several people got no code, ask Twilio for the reason\. <[^]*>Show undelivered messages</,
  );
  passbell.clock.advance(25_000);
  await passbell.post('/auth/verifyotp', { maskId, otp });
  expect(await page()).toMatch(/Undelivered[^]*Code entered[^]*25 s after the request/);
  expect(await page()).not.toContain('can request a new');
});

it('each row shows whether the code was entered, and the reason of a loss; the filters show counts', async () => {
  const keys = await passbell.application(NO_LIMITS);
  const list = async () => (await owner.get(`/messages?application=${keys.appKey}`)).html;
  twilio.respondWith({ status: 201, body: { sid: 'SM8' } });
  const { data } = await passbell.post('/auth/sendotp', { to: freshNumber(), authWay: 'SMS' }, { keys });
  const { messageId: id, maskId } = data.results[0];
  const otp = /\b\d{6}\b/.exec(twilio.requests.at(-1)!.form['Body']!)![0];
  const from = { id, provider: 'environment-twilio', providerId: 'SM8' };
  await passbell.core.messages.service.report({ type: 'reported', ...from, reportedState: 'undelivered' });
  twilio.respondWith({ status: 201, body: { sid: 'SM9' } });
  await send({ keys });
  expect(await list()).toContain('>Code not entered yet<');
  expect(await list()).toMatch(/>Undelivered<span class="warning"> 1<\/span>/);
  expect(await list()).not.toMatch(/Code (not )?entered<|>Failed<span/);
  await passbell.post('/auth/verifyotp', { maskId, otp }, { keys });
  passbell.clock.advance(20 * 60_000);
  expect(await list()).toMatch(/class="quiet">Arrived<.*>Code entered</);
  // The code proves that the message arrived.
  const undelivered = (await owner.get(`/messages?state=undelivered&application=${keys.appKey}`)).html;
  expect(undelivered).toContain('The code was entered, so this message arrived.');
  expect((await owner.get(`/messages/${id}`)).html).toContain(
    'but the code was entered, so it arrived. Nothing to do.',
  );
  expect(await list()).toContain('>Code not entered<');
  expect(await list()).not.toContain('data-title="Application"');
});

it('shows repeated attempts as one step', async () => {
  twilio.respondWith(TWILIO_ERRORS.unavailable);
  const before = twilio.requests.length;
  const sending = send({ authWay: 'SMS' });
  const hasReply = settled(sending);
  // Waits for three attempts. The request gets its reply after the first attempt.
  const wasTried = () => hasReply() && twilio.requests.length >= before + 3;
  await until('a reply and three attempts', wasTried, advancing(passbell.clock, 100));
  const { id } = await sending;
  const html = await until('three attempts on the page', async () => {
    const page = await owner.get(`/messages/${id}`);
    return /Tried [3-9] times/.test(page.html) && page.html;
  });
  expect(html.match(/SMS: failed/g)).toHaveLength(1);
  expect(html).toContain('Waiting in the queue');
});

it('retries a failed message, preserves its timeline, and records the retry in the audit log', async () => {
  const { id } = await createFailedMessage();
  passbell.clock.advance(1000);
  const sent = await owner.submit(`/messages/${id}`, `/messages/${id}/retry`);
  expect((await owner.follow(sent)).html).toContain('The message was queued again.');
  const titles = async () =>
    [...(await owner.get(`/messages/${id}`)).html.matchAll(/class="step-title">([^<]+)</g)].map(([, text]) => text);
  const wasSent = async () => (await titles()).includes('SMS: sent');
  await until('the retry', wasSent, advancing(passbell.clock, 500));
  expect(await titles()).toEqual([
    'Requested',
    'SMS: failed',
    'Sent again manually',
    'SMS: sent',
    'No delivery report',
    'Code not entered yet',
  ]);
  // Another attempt followed.
  expect((await owner.get(`/messages/${id}`)).html).not.toContain('No other channel');
  const db = passbell.openDatabase();
  const log = await db('audit_entries').where({ account_id: owner.person!.accountId, action: 'message.retry' });
  await db.destroy();
  expect(log).toMatchObject([{ actor: owner.person!.email, action: 'message.retry', subject: id }]);
  expect((await owner.get('/audit')).html).toMatch(/sent the failed message <a [^>]+>.*<\/a> again/);
  // Retries the message again, as a double click or another tab would.
  const again = await owner.post(`/messages/${id}/retry`, { token: await tokenOf(owner) });
  expect((await owner.follow(again)).html).toContain('so it was not sent again.');
});

/** Returns the visitor's form token. */
async function tokenOf(visitor: Visitor): Promise<string> {
  const { html } = await visitor.get('/applications');
  return /name="token" value="([^"]+)"/.exec(html)![1]!;
}

it('does not retry an expired code', async () => {
  const { id } = await createFailedMessage({ expiry: 1 });
  const token = await tokenOf(owner);
  passbell.clock.advance(61_000);
  const { html } = await owner.get(`/messages/${id}`);
  expect(html).toMatch(
    /Nothing to do: this person has not entered a code since then, but can request a new one\.[^]*This code expired on .+ and cannot be sent again\./,
  );
  expect(html).not.toContain('Send again');
  const before = twilio.requests.length;
  const reply = await owner.post(`/messages/${id}/retry`, { token });
  expect((await owner.follow(reply)).html).toContain('The message has expired, so it was not sent again.');
  expect(twilio.requests).toHaveLength(before);
});

it('states the reason in each row, and no failed attempts of sent messages; a state has no column of the state', async () => {
  const keys = await passbell.application(NO_LIMITS);
  const list = async () => (await owner.get(`/messages?application=${keys.appKey}`)).html;
  await createFailedMessage({ keys });
  await createFailedMessage({ keys });
  expect((await list()).match(/opted out/g)).toHaveLength(2);
  expect((await list()).match(/data-title="State"/g)).toHaveLength(2);
  const failed = (await owner.get(`/messages?state=failed&application=${keys.appKey}`)).html;
  expect(failed).not.toContain('data-title="State"');
  twilio.respondWith(({ form }) => (form['To']!.startsWith('whatsapp:') ? 'accept' : TWILIO_ERRORS.invalidNumber));
  await send({ keys });
  twilio.respondWith('accept');
  expect((await list()).match(/opted out/g)).toHaveLength(2);
  expect(await list()).not.toContain('invalid phone number');
});

it('lets a viewer view a failed message but not retry it', async () => {
  const { id } = await createFailedMessage();
  const { status, html } = await viewer.get(`/messages/${id}`);
  expect(status).toBe(200);
  expect(html).not.toContain(`/dashboard/messages/${id}/retry`);
  expect(html).toContain('Owners and members of the account can send this message again.');
  const before = twilio.requests.length;
  expect((await viewer.post(`/messages/${id}/retry`, { token: await tokenOf(viewer) })).status).toBe(403);
  expect((await owner.get(`/messages/${id}`)).html).toContain('Send again');
  expect(twilio.requests).toHaveLength(before);
  const member = await signIn(passbell, 'member');
  expect((await member.submit(`/messages/${id}`, `/messages/${id}/retry`)).status).toBe(303);
});

describe('a scheduled message', () => {
  const schedule = async (orderId: string) => {
    const sendAt = Math.floor(passbell.clock.now() / 1000) + 3600;
    const order = { to: '+14152009999', templateType: 'order_shipped', variables: { orderId }, sendAt };
    return (await passbell.post('/notifications/order', order)).data.results[0].messageId as string;
  };

  it('is shown with its time, and canceled with one click', async () => {
    const id = await schedule('A-1');
    expect(idsOn((await owner.get('/messages?state=scheduled')).html)).toEqual([id]);
    const { html } = await owner.get(`/messages/${id}`);
    for (const text of ['Scheduled', 'Requested and scheduled', 'Scheduled for', 'Cancel the message'])
      expect(html).toContain(text);
    const reply = await owner.submit(`/messages/${id}`, `/messages/${id}/cancel`);
    const canceled = (await owner.follow(reply)).html;
    for (const text of ['The message was canceled.', 'The message was not sent.']) expect(canceled).toContain(text);
    expect(canceled).not.toContain('Cancel the message');
    const [entry] = (await owner.get('/audit')).html.match(/canceled the scheduled message/) ?? [];
    expect(entry).toBeDefined();
  });

  it('links to the message that replaced it', async () => {
    const id = await schedule('A-2');
    passbell.clock.advance(60_000);
    const newer = await schedule('A-2');
    expect((await owner.get(`/messages/${id}`)).html).toContain(`<a href="/dashboard/messages/${newer}">`);
  });

  it('cannot be canceled by a viewer or another account, or after it was sent', async () => {
    const id = await schedule('A-3');
    expect((await viewer.get(`/messages/${id}`)).html).toContain('members of the account can cancel this message.');
    expect((await viewer.post(`/messages/${id}/cancel`, { token: await tokenOf(viewer) })).status).toBe(403);
    expect((await outsider.post(`/messages/${id}/cancel`, { token: await tokenOf(outsider) })).status).toBe(404);
    const sent = await send();
    const reply = await owner.post(`/messages/${sent.id}/cancel`, { token: await tokenOf(owner) });
    expect((await owner.follow(reply)).html).toContain('no longer scheduled');
  });
});

it("hides another account's messages, even at guessed URLs", async () => {
  const foreign = await createFailedMessage({ keys: foreignKeys });
  const own = await send();
  expect(idsOn((await outsider.get('/messages')).html)).toEqual([foreign.id]);
  expect(idsOn((await owner.get('/messages')).html)).not.toContain(foreign.id);

  const guessed = await owner.get(`/messages/${foreign.id}`);
  const absent = await owner.get(`/messages/${'0'.repeat(32)}`);
  expect([guessed.status, guessed.html]).toEqual([404, absent.html]);
  expect((await owner.post(`/messages/${foreign.id}/retry`, { token: await tokenOf(owner) })).status).toBe(404);
  expect((await outsider.get(`/messages/${foreign.id}`)).html).toContain('Send again');

  for (const query of [`application=${foreignKeys.appKey}`, `application=${foreignKeys.appKey}&state=failed`]) {
    expect(idsOn((await owner.get(`/messages?${query}`)).html)).toEqual([]);
    expect((await owner.get(`/messages/export?${query}`)).html).not.toContain(foreign.id);
  }
  expect(idsOn((await owner.get(await find(owner, { recipient: foreign.to }))).html)).toEqual([]);
  expect((await owner.get('/messages/export')).html).toContain(own.id);
});
