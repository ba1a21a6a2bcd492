/** Shop events: signatures, repeated and late deliveries, and the reasons why nothing is sent. */
import { createHmac } from 'node:crypto';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { DAY, HOUR, MINUTE, SECOND } from '../../backend/src/platform/clock.js';
import { localText } from '../../backend/src/platform/local-time.js';
import { signIn, type Visitor } from '../support/dashboard.js';
import { NO_LIMITS, startService, type TestService } from '../support/service.js';
import { freshOrder, shopifyOrder, shopifyRequest, standardHeaders } from '../support/shop-events.js';
import { createShops } from '../support/shops.js';
import { advancing, until } from '../support/wait.js';

let passbell: TestService;
let owner: Visitor;
let keys: KeyPair;
let shops: ReturnType<typeof createShops>;
beforeAll(async () => {
  passbell = await startService();
  owner = await signIn(passbell);
  shops = createShops(passbell, owner);
});
afterAll(() => passbell.stop());
beforeEach(async () => void (keys = await passbell.application(NO_LIMITS)));

const now = () => passbell.clock.now();
const iso = (ms: number) => new Date(ms).toISOString().slice(0, 19);

it('sends an SMS for a paid order of WooCommerce', async () => {
  const shop = await shops.connect(keys, 'woocommerce');
  await shops.automate(shop, 'paid');
  const id = freshOrder();
  // Written as in its own country.
  const national = { ...shop, phone: shop.phone.replace('+1', '') };
  const reply = await shops.post(shop, shops.woo(national, id, { date_paid_gmt: iso(now()) }));
  expect(reply).toMatchObject({ status: 200, message: 'event received' });
  expect(await shops.handled(shop)).toContain('Sent Order paid: template “Payment received”. Show the message');
  expect(await shops.textsTo(shop.phone)).toEqual([expect.stringContaining(`${id}`)]);
});

it('rejects wrong signatures, and shows them on the page', async () => {
  const shop = await shops.connect(keys, 'woocommerce');
  const other = await shops.connect(keys, 'shopify');
  await shops.automate(shop, 'paid');
  const order = shops.woo(shop, freshOrder(), { date_paid_gmt: iso(now()) });
  const changed = { ...order, body: order.body.replace('"currency":"EUR"', '"currency":"USD"') };
  const unsigned = { ...order, headers: { 'X-WC-Webhook-Topic': 'order.updated' } };
  const foreign = shops.woo({ ...shop, secret: other.secret }, freshOrder(), { date_paid_gmt: iso(now()) });
  for (const request of [changed, unsigned, foreign]) expect((await shops.post(shop, request)).status).toBe(401);
  const shopify = shopifyRequest('wrong', shopifyOrder(freshOrder(), now()), 'orders/paid', now());
  expect((await shops.post(other, shopify)).status).toBe(401);
  const { html } = await owner.get(shop.path);
  expect(html).toContain('The signature is missing or wrong.');
  expect(html).toContain('No events received yet.');
  expect((await shops.post({ ...shop, path: '/unknown' }, order)).status).toBe(404);
  expect(await shops.textsTo(shop.phone)).toEqual([]);
});

it('sends one message for repeated and reordered deliveries of WooCommerce', async () => {
  const shop = await shops.connect(keys, 'woocommerce');
  for (const event of ['created', 'paid', 'fulfilled']) await shops.automate(shop, event);
  const id = freshOrder();
  const at = now();
  const paid = { date_paid_gmt: iso(at) };
  const completed = { ...paid, status: 'completed', date_completed_gmt: iso(at), date_modified_gmt: iso(at + MINUTE) };
  const requests = [
    shops.woo(shop, id, completed),
    shops.woo(shop, id, { ...paid, customer_note: 'Ring twice' }),
    shops.woo(shop, id, paid),
    shops.woo(shop, id, paid),
    shops.woo(shop, id, { status: 'pending' }, 'order.created'),
  ];
  const replies = [];
  for (const request of requests) replies.push((await shops.post(shop, request)).message);
  expect(replies[3]).toBe('this event was received before');
  const log = await shops.handled(shop);
  expect(log).toContain('An earlier delivery already reported this event.');
  const texts = await shops.textsTo(shop.phone);
  expect([texts.length, new Set(texts).size]).toEqual([3, 3]);
  expect(texts.at(-1)).toContain('is on its way');
  // Two orders within one second have the same delivery id.
  await Promise.all([
    shops.post(shop, shops.woo(shop, freshOrder(), paid)),
    shops.post(shop, shops.woo(shop, freshOrder(), paid)),
  ]);
  await shops.handled(shop);
  expect(await shops.textsTo(shop.phone)).toHaveLength(5);
});

