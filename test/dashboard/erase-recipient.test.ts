/** An owner erases a recipient: no table contains the address afterwards, and queued messages are not sent. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { parseRecipient } from '../../backend/src/modules/recipients/recipient.js';
import type { Database } from '../../backend/src/platform/db/database.js';
import { tablesWith } from '../support/all-rows.js';
import { enrollUser } from '../support/authenticator.js';
import { signIn, type Visitor } from '../support/dashboard.js';
import { freshMail, freshPhone, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { startTwilioServer, TWILIO_ERRORS, type TwilioServer } from '../support/twilio-server.js';
import { advancing, settled, until } from '../support/wait.js';

let twilio: TwilioServer;
let passbell: TestService;
let db: Database;
let owner: Visitor;
beforeAll(async () => {
  twilio = await startTwilioServer();
  passbell = await startService({
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
    TWILIO_API_URL: twilio.url,
  });
  await passbell.core.applications.service.update(OPERATOR, passbell.keys.appKey, NO_LIMITS);
  db = passbell.openDatabase();
  owner = await signIn(passbell);
});
afterAll(async () => {
  await db.destroy();
  await passbell.stop();
  await twilio.close();
});
beforeEach(() => twilio.respondWith('accept'));

const ERASE_PATH = '/recipients/erase';

async function erase(recipient: string, visitor = owner): Promise<string> {
  const reply = await visitor.submit(ERASE_PATH, ERASE_PATH, { recipient });
  return reply.status === 303 ? (await visitor.follow(reply)).html : reply.html;
}

async function verify(to: string): Promise<{ maskId: string; token: string; userId: string }> {
  const { maskId, code } = await passbell.send(to);
  const { data } = await passbell.post('/auth/verifyotp', { maskId, otp: code });
  return { maskId, token: data.token, userId: data.user.userId };
}

it('erases an email address from every table, regardless of case', async () => {
  const address = freshMail();
  const mixedCase = address.replace('person', 'PerSon');
  const { token, userId } = await verify(address);
  await verify(mixedCase);
  const live = await passbell.send(mixedCase);
  await passbell.post('/notifications/order', {
    to: address,
    templateType: 'order_shipped',
    variables: { orderId: 'A-1' },
  });
  await enrollUser(passbell, mixedCase);
  expect(await tablesWith(db, address)).toEqual(
    expect.arrayContaining(['users', 'otp_sessions', 'messages', 'two_factors']),
  );

  expect(await erase(address.toUpperCase())).toContain(
    'Erased: 4 messages, 3 verification codes, 2 users, 1 second factor.',
  );
  expect(await tablesWith(db, address)).toEqual([]);
  expect(await passbell.post('/auth/verifytoken', { token })).toMatchObject({ success: false, code: 'INVALID_TOKEN' });
  const late = await passbell.post('/auth/verifyotp', { maskId: live.maskId, otp: live.code });
  expect(late).toMatchObject({ success: false, message: 'Invalid OTP' });
  expect((await verify(address)).userId).not.toBe(userId);
});

it.each([
  ['+54 11 4321-1234', '+5491143211234'],
  ['+5491143215678', '+54 11 4321-5678'],
])('erases the Argentine number %s when it is entered as %s', async (to, entered) => {
  expect(await passbell.post('/auth/sendotp', { to, authWay: 'SMS' })).toMatchObject({ success: true });
  const stored = parseRecipient(to)!.address;
  expect(await tablesWith(db, stored)).toEqual(expect.arrayContaining(['otp_sessions', 'messages']));
  expect(await erase(entered)).toContain('Erased: 1 message, 1 verification code, 1 Protection record.');
  expect(await tablesWith(db, stored)).toEqual([]);
});

/** Advances the clock until the promise settles. */
async function advanceUntilDone<T>(work: Promise<T>): Promise<T> {
  await until('the end of the work', settled(work), advancing(passbell.clock, 100));
  return work;
}

