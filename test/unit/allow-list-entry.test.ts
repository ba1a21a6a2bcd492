/** Validation of allow-list entries, with the reasons for rejections. */
import fc from 'fast-check';
import { entryForOrigin, isAuthorized, originOf } from '../../backend/src/modules/applications/allow-list.js';
import { entryProblem } from '../../backend/src/modules/applications/allow-list-entry.js';

it.each([
  'https://shop.example',
  'https://shop.example/',
  'https://shop.example/checkout',
  'HTTPS://Shop.EXAMPLE',
  'shop.example',
  'shop.example:8443',
  'httpbin.example',
  '*.shop.example',
  '*.localhost',
  'https://*.shop.example',
  'localhost',
  'localhost:3000',
  'intranet',
  'bücher.example',
  '192.0.2.1',
  '192.0.2.0/24',
  '2001:db8::1',
  '[2001:db8::1]',
  '2001:db8::/32',
  '::ffff:192.0.2.0/120',
  'http://192.0.2.1',
  'http://192.0.2.1:8080',
  'http://[2001:db8::1]:8080',
])('accepts %s', (entry) => expect(entryProblem(entry)).toBeUndefined());

it.each(['*.com', 'https://*.com', '*.COM.', '*.com:8443'])(
  'rejects %s, which accepts all sites of a top-level domain',
  (entry) =>
    expect(entryProblem(entry)).toMatch(
      /^would accept all sites that end in \.com\. Enter your own domain, such as \*\.shop\.com\.$/,
    ),
);

it.each([
  ['https:/shop.example', 'https://shop.example'],
  ['https:shop.example', 'https://shop.example'],
  ['https//shop.example', 'https://shop.example'],
  ['https;//shop.example', 'https://shop.example'],
  ['http//x', 'http://x'],
  ['http/x', 'http://x'],
  ['ftp://shop.example', 'https://shop.example'],
  ['www.shop.example/*', 'www.shop.example'],
  ['https://www.shop.example/*', 'https://www.shop.example'],
  ['https://*.shop.example/*', 'https://*.shop.example'],
  ['*shop.example', '*.shop.example'],
  ['.shop.example', '*.shop.example'],
  ['https://.shop.example', 'https://*.shop.example'],
  ['192.0.2.*', '192.0.2.0/24'],
  ['10.*.*', '10.0.0.0/8'],
  ['https://192.0.2.0/24', '192.0.2.0/24'],
  ['192.0.2.05', '192.0.2.5'],
  ['0xc0.0.2.5', '192.0.2.5'],
  ['192.0.2.5/', '192.0.2.5'],
  ['192.0.2.5:8080', 'http://192.0.2.5:8080'],
])('refuses %s and suggests %s', (entry, suggestion) => {
  expect(entryProblem(entry)).toBe(`is not a valid entry. Did you mean ${suggestion}?`);
  expect(entryProblem(suggestion)).toBeUndefined();
});

it.each([
  ['*', 'would accept every caller'],
  ['a b', 'contains more than one entry'],
  ['shop.example,other.example', 'contains more than one entry'],
  ['192.0.2.0/33', 'is not a network'],
  ['192.0.2.0/24/8', 'is not a network'],
  ['2001:db8::/129', 'is not a network'],
  ['192.0.2.7-9', 'is not a site'],
  ['', 'is not a site'],
  ['*.*.example', 'is not a site'],
  ['*.192.0.2.1', 'is not a site'],
  ['www.*.example', 'is not a site'],
  ['shop.example:*', 'is not a site'],
  ['shop..example', 'is not a site'],
  ['https://user@shop.example', 'is not a site'],
  ['http://', 'is not a site'],
  ['http', 'is not a site'],
  ['null', 'is not a site'],
  ['192.0.2.0/-1', 'is not a network'],
])('refuses %j: it %s', (entry, reason) => expect(entryProblem(entry)).toContain(reason));

it('the suggested entry for an origin is valid, and accepts only the host of the origin', () => {
  const host = fc.oneof(
    fc.domain(),
    fc.ipV4(),
    fc.ipV6().map((ip) => `[${ip}]`),
  );
  const origin = fc.tuple(fc.constantFrom('http', 'https'), host, fc.constantFrom('', ':8080'));
  fc.assert(
    fc.property(origin, ([scheme, name, port]) => {
      const caller = originOf(`${scheme}://${name}${port}`)!;
      const entry = entryForOrigin(caller);
      expect(entryProblem(entry)).toBeUndefined();
      expect(isAuthorized([entry], { origin: caller, ip: '' })).toBe(true);
    }),
  );
});