it('sends one message for an event that is delivered several times at once', async () => {
  const shop = await shops.connect(keys, 'woocommerce');
  await shops.automate(shop, 'paid');
  const id = freshOrder();
  const paid = { date_paid_gmt: iso(now()) };
  const notes = ['a', 'a', 'a', 'b', 'c', 'd'];
  const requests = notes.map((note) => shops.woo(shop, id, { ...paid, customer_note: note }));
  const replies = await Promise.all(requests.map((request) => shops.post(shop, request)));
  expect(replies.filter(({ message }) => message === 'this event was received before')).toHaveLength(2);
  await shops.handled(shop);
  expect(await shops.textsTo(shop.phone)).toHaveLength(1);
});

it('sends no message for a past event, and no late message for a canceled order', async () => {
  const shop = await shops.connect(keys, 'woocommerce');
  for (const event of ['created', 'paid', 'cancelled', 'refunded']) await shops.automate(shop, event);
  const at = now();
  const id = freshOrder();
  await shops.post(shop, shops.woo(shop, freshOrder(), { date_paid_gmt: iso(at - 25 * HOUR) }));
  await shops.post(shop, shops.woo(shop, freshOrder(), { status: 'cancelled', date_created_gmt: iso(at - HOUR) }));
  await shops.post(
    shop,
    shops.woo(shop, freshOrder(), { date_paid_gmt: iso(at), date_created_gmt: iso(at - 181 * DAY) }),
  );
  expect(await shops.handled(shop)).toMatch(/older than 180 days.*older than this connection.*more than 24 hours ago/);
  await shops.post(shop, shops.woo(shop, id, { status: 'cancelled', date_modified_gmt: iso(at + MINUTE) }));
  await shops.handled(shop);
  await shops.post(shop, shops.woo(shop, id, { date_paid_gmt: iso(at) }));
  expect(await shops.handled(shop)).toContain('The order was canceled in the meantime.');
  expect(await shops.textsTo(shop.phone)).toEqual([expect.stringContaining('cancel')]);
  // The shop can continue with a canceled order.
  const resumed = freshOrder();
  await shops.post(shop, shops.woo(shop, resumed, { status: 'cancelled' }));
  await shops.post(shop, shops.woo(shop, resumed, { date_paid_gmt: iso(at), date_modified_gmt: iso(at + MINUTE) }));
  await shops.handled(shop);
  expect((await shops.textsTo(shop.phone)).at(-1)).toMatch(new RegExp(`received.*${resumed}`));
  // Each refund of an order is an event.
  const refunded = freshOrder();
  for (const refunds of [
    [{ id: 51, total: '-5.00' }],
    [
      { id: 52, total: '-7.00' },
      { id: 51, total: '-5.00' },
    ],
  ])
    await shops.post(shop, shops.woo(shop, refunded, { refunds }));
  await shops.handled(shop);
  const amounts = (await shops.textsTo(shop.phone)).flatMap((text) => /\d\.00/.exec(text) ?? []);
  expect(amounts.sort()).toEqual(['5.00', '7.00']);
});

