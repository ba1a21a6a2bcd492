/** The check that explains whether an allow-list accepts a caller. */
import fc from 'fast-check';
import { isAuthorized } from '../../backend/src/modules/applications/allow-list.js';
import { checkCaller, type CallerVerdict } from '../../backend/src/modules/applications/allow-list-check.js';

const ALLOW_LIST = ['https://shop.example', '*.shop.example', '203.0.113.0/24', 'api.other.example:8443'];

const verdictOn = (text: string, list = ALLOW_LIST): CallerVerdict => {
  const verdict = checkCaller(list, text);
  if (typeof verdict === 'string') throw new Error(verdict);
  return verdict;
};

it.each([
  ['https://shop.example', 'https://shop.example'],
  ['shop.example', 'https://shop.example'],
  ['https://shop.example/checkout?step=2', 'https://shop.example'],
  ['  HTTPS://WWW.Shop.Example  ', '*.shop.example'],
  ['api.other.example:8443', 'api.other.example:8443'],
])('accepts %s for the API and the widget because of %s', (text, entry) => {
  expect(verdictOn(text)).toMatchObject({ kind: 'origin', api: true, widget: true, entry, missing: undefined });
});

it('accepts an address for the API only', () => {
  const verdict = verdictOn('203.0.113.77');
  expect(verdict).toMatchObject({ kind: 'address', api: true, widget: false, entry: '203.0.113.0/24' });
  expect(verdict.reason).toContain('never an IP address');
});

it('accepts every caller with an empty list', () => {
  for (const text of ['https://anything.example', '198.51.100.1', '2001:db8::1'])
    expect(verdictOn(text, [])).toMatchObject({ api: true, widget: true, reason: expect.stringContaining('empty') });
});

it.each([
  ['evil.example', ['shop.example'], 'evil.example', 'No entry allows this host.'],
  ['www.shop.example', ['shop.example'], 'www.shop.example', '“*.shop.example” allows all of them.'],
  ['shop.example', ['*.shop.example'], 'shop.example', 'not shop.example itself'],
  ['shop.example:8443', ['shop.example'], 'shop.example:8443', 'has a different port'],
  ['shop.example', ['https://www.shop.example'], 'shop.example', 'but not shop.example itself'],
  ['http://203.0.113.7', ['203.0.113.7'], 'http://203.0.113.7', "compared with the caller's IP address"],
  ['198.51.100.1', ['203.0.113.0/24'], '198.51.100.1', 'No entry allows this address.'],
  ['[2001:db8::1]', ['203.0.113.0/24'], '2001:db8::1', 'No entry allows this address.'],
])('rejects %s with the list %j, suggests %s and explains why', (text, list, missing, words) => {
  const verdict = verdictOn(text, list);
  expect(verdict).toMatchObject({ api: false, widget: false, entry: undefined, missing });
  expect(verdict.reason).toContain(words);
});

it.each([
  '',
  '  ',
  'null',
  'a b',
  '*.shop.example',
  '203.0.113.0/24',
  'javascript://x',
  'https://user@shop.example',
  ',',
])('explains why %j is not a valid caller', (text) =>
  expect(checkCaller(ALLOW_LIST, text)).toEqual(expect.stringMatching(/^\S.{20,}\.$/)),
);

it('returns the same verdict as the check of API calls, and suggests an entry that accepts the caller', () => {
  const hosts = fc.constantFrom('shop.example', 'www.shop.example', 'x.example:81', '203.0.113.9', '2001:db8::9');
  fc.assert(
    fc.property(
      fc.subarray(['*.shop.example', 'shop.example', 'x.example', '203.0.113.0/24', '::/0']),
      hosts,
      (list, text) => {
        const verdict = verdictOn(text, list);
        const caller = verdict.kind === 'origin' ? { origin: verdict.caller, ip: '' } : { ip: verdict.caller };
        expect(verdict.api).toBe(isAuthorized(list, caller));
        if (verdict.missing) expect(verdictOn(text, [...list, verdict.missing]).api).toBe(true);
      },
    ),
  );
});
