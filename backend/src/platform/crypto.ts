/**
 * Keyed hashes and sealed values. They contain their key's id, so that keys can be rotated: new values use the newest
 * key, and old values remain usable as long as `SECRET_KEY` contains their key.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto';

/** Size of the blocks in which random bytes are generated: a small block takes nearly as long as a large one. */
const RANDOM_BLOCK_BYTES = 4096;
let block: Buffer = Buffer.alloc(0);

/** Returns random bytes, and erases them in the block. */
function takeRandomBytes(length: number): Buffer {
  if (block.length < length) block = randomBytes(Math.max(RANDOM_BLOCK_BYTES, length));
  const bytes = Buffer.from(block.subarray(0, length));
  block.fill(0, 0, length);
  block = block.subarray(length);
  return bytes;
}

export const random = {
  hex: (bytes: number): string => takeRandomBytes(bytes).toString('hex'),
  base64: (bytes: number): string => takeRandomBytes(bytes).toString('base64'),
  base64url: (bytes: number): string => takeRandomBytes(bytes).toString('base64url'),
  digits: (length: number): string => String(randomInt(0, 10 ** length)).padStart(length, '0'),
};

/** Whether the text has the format of the ids of messages and codes, `random.hex(16)`. */
export const isHexId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

/** Returns HMAC-SHA-256 as hex. Uses `key` instead of a key from a keyring. */
export const hmac = (key: string, value: string | Uint8Array): string =>
  createHmac('sha256', key).update(value).digest('hex');

export const hmacBase64 = (key: string | Uint8Array, value: string | Uint8Array): string =>
  createHmac('sha256', key).update(value).digest('base64');

export const sha256 = (value: string | Uint8Array): string => hash('sha256', value);

/** Returns a hash of what is stored, to detect edit conflicts. */
export const versionOf = (stored: unknown): string => sha256(JSON.stringify(stored)).slice(0, 16);

/** Hashes both texts first, because `timingSafeEqual` requires equal lengths. */
export function constantTimeEqual(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}

function derive(secret: string) {
  const part = (info: string, bytes: number) => Buffer.from(hkdfSync('sha256', secret, 'passbell', info, bytes));
  // Key objects: Node 24 imports a key that is passed as bytes for every operation, which takes longer than the operation.
  const key = (info: string) => createSecretKey(part(info, 32));
  return { id: part('id', 6).toString('base64url'), mac: key('mac'), seal: key('seal') };
}

/** The value was encrypted with a key that is missing in this process. Other processes may have it. */
export class UnknownKeyError extends Error {
  override readonly name = 'UnknownKeyError';
}

export type Keyring = ReturnType<typeof createKeyring>;

export function createKeyring(secrets: readonly string[]) {
  const keys = secrets.map(derive);
  if (!keys[0]) throw new Error('a keyring needs at least one key');
  const newest = keys[0];
  const keyOf = (id: string | undefined) => keys.find((key) => key.id === id);
  const sealedBy = (sealed: string) => sealed.split('.', 1)[0];
  const keyedHash = (key: ReturnType<typeof derive>, purpose: string, value: string) =>
    createHmac('sha256', key.mac).update(`${purpose}\0${value}`).digest('base64url');

  /** Returns a keyed hash, `<key id>.<hash>`. Hashes for different purposes differ. */
  const mac = (purpose: string, value: string): string => `${newest.id}.${keyedHash(newest, purpose, value)}`;

  /** Returns a hash for each key, newest first, to look up values that were stored before a key rotation. */
  const macs = (purpose: string, value: string): string[] =>
    keys.map((key) => `${key.id}.${keyedHash(key, purpose, value)}`);

  /** Whether `mac` is the hash of `value`. Takes constant time, even if `mac` is malformed. */
  function macMatches(mac: string, purpose: string, value: string): boolean {
    const [id] = mac.split('.');
    const key = keyOf(id);
    const expected = `${id}.${keyedHash(key ?? newest, purpose, value)}`;
    return constantTimeEqual(mac, expected) && key !== undefined;
  }

  /** Encrypts with AES-256-GCM. {@link open} requires the same `context`. */
  function seal(context: string, value: string | Uint8Array): string {
    const iv = takeRandomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', newest.seal, iv).setAAD(Buffer.from(context));
    const bytes = typeof value === 'string' ? Buffer.from(value) : value;
    const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
    return [newest.id, ...[iv, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.');
  }

  function openBytes(context: string, sealed: string): Buffer {
    const [id, ...parts] = sealed.split('.');
    const key = keyOf(id);
    if (!key) throw new UnknownKeyError('encrypted with a key that is not in SECRET_KEY');
    const [iv, body, tag] = parts.map((part) => Buffer.from(part, 'base64url'));
    const decipher = createDecipheriv('aes-256-gcm', key.seal, iv!, { authTagLength: 16 })
      .setAAD(Buffer.from(context))
      .setAuthTag(tag!);
    return Buffer.concat([decipher.update(body!), decipher.final()]);
  }

  const open = (context: string, sealed: string): string => openBytes(context, sealed).toString('utf8');

  /** Returns undefined for a text that is forged, or was sealed for another context or with a key that is no longer in use. */
  function openIfValid(context: string, sealed: string): string | undefined {
    try {
      return open(context, sealed);
    } catch {
      return undefined;
    }
  }

  const canOpen = (sealed: string): boolean => keyOf(sealedBy(sealed)) !== undefined;
  const isNewest = (sealed: string): boolean => sealedBy(sealed) === newest.id;

  /**
   * Seals the value again, with the newest key. Returns undefined if the newest key already seals the value, or if the
   * value cannot be opened.
   */
  const reseal = (context: string, sealed: string): string | undefined =>
    isNewest(sealed) || !canOpen(sealed) ? undefined : seal(context, openBytes(context, sealed));

  return { mac, macs, macMatches, seal, open, openIfValid, openBytes, canOpen, isNewest, reseal };
}
