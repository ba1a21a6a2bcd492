import { createServer, type AddressInfo, type Socket } from 'node:net';
import {
  ProviderError,
  type Provider,
  type Content,
  type OutgoingMessage,
} from '../../backend/src/providers/provider.js';
import { createSmtpProvider } from '../../backend/src/providers/smtp.js';
import { renderOtp } from '../../backend/src/modules/templates/rendering/otp.js';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.js';
import { LIBRARY_TIMEOUT_MS, settled, STUCK_MS, until } from '../support/wait.js';

const FROM = 'Harbor Books <codes@shop.example>';
const CODE = '093518';
const mailTo = (to: string, application = 'Harbor Books', id = 'msg_01'): OutgoingMessage => ({
  id,
  applicationId: 1,
  to,
  content: renderOtp('EMAIL', { code: CODE, minutes: 5, application }),
});

let server: TestSmtpServer;
let channel: Provider;
const cleanups: (() => unknown)[] = [];

function channelFor(url: string, timeoutMs = LIBRARY_TIMEOUT_MS): Provider {
  const created = createSmtpProvider(url, FROM, timeoutMs);
  cleanups.push(() => created.close?.());
  return created;
}

async function serverFor(...options: Parameters<typeof startSmtpServer>): Promise<TestSmtpServer> {
  const created = await startSmtpServer(...options);
  cleanups.push(() => created.close());
  return created;
}

beforeEach(async () => {
  server = await serverFor();
  channel = channelFor(server.url);
});
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

async function failure(message = mailTo('ana@example.com'), by = channel): Promise<ProviderError> {
  const error: unknown = await by.send(message).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ProviderError);
  const { reason } = error as ProviderError;
  for (const secret of ['ana', 'example.com', CODE, 'policy', 'hunter2', 'shop-user'])
    expect(reason).not.toContain(secret);
  return error as ProviderError;
}

describe('an email', () => {
  it('has one recipient, text, HTML, and headers that suppress automatic replies', async () => {
    const message = mailTo('ana+shop@example.com');
    const content = message.content as Extract<Content, { kind: 'email' }>;
    await expect(channel.send(message)).resolves.toEqual({ providerId: '<msg_01@shop.example>' });

    const { envelope, mail, raw } = await server.waitForMail(1);
    expect(server.received).toHaveLength(1);
    expect(envelope).toEqual({ from: 'codes@shop.example', to: ['ana+shop@example.com'] });
    expect(mail.from).toMatchObject({ name: 'Harbor Books', address: 'codes@shop.example' });
    expect(mail.to).toEqual([{ name: '', address: 'ana+shop@example.com' }]);
    expect([mail.cc ?? [], mail.bcc ?? []]).toEqual([[], []]);
    expect(mail.messageId).toBe('<msg_01@shop.example>');
    expect(mail.subject).toBe('093518 is your Harbor Books code');
    // SMTP adds a line break after the last line.
    expect(mail.text?.trimEnd()).toBe(content.text.trimEnd());
    expect(mail.html?.trimEnd()).toBe(content.html.trimEnd());
    expect(mail.attachments).toEqual([]);
    const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]));
    expect(headers).toMatchObject({ 'auto-submitted': 'auto-generated', 'x-auto-response-suppress': 'All' });
    expect(Object.keys(headers)).not.toContain('x-mailer');
    expect(raw).toContain('multipart/alternative');
  });

  it('has the same Message-ID in every attempt', async () => {
    await channel.send(mailTo('ana@example.com'));
    await channel.send(mailTo('ana@example.com'));
    expect(server.received.map(({ mail }) => mail.messageId)).toEqual(Array(2).fill('<msg_01@shop.example>'));
  });

  it('preserves emoji and other scripts', async () => {
    await channel.send(mailTo('ana@example.com', 'Café 北京 🔔'));
    const { mail } = await server.waitForMail(1);
    expect(mail.subject).toBe('093518 is your Café 北京 🔔 code');
    expect(mail.text).toContain('Café 北京 🔔');
    expect(mail.html).toContain('Café 北京 🔔');
  });

  it("reuses the previous email's connection", async () => {
    for (const id of ['a', 'b', 'c']) await channel.send(mailTo('ana@example.com', 'Shop', id));
    expect(new Set(server.received.map(({ session }) => session)).size).toBe(1);
  });

  it('authenticates with a username and password', async () => {
    const guarded = await serverFor({ credentials: { user: 'shop-user', password: 'hunter2!/@' } });
    const signedIn = channelFor(guarded.url.replace('//', '//shop-user:hunter2!%2F%40@'));
    await signedIn.send(mailTo('ana@example.com'));
    expect(guarded.received).toHaveLength(1);
  });
});

