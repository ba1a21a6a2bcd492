/** Emails sent through an email API: from the request to signed delivery reports, which may be repeated or out of order. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { startGatewayServer, type GatewayServer } from '../support/gateway-server.js';
import { RESEND_EXAMPLE, resendEvent, sendResendEvent } from '../support/email-examples/resend.js';
import { accountOf, VERIFIED, waitForRoutingUpdate } from '../support/providers.js';
import { freshMail, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { CALLBACK_BASE } from '../support/twilio-callback.js';
import { advancing, until } from '../support/wait.js';

let resend: GatewayServer;
let passbell: TestService;
let callbackPath: string;
beforeAll(async () => {
  resend = await startGatewayServer();
  passbell = await startService({ BASE_URL: CALLBACK_BASE, DEV_INBOX: 'off' });
  const settings = { ...RESEND_EXAMPLE.settings, apiUrl: resend.url, from: 'Harbor Books <codes@shop.example>' };
  const request = { type: 'resend', name: 'Resend', settings };
  const view = await passbell.core.providers.service.add(OPERATOR, await accountOf(passbell), request, VERIFIED);
  callbackPath = view.callbackUrl!.replace(CALLBACK_BASE, '');
  await waitForRoutingUpdate(passbell);
});
afterAll(async () => {
  await passbell.stop();
  await resend.close();
});
let count = 0;
beforeEach(() => resend.respondWith({ status: 200, body: { id: `56761188-7520-42d8-8898-${++count}` } }));

/** Sends a code, and returns functions for reports on its message. */
async function send(to = freshMail()) {
  const keys = await passbell.application(NO_LIMITS);
  const { data } = await passbell.post('/auth/sendotp', { to, authWay: 'EMAIL' }, { keys });
  const messageId: string = data.results[0].messageId;
  const sent = { email_id: `56761188-7520-42d8-8898-${count}`, to: [to], tags: { messageId } };
  const message = async (): Promise<Body> => (await passbell.get(`/messages/${messageId}`, {}, { keys })).data;
  const application = (await passbell.core.applications.service.find(keys.appKey))!;
  return {
    to,
    messageId,
    application,
    message,
    report: (type: string, more: object = {}) => post(resendEvent(type, { ...sent, ...more })),
    async usage() {
      const range = { applicationIds: [application.id], from: '2027-01-01', to: '2027-12-31' };
      const [day] = await passbell.core.usage.service.sums(range, ['day', 'channel']);
      return { sent: day!.sent, delivered: day!.delivered, undelivered: day!.undelivered };
    },
  };
}

/** Posts a signed event, and returns the status of the reply. */
async function post(event: object, path = callbackPath, at = passbell.clock.now()): Promise<number> {
  const { body, headers } = sendResendEvent(event, String(Math.floor(at / 1000)));
  const reply = await passbell.fetch(path, { method: 'POST', body: body.toString() }, { headers });
  await reply.arrayBuffer();
  return reply.status;
}

const bounce = (type: string, message = 'smtp; 550 5.1.1 unknown user') => ({
  bounce: { type, subType: 'General', message },
});

it('an email is sent with an idempotency key, and its report updates the message', async () => {
  const { messageId, message, report } = await send();
  const request = resend.requests.at(-1)!;
  expect(request.headers).toMatchObject({ 'idempotency-key': messageId });
  expect(JSON.parse(request.body)).toMatchObject({
    from: '"Harbor Books" <codes@shop.example>',
    html: expect.stringMatching(/<html[^]*\d{6}/),
    text: expect.stringMatching(/\d{6}/),
  });
  expect((await message()).state).toBe('sent');
  expect(await report('delivered')).toBe(200);
  expect((await message()).state).toBe('delivered');
});

it('a bounced email has the reason, the code and the redacted text of the mail server', async () => {
  const { to, message, report } = await send();
  const mailbox = to.split('@')[0]!;
  const text = `smtp; 550 5.1.1 <${to}> unknown mailbox ${mailbox}, forwards to eve@other.example, 0123456789abcdef0123456789abcdef`;
  expect(await report('bounced', bounce('Permanent', text))).toBe(200);
  const { state, attempts } = await message();
  expect(state).toBe('undelivered');
  expect(attempts).toMatchObject([
    {
      provider: 'Resend',
      undelivered: 'the address does not exist, or rejects all emails',
      code: 'General',
      reply: 'smtp; 550 5.1.1 <••••> unknown mailbox ••••, forwards to ••••, ••••',
    },
  ]);
  const db = passbell.openDatabase();
  const stored = JSON.stringify(await db('messages').select('tried', 'history', 'earlier_sends'));
  await db.destroy();
  for (const secret of [to, mailbox, 'eve@']) expect(stored).not.toContain(secret);
});

