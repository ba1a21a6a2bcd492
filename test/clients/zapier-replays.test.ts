/** The Zapier app texts nobody twice when Zapier repeats a run. */
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { connect, type Action } from '../support/zapier.js';

let passbell: TestService;
let shop: ReturnType<typeof connect>;
beforeAll(async () => {
  passbell = await startService();
  shop = connect(passbell.url, await passbell.application(NO_LIMITS));
});
afterAll(() => passbell.stop());

const SENDS: [Action, object][] = [
  ['send_otp', { reference: 'order A-1001' }],
  ['order_notification', { templateType: 'order_shipped', orderId: 'A-1001' }],
  ['invoice_notification', { templateType: 'invoice_paid', invoiceNumber: '17' }],
];

describe.each(SENDS)('%s', (action, inputs) => {
  const sends = async (to: string): Promise<number> => (await passbell.inbox(to)).length;

  it('of the same run is one message, also hours later, and the same output', async () => {
    const to = freshPhone();
    const first: Body = await shop.act(action, { to, ...inputs });
    passbell.clock.advance(3 * 3_600_000);
    expect(await shop.act(action, { to, ...inputs })).toEqual(first);
    expect(await shop.act(action, { language: '', channel: null, ...inputs, to })).toEqual(first);
    expect(await sends(to)).toBe(1);
  });

  it('of the same run many times at once is one message', async () => {
    const to = freshPhone();
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => shop.act(action, { to, ...inputs })));
    const refusals = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    // Who comes while the first one is in flight is asked to come again.
    for (const { reason } of refusals) expect(reason.name).toBe('ThrottledError');
    expect(refusals.length).toBeLessThan(8);
    expect(await sends(to)).toBe(1);
  });

  it('of another run, Zap, recipient or content is another message', async () => {
    const to = freshPhone();
    await shop.act(action, { to, ...inputs });
    await shop.act(action, { to, ...inputs, reference: 'another one' });
    await shop.act(action, { to, ...inputs, language: 'de' });
    await shop.act(action, { to, ...inputs }, { meta: { zap: { id: '42' } } });
    expect(await sends(to)).toBe(4);
    const other = freshPhone();
    await shop.act(action, { ...inputs, to: other });
    expect(await sends(other)).toBe(1);
  });

  it('in the editor is a new message at every click', async () => {
    const to = freshPhone();
    for (let i = 0; i < 2; i++) await shop.act(action, { to, ...inputs }, { meta: { isLoadingSample: true } });
    expect(await sends(to)).toBe(2);
  });

  it('after a refusal is the first message', async () => {
    const to = freshPhone();
    const keys = await passbell.application({ ...NO_LIMITS, status: 'inactive' });
    const client = connect(passbell.url, keys);
    expect(await client.refused(action, { to, ...inputs })).toMatchObject({ code: 'APPLICATION_INACTIVE' });
    await passbell.service.applications.update(keys.appKey, { status: 'active' });
    expect(await client.act(action, { to, ...inputs })).toMatchObject({ isSent: 1 });
    expect(await sends(to)).toBe(1);
  });
});
