/** Reads `DATABASE_URL`: one or several hosts, and TLS as vendors write it. */
import { isIP } from 'node:net';
import { parseUrl } from '../url.js';

/** As in the `mysql` client: `REQUIRED` encrypts without checking the certificate, `VERIFY_IDENTITY` also checks the name. */
export type SslMode = 'DISABLED' | 'PREFERRED' | 'REQUIRED' | 'VERIFY_CA' | 'VERIFY_IDENTITY';

export interface DatabaseUrl {
  /** A URL for each host, without the parameters for TLS. */
  readonly hosts: readonly string[];
  readonly name: string;
  /** Undefined if the URL says nothing about TLS. */
  readonly sslMode: SslMode | undefined;
}

const PATTERN = /^((?:mysql|mariadb):\/\/(?:[^/?#]*@)?)([^/?#@]+)((?:[/?#].*)?)$/is;

const hasIpAddress = (url: string): boolean => isIP(new URL(url).hostname.replace(/^\[|\]$/g, '')) !== 0;

const EXAMPLE = 'mysql://user:password@host:3306/passbell';

/** Parameters that contain a mode, and their values in lower case, without `-` and `_`. */
const MODE_PARAMETER = /^(?:ssl[-_]?mode|sslaccept|usessl|ssl|tls)$/i;
const MODES: Readonly<Record<string, SslMode>> = {
  disabled: 'DISABLED',
  disable: 'DISABLED',
  false: 'DISABLED',
  0: 'DISABLED',
  preferred: 'PREFERRED',
  prefer: 'PREFERRED',
  required: 'REQUIRED',
  require: 'REQUIRED',
  acceptinvalidcerts: 'REQUIRED',
  '{"rejectunauthorized":false}': 'REQUIRED',
  verifyca: 'VERIFY_CA',
  verifyidentity: 'VERIFY_IDENTITY',
  verifyfull: 'VERIFY_IDENTITY',
  strict: 'VERIFY_IDENTITY',
  true: 'VERIFY_IDENTITY',
  1: 'VERIFY_IDENTITY',
  '{"rejectunauthorized":true}': 'VERIFY_IDENTITY',
};

function modeOf(name: string, value: string): SslMode {
  const mode = MODES[value.toLowerCase().replace(/[-_\s]/g, '')];
  if (MODE_PARAMETER.test(name) && mode) return mode;
  throw new Error(
    MODE_PARAMETER.test(name)
      ? `has an unknown value for ${name}: use ssl-mode=DISABLED, PREFERRED, REQUIRED, VERIFY_CA or VERIFY_IDENTITY`
      : `has the unknown parameter ${name}: use ssl-mode, DATABASE_CA_FILE, DATABASE_CERT_FILE and DATABASE_KEY_FILE`,
  );
}

/** Throws an error that completes the sentence "DATABASE_URL …", and never contains the password. */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  const [, start, hosts, end] = PATTERN.exec(text) ?? [];
  const urls = (hosts ?? '').split(',').map((host) => parseUrl(`${start}${host.trim()}${end}`));
  if (start === undefined || urls.some((url) => !url?.hostname))
    throw new Error(`must be a URL such as ${EXAMPLE}; several hosts are separated by commas`);
  const all = urls as URL[];
  const parameters = [...all[0]!.searchParams].filter(([name]) => /^(?:use)?(?:ssl|tls)/i.test(name));
  const modes = parameters.map(([name, value]) => modeOf(name, value));
  for (const url of all) for (const [name] of parameters) url.searchParams.delete(name);
  const parsed = all.map(({ href }) => href);
  // The driver would compare the certificate with the name "localhost".
  if (modes[0] === 'VERIFY_IDENTITY' && parsed.some(hasIpAddress))
    throw new Error(
      'needs a host name to check the name in the certificate: with an IP address, use ssl-mode=VERIFY_CA',
    );
  return { hosts: parsed, name: decodeURIComponent(all[0]!.pathname.slice(1)), sslMode: modes[0] };
}

export const withDatabaseName = (url: string, name: string): string =>
  url.replace(PATTERN, (_, start: string, hosts: string, end: string) => {
    const query = end.includes('?') ? end.slice(end.indexOf('?')) : '';
    return `${start}${hosts}/${name}${query}`;
  });

/** PEM texts from the settings `DATABASE_CA_FILE`, `DATABASE_CERT_FILE` and `DATABASE_KEY_FILE`. */
export interface DatabaseCertificates {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** As in the `mysql` client, `REQUIRED` checks the certificate if there is a CA to check it with. */
export function tlsModeOf({ sslMode, hosts }: DatabaseUrl, { ca }: DatabaseCertificates): SslMode {
  if (ca === undefined) return sslMode ?? 'DISABLED';
  const byDefault = hosts.some(hasIpAddress) ? 'VERIFY_CA' : 'VERIFY_IDENTITY';
  return sslMode === 'REQUIRED' || sslMode === 'PREFERRED' ? 'VERIFY_CA' : (sslMode ?? byDefault);
}

/** Returns the URL of each host, with its mode for TLS. */
export function urlsByHost(url: string, certificates: DatabaseCertificates): string[] {
  const parsed = parseDatabaseUrl(url);
  return parsed.hosts.map((host) => {
    const one = new URL(host);
    one.searchParams.set('ssl-mode', tlsModeOf(parsed, certificates));
    return one.href;
  });
}
