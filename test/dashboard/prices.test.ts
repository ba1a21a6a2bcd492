/** The price pages: the form, the import of a list, the currency, and read-only prices. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import type { ChannelName } from '../../backend/src/platform/contract/channels.js';
import { createVisitor, hiddenFields, signIn, type Fields, type Visitor } from '../support/dashboard.js';
import { startGatewayServer, type GatewayServer } from '../support/gateway-server.js';
import { accountOf, addGateway } from '../support/providers.js';
import { freshMail, startService, type TestService } from '../support/service.js';

const SMS = '/channels/prices/sms';

let passbell: TestService;
let gateway: GatewayServer;
let owner: Visitor;
beforeAll(async () => {
  [passbell, gateway] = [await startService(), await startGatewayServer()];
  await addGateway(passbell, 'Local SMS', gateway);
});
afterAll(async () => {
  await passbell.stop();
  await gateway.close();
});
beforeEach(async () => {
  owner = await signIn(passbell, 'owner', { email: freshMail() });
  const accountId = await accountOf(passbell);
  await passbell.core.providers.prices.set(OPERATOR, { accountId, channel: 'SMS', prices: {}, replace: true });
});

async function prices(channel: ChannelName = 'SMS') {
  const { channels } = await passbell.core.providers.prices.list(OPERATOR, await accountOf(passbell));
  return channels.find((candidate) => candidate.channel === channel)!.prices;
}
/** Returns the form's fields for prices by country, such as `IN = 0.0042`. */
function rowsOf(...lines: readonly string[]) {
  const rows = lines.map((line) => line.split(' = '));
  return { country: rows.map(([country]) => country!), countryPrice: rows.map(([, price]) => price!) };
}
const save = (fields: Fields, path = SMS) => owner.submit(path, path, fields);
const preview = (list: string, more: Fields = {}) => owner.submit(SMS, `${SMS}/import`, { list, ...more });

it("stores a channel's prices, and shows them on the channels page", async () => {
  expect((await owner.get('/channels')).html).toMatch(
    /href="\/dashboard\/channels\/prices\/sms" aria-label="Set prices for SMS"/,
  );
  expect((await save({ price: '0,05', ...rowsOf('IN = 0.0042', 'Germany = 0.07', ' = ') })).status).toBe(303);
  expect(await prices()).toEqual({ '*': '0.0500', DE: '0.0700', IN: '0.0042' });
  expect((await owner.get('/channels')).html).toContain('0.0500 USD per SMS. 2 countries have their own prices.');
  const { html } = await owner.get(SMS);
  expect(html).toContain('value="0.0500"');
  expect(html).toMatch(/value="Germany"[\s\S]*value="0\.0700"[\s\S]*value="India"[\s\S]*value="0\.0042"/);
  expect((await owner.get('/audit')).html.replace(/<[^>]+>/g, '')).toContain('changed the SMS prices');
  await save({ price: '', ...rowsOf('Germany = ', 'India = 0.005') });
  expect(await prices()).toEqual({ IN: '0.0050' });
  await save({ price: '0.0004' }, '/channels/prices/email');
  expect(await prices('EMAIL')).toEqual({ '*': '0.0004' });
});

it('shows each error next to its field', async () => {
  const { status, html } = await save({ price: 'free', ...rowsOf('IN = 1', 'nowhere = 2') });
  expect(status).toBe(422);
  expect(html).toMatch(/id="field-price-error">Enter a price such as 0\.0042/);
  expect(html).toMatch(/<a href="#field-countries">“nowhere” is not a country\.</);
  expect(html).not.toContain('id="field-countries-error"');
  expect(html).toMatch(/aria-label="Country 2"[^>]*aria-invalid[^>]*>\s*<p class="problem"[^>]*>“nowhere” is not a/);
  expect(html).toContain('value="nowhere"');
  expect((await save({ price: '1', ...rowsOf('* = 2') })).html).toContain('in the row “All other countries”');
  expect((await save({ price: '1', ...rowsOf('IN = 1', 'France = ') })).html).toContain(
    'France: Enter a price such as 0.0042.',
  );
  expect(await prices()).toEqual({});
});

