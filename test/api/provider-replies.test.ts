/** Attempts keep the provider's status, error code and reply, without recipients, content and secrets. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { signIn } from '../support/dashboard.js';
import { findCode, startGatewayServer, type GatewayServer } from '../support/gateway-server.js';
import { accountOf, addGateway, addTwilio, setRoute, VERIFIED, waitForRoutingUpdate } from '../support/providers.js';
import { freshMail, freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.js';
import { CALLBACK_BASE, sendTwilioRequest } from '../support/twilio-callback.js';
import { startTwilioServer, twilioError, TWILIO_ERRORS, type TwilioServer } from '../support/twilio-server.js';
import { until } from '../support/wait.js';

const PASSWORD = 'mail-p4ss/word';
const META = { accessToken: 'EAAJB-t0ken', appSecret: 'app-s3cret', verifyToken: 'verify-t0ken' };

let gateway: GatewayServer;
let twilio: TwilioServer;
let smtp: TestSmtpServer;
let passbell: TestService;
beforeEach(async () => {
  [gateway, twilio, smtp] = await Promise.all([
    startGatewayServer(),
    startTwilioServer(),
    startSmtpServer({ credentials: { user: 'mailer', password: PASSWORD } }),
  ]);
  passbell = await startService({
    BASE_URL: CALLBACK_BASE,
    DEV_INBOX: 'off',
    SEND_WAIT_MS: '30000',
    SMTP_URL: smtp.url.replace('//', `//mailer:${encodeURIComponent(PASSWORD)}@`),
    MAIL_FROM: 'codes@shop.example',
  });
  await passbell.core.applications.service.update(OPERATOR, passbell.keys.appKey, {
    ...NO_LIMITS,
    settings: { channels: ['SMS', 'WHATSAPP', 'EMAIL'] },
  });
});
afterEach(async () => {
  await passbell.stop();
  await Promise.all([gateway.close(), twilio.close(), smtp.close()]);
});

/** Sends a code, and returns its message. */
async function send(to: string, authWay = 'SMS'): Promise<Body> {
  const { data } = await passbell.post('/auth/sendotp', { to, authWay });
  return messageOf(data.results[0].messageId);
}
const messageOf = async (id: string): Promise<Body> => (await passbell.get(`/messages/${id}`)).data;

/** Returns what the database stores about the attempts of all messages. */
async function storedAttempts(): Promise<Body[]> {
  const db = passbell.openDatabase();
  const rows = await db('messages').select('state', 'tried', 'history', 'earlier_sends');
  await db.destroy();
  return rows;
}

async function twilioProvider(): Promise<string> {
  const { id } = await addTwilio(passbell, 'Main', twilio);
  await waitForRoutingUpdate(passbell);
  return id;
}

/** Returns everything that a hostile provider could repeat about a message. */
function spellings(to: string, code: string): string[] {
  const digits = to.slice(1);
  const national = to.slice(2);
  return [
    to,
    encodeURIComponent(to),
    digits,
    `00${digits}`,
    `0${national}`,
    `(${national.slice(0, 3)}) ${national.slice(3, 6)}-${national.slice(6)}`,
    JSON.stringify(`+${digits.slice(0, 1)}\u00a0${national}`).replace('\u00a0', '\\u00a0'),
    `your code is ${code}`,
    [...code].join(', '),
    `${code.slice(0, 3)}-${code.slice(3)}`,
  ];
}

/** Fails if one of the texts is in the database, a log or the message. Returns the attempt. */
async function expectHidden(message: Body, texts: readonly string[]): Promise<Body> {
  const logged = passbell.logged.join('\n').replace(/[\da-f]{6,}/g, '');
  const places = JSON.stringify([message.attempts, await storedAttempts(), logged]);
  for (const text of texts) expect(places).not.toContain(text);
  return message.attempts[0];
}

it('a rejected message has the status, the code, its meaning, the page about it and the reply', async () => {
  await twilioProvider();
  twilio.respondWith(TWILIO_ERRORS.optedOut);
  const { attempts } = await send(freshPhone());
  expect(attempts).toEqual([
    {
      authType: 'Sms',
      provider: 'Main',
      success: false,
      message: 'the recipient has opted out of messages from this sender (21610)',
      status: 400,
      code: '21610',
      link: 'https://www.twilio.com/docs/api/errors/21610',
      reply: JSON.stringify(TWILIO_ERRORS.optedOut.body),
    },
  ]);
});

it('an unknown code has no page', async () => {
  await twilioProvider();
  twilio.respondWith(twilioError(400, 29999, 'new error'));
  const [attempt] = (await send(freshPhone())).attempts;
  expect(attempt).toMatchObject({ status: 400, code: '29999', reply: expect.stringContaining('new error') });
  expect(attempt).not.toHaveProperty('link');
});

