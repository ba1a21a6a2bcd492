/** The webhook pages: creation, test events, pauses, secret rotation, and a log from which events can be sent again. */
import { EVENT_NAMES } from '../../backend/src/modules/webhooks/event.js';
import { createAttemptsStore } from '../../backend/src/modules/webhooks/attempts-store.js';
import { HOUR, isoTime, MINUTE, SECOND } from '../../backend/src/platform/clock.js';
import { signIn, type Visitor } from '../support/dashboard.js';
import { freshMail, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { advancing, until } from '../support/wait.js';
import { isSigned, startWebhookServer, type WebhookServer } from '../support/webhook-server.js';

let passbell: TestService;
let customer: WebhookServer;
let owner: Visitor;
let keys: TestService['keys'];
let listPath: string;
beforeAll(async () => void (passbell = await startService({ WEBHOOKS_ALLOW_PRIVATE: 'true' })));
afterAll(() => passbell.stop());
beforeEach(async () => {
  customer = await startWebhookServer();
  owner = await signIn(passbell);
  keys = await passbell.application(NO_LIMITS);
  listPath = `/applications/${keys.appKey}/webhooks`;
});
afterEach(() => customer.close());

/** Creates a webhook with the form. Returns the path of the webhook's page, and its secret. */
async function create(events: readonly string[] = ['message.accepted']): Promise<{ path: string; secret: string }> {
  const reply = await owner.submit(`${listPath}/new`, listPath, { url: `${customer.url}/events?key=s3cret`, events });
  const { html } = await owner.follow(reply);
  return { path: reply.location.replace('/dashboard', ''), secret: secretOn(html)! };
}

const secretOn = (html: string): string | undefined => /whsec_[A-Za-z0-9+/]{43}=/.exec(html)?.[0];

const waitForCalls = (count: number) =>
  until(`webhook call ${count}`, () => customer.calls.length >= count, advancing(passbell.clock, 500));

/** Waits until the webhook's page contains a text. */
const waitForText = (path: string, text: string) =>
  until(`the text ${text}`, async () => (await owner.get(path)).html.includes(text));

const notify = () =>
  passbell.post(
    '/notifications/order',
    { to: freshMail(), templateType: 'order_shipped', variables: { orderId: '1' } },
    { keys },
  );

it('creates a webhook, and shows its secret once', async () => {
  const wrong = await owner.submit(`${listPath}/new`, listPath, { url: 'shop.example' });
  expect([wrong.status, wrong.html]).toEqual([422, expect.stringContaining('Choose at least one event.')]);
  expect(wrong.html).toContain('Enter a URL such as');
  const { path, secret } = await create();
  expect(secret).toBeDefined();
  const { html } = await owner.get(path);
  expect(secretOn(html)).toBeUndefined();
  expect(html).toContain('No events in the last three days.');
  expect((await owner.get('/audit')).html).toContain('created a webhook');
});

it('sends a signed test event, and logs the reply without digits that could be a code', async () => {
  const { path, secret } = await create(['otp.verified']);
  customer.respondWith({ raw: 'HTTP/1.1 500 No\r\nContent-Length: 22\r\n\r\n<b>bad code 123456</b>' });
  await owner.submit(path, `${path}/test`, { event: 'otp.verified' });
  await waitForCalls(1);
  const [call] = customer.calls;
  expect(call!.event).toMatchObject({ event: 'otp.verified', test: true });
  expect(isSigned(call!, secret)).toBe(true);
  await waitForText(path, '>500<span class="status-words"> Internal server error<');
  const { html } = await owner.get(path);
  expect(html).toContain('&lt;b>bad code …');
  expect(html).not.toContain('123456');
  expect(html).toContain('1 event is waiting to be sent or retried.');
});

/** Simulates a night of failures. */
async function afterFailures(path: string, restsUntil: number): Promise<void> {
  const db = passbell.openDatabase();
  await db('webhooks')
    .where({ webhook_id: path.split('/').at(-1) })
    .update({ failures: 20, rests_until: restsUntil });
  await db.destroy();
}

it('lists when a failing webhook is called again', async () => {
  const { path } = await create(['message.accepted', 'otp.verified']);
  const next = passbell.clock.now() + HOUR;
  await afterFailures(path, next);
  await notify();
  const time = new Date(next).toISOString().slice(0, 16);
  const { html } = await owner.get(listPath);
  expect(html).toMatch(new RegExp(`1 event<div class="quiet small">Next attempt: <time datetime="${time}`));
  expect((await owner.get(path)).html).toMatch(new RegExp(`Next attempt: <time datetime="${time}`));
});

it('sends a test event of a failing webhook at once, before the events that wait', async () => {
  const { path } = await create(['message.accepted', 'otp.verified']);
  customer.respondWith({ status: 500 });
  await notify();
  await waitForCalls(1);
  await waitForText(path, '>500<span class="status-words"> Internal server error<');
  const start = passbell.clock.now();
  await afterFailures(path, start + HOUR);
  passbell.clock.advance(MINUTE);
  customer.respondWith({ status: 204 });
  await owner.submit(path, `${path}/test`, { event: 'otp.verified' });
  await waitForCalls(3);
  expect(customer.calls.map(({ event }) => event.test ?? false)).toEqual([false, true, false]);
  expect(passbell.clock.now() - start).toBeLessThan(10 * MINUTE);
});

it('immediately sends a test event that is created while another call is failing', async () => {
  const { path } = await create();
  await afterFailures(path, 0);
  customer.respondWith('silent');
  await notify();
  await waitForCalls(1);
  const start = passbell.clock.now();
  customer.respondWith({ status: 204 });
  await owner.submit(path, `${path}/test`, { event: 'message.accepted' });
  await waitForCalls(2);
  expect(customer.calls[1]!.event.test).toBe(true);
  expect(passbell.clock.now() - start).toBeLessThan(10 * MINUTE);
});

it('lists the time and the result of the last call', async () => {
  const { path } = await create(['message.accepted', 'otp.verified']);
  const row = async () => (await owner.get(listPath)).html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  expect(await row()).toContain('Active Never – 2 events message.accepted, otp.verified');
  await owner.submit(path, `${path}/test`, { event: 'otp.verified' });
  await waitForCalls(1);
  await waitForText(listPath, '>204<span class="status-words"> No content<');
  expect(await row()).toMatch(/Active 204 No content Today, \d\d:\d\d/);
});

it('shows since when a webhook is failing, and the path of its URL, shortened', async () => {
  const { path } = await create();
  customer.respondWith({ status: 500 });
  await notify();
  await waitForCalls(1);
  await waitForText(path, '>500<span class="status-words"> Internal server error<');
  const text = async (at: string) => (await owner.get(at)).html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  expect(await text(listPath)).toMatch(/ Never worked 500 Internal server error Today, \d\d:\d\d 1 event /);
  expect(await text(path)).toMatch(
    /This webhook has never worked\. (The only request failed, at|All \d requests failed, the first one at) \d\d:\d\d today/,
  );
  expect(await text(path)).toContain(
    'Your server replied with 500 Internal server error. Fix your server, then send a test event. Events are retried for up to 24 hours.',
  );
  expect((await owner.get(path)).html).toMatch(/<a class="button small" href="#test">\s*Send a test event\s*</);
  const sendTest = async (status: number) => {
    customer.respondWith({ status });
    await owner.submit(path, `${path}/test`, { event: 'message.accepted' });
    await waitForCalls(customer.calls.length + 1);
  };
  await sendTest(204);
  await waitForText(path, '>204<span class="status-words"> No content<');
  expect(await text(path)).toMatch(/Your server accepted the last request at \d\d:\d\d today/);
  await sendTest(500);
  await waitForText(listPath, '>Failing<');
  expect(await text(listPath)).toMatch(/ Failing Since today, \d\d:\d\d 500 /);
  expect(await text(path)).toMatch(
    /The last (request failed, at|\d requests failed, the first one at) \d\d:\d\d today/,
  );
  expect(await text(listPath)).toMatch(/ \/ events /);
  const url = `${customer.url}/${'a'.repeat(30)}/${'b'.repeat(30)}`;
  await passbell.post('/webhooks', { url, events: ['message.accepted'] }, { keys });
  expect(await text(listPath)).toContain(`${'a'.repeat(19)}…${'b'.repeat(20)}`);
});

it('groups the events', async () => {
  const { html } = await owner.get(`${listPath}/new`);
  const groups = [...html.matchAll(/<legend class="unseen">([^<]+)<.*?<\/fieldset>/gs)];
  expect(groups.map(([, title]) => title)).toEqual(['Messages', 'Codes', 'Protection', 'Recipients']);
  const shown = groups.flatMap(([group]) =>
    [...group.matchAll(/name="events" value="([^"]+)"/g)].map(([, name]) => name),
  );
  expect(shown).toEqual(EVENT_NAMES);
});

it('sends an event from the log again, with the same id', async () => {
  const { path } = await create();
  await notify();
  await waitForCalls(1);
  await waitForText(path, '>204<span class="status-words"> No content<');
  const attempt = /name="attempt" value="(\d+)"/.exec((await owner.get(path)).html)![1]!;
  await owner.submit(path, `${path}/resend`, { attempt });
  await waitForCalls(2);
  expect(customer.calls[1]!.event).toEqual(customer.calls[0]!.event);
  const other = await create();
  const foreign = await owner.follow(await owner.submit(other.path, `${other.path}/test`, { event: 'none' }));
  expect(foreign.html).toContain('No event was sent.');
  const { html } = await owner.follow(
    await owner.post(`${other.path}/resend`, { token: tokenOn(foreign.html), attempt }),
  );
  expect(html).toContain('no longer in the log');
});

const tokenOn = (html: string): string => /name="token" value="([^"]+)"/.exec(html)![1]!;