it('previews an import, and stores it only when the prices are saved', async () => {
  await save({ price: '0.05', ...rowsOf('DE = 0.07', 'FR = 0.06') });
  const { status, html } = await preview('country;price\nIN;0,0042\nDE;0.08\nFR;0.06\nFR;0.01\n');
  expect(status).toBe(200);
  expect(html).toContain('Prices: 1 new, 1 changed, 2 unchanged. Some countries are listed more than once');
  expect(html).toMatch(/Germany<[\s\S]*0\.0700[\s\S]*0\.0800/);
  expect(await prices()).toEqual({ '*': '0.0500', DE: '0.0700', FR: '0.0600' });
  const filled = { price: '0.0500', ...rowsOf('Germany = 0.0800', 'France = 0.0600', 'India = 0.0042') };
  for (const text of [...filled.country, ...filled.countryPrice]) expect(html).toContain(`value="${text}"`);
  await owner.post(SMS, { ...hiddenFields(html, `/dashboard${SMS}`), ...filled });
  expect(await prices()).toEqual({ '*': '0.0500', DE: '0.0800', FR: '0.0600', IN: '0.0042' });
  expect((await preview('IN,1', { replace: 'yes' })).html).toContain('Prices: 1 changed, 3 removed.');
  expect((await preview('IN,1', { replace: 'yes' })).html).toMatch(/All other countries[\s\S]*removed/);
});

it('adds an empty row without saving or losing what was entered', async () => {
  const emptyRows = (page: string) => page.match(/placeholder="Country" value[ />]/g)?.length;
  expect(emptyRows((await owner.get(SMS)).html)).toBe(1);
  const { status, html } = await save({ price: '0.05', ...rowsOf('IN = 0.0042'), more: 'yes' });
  expect([status, await prices()]).toEqual([200, {}]);
  expect(html).toMatch(/value="India"[\s\S]*value="0\.05"/);
  expect([emptyRows(html), html.match(/name="country"/g)?.length]).toEqual([1, 2]);
  const again = await save({ price: '0.05', ...rowsOf('nowhere = 2', ' = '), more: 'yes' });
  expect([emptyRows(again.html), again.html.includes('value="nowhere"')]).toEqual([2, true]);
  // The script of the page shows that the rows are not saved.
  expect(html).toMatch(/<form[^>]*data-unsaved/);
  expect((await owner.get(SMS)).html).not.toContain('data-unsaved');
});

it('lists the invalid lines of an import', async () => {
  const wrong = Array.from({ length: 12 }, (_, n) => `nowhere,${n}`).join('\n');
  const { status, html } = await preview(`IN,1\nDE,cheap\n${wrong}`);
  expect(status).toBe(422);
  const replace = /name="replace" value="yes"( checked)?/;
  expect(html.match(replace)?.[1]).toBeUndefined();
  expect((await preview('DE,cheap', { replace: 'yes' })).html.match(replace)?.[1]).toBe(' checked');
  expect(html).toMatch(/Line 2: no price\.[\s\S]*Line 3: “nowhere” is not a country/);
  expect(html).toContain('3 more lines have errors.');
  const eleven = await preview(wrong.split('\n').slice(1).join('\n'));
  expect(eleven.html).toContain('1 more line has an error.');
  expect(html).toContain('DE,cheap');
});

it('imports a list of 300 kB; larger forms, other forms and people without a session are refused', async () => {
  const list = 'Germany,0.0755,"Network, mobile"\n'.repeat(9000);
  expect(list.length).toBeGreaterThan(290_000);
  expect(await preview(list)).toMatchObject({ status: 200, html: expect.stringContaining('Prices: 1 new.') });
  const tooLarge = {
    status: 413,
    html: expect.stringContaining('The limits are 64 kB for a form, 48 kB for a logo, 300 kB for a price list, and'),
  };
  const tooLong = { status: 422, html: expect.stringContaining('This list is too long (limit: 300 kB).') };
  expect(await preview(list.repeat(2))).toMatchObject(tooLong);
  expect(await preview(list.repeat(4))).toMatchObject(tooLarge);
  expect(await save({ price: '1', country: list })).toMatchObject(tooLarge);
  const stranger = createVisitor(passbell.url);
  const refused = await stranger.post(`${SMS}/import`, { list: list.repeat(4) });
  expect(refused).toMatchObject({ status: 303, location: expect.stringContaining('/dashboard/sign-in?next=') });
});

