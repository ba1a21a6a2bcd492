/** The automations pages: fields, preview, test, rights, erasure and secrets. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { DAY, HOUR, MINUTE } from '../../backend/src/platform/clock.js';
import { random } from '../../backend/src/platform/crypto.js';
import { maskRecipient } from '../../backend/src/modules/recipients/recipient.js';
import { hiddenFields, signIn, type Visitor } from '../support/dashboard.js';
import { formsOf } from '../support/forms.js';
import { freshPhone, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { freshOrder, wooOrder, wooRequest } from '../support/shop-events.js';
import { createShops, type Shop } from '../support/shops.js';
import { advancing, until } from '../support/wait.js';

let passbell: TestService;
let owner: Visitor;
let keys: KeyPair;
let shops: ReturnType<typeof createShops>;
async function startSession(): Promise<void> {
  owner = await signIn(passbell);
  shops = createShops(passbell, owner);
}
beforeAll(async () => {
  passbell = await startService();
  await startSession();
});
afterAll(() => passbell.stop());
beforeEach(async () => void (keys = await passbell.application(NO_LIMITS)));

const now = () => passbell.clock.now();
const iso = (ms: number) => new Date(ms).toISOString().slice(0, 19);

it('the page of an automation works without JavaScript: fields, preview, test and switch', async () => {
  const shop = await shops.connect(keys, 'woocommerce');
  const page = await shops.automate(shop, 'fulfilled', {}, false);
  const empty = (await owner.get(page)).html;
  expect(empty).toContain('No event was received in the last three days.');
  // The example has made-up values.
  expect(empty).toMatch(/class="bubble">[^<]*A-1001/);
  const list = async () => (await owner.get(`/applications/${keys.appKey}/automations`)).html.replace(/<[^>]+>/g, ' ');
  expect(await list()).toMatch(/1 off\s+No automation is on\s+Never\s/);
  const id = freshOrder();
  await shops.post(shop, shops.woo(shop, id, { status: 'completed', date_completed_gmt: iso(now()) }));
  await shops.handled(shop);
  expect(await list()).toMatch(/1 off\s+No automation is on\s+Not sent\s+\w{3} \d\d?, \d\d:\d\d UTC/);
  const { html } = await owner.get(page);
  expect(html).toMatch(/data-insert="billing.first_name"/);
  // Recipients are masked, as on other pages.
  expect(html).toContain(`<strong>${maskRecipient(shop.phone)}</strong>`);
  expect(html).not.toContain(shop.phone);
  expect(html).toMatch(/id="value-country"><strong>United States</);
  expect(html).toContain('data-insert="line_items[0].sku"');
  // A click on a value submits the form, which shows the draft.
  const draft = { to: '{{ billing.phone }}', orderId: '', trackingNo: 'x', channel: 'SMS', 'sample-into': 'orderId' };
  const inserted = await owner.submit(page, page, { ...draft, insert: 'order_key' });
  expect([inserted.status, inserted.html]).toEqual([200, expect.stringContaining('value="{{ order_key }}"')]);
  expect(inserted.html).toContain('wc_order_Kx9');
  const wrong = await owner.submit(page, page, { ...draft, trackingNo: '{{ number | reverse' });
  expect([wrong.status, wrong.html]).toEqual([422, expect.stringContaining('Fill in “Order ID”')]);
  expect(wrong.html).toContain('“Tracking number” is not valid. A “{{” is not closed: write “}}” after the variable.');
  await owner.submit(page, page, { ...draft, orderId: 'N-{{ number }}', 'sample-into': '' });
  const opened = hiddenFields(html, `/dashboard${page}`);
  const late = await owner.post(page, { ...opened, ...draft, insert: 'order_key' });
  expect(hiddenFields(late.html, `/dashboard${page}`).version).toBe(opened.version);
  const stale = await owner.post(page, { token: tokenOn(html), version: 'old', ...draft, orderId: 'Z' });
  expect([stale.status, stale.html]).toEqual([422, expect.stringContaining('Someone else changed this automation')]);
  const mine = freshPhone();
  const test = await owner.submit(page, `${page}/test`, { phone: mine });
  expect((await owner.follow(test)).html).toContain('The test was sent.');
  expect(await shops.textsTo(mine)).toEqual([expect.stringContaining(`N-${id}`)]);
  expect(await shops.textsTo(shop.phone)).toEqual([]);
  expect((await owner.submit(page, `${page}/test`, { phone: '' })).html).toContain('Enter your phone number');
  expect((await owner.get(page)).html).toContain('The test is sent by SMS.');
  await owner.submit(page, page, { ...draft, orderId: 'N-{{ number }}', channel: '' });
  const update = passbell.core.applications.service.update;
  await update(OPERATOR, keys.appKey, { settings: { channels: ['VOICE', 'SMS'] } });
  expect((await owner.get(page)).html).toContain('The test is sent by voice call.');
  await update(OPERATOR, keys.appKey, { settings: { channels: [] } });
  await owner.submit(page, page, { ...draft, orderId: 'N-{{ number }}', enabled: 'yes' });
  expect(await list()).toMatch(/1 on\s+Active/);
  await owner.submit(page, `${page}/off`);
  expect(await list()).toMatch(/1 off\s+No automation is on/);
  for (const text of ['connected a shop to', 'added an automation to', 'changed an automation of'])
    expect((await owner.get('/audit')).html).toContain(text);
  const saved = (await owner.get('/audit?action=automation.change')).html.replace(/<[^>]+>/g, ' ');
  expect(saved).toMatch(/Order ID: +\{\{ number \}\} +→ +N-\{\{ number \}\}/);
});

it('the list and the page of a shop show whether its last event was sent', async () => {
  const shop = await shops.connect(keys, 'woocommerce');
  // The address of the test service is on this computer, so that no shop could reach it.
  const warning = 'A shop can usually connect only to a public HTTPS address';
  expect((await owner.get(shop.path)).html).toContain(warning);
  await shops.automate(shop, 'paid');
  const list = async () => (await owner.get(`/applications/${keys.appKey}/automations`)).html.replace(/<[^>]+>/g, ' ');
  const pay = (to: Shop) => shops.post(shop, shops.woo(to, freshOrder(), { date_paid_gmt: iso(now()) }));
  await pay(shop);
  await shops.handled(shop);
  expect(await list()).toMatch(/shop\.example\s+WooCommerce, connected [^<]* 1 on\s+Active\s+Sent/);
  const { html } = await owner.get(shop.path);
  const unsigned = shops.woo({ ...shop, secret: 'wrong' }, freshOrder());
  const headers = { ...unsigned.headers, 'X-WC-Webhook-Source': 'https://other.example' };
  expect((await shops.post(shop, { ...unsigned, headers })).status).toBe(401);
  expect(await list()).not.toContain('other.example');
  expect(html).not.toContain(warning);
  expect(html).toContain('Disconnect this WooCommerce shop?');
  await pay({ ...shop, phone: '' });
  await shops.handled(shop);
  expect(await list()).toMatch(/1 on\s+Last event failed\s+Not sent/);
});

it('Templates shows which texts an automation sends', async () => {
  const shop = await shops.connect(keys, 'woocommerce');
  const template = async () => {
    const { html } = await owner.get(`/applications/${keys.appKey}/templates`);
    return /Payment received<\/a>.*?<\/li>/.exec(html)![0];
  };
  expect(await template()).not.toContain('Automation');
  const path = await shops.automate(shop, 'paid', {}, false);
  expect(await template()).toContain(`<a class="badge neutral" href="/dashboard${path}">Automation off</a>`);
  await shops.turnOn(path);
  expect(await template()).toContain(`">Automation on</a>`);
});

it('asks before an automation sends the same message a second time', async () => {
  const shop = await shops.connect(keys, 'woocommerce');
  const page = await shops.automate(shop, 'paid', {}, false);
  const add = (fields: object) =>
    owner.submit(shop.path, `${shop.path}/add`, { event: 'paid', template: '', channel: 'SMS', ...fields });
  const repeated = await add({});
  expect([repeated.status, repeated.html]).toEqual([422, expect.stringContaining('a customer can get two messages')]);
  expect((await add({ channel: '' })).status).toBe(422);
  for (const other of [{ channel: 'EMAIL' }, { event: 'created' }, { confirmed: 'yes' }])
    expect((await add(other)).status).toBe(303);
  const form = formsOf((await owner.get(page)).html).find(({ path }) => path === page)!;
  const save = (fields: object) => owner.post(page, { ...form.fields, ...fields });
  expect((await save({})).status).toBe(303);
  expect((await save({ channel: 'EMAIL' })).html).toContain('a customer can get two messages');
  expect((await save({ channel: 'EMAIL', confirmed: 'yes' })).status).toBe(303);
});

it('refuses to turn on an automation that could not send the last event', async () => {
  const shop = await shops.connect(keys, 'woocommerce');
  const page = await shops.automate(shop, 'paid', {}, false);
  const order = wooOrder(freshOrder(), now(), { date_paid_gmt: iso(now()) });
  await shops.post(shop, wooRequest(shop.secret, order));
  await shops.handled(shop);
  const form = formsOf((await owner.get(page)).html).find(({ path }) => path === page)!;
  const save = async (fields: object) => {
    const { version } = formsOf((await owner.get(page)).html).find(({ path }) => path === page)!.fields;
    const { status, html } = await owner.post(page, { ...form.fields, version: version!, enabled: 'yes', ...fields });
    return [status, html.replace(/<[^>]+>/g, ' ')];
  };
  const isRefused = (problem: string) => [422, expect.stringContaining(problem)];
  const noName = 'The event has no value named nope.nope.';
  expect(await save({ orderId: '{{ nope.nope }}' })).toEqual(isRefused(noName));
  expect(await save({ orderId: '{{ customer_note }}' })).toEqual(isRefused('“Order ID” is empty in the last event.'));
  const custom = { channel: 'EMAIL', to: '+{{ billing.phone }}' };
  const noEmail = 'This automation sends emails, but the recipient is a phone number.';
  expect(await save(custom)).toEqual(isRefused(noEmail));
  // It can be saved while it is off. Fields that are not required can be empty.
  expect((await save({ orderId: '{{ nope.nope }}', enabled: '' }))[0]).toBe(303);
  const draft = (await owner.get(page)).html;
  for (const text of [noName, 'The last event would not send a message.']) expect(draft).toContain(text);
  expect((await save({ customerName: '{{ nope.nope }}', to: '{{ customer_note }}' }))[0]).toBe(303);
  expect((await owner.get(page)).html).toContain('Events without a recipient send nothing.');
  expect(await save(custom)).toEqual(isRefused(noEmail));
  // The shop's phone number is replaced by its email address, and the other way around.
  expect((await save({ channel: 'EMAIL' }))[0]).toBe(303);
  const { html } = await owner.get(page);
  expect(html).toMatch(/class="mail-subject">[^<]*\d/);
  expect(html).toContain("from the shop's “billing email”");
  expect((await save({ channel: 'SMS', to: '{{ billing.email }}' }))[0]).toBe(303);
  expect((await owner.get(page)).html).toContain("from the shop's “billing phone” or “shipping phone”");
});

const tokenOn = (html: string): string => /name="token" value="([^"]+)"/.exec(html)![1]!;

it('only owners see addresses, values and the log', async () => {
  const shop = await shops.connect(keys, 'woocommerce');
  const page = await shops.automate(shop, 'paid');
  const member = await signIn(passbell, 'member');
  const { html } = await member.get(`/applications/${keys.appKey}/automations`);
  expect(html).toContain('WooCommerce');
  expect(html).not.toContain('Connect a shop');
  for (const path of [shop.path, page]) expect((await member.get(path)).status).toBe(403);
  const outsider = await signIn(passbell, 'owner', { account: 'other@example.com' });
  const foreign = await passbell.application();
  for (const path of [shop.path, page]) {
    expect((await outsider.get(path)).status).toBe(404);
    // The application belongs to the owner, but the hook belongs to another application.
    expect((await owner.get(path.replace(keys.appKey, foreign.appKey))).status).toBe(404);
  }
});

it('erases the samples of a recipient, and deletes contents, events and hooks', async () => {
  const shop = await shops.connect(keys, 'woocommerce');
  await shops.automate(shop, 'paid', {}, false);
  const db = passbell.openDatabase();
  const stored = async () => (await db('incoming_events').whereNotNull('body_sealed').pluck('reference')) as string[];
  const national = { ...shop, phone: shop.phone.replace('+1', '(0) ') };
  const first = freshOrder();
  const second = freshOrder();
  const third = freshOrder();
  await shops.post(shop, shops.woo(national, first, { date_paid_gmt: iso(now()) }));
  await shops.post(shop, shops.woo(national, second, { date_paid_gmt: iso(now()) }));
  await shops.handled(shop);
  // Only the newest event of each kind is kept as a sample.
  expect(await stored()).not.toContain(String(first));
  expect(await stored()).toContain(String(second));
  const rows = (await db('incoming_events')).map((row) => ({ ...row, body_sealed: '' }));
  expect(JSON.stringify(rows)).not.toMatch(/Ines|4155550|54\.80/);
  const application = (await passbell.core.applications.service.find(keys.appKey))!;
  const { erased } = (await passbell.core.erasure.service.erase(OPERATOR, [application], shop.phone))!;
  expect(erased.shopEvents).toBe(1);
  expect(await stored()).not.toContain(String(second));
  await shops.post(shop, shops.woo({ ...shop, phone: freshPhone() }, third, { date_paid_gmt: iso(now()) }));
  await shops.handled(shop);
  const erase = async () =>
    (await passbell.core.erasure.service.erase(OPERATOR, [application], shop.phone))!.erased.shopEvents;
  // The content of an event that Passbell does not use is not stored.
  await shops.post(shop, shops.woo(national, freshOrder(), {}, 'product.updated'));
  expect(await erase()).toBe(0);
  // Also erases events that wait to be handled, and contents that cannot be opened.
  await shops.post(shop, shops.woo(national, freshOrder(), { date_paid_gmt: iso(now()) }));
  expect(await erase()).toBe(1);
  await shops.post(shop, shops.woo({ ...shop, phone: freshPhone() }, freshOrder(), { date_paid_gmt: iso(now()) }));
  await db('incoming_events').whereNotNull('due_at').update({ body_sealed: 'sealed with a lost key' });
  expect(await erase()).toBe(1);
  await until(
    'the clean-up',
    async () => !(await stored()).includes(String(third)),
    advancing(passbell.clock, 6 * HOUR),
  );
  expect(await db('incoming_events').where({ reference: String(third) })).toHaveLength(1);
  await db('incoming_events').update({ received_at: now() - 15 * DAY });
  const logged = () => db('incoming_events').where({ application_id: application.id }).first('id');
  await until('the end of the log', async () => !(await logged()), advancing(passbell.clock, 6 * HOUR));
  // The session has expired in the meantime.
  await startSession();
  await owner.submit(shop.path, `${shop.path}/remove`);
  expect((await shops.post(shop, shops.woo(shop, freshOrder()))).status).toBe(404);
  for (const table of ['incoming_hooks', 'automations', 'incoming_events', 'handled_events'])
    expect(await db(table).where({ application_id: application.id })).toEqual([]);
  await db.destroy();
});

it('accepts long ids, and limits the stored samples, the log and the waiting events', async () => {
  const shop = await shops.connect(keys, 'json');
  const headers = { Authorization: `Bearer ${shop.secret}` };
  for (let n = 0; n < 22; n++) {
    const body = JSON.stringify({ event: `parcel.${n}`, id: `${n}-${'x'.repeat(100_000)}`, to: shop.phone });
    expect((await shops.post(shop, { headers, body })).status).toBe(200);
  }
  await shops.handled(shop);
  const db = passbell.openDatabase();
  const hook = await db('incoming_hooks')
    .where({ hook_id: shop.path.split('/').at(-1)! })
    .first();
  const events = () => db('incoming_events').where({ hook_id: hook.id });
  const rows: Record<string, unknown>[] = await events();
  expect(rows.filter((row) => row.body_sealed !== null)).toHaveLength(20);
  // MySQL stores at most 65,535 bytes in this column.
  expect(Math.max(...rows.map((row) => String(row.delivery).length))).toBeLessThan(1000);
  // The log has at most 500 events, and at most 2000 events wait to be handled.
  // Without an id, so that the database assigns one.
  const row = { ...rows[0], id: undefined, body_sealed: null };
  const insert = (count: number, change: object) => {
    const copies = Array.from({ length: count }, () => ({ ...row, ...change, delivery_key: random.hex(16) }));
    return db.batchInsert('incoming_events', copies, 50);
  };
  await insert(490, {});
  // However far the clock advances until the clean-up has run, the events are not too old for the log.
  await events().update({ received_at: now() + 1000 * DAY });
  await until('the newest events', async () => (await events()).length === 500, advancing(passbell.clock, 6 * HOUR));
  await insert(2000, { due_at: now() + DAY });
  expect((await shops.post(shop, { headers, body: '{}' })).status).toBe(429);
  await events().delete();
  await db.destroy();
  await startSession();
});

it('accepts at most 600 requests of a shop in a minute', async () => {
  const shop = await shops.connect(keys, 'json');
  const headers = { Authorization: `Bearer ${shop.secret}` };
  const post = async () => (await shops.post(shop, { headers, body: '{"event": "parcel", "id": "1"}' })).status;
  for (let round = 0; round < 12; round++)
    expect(new Set(await Promise.all(Array.from({ length: 50 }, post)))).toEqual(new Set([200]));
  expect(await post()).toBe(429);
  passbell.clock.advance(MINUTE);
  expect(await post()).toBe(200);
});

it('changes the secret, and reseals it with the newest key', async () => {
  const shop = await shops.connect(keys, 'woocommerce');
  const short = await owner.submit(shop.path, `${shop.path}/secret`, { 'secret-hook': 'short' });
  expect([short.status, short.html]).toEqual([422, expect.stringContaining('at least 16 characters')]);
  expect(short.html).not.toContain('The automation was not added.');
  const secret = 'pasted from the other shop';
  await owner.submit(shop.path, `${shop.path}/secret`, { 'secret-hook': secret });
  expect((await owner.get(shop.path)).html).toContain('change the secret below');
  expect((await shops.post(shop, shops.woo(shop, freshOrder()))).status).toBe(401);
  expect((await shops.post({ ...shop, secret }, shops.woo({ ...shop, secret }, freshOrder()))).status).toBe(200);
  expect(await passbell.core.automations.service.reseal()).toBe(0);
});

it('parallel forms do not exceed the number of shops and automations', async () => {
  const { automations, applications } = passbell.core;
  const application = (await applications.service.find(keys.appKey))!;
  const inParallel = (count: number, create: () => Promise<unknown>) =>
    Promise.allSettled(Array.from({ length: count }, create));
  await inParallel(12, () => automations.service.connect(OPERATOR, application, 'json'));
  const hooks = await automations.service.list(application);
  expect(hooks).toHaveLength(10);
  const automation = { event: 'parcel.ready', template: 'order_update', channel: null } as const;
  await inParallel(23, () => automations.service.create(OPERATOR, application, hooks[0]!, automation));
  expect(await automations.service.automations(hooks[0]!)).toHaveLength(20);
});
