/** Keyed hashes, sealed values and random values. */
import { createKeyring, random, constantTimeEqual, sha256 } from '../../backend/src/platform/crypto.js';

const [OLD, NEW, OTHER] = ['old', 'new', 'other'].map((name) => `${name}-`.repeat(12)) as [string, string, string];
const keyringOf = (...keys: string[]) => createKeyring(keys);

describe('a keyed hash', () => {
  it('matches only the hashed value', () => {
    const keyring = keyringOf(NEW);
    const mac = keyring.mac('otp:a', '123456');
    expect(keyring.macMatches(mac, 'otp:a', '123456')).toBe(true);
    for (const value of ['123457', '', '123456 ', '0123456'])
      expect(keyring.macMatches(mac, 'otp:a', value)).toBe(false);
  });

  it('is bound to its purpose', () => {
    const keyring = keyringOf(NEW);
    expect(keyring.macMatches(keyring.mac('otp:a', '123456'), 'otp:b', '123456')).toBe(false);
    expect(keyring.mac('a', 'b:c')).not.toBe(keyring.mac('a:b', 'c'));
  });

  it('is bound to its key', () => {
    expect(keyringOf(OTHER).macMatches(keyringOf(NEW).mac('p', 'v'), 'p', 'v')).toBe(false);
    expect(keyringOf(NEW).mac('p', 'v')).not.toContain(sha256('v'));
  });

  it('matches with an old key as long as the keyring contains the key', () => {
    const mac = keyringOf(OLD).mac('p', 'v');
    expect(keyringOf(NEW, OLD).macMatches(mac, 'p', 'v')).toBe(true);
    expect(keyringOf(NEW, OTHER, OLD).macMatches(mac, 'p', 'v')).toBe(true);
    expect(keyringOf(NEW).macMatches(mac, 'p', 'v')).toBe(false);
  });

  it('uses the newest key', () => {
    expect(keyringOf(NEW, OLD).mac('p', 'v')).toBe(keyringOf(NEW).mac('p', 'v'));
  });

  it('never matches if it is malformed', () => {
    const keyring = keyringOf(NEW);
    const [id] = keyring.mac('p', 'v').split('.');
    for (const mac of ['', '.', '..', '-.-', `${id}`, `${id}.`, `.${id}`, `${id}.x`, 'undefined.x', '\ud800'])
      expect(keyring.macMatches(mac, 'p', 'v')).toBe(false);
  });
});

describe('a sealed value', () => {
  it('opens to the original value, including emoji, quotes and NUL', () => {
    for (const value of ['', 'x', '{"code":"123456"}', 'naïve 👩‍👩‍👧 \u0000 \' "', 'x'.repeat(50_000)])
      expect(keyringOf(NEW).open('c', keyringOf(NEW).seal('c', value))).toBe(value);
  });

  it('is different each time, and does not contain the value', () => {
    const sealed = Array.from({ length: 50 }, () => keyringOf(NEW).seal('c', 'the-code-123456'));
    expect(new Set(sealed).size).toBe(50);
    expect(sealed.join()).not.toContain('123456');
  });

  it('opens only with the context it was sealed with', () => {
    expect(() => keyringOf(NEW).open('message:b', keyringOf(NEW).seal('message:a', 'x'))).toThrow();
  });

  it('opens with an old key as long as the keyring contains the key', () => {
    const sealed = keyringOf(OLD).seal('c', 'x');
    expect(keyringOf(NEW, OLD).open('c', sealed)).toBe('x');
    expect(() => keyringOf(NEW).open('c', sealed)).toThrow(/SECRET_KEY/);
  });

  it('is resealed only if it was sealed with an older key of the keyring', () => {
    const sealed = keyringOf(OLD).seal('c', 'x');
    const anew = keyringOf(NEW, OLD).reseal('c', sealed)!;
    expect(keyringOf(NEW).open('c', anew)).toBe('x');
    expect(keyringOf(NEW, OLD).reseal('c', anew)).toBeUndefined();
    expect(keyringOf(NEW).reseal('c', sealed)).toBeUndefined();
  });

  it('does not open if any part was changed', () => {
    const keyring = keyringOf(NEW);
    const parts = keyring.seal('c', 'a value of some length').split('.');
    for (let part = 1; part < parts.length; part++) {
      const flipped = Buffer.from(parts[part]!, 'base64url');
      flipped[0]! ^= 1;
      const changed = parts.map((old, n) => (n === part ? flipped.toString('base64url') : old)).join('.');
      expect(() => keyring.open('c', changed)).toThrow();
    }
  });

  it('does not open with a shortened tag', () => {
    const keyring = keyringOf(NEW);
    const [id, iv, body, tag] = keyring.seal('c', 'x').split('.') as [string, string, string, string];
    for (const bytes of [0, 4, 8, 12, 15]) {
      const short = Buffer.from(tag, 'base64url').subarray(0, bytes).toString('base64url');
      expect(() => keyring.open('c', [id, iv, body, short].join('.'))).toThrow();
    }
  });

  it('does not open if it is malformed', () => {
    for (const sealed of ['', '.', '...', 'x.y.z.w', keyringOf(NEW).mac('p', 'v')])
      expect(() => keyringOf(NEW).open('c', sealed)).toThrow();
  });
});

it('a keyring needs at least one key', () => expect(() => keyringOf()).toThrow());

describe('random values', () => {
  it('have the requested length and are unique', () => {
    const ids = Array.from({ length: 500 }, () => random.hex(16));
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(ids).size).toBe(500);
    expect(random.base64url(24)).toMatch(/^[\w-]{32}$/);
    // Longer than a block.
    expect(new Set(Buffer.from(random.hex(10_000), 'hex')).size).toBe(256);
    for (let length = 4; length <= 10; length++) expect(random.digits(length)).toMatch(new RegExp(`^\\d{${length}}$`));
  });
});

it('constantTimeEqual compares strings of any length', () => {
  expect(constantTimeEqual('', '')).toBe(true);
  expect(constantTimeEqual('a', 'a')).toBe(true);
  expect(constantTimeEqual('a', 'b')).toBe(false);
  expect(constantTimeEqual('a', 'aa')).toBe(false);
  expect(constantTimeEqual('é', 'e\u0301')).toBe(false);
});