describe('hostile input', () => {
  it.each([
    'ana@example.com, eve@example.net',
    'ana@example.com,eve@example.net',
    'ana@example.com;eve@example.net',
    'ana@example.com\r\nBcc: eve@example.net',
    'ana@example.com>\r\nRCPT TO:<eve@example.net',
    'Eve <eve@example.net> ana@example.com',
    '<eve@example.net>',
    '"eve@example.net> "@example.com',
    'group:eve@example.net;@example.com',
    'ana@example.com\u0000',
    'ana@example.com\u2028eve',
    'ana@',
    '',
  ])('the recipient %j is rejected', async (to) => {
    expect(await failure(mailTo(to))).toMatchObject({
      kind: 'permanent',
      reason: 'the recipient is not a valid email address',
    });
    expect(server.received).toEqual([]);
  });

  it('a subject or an application name cannot add a header', async () => {
    const injected = 'Shop\r\nBcc: eve@example.net\r\n\r\nhello';
    const content = { kind: 'email', subject: injected, text: 'text', html: '<p>html</p>' } as const;
    await channel.send({ ...mailTo('ana@example.com'), id: 'msg_02', content });
    await channel.send(mailTo('ana@example.com', injected));
    for (const { envelope, mail } of server.received) {
      expect(envelope.to).toEqual(['ana@example.com']);
      expect(mail.headers.map(({ key }) => key)).not.toContain('bcc');
      expect(mail.to).toHaveLength(1);
    }
  });

  it('content cannot include a file from the server', async () => {
    const path = { path: '/etc/hostname' } as unknown as string;
    const content = { kind: 'email', subject: 'x', text: path, html: '<p>html</p>' } as const;
    await failure({ ...mailTo('ana@example.com'), id: 'msg_03', content });
    expect(server.received).toEqual([]);
  });

  it('content for another channel is rejected', async () => {
    const content = { kind: 'text', text: 'hello' } as const;
    expect(await failure({ ...mailTo('ana@example.com'), id: 'msg_04', content })).toMatchObject({ kind: 'permanent' });
  });
});

describe('a rejection', () => {
  it.each([
    [{ recipient: 550 }, 'permanent', 'the mail server rejected the recipient (550)'],
    [{ sender: 553 }, 'permanent', 'the mail server rejected the sender (553)'],
    [{ content: 554 }, 'permanent', 'the mail server rejected the email (554)'],
    [{ recipient: 451 }, 'transient', 'the mail server temporarily rejected the email (451)'],
    [{ sender: 421 }, 'transient', 'the mail server temporarily rejected the email (421)'],
    [{ content: 452 }, 'transient', 'the mail server temporarily rejected the email (452)'],
  ] as const)('with the reply code %j is %s', async (behavior, kind, reason) => {
    server.respondWith(behavior);
    expect(await failure()).toMatchObject({ kind, reason });
  });

  it.each([
    [{ recipient: 450 }, 'message'],
    [{ recipient: 452 }, 'message'],
    [{ content: 451 }, 'message'],
    [{ content: 421 }, 'message'],
    [{ recipient: 421 }, 'message'],
    [{ sender: 421 }, 'provider'],
    [{ sender: 451 }, 'provider'],
  ] as const)('with the reply code %j concerns the %s', async (behavior, concerns) => {
    server.respondWith(behavior);
    expect(await failure()).toMatchObject({ kind: 'transient', concerns });
  });

  it('with the reply code 421 on a reused connection concerns only the message', async () => {
    await channel.send(mailTo('ana@example.com'));
    server.respondWith({ recipient: 421 });
    expect(await failure()).toMatchObject({ kind: 'transient', concerns: 'message' });
  });

  it('does not affect later sends', async () => {
    server.respondWith({ recipient: 550 });
    await failure();
    server.respondWith({});
    await channel.send(mailTo('ana@example.com'));
    expect(server.received).toHaveLength(1);
  });

  it('is permanent if the password is wrong, and does not reveal the password', async () => {
    const guarded = await serverFor({ credentials: { user: 'shop-user', password: 'right' } });
    const wrong = channelFor(guarded.url.replace('//', '//shop-user:hunter2@'));
    expect(await failure(undefined, wrong)).toMatchObject({
      kind: 'permanent',
      reason: 'the mail server rejected the username or password (535)',
    });
  });
});