it('keeps the events of a paused webhook until it is resumed', async () => {
  const { path } = await create();
  expect((await owner.follow(await owner.submit(path, `${path}/pause`))).html).toContain('The webhook is paused.');
  await notify();
  const other = await passbell.post(
    '/webhooks',
    { url: `${customer.url}/other`, events: ['message.accepted'] },
    { keys },
  );
  passbell.clock.advance(2000);
  await notify();
  // A call to another webhook shows that due events have been sent in the meantime.
  await waitForCalls(1);
  expect(customer.calls.map((call) => call.path)).toEqual(['/other']);
  expect(other.success).toBe(true);
  expect((await owner.get(path)).html).toContain('2 events are waiting to be sent or retried.');
  await owner.submit(path, `${path}/resume`);
  await waitForCalls(3);
});

it('rotates the secret, and changes the events', async () => {
  const { path, secret } = await create();
  const { html } = await owner.follow(await owner.submit(path, `${path}/secret`));
  const newSecret = secretOn(html)!;
  expect(newSecret).not.toBe(secret);
  expect((await owner.submit(path, `${path}/events`)).status).toBe(422);
  await owner.submit(path, `${path}/events`, { events: ['message.failed'] });
  await notify();
  await owner.submit(path, `${path}/test`, { event: 'message.failed' });
  await waitForCalls(1);
  expect(isSigned(customer.calls[0]!, newSecret)).toBe(true);
  expect(customer.calls.map(({ event }) => event.event)).toEqual(['message.failed']);
  for (const text of ['created a new secret for a webhook', 'changed the events of a webhook', 'sent a test event'])
    expect((await owner.get('/audit')).html).toContain(text);
});

