/** Replies such as STOP: notifications are no longer sent, codes and invoices are. */
import { utcDay } from '../../backend/src/platform/clock.js';
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { CALLBACK_BASE, sendTwilioRequest } from '../support/twilio-callback.js';
import { startTwilioServer, twilioError, type TwilioServer } from '../support/twilio-server.js';
import { until } from '../support/wait.js';
import { startWebhookServer } from '../support/webhook-server.js';

let twilio: TwilioServer;
let passbell: TestService;
let keys: TestService['keys'];
beforeAll(async () => {
  twilio = await startTwilioServer();
  passbell = await startService({
    BASE_URL: CALLBACK_BASE,
    WEBHOOKS_ALLOW_PRIVATE: 'true',
    TWILIO_API_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
  });
});
beforeEach(async () => {
  keys = await passbell.application(NO_LIMITS);
});
afterAll(async () => {
  await passbell.stop();
  await twilio.close();
});

let count = 0;
const notify = (to: string, kind = 'order', templateType = 'order_shipped'): Promise<Body> => {
  const variables = kind === 'order' ? { orderId: `A-${++count}` } : { invoiceNumber: `I-${++count}`, amount: '5' };
  return passbell.post(`/notifications/${kind}`, { to, authWay: 'SMS', templateType, variables }, { keys });
};
const reply = async (from: string, text: string, more: object = {}): Promise<string> => {
  const form = { MessageSid: `SM${'7'.repeat(32)}`, From: from, To: '+14155550100', Body: text };
  const path = '/callbacks/twilio/-/inbound';
  const response = await sendTwilioRequest(passbell, path, form, { authToken: twilio.authToken, ...more });
  return `${response.status} ${await response.text()}`;
};
const sentTo = (to: string): number => twilio.requests.filter(({ form }) => form.To === to).length;
/** Returns what the application's messages cost, and how many were sent and failed. */
async function usage(): Promise<Body[]> {
  const { id } = (await passbell.core.applications.service.find(keys.appKey))!;
  const today = utcDay(passbell.clock.now());
  return passbell.core.usage.service.sums({ applicationIds: [id], from: today, to: today }, []);
}
const refused = (): Promise<Body[]> =>
  until('a refused message', async () => {
    const { messages } = (await passbell.get('/messages', { state: 'refused' }, { keys })).data;
    return messages.length > 0 && messages;
  });

it('after STOP in German, an order notification is not sent, is not billed and is visible; a code is sent; START ends it', async () => {
  const to = freshPhone();
  expect(await notify(to)).toMatchObject({ success: true });
  expect(await reply(to, 'Abbestellen!')).toMatch(/^200 .*<Response\/>/);
  const billed = await usage();
  expect(billed).toMatchObject([{ sent: 1 }]);
  const sent = sentTo(to);
  expect(await notify(to)).toMatchObject({ success: false, code: 'RECIPIENT_OPTED_OUT', field: 'to' });
  expect(sentTo(to)).toBe(sent);
  const [message] = await refused();
  expect(message).toMatchObject({ template: 'order_shipped', refusal: { code: 'RECIPIENT_OPTED_OUT' } });
  expect(await usage()).toEqual(billed);
  expect(await passbell.post('/auth/sendotp', { to, authWay: 'SMS' }, { keys })).toMatchObject({ success: true });
  expect(await notify(to, 'invoice', 'invoice_created')).toMatchObject({ success: true });
  expect(await reply(to, 'start')).toMatch(/^200/);
  expect(await notify(to)).toMatchObject({ success: true });
});

it('STOP ends only notifications of the applications that sent the recipient a message', async () => {
  const to = freshPhone();
  expect(await notify(to)).toMatchObject({ success: true });
  await reply(to, 'STOP');
  keys = await passbell.application(NO_LIMITS);
  expect(await notify(to)).toMatchObject({ success: true });
});

it('HELP is answered with the name of the shop', async () => {
  const to = freshPhone();
  await notify(to);
  expect(await reply(to, 'help')).toMatch(/^200 .*<Message>.+: reply STOP/);
});

it('a sentence that contains the word STOP changes nothing', async () => {
  const to = freshPhone();
  await notify(to);
  await reply(to, 'please do not stop');
  expect(await notify(to)).toMatchObject({ success: true });
});

