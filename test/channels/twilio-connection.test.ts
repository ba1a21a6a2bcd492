/** The way to Twilio: connections that are refused, silent, cut off or slow. */
import { createServer, type AddressInfo } from 'node:net';
import { createTwilioSmsChannel } from '../../backend/src/providers/twilio-sms.js';
import { createTwilio } from '../../backend/src/providers/twilio.js';
import { FROM, otp, setTwilioStage } from '../support/twilio-channels.js';
import { startTwilioServer } from '../support/twilio-server.js';

const stage = setTwilioStage();
const { connect, onEnd, failure } = stage;

/** An address where connections stand, and nothing is ever said. */
async function muteAddress(): Promise<string> {
  const mute = createServer((socket) => socket.on('error', () => {}));
  onEnd(() => mute.close());
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
  return `https://127.0.0.1:${(mute.address() as AddressInfo).port}`;
}

describe('a connection', () => {
  const impatient = (apiUrl: string) => createTwilioSmsChannel(connect({ apiUrl, timeoutMs: 200 }), { from: FROM });

  it('that nobody takes is passing', async () => {
    await stage.server.close();
    expect(await failure()).toMatchObject({ kind: 'passing', reason: 'Twilio cannot be reached' });
  });

  it('to an unknown name is passing', async () => {
    expect(await failure(otp('SMS'), impatient('http://twilio.invalid'))).toMatchObject({ kind: 'passing' });
  });

  it('that stays silent after the request is unclear, in time', async () => {
    stage.server.answer('silent');
    const started = Date.now();
    const error = await failure(otp('SMS'), impatient(stage.server.url));
    expect(error).toMatchObject({ kind: 'unclear', reason: 'Twilio did not answer in time' });
    expect(Date.now() - started).toBeLessThan(2000);
    expect(stage.server.requests).toHaveLength(1);
  });

  it('that breaks after the request is unclear, and the request is not repeated', async () => {
    stage.server.answer('reset');
    expect(await failure()).toMatchObject({ kind: 'unclear', reason: 'the connection to Twilio broke' });
    stage.server.answer('accept');
    await stage.sms.send(otp('SMS'));
    expect(stage.server.requests).toHaveLength(2);
  });

  it('that breaks when it is used a second time is unclear too', async () => {
    await stage.sms.send(otp('SMS'));
    stage.server.answer('reset');
    expect(await failure()).toMatchObject({ kind: 'unclear' });
    expect(new Set(stage.server.requests.map(({ remotePort }) => remotePort)).size).toBe(1);
  });

  it('that cannot be connected to is given up after three seconds, however long it may take to answer', async () => {
    const url = await muteAddress();
    const before = performance.now();
    const patient = createTwilioSmsChannel(connect({ apiUrl: url, timeoutMs: 20_000 }), { from: FROM });
    expect(await failure(otp('SMS'), patient)).toMatchObject({
      kind: 'passing',
      reason: 'Twilio could not be reached in time',
    });
    expect(performance.now() - before).toBeLessThan(4500);
  });

  it('whose TLS handshake never ends is passing: nothing has left', async () => {
    const url = await muteAddress();
    expect(await failure(otp('SMS'), impatient(url))).toMatchObject({
      kind: 'passing',
      reason: 'Twilio could not be reached in time',
    });
  });

  it('is kept for the next message', async () => {
    for (let n = 0; n < 3; n++) await stage.sms.send(otp('SMS'));
    expect(new Set(stage.server.requests.map(({ remotePort }) => remotePort)).size).toBe(1);
  });

  it('keeps the path of the address, and takes no other road because of HTTP_PROXY', async () => {
    const behindProxy = await startTwilioServer('/egress/twilio');
    onEnd(() => behindProxy.close());
    const before = process.env['HTTP_PROXY'];
    process.env['HTTP_PROXY'] = 'http://127.0.0.1:1';
    onEnd(() => {
      if (before === undefined) delete process.env['HTTP_PROXY'];
      else process.env['HTTP_PROXY'] = before;
    });
    const { accountSid, authToken, url: apiUrl } = behindProxy;
    const direct = createTwilio({ accountSid, authToken, apiUrl, timeoutMs: 5000 });
    onEnd(() => direct.close());
    await createTwilioSmsChannel(direct, { from: FROM }).send(otp('SMS'));
    expect((await behindProxy.request(1)).path).toMatch(/^\/egress\/twilio\/2010-04-01\/Accounts\//);
  });
});
