/** Checks which callers an application's allow-list accepts. */
import { isAuthorized } from '../../backend/src/modules/applications/allow-list.js';

const UNLISTED_ADDRESS = '198.51.100.1';
const byOrigin = (entry: string, origin: string): boolean => isAuthorized([entry], { origin, ip: UNLISTED_ADDRESS });
const byReferer = (entry: string, referer: string): boolean => isAuthorized([entry], { referer, ip: UNLISTED_ADDRESS });
const byAddress = (entry: string, ip: string): boolean => isAuthorized([entry], { ip });

it('an empty allow-list accepts all callers', () => {
  expect(isAuthorized([], { ip: UNLISTED_ADDRESS })).toBe(true);
  expect(isAuthorized([], { origin: 'null', ip: '' })).toBe(true);
});

describe('an origin', () => {
  it.each([
    ['https://shop.example', 'https://shop.example'],
    ['shop.example', 'https://shop.example'],
    ['http://shop.example', 'https://shop.example'],
    ['https://shop.example/', 'https://shop.example'],
    ['https://shop.example/checkout', 'https://shop.example'],
    ['HTTPS://Shop.EXAMPLE', 'https://shop.example'],
    ['shop.example', 'HTTPS://SHOP.EXAMPLE'],
    ['shop.example:443', 'https://shop.example'],
    ['https://shop.example', 'https://shop.example:443'],
    ['http://shop.example:80', 'http://shop.example'],
    ['shop.example:8443', 'https://shop.example:8443'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['shop.example.', 'https://shop.example'],
    ['shop.example', 'https://shop.example.'],
    ['localhost:3000', 'http://localhost:3000'],
    ['http://192.0.2.5:8080', 'http://192.0.2.5:8080'],
    ['http://192.0.2.5', 'http://192.0.2.5'],
    ['192.0.2.5:8080', 'http://192.0.2.5:8080'],
    ['http://[2001:db8::1]', 'http://[2001:db8::1]'],
    ['*.shop.example', 'https://www.shop.example'],
    ['*.shop.example', 'https://a.b.shop.example'],
    ['https://*.shop.example', 'http://www.shop.example'],
    ['*.SHOP.example/', 'https://www.shop.example:443'],
    ['*.shop.example:8443', 'https://www.shop.example:8443'],
  ])('listed as %s accepts %s', (entry, origin) => {
    expect(byOrigin(entry, origin)).toBe(true);
    expect(byReferer(entry, `${origin}/a/page?with=query#part`)).toBe(true);
  });

  it.each([
    ['shop.example', 'null'],
    ['null', 'null'],
    ['shop.example', ''],
    ['shop.example', 'shop.example'],
    ['shop.example', 'https://shop.example.evil.example'],
    ['shop.example', 'https://evilshop.example'],
    ['shop.example', 'https://evil-shop.example'],
    ['shop.example', 'https://www.shop.example'],
    ['shop.example', 'https://hop.example'],
    ['shop.example', 'https://shop.exampl'],
    ['shop.example', 'https://shop.example:8443'],
    ['shop.example:8443', 'https://shop.example'],
    ['shop.example', 'https://shop.example@evil.example'],
    ['shop.example', 'https://shop.example:x@evil.example'],
    ['shop.example', 'https://evil.example@shop.example'],
    ['shop.example', 'https://evil.example/shop.example'],
    ['shop.example', 'https://evil.example?shop.example'],
    ['shop.example', 'https://evil.example#shop.example'],
    ['shop.example', 'https://evil.example\\@shop.example'],
    ['shop.example', 'file://shop.example'],
    ['shop.example', 'ftp://shop.example'],
    ['shop.example', 'javascript://shop.example'],
    ['shop.example', 'chrome-extension://shop.example'],
    ['shop.example', 'https://'],
    ['shop.example', 'https://shop%2eexample.evil.example'],
    ['*.shop.example', 'https://shop.example'],
    ['*.shop.example', 'https://evilshop.example'],
    ['*.shop.example', 'https://www.shop.example.evil.example'],
    ['*.shop.example', 'https://www.shop.example:8443'],
    ['*.shop.example', 'https://.shop.example@evil.example'],
    ['*', 'https://anything.example'],
    ['192.0.2.0/24', 'http://192.0.2.5'],
    ['1', 'http://anything.example'],
  ])('listed as %s rejects %j', (entry, origin) => {
    expect(byOrigin(entry, origin)).toBe(false);
    expect(byReferer(entry, origin)).toBe(false);
  });

  it('is accepted in the Origin or Referer header, even if the other header does not match', () => {
    const list = ['https://shop.example', '192.0.2.0/24'];
    const evil = 'https://evil.example';
    expect(isAuthorized(list, { origin: evil, referer: 'https://shop.example/x', ip: UNLISTED_ADDRESS })).toBe(true);
    expect(isAuthorized(list, { origin: 'https://shop.example', referer: evil, ip: UNLISTED_ADDRESS })).toBe(true);
    expect(isAuthorized(list, { origin: evil, referer: evil, ip: '192.0.2.9' })).toBe(true);
    expect(isAuthorized(list, { origin: evil, referer: evil, ip: UNLISTED_ADDRESS })).toBe(false);
    expect(isAuthorized(list, { ip: UNLISTED_ADDRESS })).toBe(false);
  });
});

describe('an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1', '::ffff:192.0.2.1'],
    ['192.0.2.1', '::ffff:c000:201'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['192.0.2.0/24', '192.0.2.255'],
    ['192.0.2.77/24', '192.0.2.1'],
    ['0.0.0.0/0', '203.0.113.9'],
    ['192.0.2.1/32', '192.0.2.1'],
    ['::ffff:192.0.2.0/120', '192.0.2.200'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:0DB8:0:0:0:0:0:1'],
    ['2001:db8::/32', '2001:db8:ffff::1'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['::/0', '2001:db8::1'],
    ['fe80::/10', 'fe80::1'],
  ])('listed as %s accepts %s', (entry, ip) => expect(byAddress(entry, ip)).toBe(true));

  it.each([
    ['192.0.2.1', '192.0.2.10'],
    ['192.0.2.1', '1.192.0.2'],
    ['192.0.2.0/24', '192.0.3.0'],
    ['192.0.2.0/25', '192.0.2.128'],
    ['192.0.2.1/32', '192.0.2.2'],
    ['0.0.0.0/0', '2001:db8::1'],
    ['::/0', '192.0.2.1'],
    ['2001:db8::/32', '2001:db9::1'],
    ['::ffff:192.0.2.0/120', '192.0.3.1'],
    ['192.0.2.1', ''],
    ['192.0.2.1', 'unknown'],
    ['192.0.2.0/33', '192.0.2.1'],
    ['192.0.2.0/x', '192.0.2.1'],
    ['192.0.2.0/-1', '192.0.2.1'],
    ['shop.example', '192.0.2.1'],
  ])('listed as %s rejects %j without an error', (entry, ip) => expect(byAddress(entry, ip)).toBe(false));
});

/** A server can send any Origin, so an Origin must not match an address on the list. */
describe('an address or network', () => {
  const LISTED = [
    '192.0.2.5',
    '192.0.2.5/32',
    '192.0.2.5/24',
    '::ffff:192.0.2.5',
    '192.0.2.05',
    '0xc0.0.2.5',
    '3221225989',
    '192.0.2.5/',
    '192.0.2.5.',
  ];

  it.each(LISTED)('listed as %s does not match Origin or Referer headers', (entry) => {
    for (const origin of ['http://192.0.2.5', 'https://192.0.2.5', 'http://192.0.2.5:80', 'http://3221225989']) {
      expect(byOrigin(entry, origin)).toBe(false);
      expect(byReferer(entry, `${origin}/page`)).toBe(false);
    }
  });

  it.each(['2001:db8::1', '[2001:db8::1]', '2001:db8::1/128', '2001:db8::/32', '[2001:db8::1]/'])(
    'listed as %s does not match Origin or Referer headers',
    (entry) => {
      for (const origin of ['http://[2001:db8::1]', 'https://[2001:0db8:0::1]']) {
        expect(byOrigin(entry, origin)).toBe(false);
        expect(byReferer(entry, `${origin}/page`)).toBe(false);
      }
    },
  );
});