describe('a failing server', () => {
  it('causes a transient failure when the connection is refused', async () => {
    await server.close();
    expect(await failure()).toMatchObject({ kind: 'transient', reason: 'the mail server cannot be reached' });
  });

  it('causes a transient failure when the host name is unknown', async () => {
    const nowhere = channelFor('smtp://mail.invalid:25');
    expect(await failure(undefined, nowhere)).toMatchObject({ kind: 'transient' });
  });

  it('causes a transient failure when it sends no greeting before the timeout', async () => {
    const sockets: Socket[] = [];
    const mute = createServer((socket) => void sockets.push(socket));
    cleanups.push(() => mute.close());
    // Closes the waiting connection, whose timer would keep the process alive.
    cleanups.push(() => sockets.forEach((socket) => socket.destroy()));
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const url = `smtp://127.0.0.1:${(mute.address() as AddressInfo).port}`;
    const patient = settled(channelFor(url).send(mailTo('ana@example.com')));
    const impatient = channelFor(url, 150);
    expect(await failure(undefined, impatient)).toMatchObject({
      kind: 'transient',
      reason: 'the mail server did not reply in time',
    });
    expect(patient()).toBe(false);
  });

  it('loses the connection of a check that it does not reply to', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => {});
      socket.resume();
      socket.write('220 mail.shop.example ESMTP\r\n');
    });
    cleanups.push(() => silent.close());
    cleanups.push(() => sockets.forEach((socket) => socket.destroy()));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const start = performance.now();
    const checked = channelFor(`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`, 150);
    await expect(checked.check!()).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    await until('the end of the connection', () => sockets[0]!.destroyed);
    // Idle connections of the pool stay open for a minute.
    expect(performance.now() - start).toBeLessThan(STUCK_MS);
  });

  it('causes a transient failure when it goes silent before the content', async () => {
    const impatient = channelFor(server.url, 200);
    server.respondWith({ atRecipient: 'hang' });
    expect(await failure(undefined, impatient)).toMatchObject({ kind: 'transient' });
  });

  it('causes a transient failure, without a retry by nodemailer, when a reused connection breaks before the content', async () => {
    await channel.send(mailTo('ana@example.com'));
    server.respondWith({ atRecipient: 'reset' });
    expect(await failure()).toMatchObject({ kind: 'transient', reason: 'the mail server cannot be reached' });
    expect(server.recipientCount()).toBe(2);
    server.respondWith({});
    await channel.send(mailTo('ana@example.com'));
  });

  it('causes an unknown outcome when it goes silent after the content', async () => {
    server.respondWith({ afterContent: 'hang' });
    const impatient = channelFor(server.url, 200);
    let attempts = 0;
    // On a slow machine, an attempt may time out before the content, which is a transient failure.
    const error = await until('an attempt that times out after the content', async () => {
      attempts++;
      const caught = await failure(undefined, impatient);
      return server.received.length > 0 && caught;
    });
    expect(error).toMatchObject({ kind: 'unknown' });
    expect(server.received.length).toBeLessThanOrEqual(attempts);
  });

  it('causes an unknown outcome, without a retry, when the connection breaks after the content', async () => {
    server.respondWith({ afterContent: 'reset' });
    expect(await failure()).toMatchObject({ kind: 'unknown' });
    server.respondWith({});
    await channel.send(mailTo('ana@example.com', 'Shop', 'msg_next'));
    expect(server.received.map(({ mail }) => mail.messageId)).toEqual([
      '<msg_01@shop.example>',
      '<msg_next@shop.example>',
    ]);
  });
});