it('does not show the URL and the log, which may contain keys, to other roles', async () => {
  const { path } = await create();
  const viewer = await signIn(passbell, 'viewer');
  const { html } = await viewer.get(listPath);
  expect(html).toContain(new URL(customer.url).host);
  expect(html).not.toMatch(/s3cret|New webhook/);
  expect((await viewer.get(path)).status).toBe(403);
  const outsider = await signIn(passbell, 'owner', { account: 'other@example.com' });
  expect((await outsider.get(path)).status).toBe(404);
});

it('deletes a webhook with its log', async () => {
  const { path } = await create();
  await owner.submit(path, `${path}/test`, { event: 'message.accepted' });
  await waitForCalls(1);
  await waitForText(path, '>204<span class="status-words"> No content<');
  await owner.submit(path, `${path}/remove`);
  expect((await owner.get(path)).status).toBe(404);
  const db = passbell.openDatabase();
  const webhookIds = (await db('webhooks')).map(({ id }) => id as number);
  expect(await db('webhook_attempts').whereNotIn('webhook_id', webhookIds)).toEqual([]);
  await db.destroy();
});

it('keeps the latest 100 calls of a webhook, for three days', async () => {
  const db = passbell.openDatabase();
  const attempts = createAttemptsStore(db);
  const now = passbell.clock.now();
  const call = { eventId: 'EVT-1', body: '{}', attempt: 1, status: 200, reply: '', durationMs: 5 };
  const calls = (webhookId: number, count: number, calledAt: number) =>
    attempts.insert(Array.from({ length: count }, () => ({ ...call, webhookId, calledAt })));
  await calls(9001, 150, now);
  await calls(9002, 5, now);
  await calls(9003, 5, now - 4 * 86_400_000);
  await attempts.cleanUp(now);
  const kept = await Promise.all([9001, 9002, 9003].map(async (id) => (await attempts.latest(id, 200)).length));
  expect(kept).toEqual([100, 5, 0]);
  await db.destroy();
});

