/** Callbacks from the Twilio account in the environment count only at its own address, while it is configured. */
import { freshPhone, startService, type TestService } from '../support/service.js';
import {
  CALLBACK_BASE,
  sendStatusCallback,
  sendTwilioRequest,
  type CallbackOptions,
} from '../support/twilio-callback.js';
import { startTwilioServer, type TwilioServer } from '../support/twilio-server.js';

const SID = `SM${'5'.repeat(32)}`;
let twilio: TwilioServer;
let passbell: TestService;
let id: string;
beforeEach(async () => {
  twilio = await startTwilioServer();
  twilio.respondWith({ status: 201, body: { sid: SID } });
  passbell = await startService({
    BASE_URL: CALLBACK_BASE,
    TWILIO_API_URL: twilio.url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
  });
  id = (await passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' })).data.results[0].messageId;
});
afterEach(async () => {
  await passbell.stop();
  await twilio.close();
});

const form = { MessageSid: SID, MessageStatus: 'delivered' };
const report = (options: Partial<CallbackOptions> = {}): Promise<number> =>
  sendStatusCallback(passbell, id, form, { authToken: twilio.authToken, ...options });
const state = async (): Promise<string> => (await passbell.get(`/messages/${id}`)).data.state;

it('a report that is signed for another address is rejected', async () => {
  for (const path of [`/callbacks/twilio/${id}/speech`, `/callbacks/provider/environment-twilio/${id}`]) {
    const reply = await sendTwilioRequest(passbell, path, form, { authToken: twilio.authToken });
    expect([403, 404]).toContain(reply.status);
  }
  expect(await state()).toBe('sent');
});

it('a report of an earlier message counts without a sender, but not without the account', async () => {
  passbell = await passbell.restart({ TWILIO_SMS_FROM: '' });
  expect(await report({ signature: undefined })).toBe(403);
  expect(await state()).toBe('sent');
  expect(await report()).toBe(204);
  expect(await state()).toBe('delivered');
  passbell = await passbell.restart({ TWILIO_SMS_FROM: '', TWILIO_ACCOUNT_SID: '', TWILIO_AUTH_TOKEN: '' });
  for (const authToken of [twilio.authToken, '']) expect(await report({ authToken })).toBe(404);
});

it('the account is listed as a provider only while it has a sender', async () => {
  const { OPERATOR } = await import('../../backend/src/modules/access/actor.js');
  const listed = async () => {
    const { applications, providers } = passbell.core;
    const { accountId } = (await applications.service.find(passbell.keys.appKey))!;
    return (await providers.service.list(OPERATOR, accountId)).map((provider) => provider.id);
  };
  expect(await listed()).toEqual(['environment-twilio']);
  passbell = await passbell.restart({ TWILIO_SMS_FROM: '' });
  expect(await listed()).toEqual([]);
});