it('“yes” changes nothing unless the recipient had stopped notifications', async () => {
  const to = freshPhone();
  await notify(to);
  const optIns = async () => (await passbell.get('/webhooks/recent', { event: 'recipient.opted_in' }, { keys })).data;
  const recent = () => optIns().then(({ events }) => events.filter((event: Body) => 'createdTime' in event).length);
  const before = await recent();
  await reply(to, 'Yes');
  expect(await recent()).toBe(before);
  await reply(to, 'STOP');
  await reply(to, 'Yes');
  expect(await optIns()).toMatchObject({ events: [{ data: { source: 'reply' } }] });
  expect(await notify(to)).toMatchObject({ success: true });
});

it('Twilio error 21610 stops notifications, and subscribers get recipient.opted_out once', async () => {
  const customer = await startWebhookServer();
  await passbell.post(
    '/webhooks',
    { url: customer.url, events: ['recipient.opted_out', 'recipient.opted_in'] },
    { keys },
  );
  const to = freshPhone();
  twilio.respondWith(twilioError(400, 21610, 'Attempt to send to unsubscribed recipient'));
  expect(await notify(to)).toMatchObject({ success: false, code: 'SEND_FAILED' });
  twilio.respondWith({ status: 201, body: { sid: `SM${'8'.repeat(32)}` } });
  expect(await notify(to)).toMatchObject({ code: 'RECIPIENT_OPTED_OUT' });
  for (const text of ['Stop', 'STOP', 'start', 'START']) await reply(to, text);
  const { events } = (await passbell.get('/webhooks/recent', { event: 'recipient.opted_in' }, { keys })).data;
  expect(events).toMatchObject([{ event: 'recipient.opted_in', data: { authType: 'Sms', source: 'reply' } }]);
  await until('two events', () => {
    passbell.clock.advance(1000);
    return customer.calls.length >= 2;
  });
  const names = customer.calls.map(({ event }) => event.event);
  expect(names.sort()).toEqual(['recipient.opted_in', 'recipient.opted_out']);
  await customer.close();
});

it('a notification that was accepted before STOP, but not sent yet, is not sent', async () => {
  const to = freshPhone();
  await notify(to);
  twilio.respondWith({ status: 503, body: {} });
  // The request waits until the clock advances. By then, the message could be retried before STOP.
  const waiting = notify(to);
  const { messageId } = await until('the failed attempt', async () => {
    if (sentTo(to) < 2) return false;
    const [queued] = (await passbell.get('/messages', { state: 'queued' }, { keys })).data.messages;
    return queued;
  });
  await reply(to, 'STOP');
  twilio.respondWith({ status: 201, body: { sid: `SM${'9'.repeat(32)}` } });
  const sent = sentTo(to);
  const message = await until('the message to end', async () => {
    passbell.clock.advance(2000);
    const { data } = await passbell.get(`/messages/${messageId}`, {}, { keys });
    return data.state !== 'queued' && data.state !== 'sending' && data;
  });
  expect(message).toMatchObject({ state: 'refused', refusal: { code: 'RECIPIENT_OPTED_OUT' } });
  expect(sentTo(to)).toBe(sent);
  await waiting;
});

it('a send that starts after STOP was answered is never delivered, however many run in parallel', async () => {
  const to = freshPhone();
  await notify(to);
  const before = Array.from({ length: 20 }, () => notify(to));
  const stopped = reply(to, 'STOP').then(() => sentTo(to));
  await stopped;
  const after = await Promise.all(Array.from({ length: 20 }, () => notify(to)));
  await Promise.all(before);
  expect(new Set(after.map(({ code }) => code))).toEqual(new Set(['RECIPIENT_OPTED_OUT']));
});

describe('a forged reply', () => {
  it.each([
    ['without a signature', { signature: undefined }],
    ['with the signature of another account', { authToken: 'another' }],
    ['signed for another address', { url: `${CALLBACK_BASE}/callbacks/twilio/inbound` }],
  ])('is rejected (%s)', async (_name, options) => {
    const to = freshPhone();
    await notify(to);
    expect(await reply(to, 'STOP', options)).toMatch(/^403/);
    expect(await notify(to)).toMatchObject({ success: true });
  });
});