it('does not send a queued message, but still shows it, without the recipient', async () => {
  const to = '+14152001001';
  twilio.respondWith(TWILIO_ERRORS.unavailable);
  const sent = await advanceUntilDone(passbell.post('/auth/sendotp', { to, authWay: 'SMS' }));
  const { messageId, maskId } = sent.data.results[0];
  const message = async () => (await passbell.get(`/messages/${messageId}`)).data;
  // Waits for a pause between two attempts, so that no attempt is in progress.
  await until('a queued message', async () => (await message()).state === 'queued');
  expect(await erase(to)).toContain('Erased: 1 message, 1 verification code, 1 Protection record.');
  const requests = twilio.requests.length;
  twilio.respondWith('accept');
  const isExpired = async () => (await message()).state === 'expired';
  await until('an expired message', isExpired, advancing(passbell.clock, 100));
  expect(await message()).toMatchObject({ to: '*****', maskId });
  expect(twilio.requests.length).toBe(requests);
  expect(await tablesWith(db, to)).toEqual([]);
  expect((await owner.get('/home')).html).toContain(`href="/dashboard/messages/${messageId}"`);
});

it('omits erased verifications and recipients from the latest events', async () => {
  const to = freshMail();
  const { maskId } = await verify(to);
  const events = async () => JSON.stringify(await passbell.get('/webhooks/recent', { event: 'otp.verified' }));
  expect(await events()).toContain(maskId);
  await erase(to);
  expect(await events()).not.toContain(maskId);
  const { data } = await passbell.get('/webhooks/recent', { event: 'message.accepted' });
  expect(data.events[0].data.to).toBe('*****');
  expect(await tablesWith(db, to)).toEqual([]);
});

it('does not change other recipients, or recipients of other accounts', async () => {
  const to = freshMail();
  const other = `x${to}`;
  const tagged = to.replace('@', '+tag@');
  const account = freshMail();
  const keys = await passbell.core.applications.service.create(OPERATOR, { name: 'Elsewhere', email: account });
  const elsewhere = await passbell.send(to, {}, { keys });
  const codes = [await passbell.send(other), await passbell.send(tagged)];
  expect(await erase(to)).toContain('Nothing is stored about this recipient.');
  for (const { maskId, code } of codes)
    expect(await passbell.post('/auth/verifyotp', { maskId, otp: code })).toMatchObject({ success: true });
  const { maskId, code } = elsewhere;
  expect(await passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys })).toMatchObject({ success: true });
  expect(await erase(to, await signIn(passbell, 'owner', { account }))).toContain('Erased: 1 message');
});

it('does not reset the limits on a recipient', async () => {
  const keys = await passbell.application();
  const to = freshMail();
  await passbell.send(to, {}, { keys });
  await erase(to);
  expect(await passbell.post('/auth/sendotp', { to }, { keys })).toMatchObject({ success: false, code: 'COOLDOWN' });
});

it('records the erasure in the audit log, without the recipient', async () => {
  const to = freshMail();
  await passbell.send(to);
  await erase(to);
  const [entry] = await passbell.core.audit.service.list(owner.person!.accountId, { limit: 1 });
  expect(entry).toMatchObject({ actor: owner.person!.email, action: 'recipient.erase', subject: 'an email address' });
  expect(entry!.changes).toEqual([
    { name: 'codes', before: '1', after: '' },
    { name: 'messages', before: '1', after: '' },
  ]);
  expect((await owner.get('/audit')).html).toContain('erased a recipient');
  expect(await tablesWith(db, to)).toEqual([]);
});

it('names the applications that still list the recipient as a test recipient', async () => {
  const to = freshMail();
  const { appKey } = await passbell.application({ settings: { testRecipients: { [to]: '123456' } } });
  expect(await erase(to)).toContain(
    'The recipient is still a test recipient of Another Shop. Remove it in the settings.',
  );
  await passbell.core.applications.service.update(OPERATOR, appKey, { settings: { testRecipients: {} } });
});

it.each(['', '  ', 'nobody', '12', '@'])('rejects %j and erases nothing', async (recipient) => {
  const { status, html } = await owner.submit(ERASE_PATH, ERASE_PATH, { recipient });
  expect([status, html]).toEqual([422, expect.stringMatching(/Enter a phone number/)]);
});

it.each(['member', 'viewer'] as const)('does not let a %s erase a recipient', async (role) => {
  const visitor = await signIn(passbell, role);
  expect((await visitor.get('/messages')).html).not.toContain('Erase a recipient');
  expect((await visitor.get(ERASE_PATH)).status).toBe(403);
  expect((await owner.get('/messages')).html).toContain('href="/dashboard/recipients/erase"');
  const actor = { name: visitor.person!.email, may: () => false };
  await expect(passbell.core.erasure.service.erase(actor, [], freshPhone())).rejects.toThrow('does not have the right');
});