it('sends the link to pay for an order that the shop has created', async () => {
  const shop = await shops.connect(keys, 'woocommerce');
  await shops.automate(shop, 'invoice', { template: 'invoice_generated' });
  const invoice = { status: 'pending', created_via: 'admin', needs_payment: true };
  await shops.post(shop, shops.woo(shop, freshOrder(), { ...invoice, created_via: 'checkout' }));
  const id = freshOrder();
  await shops.post(shop, shops.woo(shop, id, invoice));
  await shops.handled(shop);
  expect(await shops.textsTo(shop.phone)).toEqual([expect.stringContaining(`/order-pay/${id}/`)]);
});

it('accepts the unsigned request with which WooCommerce checks the address', async () => {
  const shop = await shops.connect(keys, 'woocommerce');
  expect((await shops.post(shop, { headers: {}, body: 'webhook_id=7' })).status).toBe(200);
  expect((await owner.get(shop.path)).html).toContain('No events received yet.');
});

it('sends the events of Shopify once, in the language of the customer', async () => {
  const shop = await shops.connect(keys, 'shopify');
  for (const event of ['created', 'paid', 'fulfilled', 'cancelled', 'refunded']) await shops.automate(shop, event);
  const id = freshOrder();
  const order = (change: object = {}) => shopifyOrder(id, now(), { phone: shop.phone, ...change });
  const request = (topic: string, change?: object, headers?: Record<string, string>) =>
    shopifyRequest(shop.secret, order(change), topic, now(), headers);
  const parcel = { id: 9, tracking_number: '00340434', tracking_url: 'https://track.example/00340434' };
  const fulfilled = request('orders/fulfilled', { fulfillments: [parcel] }, { webhookId: 'twice' });
  const refund = { id: 31, created_at: `${iso(now())}Z`, transactions: [{ amount: '12.00' }] };
  const test = { 'X-Shopify-Test': 'true' };
  for (const each of [
    fulfilled,
    request('orders/paid'),
    request('orders/create'),
    request('orders/cancelled', { id: freshOrder(), cancel_reason: 'customer' }),
    fulfilled,
    request('orders/updated', { refunds: [refund] }),
    request('orders/updated', { refunds: [refund], note: 'changed' }),
    shopifyRequest(shop.secret, { id: 31, order_id: id }, 'refunds/create', now()),
    shopifyRequest(shop.secret, shopifyOrder(freshOrder(), now(), { phone: shop.phone }), 'orders/paid', now(), test),
    shopifyRequest(shop.secret, { id: 1 }, 'products/update', now()),
  ])
    expect((await shops.post(shop, each)).status).toBe(200);
  const log = await shops.handled(shop);
  expect((await owner.get(shop.path)).html).toContain('<h1>scarves.myshopify.com</h1>');
  for (const text of ['Passbell does not use this event', 'test notification', 'contains no customer'])
    expect(log).toContain(text);
  const texts = await shops.textsTo(shop.phone);
  expect(texts).toHaveLength(5);
  for (const text of [/Bestellung/, /storniert/, /00340434/, /12[.,]00/]) expect(texts.join()).toMatch(text);
});

it('sends the events of other systems, with a secret or a signature', async () => {
  const shop = await shops.connect(keys, 'json');
  const update = { orderId: '{{ parcel["shelf no"] }}', updateMessage: '{{ text | upcase }}' };
  const page = await shops.automate(shop, 'parcel.ready', {}, false);
  const saved = await owner.submit(page, page, { to: '{{ to }}', ...update, channel: 'SMS' });
  expect((await owner.follow(saved)).html).toContain('New events use these fields.');
  await shops.turnOn(page);
  const event = { event: 'parcel.ready', id: 'p-1', to: shop.phone, text: 'ready', parcel: { 'shelf no': 'K7' } };
  const bearer = { Authorization: `Bearer ${shop.secret}` };
  const body = JSON.stringify(event);
  const signature = createHmac('sha256', shop.secret).update(body).digest('hex');
  expect((await shops.post(shop, { headers: bearer, body })).message).toBe('event received');
  const same = JSON.stringify({ ...event, text: 'again' });
  expect((await shops.post(shop, { headers: { ...bearer, 'Content-Type': 'text/plain' }, body: same })).status).toBe(
    200,
  );
  expect((await shops.post(shop, { headers: { 'X-Hub-Signature-256': `sha256=${signature}` }, body })).status).toBe(
    200,
  );
  expect((await shops.post(shop, { headers: { Authorization: `Bearer ${shop.secret}x` }, body })).status).toBe(401);
  expect((await shops.post(shop, { headers: bearer, body: '[1]' })).status).toBe(400);
  expect((await shops.post(shop, { headers: bearer, body: `{"a": "${'x'.repeat(1_100_000)}"}` })).status).toBe(413);
  await shops.handled(shop);
  const texts = await shops.textsTo(shop.phone);
  expect(texts).toEqual([expect.stringContaining('READY')]);
  expect(texts[0]).toContain('K7');
});

