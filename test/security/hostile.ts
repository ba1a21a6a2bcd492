/** Generators of hostile and broken input, and assertions for the replies. */
import fc from 'fast-check';
import type { Body } from '../support/service.js';

/** Asserts that the reply is not an internal error, and returns it. */
export function expectHandled(body: Body): Body {
  expect(['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']).not.toContain(body.code);
  expect(typeof body.success).toBe('boolean');
  return body;
}

/** Checks a property on a fixed number of values. A failure prints the seed. */
export const check = <T>(
  arbitrary: fc.Arbitrary<T>,
  property: (value: T) => Promise<void>,
  numRuns = 100,
): Promise<void> => fc.assert(fc.asyncProperty(arbitrary, property), { numRuns });

const loneSurrogates = fc.array(fc.nat(0xffff), { maxLength: 12 }).map((units) => String.fromCharCode(...units));
const controlCharacters = fc.string({ unit: fc.nat(0x1f).map((code) => String.fromCharCode(code)), maxLength: 8 });
const otherDigits = fc
  .tuple(fc.constantFrom(0x660, 0x6f0, 0x966, 0xff10, 0x1d7ce), fc.stringMatching(/^[0-9]{4,12}$/))
  .map(([zero, digits]) => [...digits].map((digit) => String.fromCodePoint(zero + Number(digit))).join(''));
const longText = fc
  .tuple(fc.string({ minLength: 1, maxLength: 3 }), fc.integer({ min: 300, max: 6000 }))
  .map(([s, n]) => s.repeat(n));
const typicalAttacks = fc.constantFrom(
  ...[
    '',
    ' ',
    '\0',
    '\u0000+14155550123',
    'null',
    'undefined',
    'true',
    '[object Object]',
    '__proto__',
    'constructor',
    'toString',
  ],
  ...[
    "' or 1=1 --",
    '"; drop table otp_sessions; --',
    '%',
    '_',
    '$ne',
    '{{7*7}}',
    '${7*7}',
    '<script>',
    '../../etc/passwd',
  ],
  ...[
    '+1',
    '00',
    '+',
    '0',
    '-0',
    '1e3',
    '0x10',
    'NaN',
    'Infinity',
    '1'.repeat(400),
    '@',
    'a@b',
    'ana@example.com\r\nBcc: b@c.de',
  ],
  ...[
    '\u202e+14155550123',
    '+1415555\u200b0123',
    'ana@exa\u00admple.com',
    'ana@例え.テスト',
    '👩‍👩‍👧‍👦',
    'ﬀ@ﬀ.com',
    'sms\u0000',
    'ＳＭＳ',
  ],
);
export const text = fc.oneof(
  typicalAttacks,
  loneSurrogates,
  controlCharacters,
  otherDigits,
  longText,
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string(),
);
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(1e21, -0, 1e308, 5e-324),
);
export const json = fc.oneof(
  text,
  number,
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }),
);
export const name = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'length',
    '',
    'to',
    'TO',
    'otp',
    'maskid',
  ),
  loneSurrogates,
);
