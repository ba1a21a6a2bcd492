/**
 * Keyed hashes and sealed values. Every value carries the id of its key, so that keys rotate: new values use the newest,
 * old ones still verify and open while their key is listed.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto';

/** Randomness of codes and identifiers; the system's CSPRNG. */
export const random = {
  /** `bytes` random bytes as hex. */
  hex: (bytes: number): string => randomBytes(bytes).toString('hex'),
  base64url: (bytes: number): string => randomBytes(bytes).toString('base64url'),
  /** `length` uniform decimal digits, leading zeros included. */
  digits: (length: number): string =>
    randomInt(0, 10 ** length)
      .toString()
      .padStart(length, '0'),
};

/** Keyed hash under a key that is not of the keyring, as hex. */
export const hmac = (key: string, value: string): string => createHmac('sha256', key).update(value).digest('hex');

export const sha256 = (value: string): string => createHash('sha256').update(value).digest('hex');

/** Compares in constant time; hashing first makes the lengths equal. */
export function sameText(a: string, b: string): boolean {
  const hash = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(hash(a), hash(b));
}

interface DerivedKey {
  readonly id: string;
  readonly mac: Buffer;
  readonly seal: Buffer;
}

function derive(secret: string): DerivedKey {
  const part = (info: string, bytes: number) => Buffer.from(hkdfSync('sha256', secret, 'passbell', info, bytes));
  return { id: part('id', 6).toString('base64url'), mac: part('mac', 32), seal: part('seal', 32) };
}

export interface Keyring {
  /** Keyed hash of `value`, bound to a `purpose`: `<key id>.<hash>`. */
  mac(purpose: string, value: string): string;
  /** Whether `mac` was made of `value`; constant time. Always computes one hash, also for a malformed `mac`. */
  macMatches(mac: string, purpose: string, value: string): boolean;
  /** Encrypts with AES-256-GCM; only {@link open} with the same `context` reads it. */
  seal(context: string, value: string): string;
  open(context: string, sealed: string): string;
  /** Whether the key that sealed it is still listed. */
  canOpen(sealed: string): boolean;
  /** Whether the newest key sealed it. */
  isNewest(sealed: string): boolean;
  /** The same value under the newest key; undefined where that has sealed it already, or where it cannot be opened. */
  reseal(context: string, sealed: string): string | undefined;
}

/** Keys derived from `SECRET_KEY`, newest first. */
export function createKeyring(secrets: readonly string[]): Keyring {
  const keys = secrets.map(derive);
  const newest = keys[0];
  if (!newest) throw new Error('a keyring needs at least one key');
  const keyOf = (id: string | undefined) => keys.find((key) => key.id === id);
  const hash = (key: DerivedKey, purpose: string, value: string) =>
    createHmac('sha256', key.mac).update(`${purpose}\0${value}`).digest('base64url');

  const sealedBy = (sealed: string) => sealed.split('.', 1)[0];

  const keyring: Keyring = {
    mac: (purpose, value) => `${newest.id}.${hash(newest, purpose, value)}`,

    macMatches(mac, purpose, value) {
      const [id] = mac.split('.');
      const key = keyOf(id);
      const expected = `${id}.${hash(key ?? newest, purpose, value)}`;
      return sameText(mac, expected) && key !== undefined;
    },

    seal(context, value) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', newest.seal, iv).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
      return [newest.id, ...[iv, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.');
    },

    canOpen: (sealed) => keyOf(sealedBy(sealed)) !== undefined,

    isNewest: (sealed) => sealedBy(sealed) === newest.id,

    reseal(context, sealed) {
      if (keyring.isNewest(sealed) || !keyring.canOpen(sealed)) return undefined;
      return keyring.seal(context, keyring.open(context, sealed));
    },

    open(context, sealed) {
      const [id, ...parts] = sealed.split('.');
      const key = keyOf(id);
      if (!key) throw new Error('sealed with a key that SECRET_KEY no longer lists');
      const [iv, body, tag] = parts.map((part) => Buffer.from(part, 'base64url'));
      const decipher = createDecipheriv('aes-256-gcm', key.seal, iv!, { authTagLength: 16 })
        .setAAD(Buffer.from(context))
        .setAuthTag(tag!);
      return Buffer.concat([decipher.update(body!), decipher.final()]).toString('utf8');
    },
  };
  return keyring;
}