it('the code and the recipient never appear in the reply that Twilio repeats, and neither does the auth token', async () => {
  await twilioProvider();
  const to = freshPhone();
  let repeated: string[] = [];
  twilio.respondWith(({ form, headers }) => {
    const code = /\d{6}/.exec(form.Body!)![0];
    repeated = [...spellings(to, code), code, twilio.authToken, headers.authorization!.slice(6)];
    return twilioError(400, 21211, `${repeated.join(' | ')} | ${form.Body}`);
  });
  const message = await send(to);
  const { reply, code } = await expectHidden(message, repeated);
  expect(code).toBe('21211');
  expect(reply).toContain('••••');
  expect(reply).toContain('"code":21211');
});

it('the page of a message hides the recipient in the reply', async () => {
  await twilioProvider();
  twilio.respondWith(({ form }) => twilioError(400, 21211, `The 'To' number ${form['To']} is not valid.`));
  const { messageId } = await send('+14152009999');
  const owner = await signIn(passbell);
  const { html } = await owner.get(`/messages/${messageId}`);
  expect(html).toContain("The 'To' number +•••• is not valid.");
  expect(JSON.stringify(await storedAttempts())).not.toContain('14152009999');
});

it('the code, the recipient and the access token never appear in the reply that Meta repeats', async () => {
  const settings = { ...META, phoneNumberId: '1055012345', templates: 'otp = verify/en_US', apiUrl: gateway.url };
  const request = { type: 'whatsapp-cloud', name: 'Meta', settings };
  await passbell.core.providers.service.add(OPERATOR, await accountOf(passbell), request, VERIFIED);
  await waitForRoutingUpdate(passbell);
  const to = freshPhone();
  let repeated: string[] = [];
  gateway.respondWith(({ body, headers }) => {
    const code = /"text":"(\d{6})"/.exec(body)![1]!;
    repeated = [...spellings(to, code), code, META.accessToken, headers.authorization!];
    const error = {
      code: 131026,
      message: repeated.join(' | '),
      error_data: { details: body },
      fbtrace_id: 'Az8or2yhqkZ',
    };
    return { status: 400, body: { error } };
  });
  const attempt = await expectHidden(await send(to, 'WHATSAPP'), repeated);
  expect(attempt).toMatchObject({
    status: 400,
    code: '131026',
    message: 'this number cannot receive WhatsApp messages (131026)',
    link: 'https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes',
  });
  expect(attempt.reply).toContain('Az8or2yhqkZ');
});

it('the code, the recipient and the secret never appear in the reply that a gateway repeats', async () => {
  const secret = 'g4teway/s3cret';
  await addGateway(passbell, 'Gateway', gateway, { authentication: 'bearer', secret, errorCode: 'error.code' });
  await waitForRoutingUpdate(passbell);
  const to = freshPhone();
  let repeated: string[] = [];
  gateway.respondWith(({ body, headers }) => {
    const code = findCode(gateway);
    repeated = [...spellings(to, code), code, secret, encodeURIComponent(secret), headers.authorization!];
    return { status: 422, body: { error: { code: 'E17', repeated }, body } };
  });
  const attempt = await expectHidden(await send(to), repeated);
  expect(attempt).toMatchObject({ status: 422, code: 'E17', message: expect.stringContaining('E17') });
  expect(attempt.reply).toContain('••••');
});

it('the recipient and the password never appear in the reply that a mail server repeats', async () => {
  const to = freshMail();
  const mailbox = to.split('@')[0]!;
  const login = Buffer.from(`\0mailer\0${PASSWORD}`).toString('base64');
  const repeated = [to, to.toUpperCase(), to.replace('@', '%40'), `mailbox ${mailbox}`, PASSWORD, login];
  smtp.respondWith({ recipient: 550, text: () => `5.1.1 unknown user: ${repeated.join(' | ')}` });
  const attempt = await expectHidden(await send(to, 'EMAIL'), [...repeated.slice(0, 3), mailbox, PASSWORD, login]);
  expect(attempt).toMatchObject({ status: 550, code: '5.1.1' });
  expect(attempt.reply).toMatch(/^5\.1\.1 unknown user: ••••/);
});

it('the variables of a notification never appear in a reply', async () => {
  await twilioProvider();
  const variables = { orderId: 'A-100177', customerName: 'Zoë Ångström' };
  twilio.respondWith(({ form }) =>
    twilioError(400, 21617, `${form.Body} ${encodeURIComponent(variables.customerName)}`),
  );
  const body = { to: freshPhone(), templateType: 'order_placed', variables };
  const { data } = await passbell.post('/notifications/order', body);
  const texts = [variables.orderId, variables.customerName, encodeURIComponent(variables.customerName)];
  expect((await expectHidden(await messageOf(data.results[0].messageId), texts)).reply).toContain('••••');
});

it('a rejection without a call has no reply, so that it does not show the reply to another message', async () => {
  await twilioProvider();
  twilio.respondWith(TWILIO_ERRORS.credentials);
  for (let n = 0; n < 5; n++) expect((await send(freshPhone())).attempts[0]).toMatchObject({ status: 401 });
  const { attempts } = await send(freshPhone());
  expect(twilio.requests).toHaveLength(5);
  expect(attempts).toEqual([
    { authType: 'Sms', provider: 'Main', success: false, message: 'Twilio rejected the credentials (20003)' },
  ]);
});

