/** Time-based codes: the test vectors of RFC 6238, and accepted time steps. */
import { accountUri, matchingStep, newSecret } from '../../backend/src/modules/twofactor/totp.js';
import { codeAt } from '../support/authenticator.js';

/** "12345678901234567890" in base32, the secret of the test vectors. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

/** RFC 6238, appendix B. A six-digit code is the last six digits of the eight-digit code. */
const VECTORS: [seconds: number, digits: string][] = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
];

it.each(VECTORS)('accepts the code of RFC 6238 at %d s', (seconds, digits) => {
  const code = digits.slice(-6);
  expect(matchingStep(RFC_SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
  expect(codeAt(RFC_SECRET, seconds * 1000)).toBe(code);
});

it('accepts only the previous, current and next step', () => {
  const now = 1_800_000_000_000;
  const steps = [-2, -1, 0, 1, 2].map((n) => matchingStep(RFC_SECRET, codeAt(RFC_SECRET, now + n * 30_000), now));
  const current = now / 30_000;
  expect(steps).toEqual([undefined, current - 1, current, current + 1, undefined]);
});

it.each(['', '0', '00000', '0000000', 'abcdef', '１２３４５６', '12345\0', '1e5'])('rejects %j', (code) => {
  expect(matchingStep(RFC_SECRET, code, 59_000)).toBeUndefined();
});

it('generates different secrets of 160 bits', () => {
  const secrets = Array.from({ length: 50 }, newSecret);
  expect(new Set(secrets).size).toBe(50);
  for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
});

it('escapes the issuer in the account URI', () => {
  const uri = new URL(accountUri({ secret: RFC_SECRET, issuer: 'Ana & Söhne: 50%?', label: 'ana+x@example.com' }));
  expect([uri.protocol, uri.host, uri.searchParams.get('secret')]).toEqual(['otpauth:', 'totp', RFC_SECRET]);
  expect(uri.searchParams.get('issuer')).toBe('Ana & Söhne: 50%?');
});