it('does not refer to the log if it no longer contains the failed request', async () => {
  const { path } = await create();
  await afterFailures(path, passbell.clock.now() + HOUR);
  const { html } = await owner.get(path);
  expect(html).toContain('No events in the last three days.');
  expect(html).toContain('Fix your server, then send a test event. The log will show its reply.');
});

it('lists each event once, with all its attempts', async () => {
  const { path } = await create();
  const db = passbell.openDatabase();
  const webhookId = (await db('webhooks').max({ id: 'id' }))[0]!.id as number;
  const calledAt = passbell.clock.now();
  const body = JSON.stringify({ event: 'message.accepted', createdTime: Math.floor(calledAt / SECOND) });
  const call = { webhookId, body, calledAt, durationMs: 40 };
  await createAttemptsStore(db).insert([
    { ...call, eventId: 'EVT-1', attempt: 2, status: 500, reply: 'try later' },
    { ...call, eventId: 'EVT-2', attempt: 1, status: 500, reply: 'try later' },
    { ...call, eventId: 'EVT-1', attempt: 3, status: 204, reply: '' },
  ]);
  await db.destroy();
  const { html } = await owner.get(path);
  expect(html.match(/Send event EVT-\d again/g)).toEqual(['Send event EVT-1 again', 'Send event EVT-2 again']);
  // The log no longer contains the first attempt of the first event.
  const attempts = [...html.matchAll(/data-title="Attempts"[^>]*><div><span[^>]*>(\d)</g)].map(([, count]) => count);
  expect(attempts).toEqual(['3', '1']);
  expect(html).toContain('1 earlier attempt is no longer in the log.');
  expect(html.match(/<span class="reply">try later<\/span> · 40 ms/g)).toHaveLength(2);
  const failed = await owner.get(`${path}?failed=yes`);
  expect(failed.html.match(/Send event EVT-\d again/g)).toEqual(['Send event EVT-2 again']);
});

it('counts the missing attempts of an event that was sent again', async () => {
  const { path } = await create();
  const db = passbell.openDatabase();
  const webhookId = (await db('webhooks').max({ id: 'id' }))[0]!.id as number;
  const calledAt = passbell.clock.now();
  const body = JSON.stringify({ event: 'message.accepted', createdTime: Math.floor(calledAt / SECOND) });
  const call = { webhookId, eventId: 'EVT-1', body, calledAt, durationMs: 40, status: 500, reply: 'try later' };
  // The log no longer contains the first four attempts.
  await createAttemptsStore(db).insert([
    { ...call, attempt: 5 },
    { ...call, attempt: 1 },
  ]);
  await db.destroy();
  const { html } = await owner.get(path);
  expect(html).toMatch(/data-title="Attempts"[^>]*><div><span[^>]*>6</);
  expect(html).toContain('4 earlier attempts are no longer in the log.');
});

it('shows the log in pages of 12 events', async () => {
  const { path } = await create();
  const db = passbell.openDatabase();
  const webhookId = (await db('webhooks').max({ id: 'id' }))[0]!.id as number;
  const calledAt = passbell.clock.now();
  const body = JSON.stringify({ event: 'message.accepted', createdTime: Math.floor(calledAt / SECOND) - 600 });
  const call = { webhookId, body, attempt: 2, reply: '', durationMs: 1840 };
  await createAttemptsStore(db).insert(
    Array.from({ length: 15 }, (_, n) => ({ ...call, eventId: `EVT-${n}.`, calledAt, status: n === 1 ? 500 : 204 })),
  );
  await db.destroy();
  const eventsOn = (html: string) => [...html.matchAll(/Send event EVT-(\d+)\./g)].map(([, n]) => Number(n));
  const { html } = await owner.get(path);
  expect(eventsOn(html)).toEqual([14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  const older = await owner.get(path + /\?before=\d+/.exec(html)![0]);
  expect(eventsOn(older.html)).toEqual([2, 1, 0]);
  expect(older.html).toContain('>Newest<');
  expect(older.html).not.toContain('>Older<');
  expect(older.html).toContain('1.8 s');
  // The time of the event differs from the time of a later attempt.
  const created = isoTime(calledAt - 10 * MINUTE);
  expect(older.html).toContain(`Event created</dt><dd><time datetime="${created}"`);
  expect(eventsOn((await owner.get(`${path}?failed=yes`)).html)).toEqual([1]);
});
