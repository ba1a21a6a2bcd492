/** Canonical forms, rate-limit keys and masks of recipients. */
import { maskRecipient, parseRecipient, phoneDigits } from '../../backend/src/modules/recipients/recipient.js';

describe('phone number', () => {
  it.each([
    ['+14155550123', '+14155550123', 'US'],
    ['0014155550123', '+14155550123', 'US'],
    ['14155550123', '+14155550123', 'US'],
    ['+1 (415) 555-0123', '+14155550123', 'US'],
    ['+49 176 12345678', '+4917612345678', 'DE'],
    ['+91-98765-43210', '+919876543210', 'IN'],
    ['+44 7400 123456', '+447400123456', 'GB'],
    ['+7 912 345-67-89', '+79123456789', 'RU'],
    ['+33 6 12 34 56 78', '+33612345678', 'FR'],
    ['+1‑415‑555‑0123', '+14155550123', 'US'],
    ['+1–415–555–0123', '+14155550123', 'US'],
    ['+1/415/555/0123', '+14155550123', 'US'],
    ['\t+14155550123\n', '+14155550123', 'US'],
    ['\u202a+1\u00a0415\u200b5550123\u202c', '+14155550123', 'US'],
  ])('parses %j as %s', (text, address, country) => {
    expect(parseRecipient(text)).toMatchObject({ type: 'phone', address, limitKey: address, country, assigned: true });
  });

  it.each([
    '',
    ' ',
    '+',
    '00',
    '123',
    '+0123456789',
    '++14155550123',
    '+1 415 555 0123 x5',
    '+1415555O123',
    '+1-415-FLOWERS',
    '+١٤١٥٥٥٥٠١٢٣',
    '+1415555012345678',
    '14155550123,14155550124',
    '+1415\u00005550123',
    '-',
  ])('rejects %j', (text) => expect(parseRecipient(text)).toBeUndefined());

  it.each([
    ['+19005550123', 'a premium-rate number'],
    ['+33899123456', 'a premium-rate number'],
    ['+49180112345', 'a shared-cost number'],
    ['+18005550199', 'a toll-free number'],
    ['+15002345678', 'a personal number that forwards calls'],
    ['+443451234567', 'a nationwide company number'],
    ['+4916412345', 'a pager number'],
    ['+41860791234567', 'a voicemail number'],
    ['+870773111632', 'a number of a satellite or international network'],
    ['+888123456789', 'a number of a satellite or international network'],
    ['+16007001234', 'a number of a satellite or international network'],
    ['+61147123456', 'a number of a satellite or international network'],
  ])('rejects %s as %s', (text, rejectedKind) => expect(parseRecipient(text)).toMatchObject({ rejectedKind }));

  it.each([
    ['+14155552671', false],
    ['+15550100123', false],
    ['+447400123456', false],
    ['+33970000000', false],
    ['+525512345678', false],
    ['+541123456789', false],
    ['+442079460958', true],
    ['+493012345678', true],
  ])('accepts %s, with landline set to %s', (text, landline) =>
    expect(parseRecipient(text)).toMatchObject({ rejectedKind: undefined, landline }),
  );

  it.each([
    ['+52 1 55 1234 5678', '+525512345678', '+525512345678'],
    ['+54 11 15 2345 6789', '+5491123456789', '+5491123456789'],
    ['+54 11 2345 6789', '+541123456789', '+5491123456789'],
  ])('converts %s to the address %s with the limit key %s', (text, address, limitKey) =>
    expect(parseRecipient(text)).toMatchObject({ address, limitKey }),
  );

  it('marks a number outside of the assigned ranges as unassigned', () => {
    expect(parseRecipient('+12425550123')).toMatchObject({ type: 'phone', assigned: false });
    expect(parseRecipient('+4917612345678')).toMatchObject({ assigned: true });
  });

  it('returns the digits of numbers that do not exist, for test recipients', () => {
    expect(phoneDigits('+1 (500) 555-0006')).toBe('+15005550006');
    expect(phoneDigits('0015005550006')).toBe('+15005550006');
    expect(phoneDigits('12345')).toBeUndefined();
    expect(phoneDigits('+01234567')).toBeUndefined();
  });
});

