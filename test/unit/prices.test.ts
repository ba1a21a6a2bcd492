/** The price file, and sums of prices. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { ConfigError, readConfig } from '../../backend/src/platform/config/config.js';
import { chargeOf, unitsOf } from '../../backend/src/modules/usage/usage.js';

const folder = mkdtempSync(join(tmpdir(), 'passbell-price-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(content: unknown) {
  const PRICES_FILE = join(folder, 'prices.json');
  writeFileSync(PRICES_FILE, typeof content === 'string' ? content : JSON.stringify(content));
  return readConfig({ PRICES_FILE }).PRICES_FILE;
}

function problem(content: unknown): string {
  try {
    read(content);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.join('\n');
    throw error;
  }
  throw new Error('the prices were accepted');
}

it('accepts prices as numbers or text, with up to four decimals', () => {
  const prices = { SMS: { US: 0.0079, DE: '0.1', '*': 12 }, VOICE: { '*': 0 } };
  expect(read({ currency: 'EUR', prices })).toEqual({
    currency: 'eur',
    prices: { SMS: { US: '0.0079', DE: '0.1000', '*': '12.0000' }, VOICE: { '*': '0.0000' } },
  });
});

it.each([
  ['{', /^PRICES_FILE names a file that is not valid JSON$/],
  [[], /^PRICES_FILE must name a JSON file with content such as \{"currency"/],
  [{ currency: 'usd' }, /must name a JSON file with content such as/],
  [{ currency: 'dollars', prices: {} }, /currency must be an ISO 4217 code/],
  [{ prices: {} }, /currency must be an ISO 4217 code/],
  [{ currency: 'usd', prices: {}, price: {} }, /price is unknown/],
  [{ currency: 'usd', prices: { FAX: { '*': 1 } } }, /prices.FAX is not a channel: use SMS/],
  [{ currency: 'usd', prices: { SMS: 1 } }, /prices.SMS must be an object/],
  [{ currency: 'usd', prices: { SMS: { US: 1 } } }, /prices.SMS needs a price for "\*"/],
  [{ currency: 'usd', prices: { SMS: { UK: 1, '*': 1 } } }, /prices.SMS.UK is not a country/],
  ...[-1, '1.23456', 0.00001, '1e-3', '', null, 'free', 10_000_000].map(
    (price) => [{ currency: 'usd', prices: { SMS: { '*': price } } }, /prices.SMS.\* must be a price such as/] as const,
  ),
] as const)('%j is rejected with the path of the error', (content, text) => {
  expect(problem(content)).toMatch(text);
});

it('reports all problems at once', () => {
  const text = problem({ currency: 'x', prices: { FAX: {}, SMS: { XX: 'y' } } });
  for (const place of ['currency', 'prices.FAX', 'prices.SMS.XX is', 'prices.SMS.XX must', 'prices.SMS needs'])
    expect(text).toContain(place);
});

it('reports a missing file with the name of the setting', () => {
  expect(() => readConfig({ PRICES_FILE: join(folder, 'none.json') })).toThrow(
    /PRICES_FILE names a file that cannot be read \(ENOENT\)/,
  );
});

it('price sums are exact', () => {
  const price = fc.integer({ min: 0, max: 9_999_999_999 });
  fc.assert(
    fc.property(fc.array(price, { maxLength: 50 }), (units) => {
      const sum = units.reduce((total, each) => total + BigInt(unitsOf(chargeOf(BigInt(each)))), 0n);
      expect(sum).toBe(units.reduce((total, each) => total + BigInt(each), 0n));
      expect(chargeOf(sum)).toMatch(/^\d+\.\d{4}$/);
    }),
  );
  expect([0n, 1n, 10_000n, 123_456_789n].map(chargeOf)).toEqual(['0.0000', '0.0001', '1.0000', '12345.6789']);
});
