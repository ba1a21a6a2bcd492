/** Values as spreadsheets, web pages and people produce them: nothing is sent twice, and no failure looks like a success. */
import { freshPhone } from '../../support/service.js';
import { startForwarder } from './forwarder.js';
import { outputOf, startFixture, type Fixture } from './engine.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const TO = '={{ $json.to }}';
const SEND = { resource: 'otp', operation: 'send', to: TO };
const VERIFY = { resource: 'otp', operation: 'verify', verifyBy: 'recipient', to: TO, otp: '={{ $json.code }}' };
const NOTIFY = { resource: 'notification', operation: 'sendOrder', to: TO, orderId: 'A-1', channel: 'SMS' };
const NEWEST = { typeVersion: 1.2 };
const RETRY = { ...NEWEST, retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const countOf = async (to: string) => (await fixture.passbell.inbox(to)).length;

it.each([
  ['no-break spaces', (digits: string) => `+1\u00a0${digits.slice(1, 4)}\u00a0${digits.slice(4)}`],
  ['a no-break hyphen', (digits: string) => `+${digits.slice(0, 4)}\u2011${digits.slice(4)}`],
  ['marks of the text direction', (digits: string) => `\u202a+${digits}\u202c`],
  ['zero-width spaces', (digits: string) => `\u200b+${digits.slice(0, 4)}\u200b${digits.slice(4)}`],
  ['a line break', (digits: string) => ` +${digits}\r\n`],
  ['00 instead of +', (digits: string) => `00${digits}`],
  ['the type number', (digits: string) => Number(digits)],
])('a phone number with %s gets a code and a notification, and is verified', async (_what, spell) => {
  const to = freshPhone();
  const written = spell(to.slice(1));
  expect(await fixture.run(SEND, [{ to: written }], NEWEST)).toMatchObject({ status: 'success' });
  const code = await fixture.passbell.codeFor(to);
  const verified = await fixture.run(VERIFY, [{ to: written, code }], NEWEST);
  expect(outputOf(verified)).toMatchObject([{ json: { verified: true, user: { phone: to } } }]);
  expect(await fixture.run(NOTIFY, [{ to: written }], NEWEST)).toMatchObject({ status: 'success' });
  expect(await countOf(to)).toBe(2);
});

it.each([[undefined], [null], [''], [' '], [{}], [{ phone: '+14155550101' }], [[]], [true], [0], ['undefined']])(
  'the recipient %j fails with advice',
  async (to) => {
    for (const parameters of [SEND, NOTIFY, VERIFY]) {
      const { status, error } = await fixture.run(parameters, [{ to, code: '1' }], NEWEST);
      expect(status).toBe('error');
      expect(error!.message).toMatch(
        /^(invalid recipient|missing sender address|Recipient is empty|To must be a string)$/,
      );
      expect(error!.description).toMatch(/^Item 0: [A-Z]/);
    }
  },
);

it('one bad item among 40 neither repeats nor hides the others, whatever On Error and Retry On Fail are', async () => {
  const items = Array.from({ length: 40 }, (_, n) => ({ to: n === 24 ? 'nobody' : freshPhone() }));
  const counts = () => Promise.all(items.map(({ to }) => countOf(to)));
  const stopped = await fixture.run(SEND, items, RETRY);
  expect(stopped).toMatchObject({ status: 'error', error: { context: { itemIndex: 24 } } });
  expect(await counts()).toEqual(items.map((_item, n) => (n < 24 ? 1 : 0)));

  const continued = await fixture.run(SEND, items.slice(24), { ...RETRY, onError: 'continueErrorOutput' });
  expect(outputOf(continued, 0).map(({ pairedItem }) => pairedItem.item)).toEqual(items.slice(25).map((_, n) => n + 1));
  expect(outputOf(continued, 1)).toMatchObject([{ json: { to: 'nobody' }, pairedItem: { item: 0 } }]);
  expect(await counts()).toEqual(items.map((_item, n) => (n === 24 ? 0 : 1)));
});

it('if Passbell fails in the middle of a list, the items without a reply fail, and say that they may have been sent', async () => {
  const items = Array.from({ length: 6 }, () => ({ to: freshPhone() }));
  let replies = 0;
  const forwarder = await startForwarder(fixture.passbell.url, () => ++replies > 3);
  const as = { ...fixture.credentials, baseUrl: forwarder.url };
  const result = await fixture.runAs(as, SEND, items, { ...NEWEST, onError: 'continueErrorOutput' });
  forwarder.close();
  expect(outputOf(result, 0).map(({ pairedItem }) => pairedItem.item)).toEqual([0, 1, 2]);
  const failed = outputOf(result, 1);
  expect(failed.map(({ pairedItem }) => pairedItem.item)).toEqual([3, 4, 5]);
  for (const { json } of failed) expect(json.message).toContain('may have been sent');
});