it('repeated, late and unordered reports are counted once', async () => {
  const { message, report, usage } = await send();
  for (const type of ['sent', 'bounced', 'delivered', 'bounced', 'delivered', 'delivery_delayed', 'sent'])
    expect(await report(type, bounce('Transient'))).toBe(200);
  expect((await message()).state).toBe('delivered');
  expect(await usage()).toEqual({ sent: 1, delivered: 1, undelivered: 0 });
});

it('a complaint leaves a delivered email delivered, and shows that an email was delivered', async () => {
  const first = await send();
  await first.report('delivered');
  expect(await first.report('complained')).toBe(200);
  expect((await first.message()).state).toBe('delivered');
  expect(await first.usage()).toEqual({ sent: 1, delivered: 1, undelivered: 0 });
  const second = await send();
  await second.report('complained');
  expect((await second.message()).state).toBe('delivered');
});

it('forged reports are rejected, and change nothing', async () => {
  const { message, messageId } = await send();
  const event = resendEvent('bounced', { tags: { messageId }, ...bounce('Permanent') });
  expect(await post(event, callbackPath.replace(/key=.*/, 'key=wrong'))).toBe(403);
  expect(await post(event, callbackPath, passbell.clock.now() - 600_000)).toBe(403);
  const { headers } = sendResendEvent(event);
  const reply = await passbell.fetch(callbackPath, { method: 'POST', body: '{}' }, { headers });
  expect(reply.status).toBe(403);
  expect((await message()).state).toBe('sent');
});

it('a report on an email that another provider has sent changes nothing', async () => {
  const { message, messageId } = await send();
  const { settings } = RESEND_EXAMPLE;
  const request = { type: 'resend', name: 'Other', settings: { ...settings, apiUrl: resend.url, from: 'a@b.example' } };
  const other = await passbell.core.providers.service.add(OPERATOR, await accountOf(passbell), request, VERIFIED);
  await waitForRoutingUpdate(passbell);
  const event = resendEvent('bounced', { tags: { messageId }, ...bounce('Permanent') });
  expect(await post(event, other.callbackUrl!.replace(CALLBACK_BASE, ''))).toBe(200);
  expect((await message()).state).toBe('sent');
  await passbell.core.providers.service.remove(OPERATOR, await accountOf(passbell), other.id);
  await waitForRoutingUpdate(passbell);
});

it('a code is sent with the next provider of the route after a soft bounce, but not after a hard bounce', async () => {
  const settings = { ...RESEND_EXAMPLE.settings, apiUrl: resend.url, from: 'other@shop.example' };
  const request = { type: 'resend', name: 'Next', settings };
  // Providers are tried in the order of their creation, which is random for those of the same time.
  passbell.clock.advance(1);
  const next = await passbell.core.providers.service.add(OPERATOR, await accountOf(passbell), request, VERIFIED);
  await waitForRoutingUpdate(passbell);
  const hard = await send();
  const calls = resend.requests.length;
  expect(await hard.report('bounced', bounce('Permanent'))).toBe(200);
  const soft = await send();
  expect((await soft.message()).attempts).toMatchObject([{ provider: 'Resend', success: true }]);
  expect(await soft.report('bounced', bounce('Transient'))).toBe(200);
  await until('the second send', () => resend.requests.length === calls + 2, advancing(passbell.clock, 1000));
  expect(resend.requests[calls + 1]!.body).toContain('other@shop.example');
  expect(JSON.parse(resend.requests[calls + 1]!.body).to).toEqual([soft.to]);
  expect((await hard.message()).state).toBe('undelivered');
  await passbell.core.providers.service.remove(OPERATOR, await accountOf(passbell), next.id);
  await waitForRoutingUpdate(passbell);
});

it('a report that arrives after the recipient was erased stores no text', async () => {
  const { to, message, report, application } = await send();
  await passbell.core.erasure.service.erase(OPERATOR, [application], to);
  await report('bounced', bounce('Permanent', `550 ${to.split('@')[0]} is unknown`));
  const db = passbell.openDatabase();
  const stored = JSON.stringify(await db('messages').select('tried', 'history', 'earlier_sends'));
  await db.destroy();
  expect(stored).not.toContain(to.split('@')[0]);
  expect((await message()).state).toBe('undelivered');
});

it('the body of a request without the key is not read', async () => {
  const tooLong = 'x'.repeat(2_000_000);
  const statusOf = async (path: string) => (await passbell.fetch(path, { method: 'POST', body: tooLong })).status;
  expect(await statusOf(callbackPath.replace(/key=.*/, 'key=wrong'))).toBe(403);
  expect(await statusOf(callbackPath)).toBe(413);
});

it('a request with hundreds of kilobytes is accepted', async () => {
  const { report, message } = await send();
  expect(await report('delivered', { padding: 'x'.repeat(700_000) })).toBe(200);
  expect((await message()).state).toBe('delivered');
});
