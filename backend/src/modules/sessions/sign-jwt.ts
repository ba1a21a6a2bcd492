import { sign } from 'node:crypto';
import type { SigningKey } from './signing-key.js';

/** Length of the integers r and s in an ES256 signature, in bytes. */
const INTEGER_BYTES = 32;

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Converts a signature from DER, SEQUENCE { INTEGER r, INTEGER s }, to r and s with a fixed length (RFC 7518, 3.4). */
function fixedLength(der: Buffer): Buffer {
  const signature = Buffer.alloc(2 * INTEGER_BYTES);
  let offset = 2;
  for (const end of [INTEGER_BYTES, 2 * INTEGER_BYTES]) {
    const length = der[offset + 1]!;
    // DER adds a zero byte before a high bit, and omits other leading zero bytes.
    const integer = der.subarray(offset + 2, offset + 2 + length).subarray(-INTEGER_BYTES);
    signature.set(integer, end - integer.length);
    offset += 2 + length;
  }
  return signature;
}

/**
 * Returns a JWT that is signed with ES256. Signs in this thread: WebCrypto, which JWT libraries use, takes two to three
 * times as much CPU time, and so does `dsaEncoding` in Node 24.
 */
export function signJwt({ kid, privateKey }: SigningKey, typ: string, claims: object): string {
  const content = `${encode({ alg: 'ES256', typ, kid })}.${encode(claims)}`;
  return `${content}.${fixedLength(sign('sha256', Buffer.from(content), privateKey)).toString('base64url')}`;
}
