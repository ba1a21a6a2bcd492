/** `passbell messages`, with a running server whose SMS provider rejects or accepts messages. */
import { freshPhone, startService, type TestService } from '../support/service.js';
import { TWILIO_ERRORS, startTwilioServer, type TwilioServer } from '../support/twilio-server.js';
import { until } from '../support/wait.js';
import { auditLog, json, run } from './command.js';

let twilio: TwilioServer;
let server: TestService;

const settings = () => ({
  TWILIO_ACCOUNT_SID: twilio.accountSid,
  TWILIO_AUTH_TOKEN: twilio.authToken,
  TWILIO_SMS_FROM: '+14155550100',
  TWILIO_API_URL: twilio.url,
});

beforeEach(async () => {
  twilio = await startTwilioServer();
  server = await startService(settings());
});
afterEach(async () => {
  await server.stop();
  await twilio.close();
});

async function send(expiry = 5): Promise<string> {
  const to = freshPhone().replace('+1415555', '+1415200');
  await server.post('/auth/sendotp', { to, authWay: 'SMS', expiry });
  return to;
}

/** Sends a code that the provider rejects. */
async function createFailedMessage(expiry?: number): Promise<{ id: string; to: string }> {
  twilio.respondWith(TWILIO_ERRORS.optedOut);
  const to = await send(expiry);
  const [{ id }] = await json(server, 'messages', 'list', '--limit', '1');
  server.clock.advance(10);
  return { id, to };
}

it('lists failed messages and reasons, with a masked recipient and without content', async () => {
  const { id, to } = await createFailedMessage();
  const code = /\d{6}/.exec(twilio.requests[0]!.form['Body']!)![0];
  const { out } = await run(server, 'messages', 'list', '--json');
  expect(JSON.parse(out)).toEqual([
    {
      id,
      state: 'failed',
      test: false,
      channel: 'SMS',
      to: `${to.slice(0, 5)}*****${to.slice(-2)}`,
      template: 'otp',
      appKey: server.keys.appKey,
      attempts: 1,
      tried: [
        {
          channel: 'SMS',
          provider: 'Twilio',
          success: false,
          message: expect.any(String),
          details: expect.objectContaining({ status: 400, code: '21610' }),
        },
      ],
      canRetry: true,
      createdAt: '2027-01-15T08:00:00Z',
      expiresAt: '2027-01-15T08:05:00Z',
      finishedAt: '2027-01-15T08:00:00Z',
    },
  ]);
  const table = (await run(server, 'messages', 'list')).out;
  expect(table).toContain('can be sent again until 2027-01-15T08:05:00Z');
  for (const text of [out, table]) {
    expect(text).toContain(id);
    expect(text).not.toContain(to);
    expect(text).not.toContain(code);
  }
});

it('lists messages newest first, filtered by state, up to a limit', async () => {
  const failed = await createFailedMessage();
  twilio.respondWith('accept');
  await send();
  const states = async (...options: string[]) =>
    (await json(server, 'messages', 'list', ...options)).map(({ state }: { state: string }) => state);
  expect(await states()).toEqual(['sent', 'failed']);
  expect(await states('--limit', '1')).toEqual(['sent']);
  expect(await json(server, 'messages', 'list', '--state', 'failed')).toMatchObject([{ id: failed.id }]);
  expect((await run(server, 'messages', 'list', '--state', 'expired')).out).toBe('No matching messages.\n');
});

it('lists refused messages with the reason, and does not send them again', async () => {
  const to = await send();
  await server.post('/auth/sendotp', { to, authWay: 'SMS' });
  const refused = () => json(server, 'messages', 'list', '--state', 'refused');
  const [message, ...others] = await until('the refusal', async () => {
    const found = await refused();
    return found.length > 0 && found;
  });
  expect(others).toEqual([]);
  const reason = 'too many codes for this recipient';
  const until30 = '2027-01-15T08:00:30Z';
  expect(message).toMatchObject({
    state: 'refused',
    attempts: 0,
    canRetry: false,
    refusal: { code: 'COOLDOWN', reason, hint: expect.any(String), until: until30 },
  });
  const table = (await run(server, 'messages', 'list', '--state', 'refused')).out;
  expect(table).toContain(`${reason}, until ${until30}`);
  expect(table).not.toContain(to);
  expect(await json(server, 'messages', 'list', '--state', 'failed')).toEqual([]);
  expect(await json(server, 'messages', 'retry', '--all')).toEqual({ retried: [], refused: [] });
  expect((await run(server, 'messages', 'retry', message.id)).err).toContain('there is no failed message');
});

