/** A self-signed certificate, built byte by byte because Node.js cannot create certificates. */
import { sign, type KeyObject } from 'node:crypto';

type KeyPair = { readonly publicKey: KeyObject; readonly privateKey: KeyObject };

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const bytes = (tag: number, hex: string): Buffer => der(tag, Buffer.from(hex, 'hex'));

/** sha256WithRSAEncryption */
const ALGORITHM = sequence(bytes(0x06, '2a864886f70d01010b'), der(0x05));
/** A name that consists of the common name `sns.amazonaws.com`. */
const NAME = sequence(der(0x31, sequence(bytes(0x06, '550403'), der(0x0c, Buffer.from('sns.amazonaws.com')))));
const VALIDITY = sequence(der(0x17, Buffer.from('260101000000Z')), der(0x17, Buffer.from('450101000000Z')));

export function createCertificate({ publicKey, privateKey }: KeyPair): string {
  const key = publicKey.export({ format: 'der', type: 'spki' });
  const content = sequence(bytes(0x02, '01'), ALGORITHM, NAME, VALIDITY, NAME, key);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey));
  const certificate = sequence(content, ALGORITHM, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${certificate.match(/.{1,64}/g)!.join('\n')}\n-----END CERTIFICATE-----\n`;
}