it('an undelivered message has the code of the report, and the page about it', async () => {
  const id = await twilioProvider();
  const sent = await send(freshPhone());
  const db = passbell.openDatabase();
  const { provider_id: sid } = await db('messages').where({ id: sent.messageId }).first();
  await db.destroy();
  const url = new URL(twilio.requests.at(-1)!.form.StatusCallback!);
  const form = { MessageSid: sid as string, MessageStatus: 'undelivered', ErrorCode: '30003' };
  await sendTwilioRequest(passbell, url.pathname + url.search, form, { authToken: twilio.authToken });
  const { state, attempts } = await messageOf(sent.messageId);
  expect({ id, state }).toEqual({ id, state: 'undelivered' });
  expect(attempts).toEqual([
    {
      authType: 'Sms',
      provider: 'Main',
      success: true,
      message: 'sent',
      undelivered: 'the phone is switched off or cannot be reached (30003)',
      code: '30003',
      link: 'https://www.twilio.com/docs/api/errors/30003',
    },
  ]);
});

it('each attempt has its own reply when a message moves on to the next provider', async () => {
  const { id } = await addGateway(passbell, 'Gateway', gateway, { errorCode: 'code' });
  const { id: twilioId } = await addTwilio(passbell, 'Main', twilio);
  await setRoute(passbell, 'SMS', '*', id, twilioId);
  await waitForRoutingUpdate(passbell);
  gateway.respondWith({ status: 401, body: { code: 'K1' } });
  twilio.respondWith(TWILIO_ERRORS.optedOut);
  expect((await send(freshPhone())).attempts).toMatchObject([
    { provider: 'Gateway', status: 401, code: 'K1', reply: '{"code":"K1"}' },
    { provider: 'Main', status: 400, code: '21610' },
  ]);
});

it('an erased recipient leaves no replies behind, also from earlier attempts and attempts in progress', async () => {
  await addGateway(passbell, 'Gateway', gateway, { errorCode: 'code' });
  await waitForRoutingUpdate(passbell);
  const rejectedTo = freshPhone();
  const retriedTo = freshPhone();
  gateway.respondWith({ status: 422, body: { code: 'E1', text: 'first reply' } });
  const rejected = await send(rejectedTo);
  expect(rejected.attempts[0].reply).toContain('first reply');

  gateway.respondWith({ status: 503, body: { text: 'second reply' } });
  // On a busy machine, hours of the clock can pass before the retry.
  const retried = passbell.post('/auth/sendotp', { to: retriedTo, authWay: 'SMS', expiry: 1440 });
  let answer!: () => void;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await gateway.waitForRequest(2);
  gateway.respondWith(async () => {
    await answered;
    return { status: 422, body: { text: 'third reply' } };
  });
  // The clock stops during the retry. Otherwise, its lease could expire, and it would be repeated.
  await until('the retry', async () => {
    if ((await storedAttempts()).some(({ state }) => state === 'queued')) passbell.clock.advance(250);
    return gateway.requests.length === 3;
  });
  expect(JSON.stringify(await storedAttempts())).toContain('second reply');

  const applications = await passbell.core.applications.service.listInAccount(await accountOf(passbell));
  for (const to of [rejectedTo, retriedTo]) await passbell.core.erasure.service.erase(OPERATOR, applications, to);
  expect(JSON.stringify(await storedAttempts())).not.toMatch(/first reply|second reply/);
  answer();
  // The reply may come before the message has failed, because the request waits for only 30 seconds of the clock.
  await retried;
  await until('the end', async () => (await storedAttempts()).every(({ state }) => state === 'failed'));
  expect(JSON.stringify(await storedAttempts())).not.toContain('third reply');
  expect((await messageOf(rejected.messageId)).attempts[0]).toMatchObject({ status: 422, code: 'E1' });
});

it('many long replies are stored, of which the last are complete', async () => {
  await addGateway(passbell, 'Gateway', gateway, { errorCode: 'code' });
  await waitForRoutingUpdate(passbell);
  let calls = 0;
  gateway.respondWith(() => {
    if (++calls < 60) return { status: 503, body: { code: `E${calls}`, text: '"\\é😀\n\u0007'.repeat(2000) } };
    return { status: 422, body: { code: 'LAST', text: 'é'.repeat(5000) } };
  });
  const reply = passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS', expiry: 1440 });
  const row = await until('the end', async () => {
    const [message] = await storedAttempts();
    if (message?.state === 'queued') passbell.clock.advance(20_000);
    return message?.state === 'failed' && message;
  });
  await reply;
  for (const column of [row.tried, row.history]) expect(Buffer.byteLength(column)).toBeLessThan(65_536);
  const history = JSON.parse(row.history);
  expect(history).toHaveLength(50);
  expect(history.at(-1).details.reply).toContain('é😀');
  expect(history[0].details).toEqual({ status: 503, code: expect.stringMatching(/^E\d+$/) });
  const [last] = JSON.parse(row.tried);
  expect(Buffer.byteLength(last.details.reply)).toBeLessThanOrEqual(4096);
  expect(last.details.reply).toMatch(/^\{"code":"LAST","text":"é+$/);
});