describe('email address', () => {
  it.each([
    ['ana@example.com', 'ana@example.com', 'ana@example.com'],
    [' Ana@EXAMPLE.Com ', 'Ana@example.com', 'ana@example.com'],
    ['ana+shop@example.com', 'ana+shop@example.com', 'ana@example.com'],
    ['ANA+a+b@example.com', 'ANA+a+b@example.com', 'ana@example.com'],
    ['+tag@example.com', '+tag@example.com', '+tag@example.com'],
    ['a.n.a+x@gmail.com', 'a.n.a+x@gmail.com', 'ana@gmail.com'],
    ['Ana@GoogleMail.com', 'Ana@googlemail.com', 'ana@gmail.com'],
    ['a.na@gmail.example.com', 'a.na@gmail.example.com', 'a.na@gmail.example.com'],
    ['ana@Bücher.example', 'ana@xn--bcher-kva.example', 'ana@xn--bcher-kva.example'],
    ['ana@例え.テスト', 'ana@xn--r8jz45g.xn--zckzah', 'ana@xn--r8jz45g.xn--zckzah'],
    ['a.b-c_d@sub.example.co.uk', 'a.b-c_d@sub.example.co.uk', 'a.b-c_d@sub.example.co.uk'],
    ["!#$%&'*/=?^`{|}~@example.com", "!#$%&'*/=?^`{|}~@example.com", "!#$%&'*/=?^`{|}~@example.com"],
  ])('parses %j as %s with the limit key %s', (text, address, limitKey) => {
    expect(parseRecipient(text)).toMatchObject({ type: 'email', address, limitKey, assigned: true });
  });

  it.each([
    '@',
    'ana@',
    '@example.com',
    'ana@localhost',
    'ana@-example.com',
    'ana@example-.com',
    'ana@example..com',
    'ana@.com',
    '.ana@example.com',
    'ana.@example.com',
    'a..na@example.com',
    'a na@example.com',
    'ana@exa mple.com',
    '"a"@example.com',
    'ana@example.com,bob@example.com',
    'ana@example.com;bob@example.com',
    'ana@bob@example.com',
    '<ana@example.com>',
    'ana@example.com\r\nBcc: b@example.com',
    'ana\r\n@example.com',
    'ana\u0000@example.com',
    'ana@example.com\u0000',
    'ana@[127.0.0.1]',
    'ana@127.0.0.1',
    'ana@127.0.0.11',
    'ana@10.0.0.25',
    'ana@example.c',
    'änä@example.com',
    `${'a'.repeat(65)}@example.com`,
    `ana@${'a'.repeat(64)}.com`,
    `ana@${'ü.'.repeat(60)}example`,
    'ana@example.com/path',
    'ana@example.com:25',
    'ana@ex%61mple.com',
    'ana@example.com?x',
    'ana@example.com#x',
    'ana@example.com\\x',
    'ana@example.com\t.evil.example',
    'ana@127.1',
    'ana@0x7f.0.0.11',
    'ana@2130706433',
    'ana@[::1]',
  ])('rejects %j', (text) => expect(parseRecipient(text)).toBeUndefined());
});

describe('mask', () => {
  it.each([
    ['+14155550123', '+1415*****23'],
    ['+4917612345678', '+491761*****78'],
    ['+1234567', '+1*****7'],
    ['ana@example.com', 'an***@example.com'],
    ['ab@example.com', 'a***@example.com'],
    ['a@example.com', '***@example.com'],
    ['a-very-long-name@example.com', 'a-***@example.com'],
  ])('masks %s as %s', (address, masked) => expect(maskRecipient(address)).toBe(masked));

  it('hides at least five digits of every number and part of every name', () => {
    for (let length = 7; length <= 15; length++) {
      const masked = maskRecipient(`+${'1234567890123456'.slice(0, length)}`);
      expect(masked.match(/\*/g)).toHaveLength(5);
      expect(masked.replace(/\D/g, '')).toHaveLength(length - 5);
    }
    for (let length = 1; length <= 10; length++)
      expect(maskRecipient(`${'z'.repeat(length)}@example.com`)).not.toContain('z'.repeat(length));
  });
});
