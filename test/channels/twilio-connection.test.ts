/** The way to Twilio: connections that are refused, silent, cut off or slow. */
import { createServer, type AddressInfo, type Server } from 'node:net';
import { ChannelError, type Channel, type OutgoingMessage } from '../../backend/src/channels/channel.js';
import { createTwilioSmsChannel } from '../../backend/src/channels/twilio-sms.js';
import { createTwilio, type Twilio } from '../../backend/src/channels/twilio.js';
import { renderOtp } from '../../backend/src/templates/otp.js';
import { startTwilioServer, type TwilioServer } from '../support/twilio-server.js';

const FROM = '+14155550100';
const TO = '+14155550123';
const CODE = '093518';
const otp = (channel: 'SMS' | 'WHATSAPP' | 'VOICE', application = 'Harbor Books'): OutgoingMessage => ({
  id: 'msg_01',
  to: TO,
  content: renderOtp(channel, { code: CODE, minutes: 5, application }),
});

let server: TwilioServer;
let twilio: Twilio;
let sms: Channel;

const cleanups: (() => unknown)[] = [];

async function serverFor(prefix?: string): Promise<TwilioServer> {
  const made = await startTwilioServer(prefix);
  cleanups.push(() => made.close());
  return made;
}

function connect(overrides: { apiUrl?: string; timeoutMs?: number; authToken?: string } = {}): Twilio {
  const { accountSid, authToken, url: apiUrl } = server;
  const made = createTwilio({ accountSid, authToken, apiUrl, timeoutMs: 5000, ...overrides });
  cleanups.push(() => made.close());
  return made;
}

beforeEach(async () => {
  server = await serverFor();
  twilio = connect();
  sms = createTwilioSmsChannel(twilio, { from: FROM });
});
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

async function failure(message = otp('SMS'), by = sms): Promise<ChannelError> {
  const error: unknown = await by.send(message).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ChannelError);
  for (const secret of [TO.slice(1), CODE, server.authToken, server.accountSid])
    expect((error as ChannelError).reason).not.toContain(secret);
  return error as ChannelError;
}

describe('a connection', () => {
  const impatient = (apiUrl: string) => createTwilioSmsChannel(connect({ apiUrl, timeoutMs: 200 }), { from: FROM });

  it('that nobody takes is passing', async () => {
    await server.close();
    expect(await failure()).toMatchObject({ kind: 'passing', reason: 'Twilio cannot be reached' });
  });

  it('to an unknown name is passing', async () => {
    expect(await failure(otp('SMS'), impatient('http://twilio.invalid'))).toMatchObject({ kind: 'passing' });
  });

  it('that stays silent after the request is unclear, in time', async () => {
    server.answer('silent');
    const started = Date.now();
    const error = await failure(otp('SMS'), impatient(server.url));
    expect(error).toMatchObject({ kind: 'unclear', reason: 'Twilio did not answer in time' });
    expect(Date.now() - started).toBeLessThan(2000);
    expect(server.requests).toHaveLength(1);
  });

  it('that breaks after the request is unclear, and the request is not repeated', async () => {
    server.answer('reset');
    expect(await failure()).toMatchObject({ kind: 'unclear', reason: 'the connection to Twilio broke' });
    server.answer('accept');
    await sms.send(otp('SMS'));
    expect(server.requests).toHaveLength(2);
  });

  it('that breaks when it is used a second time is unclear too', async () => {
    await sms.send(otp('SMS'));
    server.answer('reset');
    expect(await failure()).toMatchObject({ kind: 'unclear' });
    expect(new Set(server.requests.map(({ remotePort }) => remotePort)).size).toBe(1);
  });

  it('that cannot be connected to is given up after three seconds, however long it may take to answer', async () => {
    const mute: Server = createServer((socket) => socket.on('error', () => {}));
    cleanups.push(() => mute.close());
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const url = `https://127.0.0.1:${(mute.address() as AddressInfo).port}`;
    const before = performance.now();
    const patient = createTwilioSmsChannel(connect({ apiUrl: url, timeoutMs: 20_000 }), { from: FROM });
    expect(await failure(otp('SMS'), patient)).toMatchObject({
      kind: 'passing',
      reason: 'Twilio could not be reached in time',
    });
    expect(performance.now() - before).toBeLessThan(4500);
  });

  it('whose TLS handshake never ends is passing: nothing has left', async () => {
    const mute: Server = createServer((socket) => socket.on('error', () => {}));
    cleanups.push(() => mute.close());
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const url = `https://127.0.0.1:${(mute.address() as AddressInfo).port}`;
    expect(await failure(otp('SMS'), impatient(url))).toMatchObject({
      kind: 'passing',
      reason: 'Twilio could not be reached in time',
    });
  });

  it('is kept for the next message', async () => {
    for (let n = 0; n < 3; n++) await sms.send(otp('SMS'));
    expect(new Set(server.requests.map(({ remotePort }) => remotePort)).size).toBe(1);
  });

  it('keeps the path of the address, and takes no other road because of HTTP_PROXY', async () => {
    const behindProxy = await serverFor('/egress/twilio');
    const before = process.env['HTTP_PROXY'];
    process.env['HTTP_PROXY'] = 'http://127.0.0.1:1';
    cleanups.push(() => {
      if (before === undefined) delete process.env['HTTP_PROXY'];
      else process.env['HTTP_PROXY'] = before;
    });
    const { accountSid, authToken, url: apiUrl } = behindProxy;
    const direct = createTwilio({ accountSid, authToken, apiUrl, timeoutMs: 5000 });
    cleanups.push(() => direct.close());
    await createTwilioSmsChannel(direct, { from: FROM }).send(otp('SMS'));
    expect((await behindProxy.request(1)).path).toMatch(/^\/egress\/twilio\/2010-04-01\/Accounts\//);
  });
});