it('makes the running server send a failed message again, with the same code', async () => {
  const { id, to } = await createFailedMessage();
  twilio.respondWith('accept');
  expect(await json(server, 'messages', 'retry', id)).toEqual({ retried: [id], refused: [] });
  expect((await auditLog(server)).at(-1)).toMatchObject({ actor: 'operator', action: 'message.retry', subject: id });
  server.clock.advance(1000);
  const { form } = await twilio.waitForRequest(2);
  expect(form).toEqual(twilio.requests[0]!.form);
  expect(form['To']).toBe(to);
});

it('retries all failed messages that have not expired', async () => {
  await createFailedMessage(1);
  const unexpired = [await createFailedMessage(), await createFailedMessage()];
  server.clock.advance(60_000);
  twilio.respondWith('accept');
  const { retried } = await json(server, 'messages', 'retry', '--all');
  expect(retried.sort()).toEqual(unexpired.map(({ id }) => id).sort());
  server.clock.advance(1000);
  await twilio.waitForRequest(5);
  expect(
    twilio.requests
      .slice(3)
      .map(({ form }) => form['To']!)
      .sort(),
  ).toEqual(unexpired.map(({ to }) => to).sort());
});

it('does not retry messages that the fraud guard refuses, and explains why', async () => {
  const { id } = await createFailedMessage();
  // The command needs the provider settings to determine which messages cost money.
  const operator = { clock: server.clock, dataDir: server.dataDir, settings: settings() };
  const before = twilio.requests.length;
  twilio.respondWith('accept');
  await run(operator, 'fraud', 'pause', server.keys.appKey, '--country', 'US');
  const { code, err } = await run(operator, 'messages', 'retry', id);
  expect(code).toBe(1);
  expect(err).toMatch(
    /^error: Messages like this one are paused because they look like fraud\. Try again in 24 hours\. A person paused these messages\. Offer the recipient another channel, such as email\.\n$/,
  );
  expect(await json(operator, 'messages', 'retry', '--all')).toEqual({ retried: [], refused: [id] });
  expect((await run(operator, 'messages', 'retry', '--all')).out).toBe(
    '0 messages queued again.\nThe fraud guard refused 1 message. To see why, run: npm run --silent passbell -- fraud show APP_KEY\n',
  );
  expect(twilio.requests).toHaveLength(before);
  await run(operator, 'fraud', 'resume', server.keys.appKey, '--country', 'US');
  expect(await json(operator, 'messages', 'retry', id)).toEqual({ retried: [id], refused: [] });
});

it('succeeds with --all if there are no failed messages', async () => {
  expect(await run(server, 'messages', 'retry', '--all')).toEqual({
    code: 0,
    out: '0 messages queued again.\n',
    err: '',
  });
});

it('explains why a sent, expired or unknown message cannot be retried', async () => {
  const dead = await createFailedMessage(1);
  twilio.respondWith('accept');
  await send();
  const [{ id: sent }] = await json(server, 'messages', 'list', '--state', 'sent');
  server.clock.advance(60_000);
  const refused = (err: string) => ({ code: 1, out: '', err: `error: ${err}\n` });
  expect([
    await run(server, 'messages', 'retry', dead.id),
    await run(server, 'messages', 'retry', sent),
    await run(server, 'messages', 'retry', 'nothing', '--json'),
  ]).toEqual([
    refused(`message ${dead.id} has expired, so it cannot be sent again`),
    refused(`there is no failed message with the ID ${sent}`),
    refused('there is no failed message with the ID nothing'),
  ]);
  expect(await json(server, 'messages', 'list', '--state', 'failed')).toMatchObject([{ id: dead.id, canRetry: false }]);
});

it.each([
  ['specify either a message ID or --all', 'retry'],
  ['specify either a message ID or --all', 'retry', 'x', '--all'],
  [
    'Allowed choices are scheduled, queued, sending, sent, delivered, undelivered, failed, expired, canceled, refused.',
    'list',
    '--state',
    'dead',
  ],
  ['Enter a whole number from 1 to 10,000.', 'list', '--limit', '0'],
])('fails with "%s": messages %s %s', async (text, ...args) => {
  const { code, out, err } = await run(server, 'messages', ...args);
  expect({ code, out, err }).toEqual({ code: 1, out: '', err: expect.stringContaining(text) });
});
