/** Connections to Twilio that are refused, silent, closed or slow. */
import { systemClock } from '../../backend/src/platform/clock.js';
import { createServer, type AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTwilioSmsProvider } from '../../backend/src/providers/twilio-sms.js';
import { createTwilio } from '../../backend/src/providers/twilio.js';
import { FROM, otp, setUpTwilio } from '../support/twilio-channels.js';
import { startTwilioServer } from '../support/twilio-server.js';
import { LIBRARY_TIMEOUT_MS, settled, until } from '../support/wait.js';

const fixture = setUpTwilio();
const { connect, onEnd, failure } = fixture;

/** Starts a server that accepts connections but never replies. Returns its URL. */
async function startSilentServer(): Promise<string> {
  const server = createServer((socket) => socket.on('error', () => {}));
  onEnd(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a send to Twilio', () => {
  const impatient = (apiUrl: string) => createTwilioSmsProvider(connect({ apiUrl, timeoutMs: 200 }), { from: FROM });

  it('fails transiently if the connection is refused', async () => {
    await fixture.server.close();
    expect(await failure()).toMatchObject({ kind: 'transient', reason: 'Twilio cannot be reached' });
  });

  it('fails transiently if the host is unknown', async () => {
    expect(await failure(otp('SMS'), impatient('http://twilio.invalid'))).toMatchObject({ kind: 'transient' });
  });

  it('has an unknown outcome if the server stays silent until the timeout', async () => {
    const channel = impatient(fixture.server.url);
    const send = () => channel.send(otp('SMS')).catch(() => undefined);
    // Opens the connection, which on a slow machine takes longer than the timeout.
    await until('a message on an open connection', send);
    fixture.server.respondWith('silent');
    const before = fixture.server.requests.length;
    const patient = settled(fixture.sms.send(otp('SMS')));
    await fixture.server.waitForRequest(before + 1);
    expect(await failure(otp('SMS'), channel)).toMatchObject({
      kind: 'unknown',
      reason: 'Twilio did not reply in time',
    });
    expect(patient()).toBe(false);
    await fixture.server.waitForRequest(before + 2);
    expect(fixture.server.requests).toHaveLength(before + 2);
  });

  it('has an unknown outcome, without a retry, if the connection breaks after the request', async () => {
    fixture.server.respondWith('reset');
    expect(await failure()).toMatchObject({ kind: 'unknown', reason: 'the connection to Twilio was lost' });
    fixture.server.respondWith('accept');
    await fixture.sms.send(otp('SMS'));
    expect(fixture.server.requests).toHaveLength(2);
  });

  it('has an unknown outcome if the reply is too long to read', async () => {
    fixture.server.respondWith({ status: 201, body: 'x'.repeat(200_000) });
    expect(await failure()).toMatchObject({ kind: 'unknown' });
  });

  it('has an unknown outcome if a reused connection breaks', async () => {
    await fixture.sms.send(otp('SMS'));
    // undici can reuse a connection only from the next turn of the event loop.
    await nextTurn();
    fixture.server.respondWith('reset');
    expect(await failure()).toMatchObject({ kind: 'unknown' });
    expect(new Set(fixture.server.requests.map(({ remotePort }) => remotePort)).size).toBe(1);
  });

  it('times out after three seconds if no connection can be opened, regardless of the request timeout', async () => {
    const url = await startSilentServer();
    const before = performance.now();
    const patient = createTwilioSmsProvider(connect({ apiUrl: url, timeoutMs: LIBRARY_TIMEOUT_MS }), { from: FROM });
    expect(await failure(otp('SMS'), patient)).toMatchObject({
      kind: 'transient',
      reason: 'Twilio could not be reached in time',
    });
    // The limit gives a slow machine far more than three seconds, but is far below the request timeout.
    expect(performance.now() - before).toBeLessThan(LIBRARY_TIMEOUT_MS / 2);
  });

  it('fails transiently if the TLS handshake never completes, because no request was sent', async () => {
    const url = await startSilentServer();
    expect(await failure(otp('SMS'), impatient(url))).toMatchObject({
      kind: 'transient',
      reason: 'Twilio could not be reached in time',
    });
  });

  it("reuses the previous message's connection", async () => {
    for (let n = 0; n < 3; n++) {
      await fixture.sms.send(otp('SMS'));
      await nextTurn();
    }
    expect(new Set(fixture.server.requests.map(({ remotePort }) => remotePort)).size).toBe(1);
  });

  it('uses the path of TWILIO_API_URL, and ignores HTTP_PROXY', async () => {
    const behindProxy = await startTwilioServer('/egress/twilio');
    onEnd(() => behindProxy.close());
    const before = process.env['HTTP_PROXY'];
    process.env['HTTP_PROXY'] = 'http://127.0.0.1:1';
    onEnd(() => {
      if (before === undefined) delete process.env['HTTP_PROXY'];
      else process.env['HTTP_PROXY'] = before;
    });
    const { accountSid, authToken, url: apiUrl } = behindProxy;
    const direct = createTwilio({ accountSid, authToken, apiUrl, clock: systemClock, timeoutMs: LIBRARY_TIMEOUT_MS });
    onEnd(() => direct.close());
    await createTwilioSmsProvider(direct, { from: FROM }).send(otp('SMS'));
    expect((await behindProxy.waitForRequest(1)).path).toMatch(/^\/egress\/twilio\/2010-04-01\/Accounts\//);
  });
});
