/** Reads the TLS certificate that browsers get from the public address of this server. */
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { SECOND } from '../../platform/clock.js';

const TIMEOUT_MS = 10 * SECOND;
const HTTPS_PORT = 443;

export interface Certificate {
  readonly host: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Returns undefined for an address without https, or if the address cannot be reached within 10 seconds. */
export function readCertificate(address: string, signal: AbortSignal): Promise<Certificate | undefined> {
  const { protocol, hostname, port } = new URL(address);
  if (protocol !== 'https:') return Promise.resolve(undefined);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    // Only the date is read, so a certificate that Node.js does not trust is accepted.
    const trust = { rejectUnauthorized: false };
    const socket = connect({ host, port: Number(port) || HTTPS_PORT, servername: isIP(host) ? '' : host, ...trust });
    const finish = (certificate?: Certificate) => {
      signal.removeEventListener('abort', abort);
      socket.destroy();
      resolve(certificate);
    };
    const abort = () => finish();
    signal.addEventListener('abort', abort);
    socket.setTimeout(TIMEOUT_MS, abort).once('error', abort);
    socket.once('secureConnect', () => {
      const expiresAt = Date.parse(socket.getPeerCertificate().valid_to);
      finish(Number.isNaN(expiresAt) ? undefined : { host, expiresAt });
    });
  });
}
