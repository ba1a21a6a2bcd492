/** `passbell price`, with a running server. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGatewayServer, type GatewayServer } from '../support/gateway-server.js';
import { addGateway, waitForRoutingUpdate } from '../support/providers.js';
import { freshPhone, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { auditLog, json, run } from './command.js';

let server: TestService;
let gateway: GatewayServer;
let folder: string;
beforeAll(async () => {
  [server, gateway] = [await startService({ DEV_INBOX: 'off' }), await startGatewayServer()];
  await addGateway(server, 'Local SMS', gateway);
  await waitForRoutingUpdate(server);
  folder = mkdtempSync(join(tmpdir(), 'passbell-price-'));
});
afterAll(async () => {
  await server.stop();
  await gateway.close();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => run(server, 'price', 'remove', '--channel', 'SMS', '--all'));

async function priceOf(to: string) {
  const keys = await server.application(NO_LIMITS);
  const { data } = await server.post('/auth/sendotp', { to, authWay: 'SMS' }, { keys });
  const [{ charge, currency }] = data.results;
  return `${charge} ${currency}`;
}

function csv(text: string): string {
  const file = join(folder, 'prices.csv');
  writeFileSync(file, text);
  return file;
}

it('sets prices by country, which every process uses within 2 seconds', async () => {
  expect(await priceOf('+4915123456789')).toBe('0.0000 usd');
  await run(server, 'price', 'set', '--channel', 'SMS', '0.05');
  await run(server, 'price', 'set', '--channel', 'SMS', '--country', 'DE', '0.07');
  await waitForRoutingUpdate(server);
  expect([await priceOf('+4915123456789'), await priceOf(freshPhone())]).toEqual(['0.0700 usd', '0.0500 usd']);
  await run(server, 'price', 'remove', '--channel', 'SMS', '--country', 'DE');
  await waitForRoutingUpdate(server);
  expect(await priceOf('+4915123456789')).toBe('0.0500 usd');
  expect(await auditLog(server)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        action: 'price.change',
        subject: 'SMS',
        changes: [{ name: 'DE', before: '', after: '0.0700' }],
      }),
    ]),
  );
});

it('imports a CSV file after a dry run that shows the changes, and reports invalid lines', async () => {
  await run(server, 'price', 'set', '--channel', 'SMS', '--country', 'FR', '0.06');
  const file = csv('country,price\nIN,0.0042\nFR,0.05\n');
  const dry = await run(server, 'price', 'import', '--channel', 'SMS', file, '--dry-run');
  expect(dry.out).toMatch(/FR .*0\.0600.*0\.0500[\s\S]*IN .*0\.0042/);
  const prices = async () => (await json(server, 'price', 'list')).channels[0].prices;
  expect(await prices()).toEqual({ FR: '0.0600' });
  await run(server, 'price', 'import', '--channel', 'SMS', file);
  expect(await prices()).toEqual({ FR: '0.0500', IN: '0.0042' });
  await run(server, 'price', 'import', '--channel', 'SMS', csv('IN,0.005'), '--replace');
  expect(await prices()).toEqual({ IN: '0.0050' });
  const wrong = await run(server, 'price', 'import', '--channel', 'SMS', csv('IN,0.1\nnowhere,1'));
  expect(wrong).toMatchObject({
    code: 1,
    err: expect.stringMatching(/nothing was imported\nLine 2: “nowhere” is not a country/),
  });
  expect(await prices()).toEqual({ IN: '0.0050' });
});

it('sets the currency of all prices', async () => {
  await run(server, 'price', 'set', '--channel', 'SMS', '1');
  await run(server, 'price', 'currency', 'EUR');
  await waitForRoutingUpdate(server);
  expect(await priceOf(freshPhone())).toBe('1.0000 eur');
  expect(await run(server, 'price', 'currency', 'gold')).toMatchObject({ code: 1 });
  await run(server, 'price', 'currency', 'usd');
});

it('lists prices from PRICES_FILE, and does not change them', async () => {
  const file = join(folder, 'prices.json');
  writeFileSync(file, JSON.stringify({ currency: 'gbp', prices: { SMS: { '*': '9' } } }));
  const withFile = { ...server, settings: { PRICES_FILE: file } };
  expect((await run(withFile, 'price', 'list')).out).toMatch(/SMS .*GBP|9\.0000 .*PRICES_FILE/);
  for (const change of [
    ['set', '--channel', 'SMS', '2'],
    ['currency', 'eur'],
  ])
    expect((await run(withFile, 'price', ...change)).err).toContain('PRICES_FILE');
});
