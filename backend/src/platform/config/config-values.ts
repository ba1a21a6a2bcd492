/**
 * Parsers for setting values. Each parser returns the value, or throws an `Error` that describes the expected format.
 */
import { X509Certificate } from 'node:crypto';
import { Resolver } from 'node:dns';
import { readFileSync } from 'node:fs';
import { CHANNELS, type ChannelName } from '../contract/channels.js';
import { parseUrl } from '../url.js';

export const text = (value: string): string => value;

export const list = (value: string): string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

export function dnsServers(value: string): string[] {
  const servers = list(value);
  try {
    new Resolver().setServers(servers);
  } catch {
    throw new Error('must list IP addresses, each optionally with a port');
  }
  return servers;
}

export function integer(min: number, max: number) {
  return (value: string): number => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max)
      throw new Error(`must be a whole number from ${min} to ${max}`);
    return number;
  };
}

export function oneOf<const T extends string>(...values: T[]) {
  return (value: string): T => {
    const found = values.find((candidate) => candidate === value.toLowerCase());
    if (found === undefined) throw new Error(`must be one of ${values.join(', ')}`);
    return found;
  };
}

export function url(...protocols: string[]) {
  return (value: string): string => {
    const protocol = parseUrl(value)?.protocol ?? '';
    if (!protocols.includes(protocol))
      throw new Error(`must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    return value.replace(/(?<!\/)\/+$/, '');
  };
}

/** Reads a PEM file, and returns its text. */
export function pemFile(path: string): string {
  let pem: string;
  try {
    pem = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (!pem.includes('-----BEGIN ')) throw new Error('names a file that is not in PEM format');
  return pem;
}

export function certificates(path: string): string {
  const pem = pemFile(path);
  try {
    new X509Certificate(pem);
  } catch {
    throw new Error('names a file without a certificate');
  }
  return pem;
}

export function matching(pattern: RegExp, expected: string) {
  return (value: string): string => {
    if (!pattern.test(value)) throw new Error(`must be ${expected}`);
    return value;
  };
}

type PerChannel = Readonly<Record<ChannelName, number>>;

/**
 * Parses a number for all channels (`10`), for individual channels (`SMS=1`), or both. `defaults` has the same format,
 * and applies to channels for which the value contains no number.
 */
export function perChannel(min: number, max: number, defaults: string) {
  const number = integer(min, max);
  const parse = (value: string): Partial<PerChannel> => {
    const all: Partial<Record<ChannelName, number>> = {};
    const named: Partial<Record<ChannelName, number>> = {};
    for (const item of list(value)) {
      const [, name, digits] = /^(?:([A-Za-z]+) *=)?(.*)$/.exec(item)!;
      const channel = CHANNELS.find((candidate) => candidate === name?.toUpperCase());
      if (name && !channel) throw new Error(`must use the channels ${CHANNELS.join(', ')}, such as SMS=10`);
      if (channel) named[channel] = number(digits!.trim());
      else for (const each of CHANNELS) all[each] = number(digits!.trim());
    }
    return { ...all, ...named };
  };
  return (value: string): PerChannel => ({ ...parse(defaults), ...parse(value) }) as PerChannel;
}