it('a recorded event of another system cannot be sent again with another id', async () => {
  const shop = await shops.connect(keys, 'json');
  const body = JSON.stringify({ event: 'parcel.ready' });
  const post = async (headers: Record<string, string>) => (await shops.post(shop, { headers, body })).message;
  const received = 'event received';
  const repeated = 'this event was received before';
  const rejected = 'the request was rejected';
  const hub = { 'X-Hub-Signature-256': `sha256=${createHmac('sha256', shop.secret).update(body).digest('hex')}` };
  expect([await post(hub), await post({ ...hub, 'Idempotency-Key': 'new' })]).toEqual([received, repeated]);
  const standard = standardHeaders(shop.secret, 'evt-1', now(), body);
  expect(await post(standard)).toBe(received);
  for (const more of [{ 'Idempotency-Key': 'new' }, hub]) expect(await post({ ...standard, ...more })).toBe(repeated);
  for (const wrong of [{ ...standard, 'webhook-id': 'new' }, { 'X-Hub-Signature-256': `sha256=${'0'.repeat(64)}` }])
    expect(await post(wrong)).toBe(rejected);
  passbell.clock.advance(6 * MINUTE);
  expect(await post(standard)).toBe(rejected);
});

it('rejects the events of a deleted application', async () => {
  const shop = await shops.connect(keys, 'woocommerce');
  await passbell.core.applications.service.remove(OPERATOR, keys.appKey);
  passbell.clock.advance(2 * SECOND);
  const reply = await shops.post(shop, shops.woo(shop, freshOrder(), { date_paid_gmt: iso(now()) }));
  expect(reply).toMatchObject({ status: 403, message: 'application was deleted' });
});

it('sends nothing for an event that was not handled within a day', async () => {
  const shop = await shops.connect(keys, 'woocommerce');
  await shops.automate(shop, 'paid');
  await shops.post(shop, shops.woo(shop, freshOrder(), { date_paid_gmt: iso(now()) }));
  const db = passbell.openDatabase();
  await db('incoming_events')
    .whereNotNull('due_at')
    .update({ received_at: now() - 25 * HOUR });
  await db.destroy();
  expect(await shops.handled(shop)).toContain('could not be processed within 24 hours');
  expect(await shops.textsTo(shop.phone)).toEqual([]);
});

it('logs why nothing was sent, and sends after the order was corrected', async () => {
  const shop = await shops.connect(keys, 'woocommerce');
  const page = await shops.automate(shop, 'paid');
  const id = freshOrder();
  const paid = { date_paid_gmt: iso(now()) };
  await shops.post(shop, shops.woo({ ...shop, phone: 'call me' }, id, paid));
  expect(await shops.handled(shop)).toContain(
    'Not sent Order paid: template “Payment received”. The recipient is not a valid phone',
  );
  await shops.post(shop, shops.woo({ ...shop, phone: '' }, freshOrder(), paid));
  expect(await shops.handled(shop)).toContain('contains no recipient');
  await shops.post(shop, shops.woo(shop, id, paid));
  await shops.handled(shop);
  expect(await shops.textsTo(shop.phone)).toHaveLength(1);
  await owner.submit(page, `${page}/off`);
  const second = shops.woo(shop, freshOrder(), paid);
  await shops.post(shop, second);
  expect(await shops.handled(shop)).toContain('The automation is turned off.');
  await shops.turnOn(page);
  await passbell.core.applications.service.update(OPERATOR, keys.appKey, { status: 'inactive' });
  passbell.clock.advance(2 * SECOND);
  expect((await shops.post(shop, shops.woo(shop, freshOrder(), paid))).status).toBe(200);
  expect(await shops.handled(shop)).toContain('application is inactive');
  await shops.post(shop, shops.woo(shop, freshOrder(), {}, 'product.updated'));
  await shops.post(shop, shops.woo(shop, freshOrder()));
  expect(await shops.handled(shop)).toMatch(/does not match any event.*“Order updated” only/);
  expect(await shops.textsTo(shop.phone)).toHaveLength(1);
});

