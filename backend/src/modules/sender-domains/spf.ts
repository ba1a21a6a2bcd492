/** Reads SPF records with everything that they include (RFC 7208). */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Answer, Dns } from '../../platform/dns.js';

/** Receivers reject a record that makes them look up more names. */
export const MAX_SPF_LOOKUPS = 10;
/** The number of mail servers whose addresses a term `mx` stands for. */
const MAX_MAIL_SERVERS = 10;

/** The groups are the qualifier, the name, the value, and the length of the network's prefix. */
const TERM = /^([+?~-]?)([a-z0-9]+)(?::([^/]+))?(\/[/\d]+)?$/i;
/** `redirect=…`, `exp=…`, and modifiers that do not exist yet, which receivers ignore. */
const MODIFIER = /^([a-z][\w.-]*)=(.*)$/i;
const isSpf = (text: string): boolean => /^v=spf1(?: |$)/i.test(text);

export interface Spf {
  /** The domain's own records: exactly one is correct. */
  readonly records: readonly string[];
  /** The domains that the record includes or refers to, at any depth. */
  readonly included: ReadonlySet<string>;
  /** The IP addresses that the record lists; `mx` and `a` are only resolved on request. */
  readonly networks: readonly Network[];
  readonly lookups: number;
  /** The first reason for which receivers reject the record. */
  readonly problem: string | undefined;
  /** False if a part of the record could not be read: DNS did not answer, or it contains a macro. */
  readonly isComplete: boolean;
}

async function spfRecords(domain: string, dns: Dns): Promise<Answer<string>> {
  const found = await dns.texts(domain);
  return found === 'failed' ? found : found.filter(isSpf);
}

const termsOf = (record: string): string[] => record.split(' ').filter(Boolean).slice(1);

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Returns undefined if the address or the length of the prefix is not valid. */
function networkOf(address: string, prefix: string | undefined): Network | undefined {
  const family = isIP(address);
  const bits = family === 6 ? 128 : 32;
  const length = prefix === undefined ? bits : Number(prefix.slice(1));
  return family > 0 && length <= bits ? [ipaddr.parse(address), length] : undefined;
}

/** The length of a term in a text for people. */
const MAX_SHOWN = 80;
const shown = (term: string): string => `“${term.slice(0, MAX_SHOWN)}”`;

/** `resolves`: whether to look up the addresses of the terms `a` and `mx`. */
export async function readSpf(domain: string, dns: Dns, resolves: boolean): Promise<Spf | 'failed'> {
  const records = await spfRecords(domain, dns);
  if (records === 'failed') return 'failed';
  const included = new Set<string>();
  const networks: Network[] = [];
  let lookups = 0;
  let problem: string | undefined;
  let isComplete = true;

  async function addHosts(hosts: Answer<string>, prefix: string | undefined): Promise<void> {
    const found = await Promise.all((hosts === 'failed' ? [] : hosts).slice(0, MAX_MAIL_SERVERS).map(dns.addresses));
    if (hosts === 'failed' || found.includes('failed')) isComplete = false;
    const addresses = found.flatMap((answer) => (answer === 'failed' ? [] : answer));
    // `a/24//64` has a prefix for each kind of address. The one for IPv6 is rare, and left out.
    networks.push(...addresses.flatMap((address) => toList(networkOf(address, /^\/\d+/.exec(prefix ?? '')?.[0]))));
  }

  async function follow(target: string, term: string): Promise<void> {
    included.add(target.toLowerCase());
    const found = target.includes('%') ? 'failed' : await spfRecords(target, dns);
    if (found === 'failed') isComplete = false;
    else if (found.length === 1) await visit(target, found[0]!);
    else problem ??= `${shown(term)} refers to a domain with ${found.length === 0 ? 'no' : 'several'} SPF records`;
  }

  async function visitTerm(at: string, term: string): Promise<void> {
    const [, modifier, value = ''] = MODIFIER.exec(term) ?? [];
    if (modifier !== undefined && modifier.toLowerCase() !== 'redirect') return;
    const [, qualifier, name = '', target = at, prefix] = modifier
      ? ['', '', 'redirect', value]
      : (TERM.exec(term) ?? []);
    const kind = name.toLowerCase();
    if (['include', 'redirect', 'a', 'mx', 'ptr', 'exists'].includes(kind)) lookups += 1;
    if (lookups > MAX_SPF_LOOKUPS) return;
    const passes = qualifier === '' || qualifier === '+';
    switch (kind) {
      case 'include':
      case 'redirect':
        return follow(target, term);
      case 'a':
      case 'mx':
        if (target.includes('%')) isComplete = false;
        else if (passes && resolves) await addHosts(kind === 'a' ? [target] : await dns.mailServers(target), prefix);
        return;
      case 'ip4':
      case 'ip6': {
        const network = networkOf(target, prefix);
        if (!network) problem ??= `${shown(term)} is not a valid term`;
        else if (passes) networks.push(network);
        return;
      }
      case 'ptr':
      case 'exists':
        // Depends on the address of the client.
        isComplete &&= !resolves;
        return;
      case 'all':
        return;
      default:
        problem ??= `${shown(term)} is not a valid term`;
    }
  }

  async function visit(at: string, record: string): Promise<void> {
    await Promise.all(termsOf(record).map((term) => visitTerm(at, term)));
  }

  if (records.length === 1) await visit(domain, records[0]!);
  return { records, included, networks, lookups, problem, isComplete };
}

const toList = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value]);

/** Whether the record lists the IP address. */
export function allows({ networks }: Pick<Spf, 'networks'>, address: string): boolean {
  const parsed = ipaddr.parse(address);
  return networks.some(
    ([network, length]) => network.kind() === parsed.kind() && parsed.match(network as never, length),
  );
}

const ALL = /^([+?~-]?)all$/i;

/** Returns the qualifier of the term `all`, such as `~`; undefined without this term. */
export function allQualifier(record: string): string | undefined {
  const found = termsOf(record).flatMap((term) => ALL.exec(term)?.[1] ?? []);
  return found.length === 0 ? undefined : found[0] || '+';
}

/**
 * Returns one record with the terms of all records and these terms. It ends with `-all` or `redirect=` if a record does,
 * and otherwise with `~all`.
 */
export function spfWith(records: readonly string[], terms: readonly string[]): string {
  const all = records.flatMap(termsOf);
  const isEnd = (term: string) => ALL.test(term) || /^redirect=/i.test(term);
  const redirect = all.find((term) => /^redirect=/i.test(term));
  const end = all.some((term) => term.toLowerCase() === '-all') ? '-all' : (redirect ?? '~all');
  return ['v=spf1', ...new Set([...all.filter((term) => !isEnd(term)), ...terms]), end].join(' ');
}
