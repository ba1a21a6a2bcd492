/** The Zapier app sends nothing twice when Zapier repeats a run. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { createTestClock } from '../support/clock.js';
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { connect, type Action } from '../support/zapier.js';

let passbell: TestService;
let shop: ReturnType<typeof connect>;
beforeAll(async () => {
  // The app compares the time of earlier messages with the system clock.
  passbell = await startService({}, { clock: createTestClock(Math.floor(Date.now() / 1000) * 1000) });
  shop = connect(passbell.url, await passbell.application(NO_LIMITS));
});
afterAll(() => passbell.stop());

const SENDS: [Action, object][] = [
  ['send_otp', { reference: 'order A-1001' }],
  ['order_notification', { templateType: 'order_shipped', orderId: 'A-1001' }],
  ['invoice_notification', { templateType: 'invoice_paid', invoiceNumber: '17' }],
];

describe.each(SENDS)('%s', (action, inputs) => {
  const messageCount = async (to: string): Promise<number> => (await passbell.inbox(to)).length;

  it('sends one message for a repeated run, even hours later, and returns the same output', async () => {
    const to = freshPhone();
    const first: Body = await shop.act(action, { to, ...inputs });
    passbell.clock.advance(3 * 3_600_000);
    const repeated = { ...first, alreadySent: true };
    expect(first.alreadySent).toBe(false);
    expect(await shop.act(action, { to, ...inputs })).toEqual(repeated);
    expect(await shop.act(action, { language: '', channel: null, ...inputs, to })).toEqual(repeated);
    expect(await messageCount(to)).toBe(1);
  });

  it('sends one message for parallel repetitions of a run', async () => {
    const to = freshPhone();
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => shop.act(action, { to, ...inputs })));
    const rejections = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    // Repetitions while the first run is in flight are retried later.
    for (const { reason } of rejections) expect(reason.name).toBe('ThrottledError');
    expect(rejections.length).toBeLessThan(8);
    expect(await messageCount(to)).toBe(1);
  });

  it('sends another message for another run, Zap, recipient or content', async () => {
    const to = freshPhone();
    await shop.act(action, { to, ...inputs });
    await shop.act(action, { to, ...inputs, reference: 'another one' });
    await shop.act(action, { to, ...inputs, language: 'de' });
    await shop.act(action, { to, ...inputs }, { meta: { zap: { id: '42' } } });
    expect(await messageCount(to)).toBe(4);
    const other = freshPhone();
    await shop.act(action, { ...inputs, to: other });
    expect(await messageCount(other)).toBe(1);
  });

  it('sends a daily message even if it is a few seconds early, unless it has a Reference', async () => {
    const to = freshPhone();
    const { maskId }: Body = await shop.act(action, { to, ...inputs });
    const db = passbell.openDatabase();
    const { id, reply } = await db('idempotency_keys').where('reply', 'like', `%${maskId}%`).first();
    const yesterday = Math.floor(Date.now() / 1000) - 86_390;
    const earlier = reply.replace(/("createdTime":)\d+/, `$1${yesterday}`);
    await db('idempotency_keys').where({ id }).update({ reply: earlier });
    await db.destroy();
    const hasReference = 'reference' in inputs;
    for (const alreadySent of [hasReference, true])
      expect(await shop.act(action, { to, ...inputs })).toMatchObject({ alreadySent });
    expect(await messageCount(to)).toBe(hasReference ? 1 : 2);
  });

  it('sends a new message for every test in the editor', async () => {
    const to = freshPhone();
    for (let i = 0; i < 2; i++) await shop.act(action, { to, ...inputs }, { meta: { isLoadingSample: true } });
    expect(await messageCount(to)).toBe(2);
  });

  it('sends again after a failed run', async () => {
    const to = freshPhone();
    const keys = await passbell.application({ ...NO_LIMITS, status: 'inactive' });
    const client = connect(passbell.url, keys);
    expect(await client.actError(action, { to, ...inputs })).toMatchObject({ code: 'APPLICATION_INACTIVE' });
    await passbell.core.applications.service.update(OPERATOR, keys.appKey, { status: 'active' });
    expect(await client.act(action, { to, ...inputs })).toMatchObject({ isSent: 1 });
    expect(await messageCount(to)).toBe(1);
  });
});
