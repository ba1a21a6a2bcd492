/** Codes that do not arrive are sent on the next channel: WhatsApp codes by SMS, and SMS codes in a call. */
import { createHmac } from 'node:crypto';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { readMessage, REPORTS, sends, untilSent } from '../support/another-way.js';
import { findCode, startGatewayServer, type GatewayServer } from '../support/gateway-server.js';
import { accountOf, addGateway, addTwilio, setRoute, VERIFIED, waitForRoutingUpdate } from '../support/providers.js';
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { CALLBACK_BASE, sendTwilioRequest } from '../support/twilio-callback.js';
import { startTwilioServer, type TwilioServer } from '../support/twilio-server.js';
import { advancing, until } from '../support/wait.js';

let first: GatewayServer;
let second: GatewayServer;
let passbell: TestService;
let keys: TestService['keys'];

beforeEach(async () => {
  [first, second] = [await startGatewayServer(), await startGatewayServer()];
  passbell = await startService({ BASE_URL: CALLBACK_BASE, DEV_INBOX: 'off', SEND_WAIT_MS: '30000' });
});
afterEach(async () => {
  await Promise.all([first.close(), second.close()]);
  await passbell.stop();
});

const useChannels = async (...channels: ('SMS' | 'WHATSAPP' | 'VOICE')[]): Promise<void> => {
  await waitForRoutingUpdate(passbell);
  keys = await passbell.application({ ...NO_LIMITS, settings: { channels, silentSeconds: 15 } });
};

const verify = (maskId: string, otp: string): Promise<Body> =>
  passbell.post('/auth/verifyotp', { maskId, otp }, { keys });

describe('a WhatsApp code to a number without WhatsApp', () => {
  const META = { accessToken: 'EAAJB-token', appSecret: 'app-s3cret', verifyToken: 'verify-t0ken' };
  const ACCEPTED = { status: 200, body: { messages: [{ id: 'wamid.HBgL' }] } };
  let meta: GatewayServer;
  let callbackPath: string;
  beforeEach(async () => {
    meta = await startGatewayServer();
    meta.respondWith(ACCEPTED);
    const settings = {
      ...META,
      phoneNumberId: '106540352242922',
      apiUrl: `${meta.url}/v23.0`,
      templates: 'otp = code/en',
    };
    const request = { type: 'whatsapp-cloud', name: 'Meta', settings };
    const added = await passbell.core.providers.service.add(OPERATOR, await accountOf(passbell), request, VERIFIED);
    callbackPath = added.callbackUrl!.slice(CALLBACK_BASE.length);
    // The second provider of WhatsApp cannot reach the number either.
    const other = await addGateway(passbell, 'Other WhatsApp', first, { ...REPORTS, channel: 'WHATSAPP' });
    await addGateway(passbell, 'SMS', second, REPORTS);
    await setRoute(passbell, 'WHATSAPP', '*', added.id, other.id);
    await useChannels('WHATSAPP', 'SMS');
  });
  afterEach(() => meta.close());

  /** Meta reports that the number has no WhatsApp. */
  async function reportUnreachable(messageId: string): Promise<void> {
    const status = {
      id: 'wamid.HBgL',
      status: 'failed',
      biz_opaque_callback_data: messageId,
      errors: [{ code: 131026, title: 'Message undeliverable' }],
    };
    const body = JSON.stringify({ entry: [{ changes: [{ value: { statuses: [status] } }] }] });
    const signature = createHmac('sha256', META.appSecret).update(body).digest('hex');
    const headers = { 'Content-Type': 'application/json', 'X-Hub-Signature-256': `sha256=${signature}` };
    const response = await passbell.fetch(callbackPath, { method: 'POST', body }, { headers });
    expect(response.status).toBe(200);
  }

  async function send(): Promise<{ maskId: string; messageId: string }> {
    const { data } = await passbell.post('/auth/sendotp', { to: freshPhone() }, { keys });
    return data.results[0];
  }

  it.each(['after', 'before'] as const)(
    'arrives by SMS if Meta reports this %s it replies to the request',
    async (time) => {
      if (time === 'before')
        meta.respondWith(async ({ body }) => {
          await reportUnreachable(JSON.parse(body).biz_opaque_callback_data);
          return ACCEPTED;
        });
      const { maskId, messageId } = await send();
      const message = async (): Promise<Body> => (await passbell.get(`/messages/${messageId}`, {}, { keys })).data;
      if (time === 'after') expect(await message()).toMatchObject({ state: 'sent', authType: 'WHATSAPP' });
      const reportedAt = passbell.clock.now();
      if (time === 'after') await reportUnreachable(messageId);
      const anySend = () => sends(first).length + sends(second).length > 0;
      await until('another send', anySend, advancing(passbell.clock, 250));
      expect(sends(first)).toEqual([]);
      expect(passbell.clock.now() - reportedAt).toBeLessThanOrEqual(10_000);
      expect(meta.requests[0]!.body).toContain(findCode(second));
      await until('the SMS', async () => (await message()).state === 'sent', advancing(passbell.clock, 250));
      expect(await message()).toMatchObject({ authType: 'Sms' });
      const { earlierSends } = await readMessage(passbell, keys, messageId);
      expect(earlierSends).toMatchObject([
        { attempt: { channel: 'WHATSAPP', undelivered: expect.any(String) }, report: 'undelivered' },
      ]);
      expect(await verify(maskId, findCode(second))).toMatchObject({ success: true });
    },
  );
});

describe('a code that no SMS provider delivers', () => {
  let twilio: TwilioServer;
  beforeEach(async () => {
    twilio = await startTwilioServer();
    await addTwilio(passbell, 'Calls', twilio, { smsFrom: '', voiceFrom: '+14155550100' });
    const { id } = await addGateway(passbell, 'First', first, REPORTS);
    const { id: secondId } = await addGateway(passbell, 'Second', second, REPORTS);
    await setRoute(passbell, 'SMS', '*', id, secondId);
    await useChannels('SMS', 'VOICE');
  });
  afterEach(() => twilio.close());

  /** Presses a key, and returns the digits that the call then reads. */
  async function spokenDigits(twiml: string): Promise<string> {
    const [, url] = /action="([^"]*)"/.exec(twiml)!;
    const path = url!.replaceAll('&amp;', '&').slice(CALLBACK_BASE.length);
    const { authToken } = twilio;
    const script = await sendTwilioRequest(passbell, path, { CallSid: 'CA1', Digits: '5' }, { authToken });
    return [...(await script.text()).matchAll(/>(\d)</g)].map(([, digit]) => digit).join('');
  }

  it.each([
    ['fail', { status: 503 }],
    ['accept it, and report nothing', { status: 200, body: { id: 'any' } }],
  ] as const)('is read in a call if all %s', async (_case, reply) => {
    for (const server of [first, second]) server.respondWith(reply);
    const to = freshPhone();
    const sending = passbell.post('/auth/sendotp', { to }, { keys });
    await until('a call', () => twilio.requests.length > 0, advancing(passbell.clock, 250));
    const { maskId } = (await sending).data.results[0];
    for (const server of [first, second]) await untilSent(passbell, server, 1);
    const { To, Twiml } = twilio.requests[0]!.form;
    expect(To).toBe(to);
    const code = findCode(first);
    expect(await spokenDigits(Twiml!)).toBe(`${code}${code}`);
    expect(await verify(maskId, code)).toMatchObject({ success: true });
  });
});
