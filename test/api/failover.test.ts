/** Two providers on one route: the second sends a message only if the first has definitely not sent it. */
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { addTwilio, waitForRoutingUpdate, setRoute } from '../support/providers.js';
import { TWILIO_ERRORS, twilioError, startTwilioServer, type TwilioServer } from '../support/twilio-server.js';
import { advancing, settled, until } from '../support/wait.js';

let first: TwilioServer;
let second: TwilioServer;
let passbell: TestService;
let keys: Awaited<ReturnType<TestService['application']>>;
let secondId: string;

beforeEach(async () => {
  [first, second] = [await startTwilioServer('', () => passbell.clock.now()), await startTwilioServer()];
  passbell = await startService({ SEND_WAIT_MS: '30000', PROVIDER_TIMEOUT_MS: '1000' });
  keys = await passbell.application({ ...NO_LIMITS, settings: { channels: ['SMS'], countries: ['US'] } });
  const { id } = await addTwilio(passbell, 'First', first);
  ({ id: secondId } = await addTwilio(passbell, 'Second', second));
  await setRoute(passbell, 'SMS', '*', id, secondId);
  await waitForRoutingUpdate(passbell);
});
afterEach(async () => {
  await passbell.stop();
  await Promise.all([first.close(), second.close()]);
});

async function send(): Promise<Body> {
  const reply = passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys });
  await until('a reply', settled(reply), advancing(passbell.clock, 5));
  return reply;
}
const messageOf = async (reply: Body): Promise<Body> =>
  (await passbell.get(`/messages/${reply.data.results[0].messageId}`, {}, { keys })).data;
const sendCountOf = ({ requests }: TwilioServer) => requests.filter(({ method }) => method === 'POST').length;
const sendCounts = () => [sendCountOf(first), sendCountOf(second)];
const countryNotEnabled = twilioError(403, 21408, 'Permission to send an SMS has not been enabled for this region');

it.each([
  ['is having problems', TWILIO_ERRORS.unavailable, 'Twilio is having problems (503)'],
  ['asks to slow down', TWILIO_ERRORS.tooMany, 'the Twilio account has reached its rate limit (20429)'],
  ['refuses the credentials', TWILIO_ERRORS.credentials, 'Twilio rejected the credentials (20003)'],
  [
    'does not send to the country',
    countryNotEnabled,
    'messages to this country are not enabled in the Twilio account (21408)',
  ],
])('sends with the second provider when the first one %s', async (_what, behavior, reason) => {
  first.respondWith(behavior);
  const startedAt = passbell.clock.now();
  const reply = await send();
  expect(passbell.clock.now() - startedAt).toBeLessThan(3000);
  expect(reply.data).toMatchObject({ isTried: 1, isSent: 1, results: [{ success: true, message: 'sent' }] });
  expect(sendCounts()).toEqual([1, 1]);
  expect((await messageOf(reply)).attempts).toMatchObject([
    { authType: 'Sms', provider: 'Second', success: true, message: 'sent' },
    { authType: 'Sms', provider: 'First', success: false, message: reason },
  ]);
});

it('sends with the second provider when the first one refuses connections', async () => {
  await first.close();
  expect((await send()).success).toBe(true);
  expect(sendCounts()).toEqual([0, 1]);
});

it.each([
  ['has invalid recipients', TWILIO_ERRORS.invalidNumber],
  ['knows that the recipient has opted out', TWILIO_ERRORS.optedOut],
])('does not try the second provider when the first one %s', async (_what, behavior) => {
  first.respondWith(behavior);
  expect((await send()).success).toBe(false);
  expect(sendCounts()).toEqual([1, 0]);
});

it.each([
  ['resets the connection', 'reset'],
  ['answers garbage', { status: 200, body: '<html>' }],
  ['breaks off its answer', 'half'],
] as const)('does not send twice when the first provider %s', async (_what, behavior) => {
  first.respondWith(behavior);
  const reply = await send();
  expect(reply.success).toBe(false);
  expect(sendCounts()).toEqual([1, 0]);
  expect((await messageOf(reply)).attempts).toMatchObject([{ provider: 'First', success: false }]);
});

it('finds a message that the first provider has accepted although its reply is lost', async () => {
  first.respondWith('lost');
  const reply = await send();
  expect(reply.data).toMatchObject({ isTried: 1, isSent: 1, results: [{ success: true, message: 'sent' }] });
  expect(sendCounts()).toEqual([1, 0]);
});

it('does not send twice when the first provider never replies', async () => {
  first.respondWith('silent');
  expect((await send()).success).toBe(false);
  expect(sendCounts()).toEqual([1, 0]);
});

it('skips a provider that keeps failing, and uses it again after it has recovered', async () => {
  first.respondWith('reset');
  // Each process has a separate circuit breaker.
  await until('a code through the second provider', async () => (await send()).success && second.requests.length > 0);
  await until('the same in all processes', async () => {
    const before = first.requests.length;
    for (let n = 0; n < 4; n++) await send();
    return first.requests.length === before;
  });
  first.respondWith('accept');
  await until(
    'a code through the first provider',
    async () => (await messageOf(await send())).attempts[0].provider === 'First',
    advancing(passbell.clock, 1000),
  );
});

it('retries all providers later when none of them could send', async () => {
  first.respondWith(TWILIO_ERRORS.unavailable);
  second.respondWith(TWILIO_ERRORS.unavailable);
  const reply = passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys });
  await second.waitForRequest(1);
  second.respondWith('accept');
  await until('a reply', settled(reply), advancing(passbell.clock, 100));
  expect((await reply).data.results).toMatchObject([{ success: true }]);
  expect(sendCounts()).toEqual([2, 2]);
  const [message] = await passbell.core.messages.lookup.newest({ limit: 1 });
  expect(message).toMatchObject({ provider: secondId });
  expect(message!.history).toMatchObject([
    { provider: 'First', success: false, times: 1 },
    { provider: 'Second', success: false, times: 1 },
  ]);
});
