/** The dashboard shows the price and the number of SMS segments of a message, before and after the send. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import type { ChannelName } from '../../backend/src/platform/contract/channels.js';
import { signIn, type Visitor } from '../support/dashboard.js';
import { freshPhone, startService, type TestService } from '../support/service.js';
import { startTwilioServer, type TwilioServer } from '../support/twilio-server.js';

const folder = mkdtempSync(join(tmpdir(), 'passbell-prices-'));
let twilio: TwilioServer;
let passbell: TestService;
let owner: Visitor;
beforeAll(async () => {
  const file = join(folder, 'prices.json');
  const prices = { SMS: { US: '0.0079', '*': '0.05' }, VOICE: { '*': '0.02' } };
  writeFileSync(file, JSON.stringify({ currency: 'usd', prices }));
  twilio = await startTwilioServer();
  passbell = await startService({
    PRICES_FILE: file,
    TWILIO_API_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
    TWILIO_VOICE_FROM: '+14155550100',
  });
  owner = await signIn(passbell);
});
afterAll(async () => {
  await passbell.stop();
  await twilio.close();
  rmSync(folder, { recursive: true });
});

const textPage = async (channel: ChannelName): Promise<string> =>
  (await owner.get(`/applications/${passbell.keys.appKey}/templates/otp/${channel.toLowerCase()}/en`)).html;

async function useText(text: string): Promise<void> {
  const application = await passbell.core.applications.service.load(passbell.keys.appKey);
  const override = { template: 'otp', channel: 'SMS', language: 'en', subject: null, text } as const;
  await passbell.core.templates.service.save(OPERATOR, application, override);
}

it('shows the price of a text, including all of its SMS segments', async () => {
  expect(await textPage('SMS')).toContain('0.0079 to 0.0500 USD per message, depending on the country');
  expect(await textPage('VOICE')).toContain('0.0200 USD per call');
  await useText(`{{ code }}${'x'.repeat(301)}`);
  expect(await textPage('SMS')).toContain('0.0237 to 0.1500 USD per message of 3 SMS, depending on the country');
});

it('shows the price and the number of SMS segments of a sent message', async () => {
  await useText(`{{ code }}${'x'.repeat(301)}`);
  passbell.clock.advance(2_000);
  const { data } = await passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' });
  const { html } = await owner.get(`/messages/${data.results[0].messageId}`);
  expect(html.match(/0\.0237/g)).toHaveLength(1);
  expect(html.replace(/<[^>]+>/g, ' ')).toMatch(/Price\s+0\.0237 USD for 3 SMS/);
});

it.each(['sent', 'failed'])('shows the price of all sends of a %s message that was sent before', async (state) => {
  const { data } = await passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' });
  const id = data.results[0].messageId as string;
  const price = { charge: '0.0200', currency: 'usd', country: 'US' };
  const call = { channel: 'VOICE', provider: 'Twilio', success: true, message: 'sent', price };
  const sends = [{ attempt: call, provider: 'twilio', providerId: 'CA1' }];
  const failed = [{ channel: 'SMS', provider: 'Twilio', success: false, message: 'failed' }];
  const db = passbell.openDatabase();
  const changes = state === 'failed' ? { state, ending: state, tried: JSON.stringify(failed) } : {};
  await db('messages')
    .where({ id })
    .update({ ...changes, earlier_sends: JSON.stringify(sends) });
  await db.destroy();
  const { html } = await owner.get(`/messages/${id}`);
  const expected = state === 'sent' ? '0.0437 USD for 2 sends' : '0.0200 USD';
  expect(/<dt>Price<\/dt><dd>([^<]*)/.exec(html)?.[1]).toBe(expected);
});

it.each(['failed', 'expired'])('shows the price of a %s message that a provider may have sent', async (state) => {
  const { data } = await passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' });
  const id = data.results[0].messageId as string;
  const attempt = { channel: 'SMS', provider: 'Twilio', success: false, message: 'no reply' };
  const db = passbell.openDatabase();
  const price = async (charge: string) => {
    const tried = JSON.stringify([{ ...attempt, ifSent: { charge, currency: 'usd' } }]);
    await db('messages').where({ id }).update({ state, ending: state, tried });
    return /<dt>Price<\/dt><dd>([^<]*)/.exec((await owner.get(`/messages/${id}`)).html)?.[1];
  };
  expect(await price('0.0079')).toBe('0.0079 USD, if Twilio sent it');
  expect(await price('0')).toBe('Not set');
  await db.destroy();
});
