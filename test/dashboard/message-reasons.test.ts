/** The card above messages that did not arrive: their reasons, each with the number of messages. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { signIn, type Visitor } from '../support/dashboard.js';
import { NO_LIMITS, startService, type TestService } from '../support/service.js';
import { TWILIO_ERRORS, startTwilioServer, type TwilioServer } from '../support/twilio-server.js';

let twilio: TwilioServer;
let passbell: TestService;
let owner: Visitor;
let viewer: Visitor;
beforeAll(async () => {
  twilio = await startTwilioServer();
  passbell = await startService({
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
    TWILIO_API_URL: twilio.url,
  });
  await passbell.core.applications.service.update(OPERATOR, passbell.keys.appKey, NO_LIMITS);
  owner = await signIn(passbell);
  viewer = await signIn(passbell, 'viewer');
});
afterAll(async () => {
  await passbell.stop();
  await twilio.close();
});

let numbers = 0;
async function fail(reason: keyof typeof TWILIO_ERRORS): Promise<string> {
  twilio.respondWith(TWILIO_ERRORS[reason]);
  const to = `+1415200${String(1000 + ++numbers)}`;
  const { data } = await passbell.post('/auth/sendotp', { to, authWay: 'SMS' });
  return data.results[0].messageId;
}

async function reasons(visitor = owner, query = 'state=failed'): Promise<string> {
  const { html } = await visitor.get(`/messages?${query}`);
  const [card = ''] = /<section class="card" aria-labelledby="reasons"[\s\S]*?<\/section>/.exec(html) ?? [];
  return card
    .replace(/<time.*?<\/time>/g, 'TIME')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

it('groups failed messages by reason, the largest group first, with advice for each', async () => {
  expect(await reasons()).toBe('');
  await fail('invalidNumber');
  // It must be older than the copies below, so that it is not among the newest 500.
  passbell.clock.advance(1000);
  const id = await fail('optedOut');
  await fail('optedOut');
  expect(await reasons()).toMatch(
    /^Why messages failed 2 messages Twilio: .*opted out.* First TIME · latest TIME Check the provider 1 message .*not a valid phone number.* Another message to the same recipient will also fail\. TIME$/,
  );
  expect(await reasons(viewer)).not.toContain('Check the provider');
  expect(await reasons(owner, '')).toBe('');

  // The groups also count the messages of the following pages.
  const db = passbell.openDatabase();
  const like = await db('messages').where({ id }).first();
  const copy = (n: number) => ({ ...like, id: `${n}`.padStart(32, 'c') });
  for (let from = 0; from < 550; from += 50)
    await db('messages').insert(Array.from({ length: 50 }, (_, n) => copy(from + n)));
  await db.destroy();
  expect(await reasons()).toContain('Based on the 500 newest messages. 500 messages');
  const older = /href="[^"]*\?([^"]*after=[^"]*)"/.exec((await owner.get('/messages?state=failed')).html)![1]!;
  expect(await reasons(owner, older.replaceAll('&amp;', '&'))).toBe('');
});