it('detects that someone else has changed the prices in the meantime', async () => {
  const opened = hiddenFields((await owner.get(SMS)).html, `/dashboard${SMS}`);
  await save({ price: '1' });
  const conflict = await owner.post(SMS, { ...opened, price: '2', ...rowsOf('IN = 3') });
  expect(conflict).toMatchObject({
    status: 409,
    html: expect.stringMatching(/All other countries[\s\S]*1\.0000[\s\S]*2\.0000/),
  });
  expect(await prices()).toEqual({ '*': '1.0000' });
  await owner.post(SMS, hiddenFields(conflict.html, `/dashboard${SMS}`));
  expect(await prices()).toEqual({ '*': '2.0000', IN: '3.0000' });
});

it('changes the currency of all channels', async () => {
  await save({ price: '1' });
  const change = (currency: string, more: Fields = {}) => owner.submit(SMS, `${SMS}/currency`, { currency, ...more });
  const unknown = await change('XQZ');
  expect(unknown).toMatchObject({ status: 422, html: expect.stringContaining('The currency was not changed.') });
  expect(unknown.html).not.toContain('name="confirmed"');
  const asked = await change('eur');
  expect(asked).toMatchObject({ status: 422, html: expect.stringMatching(/USD → EUR/) });
  expect((await owner.get('/channels')).html).toContain('1.0000 USD per SMS.');
  const changed = await owner.follow(await change('eur', { confirmed: 'yes' }));
  expect(changed.html).toContain('The currency is now EUR.');
  expect((await owner.get('/channels')).html).toContain('1.0000 EUR per SMS.');
  await change('usd', { confirmed: 'yes' });
});

it('lets only owners change prices; other roles see them', async () => {
  await save({ price: '1', ...rowsOf('IN = 2') });
  for (const role of ['member', 'viewer'] as const) {
    const visitor = await signIn(passbell, role);
    const { html } = await visitor.get(SMS);
    expect(html).toMatch(/India<[\s\S]*2\.0000/);
    expect(html).not.toMatch(/Save the prices|Import a price list|Change the currency/);
  }
});

it('offers the countries without a price to which messages were sent, which need none', async () => {
  await passbell.post('/auth/sendotp', { to: '+33612345678', authWay: 'SMS' });
  await save({ price: '0.05', ...rowsOf('IN = 0.0042', 'Germany = 0.07') });
  const { html } = await owner.get(SMS);
  // The priced countries follow, by name: DE is Germany.
  expect(html).toMatch(/>France<div[^>]*>1 sent, no separate price<[\s\S]*>Germany<[\s\S]*>India</);
  expect((await save({ price: '0.05', ...rowsOf('France = ', 'Germany = 0.07') })).status).toBe(303);
  expect(await prices()).toEqual({ '*': '0.0500', DE: '0.0700' });
  // The reason for the suggestion stays after an error.
  expect((await save({ price: '0.05', ...rowsOf('France = x') })).html).toContain('1 sent, no separate price');
  await save({ price: '0.05', ...rowsOf('France = 0.06') });
  expect((await owner.get(SMS)).html).not.toContain('no separate price');
});

it('is available only to accounts that may have their own providers, and only the operator can change the currency', async () => {
  const email = freshMail();
  const other = await signIn(passbell, 'owner', { account: email });
  expect((await other.get(SMS)).status).toBe(404);
  await passbell.core.providers.service.allow(OPERATOR, await accountOf(passbell, email), true);
  await save({ price: '7' });
  const { html } = await other.get(SMS);
  expect(html).not.toMatch(/7\.0000|Change the currency/);
  await other.submit(SMS, SMS, { price: '3' });
  expect((await other.get(SMS)).html).toContain('value="3.0000"');
  expect(await prices()).toEqual({ '*': '7.0000' });
});

it('shows prices from PRICES_FILE as read-only', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'passbell-prices-'));
  const file = join(folder, 'prices.json');
  writeFileSync(file, JSON.stringify({ currency: 'gbp', prices: { SMS: { '*': '9' } } }));
  const fixed = await startService({ PRICES_FILE: file });
  const visitor = await signIn(fixed);
  const { html } = await visitor.get(SMS);
  expect(html).toMatch(/The operator of this server set these prices\.[\s\S]*Price in GBP[\s\S]*9\.0000/);
  expect(html).not.toMatch(/Save the prices|Change the currency/);
  const { html: email } = await visitor.get('/channels/prices/email');
  const token = hiddenFields(email, '/dashboard/channels/prices/email');
  expect((await visitor.post(SMS, { ...token, price: '1' })).status).toBe(404);
  await fixed.stop();
  rmSync(folder, { recursive: true });
});
