/** A long queue delays only its own application, and lost jobs are created again on every channel. */
import { OVERLOADED_RETRY_SECONDS } from '../../backend/src/modules/messages/backlog.js';
import { MAX_QUEUED_PER_APPLICATION, payloadContext } from '../../backend/src/modules/messages/message.js';
import { MINUTE } from '../../backend/src/platform/clock.js';
import { CHANNELS } from '../../backend/src/platform/contract/channels.js';
import { freshMail, freshPhone, NO_LIMITS, startService, type Body, type CallOptions } from '../support/service.js';
import { startTwilioServer } from '../support/twilio-server.js';
import { advancing, until } from '../support/wait.js';

it('an application with a full quota of queued messages is rejected, and another application can send', async () => {
  const passbell = await startService();
  const busy = await passbell.application(NO_LIMITS);
  const shop = await passbell.application(NO_LIMITS);
  const send = (keys: CallOptions['keys']): Promise<Body> =>
    passbell.post('/auth/sendotp', { to: freshPhone() }, { keys: keys! });
  const { id } = (await passbell.core.applications.service.find(busy.appKey))!;
  const db = passbell.openDatabase();
  // The queued messages are due soon enough to be counted, but not until after this test, so no worker sends them.
  const later = passbell.clock.now() + 9 * MINUTE;
  const row = { application_id: id, template: 'otp', request_id: 'r', recipient: '+1', plan: '["SMS"]' };
  const state = { state: 'queued', channel: 'SMS', tried: '[]', due_at: later, expires_at: later };
  const ids = Array.from({ length: MAX_QUEUED_PER_APPLICATION + 1 }, (_, n) => `quota-${n}`);
  const rows = ids.map((one) => ({ id: one, ...row, ...state, created_at: passbell.clock.now() }));
  await db.batchInsert('messages', rows, 500);

  // Each process measures the queue periodically.
  const body = await until(
    'a rejected send',
    async () => {
      const reply: Body = await send(busy);
      return !reply.success && reply;
    },
    advancing(passbell.clock, 1000),
  );
  expect(body).toMatchObject({ code: 'OVERLOADED', retryAfterSeconds: OVERLOADED_RETRY_SECONDS });
  expect(await send(shop)).toMatchObject({ success: true });

  await db('messages').where({ application_id: id }).delete();
  await db.destroy();
  await until('an accepted send', async () => (await send(busy)).success, advancing(passbell.clock, 1000));
  await passbell.stop();
});

it('a message overtakes most of the messages that another application has queued', async () => {
  const QUEUED = 320;
  const twilio = await startTwilioServer();
  const passbell = await startService({
    TWILIO_API_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
    CHANNEL_CONCURRENCY: '1',
    SEND_WAIT_MS: '0',
    PROVIDER_TIMEOUT_MS: '120000',
  });
  const busy = await passbell.application(NO_LIMITS);
  const shop = await passbell.application(NO_LIMITS);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  twilio.respondWith(() => released.then(() => 'accept' as const));
  for (let n = 0; n < QUEUED; n++) await passbell.post('/auth/sendotp', { to: freshPhone() }, { keys: busy });
  const to = freshPhone();
  await passbell.post('/auth/sendotp', { to }, { keys: shop });
  release();
  const position = () => twilio.requests.findIndex(({ form }) => form.To === to);
  await until(`a message to ${to}`, () => position() >= 0);
  // Each of the two processes enqueues a hundred messages of an application before other applications' messages get
  // priority.
  expect(position()).toBeLessThan(QUEUED - 100);
  await passbell.stop();
  await twilio.close();
});

it('messages whose jobs were lost are sent on every channel', async () => {
  const passbell = await startService();
  const { id: application_id } = (await passbell.core.applications.service.find(passbell.keys.appKey))!;
  const now = passbell.clock.now();
  const common = { application_id, template: 'otp', request_id: 'r', state: 'queued', tried: '[]' };
  const times = { created_at: now, due_at: now, expires_at: now + 10 ** 9 };
  const variables = JSON.stringify({ code: '123456', minutes: '5', application: 'Test Shop' });
  const rows = CHANNELS.map((channel) => {
    const id = `lost-${channel}`;
    const payload = passbell.core.keyring.seal(payloadContext(id), variables);
    const recipient = channel === 'EMAIL' ? freshMail() : freshPhone();
    return { id, channel, plan: JSON.stringify([channel]), recipient, payload, ...common, ...times };
  });
  const db = passbell.openDatabase();
  await db('messages').insert(rows);
  await db.destroy();

  const channels = async () => (await passbell.inbox()).map(({ channel }) => channel);
  const isComplete = async () => (await channels()).length >= CHANNELS.length;
  await until('a message on every channel', isComplete, advancing(passbell.clock, 1000));
  expect((await channels()).sort()).toEqual([...CHANNELS].sort());
  await passbell.stop();
});