it('logs that the recipient does not fit the channel', async () => {
  const shop = await shops.connect(keys, 'json');
  await shops.automate(shop, 'parcel', { channel: 'EMAIL' });
  const body = JSON.stringify({ event: 'parcel', id: '1', orderId: '1', to: shop.phone });
  await shops.post(shop, { headers: { Authorization: `Bearer ${shop.secret}` }, body });
  expect(await shops.handled(shop)).toContain(
    'This automation sends emails, but the recipient is a phone number. Change the “Recipient” field or the channel.',
  );
});

it('an event waits while a limit is reached, and survives a killed worker', async () => {
  await passbell.core.applications.service.update(OPERATOR, keys.appKey, { limits: { burstPerMinute: 1 } });
  const shop = await shops.connect(keys, 'woocommerce');
  await shops.automate(shop, 'paid');
  const paid = { date_paid_gmt: iso(now()) };
  await shops.post(shop, shops.woo(shop, freshOrder(), paid));
  await shops.handled(shop);
  await shops.post(shop, shops.woo(shop, freshOrder(), paid));
  const page = async () => (await owner.get(shop.path)).html;
  await until(
    'the limit',
    async () => (await page()).includes('The application sent too many messages at once.'),
    advancing(passbell.clock, 500),
  );
  expect(await shops.textsTo(shop.phone)).toHaveLength(1);
  // A worker that was killed leaves a claimed event behind, which is handled after the end of its lease.
  const db = passbell.openDatabase();
  await db('incoming_events')
    .whereNotNull('due_at')
    .update({ claim: 'killed', due_at: now() + 130 * SECOND });
  await db.destroy();
  await shops.handled(shop);
  expect(await shops.textsTo(shop.phone)).toHaveLength(2);
});

it('schedules messages in quiet hours, and replaces one when the order changes', async () => {
  const time = (offset: number) => localText(now() + offset * HOUR, 'America/New_York').slice(11);
  const settings = { quietHours: `${time(-2)}-${time(2)}` };
  const shop = await shops.connect(await passbell.application({ ...NO_LIMITS, settings }), 'woocommerce');
  await shops.automate(shop, 'paid', { template: 'order_confirmed' });
  await shops.automate(shop, 'fulfilled');
  const id = freshOrder();
  const paid = { date_paid_gmt: iso(now()) };
  const completed = { ...paid, status: 'completed', date_completed_gmt: iso(now()) };
  await shops.post(shop, shops.woo(shop, id, paid));
  expect(await shops.handled(shop)).toMatch(
    /Scheduled Order paid: template “Order confirmed”. For .+ Show the message/,
  );
  await shops.post(shop, shops.woo(shop, id, { ...completed, date_modified_gmt: iso(now() + MINUTE) }));
  expect(await shops.handled(shop)).toContain('Scheduled Order completed: template “Order shipped”');
  expect(await shops.textsTo(shop.phone)).toEqual([]);
  // Afterwards, the owner is no longer signed in.
  passbell.clock.advance(12 * HOUR);
  await until('the message', async () => {
    await passbell.core.messages.sweep();
    return (await shops.textsTo(shop.phone)).length > 0;
  });
  expect(await shops.textsTo(shop.phone)).toEqual([expect.stringContaining('is on its way')]);
});
