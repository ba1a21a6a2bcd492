/** Operations of the n8n node that return several items, against the running service. */
import { freshMail, freshPhone, NO_LIMITS, type Body } from '../../support/service.js';
import { outputOf, startFixture, type Credentials, type Fixture } from './engine.js';

let fixture: Fixture;
beforeAll(async () => void (fixture = await startFixture()));
afterAll(() => fixture.stop());

const newApplication = async (): Promise<Credentials> => ({
  ...(await fixture.passbell.application(NO_LIMITS)),
  baseUrl: fixture.passbell.url,
});
const ORDER = {
  resource: 'notification',
  operation: 'sendOrder',
  templateType: 'order_shipped',
  orderId: 'A-1',
  to: '={{ $json.to }}',
};

async function run(credentials: Credentials, parameters: object, item: Body = {}, settings: object = {}) {
  const result = await fixture.runAs(credentials, parameters, [item], settings);
  return { result, items: outputOf(result).map(({ json }) => json) };
}

it('Send Order Notification sends to several recipients, with one item each', async () => {
  const own = await newApplication();
  const one = freshPhone();
  const two = freshMail();
  const { items } = await run(own, ORDER, { to: `${one}, ${two}\n${one}` });
  expect(items).toMatchObject([{ channel: 'SMS' }, { channel: 'EMAIL' }]);
  expect(items[0]).not.toHaveProperty('maskId');
  for (const to of [one, two]) expect(await fixture.passbell.inbox(to)).toHaveLength(1);
});

it('Send Order Notification stops at a failed recipient, or continues with the others', async () => {
  const own = await newApplication();
  const one = freshPhone();
  const two = freshPhone();
  const { result } = await run(own, ORDER, { to: [one, 'nobody', two] });
  expect(result).toMatchObject({ status: 'error', error: { description: expect.stringContaining('nobody') } });
  expect(await fixture.passbell.inbox(two)).toEqual([]);
  const three = freshPhone();
  const four = freshPhone();
  const settings = { onError: 'continueRegularOutput' };
  const { items } = await run(own, ORDER, { to: [three, 'nobody', four] }, settings);
  const details = { code: 'INVALID_RECIPIENT', to: 'nobody' };
  expect(items).toMatchObject([{ channel: 'SMS' }, { error: 'invalid recipient', details }, { channel: 'SMS' }]);
  expect(await fixture.passbell.inbox(four)).toHaveLength(1);
});

it('Get Many lists messages, newest first, with filters', async () => {
  const own = await newApplication();
  const phone = freshPhone();
  await run(own, ORDER, { to: phone });
  fixture.passbell.clock.advance(1000);
  await run(own, ORDER, { to: freshMail() });
  const list = async (filters: object, limit = 50) =>
    (await run(own, { resource: 'message', operation: 'getAll', limit, filters })).items;
  const all = await list({});
  expect(all).toMatchObject([
    { channel: 'EMAIL', state: 'sent' },
    { channel: 'SMS', template: 'order_shipped' },
  ]);
  expect(await list({}, 1)).toEqual([all[0]]);
  expect(await list({ after: all[0]!.messageId })).toEqual([all[1]]);
  for (const filters of [{ to: phone }, { authWay: 'SMS' }]) expect(await list(filters)).toEqual([all[1]]);
  expect(await list({ state: 'failed' })).toEqual([]);
});

it('Usage: Get returns counts by day and channel', async () => {
  const own = await newApplication();
  const from = new Date(fixture.passbell.clock.now()).toISOString();
  const day = from.slice(0, 10);
  const db = fixture.passbell.openDatabase();
  const { id } = await db('applications').where({ app_key: own.appKey }).first();
  await db('usage_counts').insert({
    application_id: id,
    day,
    channel: 'SMS',
    country: 'US',
    currency: 'usd',
    sent: 1,
    cost: 75,
    delivered: 0,
    undelivered: 0,
    failed: 0,
    codes: 0,
    verified: 0,
  });
  await db.destroy();
  const usage = { resource: 'usage', operation: 'getUsage' };
  const expected = [{ channel: 'SMS', day, sent: 1, failed: 0, charge: '0.0075', currency: 'usd' }];
  expect((await run(own, usage)).items).toMatchObject(expected);
  expect((await run(own, { ...usage, from, until: from })).items).toMatchObject(expected);
  expect((await run(own, { ...usage, from: '2020-01-01', until: '2020-01-31' })).items).toEqual([]);
});
