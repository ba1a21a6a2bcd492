/** Prices that are stored in the database: message charges, and permission to set prices. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import type { ChannelName } from '../../backend/src/platform/contract/channels.js';
import { startGatewayServer, type GatewayServer } from '../support/gateway-server.js';
import { accountOf, addGateway, VERIFIED, waitForRoutingUpdate } from '../support/providers.js';
import { freshPhone, NO_LIMITS, startService, type TestService } from '../support/service.js';

const folder = mkdtempSync(join(tmpdir(), 'passbell-prices-'));
const FILE = join(folder, 'prices.json');
writeFileSync(FILE, JSON.stringify({ currency: 'gbp', prices: { SMS: { '*': '9' } } }));

let gateway: GatewayServer;
let passbell: TestService;
beforeEach(async () => {
  [gateway, passbell] = [await startGatewayServer(), await startService()];
  await addGateway(passbell, 'Local SMS', gateway);
});
afterEach(async () => {
  await passbell.stop();
  await gateway.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

type Prices = Readonly<Record<string, string | undefined>>;

/** Sets prices, and waits until every process uses them: at most two seconds on the test clock. */
async function setPrices(prices: Prices, channel: ChannelName = 'SMS', email?: string) {
  const accountId = await accountOf(passbell, email);
  await passbell.core.providers.prices.set(OPERATOR, { accountId, channel, prices });
  await waitForRoutingUpdate(passbell);
}

async function priceOf(to: string, own?: TestService['keys']): Promise<string> {
  const keys = own ?? (await passbell.application(NO_LIMITS));
  const { data } = await passbell.post('/auth/sendotp', { to, authWay: 'SMS' }, { keys });
  const [{ charge, currency }] = data.results;
  return `${charge} ${currency}`;
}

/** Returns the prices of two messages, which different processes accept. */
const pricesOf = async (to: string, keys?: TestService['keys']) => [await priceOf(to, keys), await priceOf(to, keys)];

it('apply to new messages in all processes within 2 seconds', async () => {
  await waitForRoutingUpdate(passbell);
  expect(await priceOf(freshPhone())).toBe('0.0000 usd');
  await setPrices({ '*': '0.0500', DE: '0.0700' });
  expect(await pricesOf('+4915123456789')).toEqual(['0.0700 usd', '0.0700 usd']);
  expect(await pricesOf(freshPhone())).toEqual(['0.0500 usd', '0.0500 usd']);
  await setPrices({ '*': undefined });
  expect(await priceOf(freshPhone())).toBe('0.0000 usd');
  await passbell.core.providers.prices.setCurrency(OPERATOR, await accountOf(passbell), 'EUR');
  await waitForRoutingUpdate(passbell);
  expect(await pricesOf('+4915123456789')).toEqual(['0.0700 eur', '0.0700 eur']);
});

it('are replaced by PRICES_FILE, for the channels that it contains', async () => {
  await setPrices({ '*': '1.0000' });
  passbell = await passbell.restart({ PRICES_FILE: FILE });
  await setPrices({ '*': '0.0010' }, 'EMAIL');
  expect(await priceOf(freshPhone())).toBe('9.0000 gbp');
  const accountId = await accountOf(passbell);
  const { currency, maySetCurrency, channels } = await passbell.core.providers.prices.list(OPERATOR, accountId);
  expect([currency, maySetCurrency]).toEqual(['gbp', false]);
  expect(channels.filter(({ prices }) => Object.keys(prices).length > 0)).toEqual([
    { channel: 'SMS', prices: { '*': '9.0000' }, readOnly: true },
    { channel: 'EMAIL', prices: { '*': '0.0010' }, readOnly: false },
  ]);
  await expect(setPrices({ '*': '2.0000' })).rejects.toThrow('PRICES_FILE contains the prices of SMS');
  await expect(passbell.core.providers.prices.setCurrency(OPERATOR, accountId, 'eur')).rejects.toThrow('PRICES_FILE');
});

it('of an account apply to its own providers only', async () => {
  const email = 'owner@shop.example';
  const keys = await passbell.core.applications.service.create(OPERATOR, { name: 'Shop', email });
  await passbell.core.applications.service.update(OPERATOR, keys.appKey, NO_LIMITS);
  await setPrices({ '*': '1.0000' });
  await expect(setPrices({ '*': '0.5000' }, 'SMS', email)).rejects.toThrow('does not allow');
  await passbell.core.providers.service.allow(OPERATOR, await accountOf(passbell, email), true);
  await setPrices({ '*': '0.5000' }, 'SMS', email);
  expect(await pricesOf(freshPhone(), keys)).toEqual(['1.0000 usd', '1.0000 usd']);
  // Other accounts can only reach public addresses, so this gateway cannot send. The test checks the price before the
  // send.
  const settings = { url: `${gateway.url}/send`, body: '{"to": "{{ to }}"}' };
  const request = { type: 'http-gateway', name: 'Own SMS', settings };
  await passbell.core.providers.service.add(OPERATOR, await accountOf(passbell, email), request, VERIFIED);
  await waitForRoutingUpdate(passbell);
  const { id } = await passbell.core.applications.service.load(keys.appKey);
  const prices = passbell.cores.map(({ providers }) => providers.routing.pricesFor({ applicationId: id }, 'SMS'));
  expect(prices).toEqual(prices.map(() => ({ '*': '0.5000' })));
  expect(await priceOf(freshPhone())).toBe('1.0000 usd');
});
