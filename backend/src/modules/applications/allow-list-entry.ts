/** Validates allow-list entries typed by people. Rejects entries that no caller can match, and suggests corrections. */
import { hostOf, isAddressHost, isNetwork } from './allow-list.js';

export const ENTRY_EXAMPLES = 'Examples: https://shop.example, *.shop.example, 203.0.113.7, 203.0.113.0/24.';

const WILDCARD_PREFIX = /^([a-z][a-z0-9+.-]*:\/\/)?\*\./i;
const SCHEME_PREFIX = /^([a-z][a-z0-9+.-]*):\/\//i;

const SCHEMES = ['http', 'https'];
/** Host names to reject: `http//shop.example` is parsed as the host `http`, and local files have the origin `null`. */
const INVALID_HOSTS = [...SCHEMES, 'null'];

/** A scheme with a mistyped separator: `http//x`, `https:/x`, `https:x`, `https;//x`. */
const MISTYPED_SCHEME = /^(https?)(?:[:;]\/*|\/+)(?=[^:/])/i;

/** An address range such as `203.0.113.7-9`. URLs accept it as a host name, but no DNS name has this format. */
const ADDRESS_RANGE = /^[\d.-]+$/;

function canMatchOrigin(entry: string): boolean {
  const scheme = SCHEME_PREFIX.exec(entry)?.[1]?.toLowerCase();
  if (scheme !== undefined && !SCHEMES.includes(scheme)) return false;
  const host = hostOf(entry.replace(WILDCARD_PREFIX, '$1'));
  const rest = entry.replace(SCHEME_PREFIX, '').replace(WILDCARD_PREFIX, '');
  if (host === undefined || rest.includes('*') || INVALID_HOSTS.includes(host) || /^\.|\.\./.test(host)) return false;
  if (!isAddressHost(host)) return !ADDRESS_RANGE.test(host);
  // An IP address with a scheme is a page origin. A prefix length after it would be parsed as a path.
  return !WILDCARD_PREFIX.test(entry) && !/\/\d/.test(rest) && scheme !== undefined;
}

/** Reserved names, under which no one can register a domain. */
const RESERVED_NAME = /^(?:localhost|local|internal|test)$/i;

/** The labels of the domain of a wildcard: `*.shop.example` → `shop`, `example`. None for other entries. */
function wildcardLabels(entry: string): readonly string[] {
  const host = WILDCARD_PREFIX.test(entry) ? hostOf(entry.replace(WILDCARD_PREFIX, '$1')) : undefined;
  return host?.replace(/:\d+$/, '').split('.') ?? [];
}

/** The end of all sites that a wildcard such as `*.com` matches; undefined for other entries. */
function topLevelOf(entry: string): string | undefined {
  const [name, ...others] = wildcardLabels(entry);
  return name === undefined || others.length > 0 || RESERVED_NAME.test(name) ? undefined : name;
}

/**
 * Whether a wildcard may accept sites of many owners, like `*.co.uk` and `*.github.io`. There is no list of these domains
 * here, because it would soon be out of date.
 */
export const mayHaveManyOwners = (entry: string): boolean => wildcardLabels(entry).length === 2;

const isValid = (entry: string): boolean => isNetwork(entry) || canMatchOrigin(entry);

/** Converts a pattern to a network: `192.0.2.*` → `192.0.2.0/24`. Returns "" for other entries. */
function networkOfPattern(entry: string): string {
  const numbers = /^((?:\d{1,3}\.){1,3})\*(?:\.\*){0,2}$/.exec(entry)?.[1]?.split('.').filter(Boolean) ?? [];
  return numbers.length === 0 ? '' : `${[...numbers, '0', '0', '0'].slice(0, 4).join('.')}/${numbers.length * 8}`;
}

/** Removes the scheme from a network: `https://192.0.2.0/24/` → `192.0.2.0/24`. Returns "" for other entries. */
function networkOfUrl(entry: string): string {
  const text = entry.replace(SCHEME_PREFIX, '').replace(/\/$/, '');
  return isNetwork(text) ? text : '';
}

/** Returns possible corrections of an entry, most specific first. A correction may itself be invalid. */
const corrections = (entry: string): string[] => [
  networkOfPattern(entry),
  entry.replace(MISTYPED_SCHEME, '$1://'),
  networkOfUrl(entry),
  entry.replace(SCHEME_PREFIX, 'https://'),
  entry.replace(/^((?:https?:\/\/)?[^/]+)\/.*$/i, '$1'),
  entry.replace(/^((?:https?:\/\/)?)\*?\.?(?=[^*.])/i, '$1*.'),
  hostOf(entry) ?? '',
  `http://${entry}`,
];

/** Returns a valid entry that is similar to an invalid entry; undefined if no correction is valid. */
function suggestionFor(entry: string): string | undefined {
  return corrections(entry).find((correction) => correction !== entry && isValid(correction));
}

/** Returns why an entry is rejected, worded to follow the entry in a sentence; undefined for a valid entry. */
export function entryProblem(entry: string): string | undefined {
  const topLevel = topLevelOf(entry);
  if (topLevel !== undefined)
    return `would accept all sites that end in .${topLevel}. Enter your own domain, such as *.shop.${topLevel}.`;
  if (isValid(entry)) return undefined;
  if (entry === '*') return 'would accept every caller. To allow that, leave the list empty.';
  if (/^[\d.:a-f/]*\/-?\d+$/i.test(entry))
    return 'is not a network. The prefix length is at most 32 for IPv4 and 128 for IPv6.';
  const suggestion = suggestionFor(entry);
  if (suggestion !== undefined) return `is not a valid entry. Did you mean ${suggestion}?`;
  if (/[\s,;]/.test(entry)) return 'contains more than one entry. Enter each one separately.';
  return `is not a site, IP address or network. ${ENTRY_EXAMPLES}`;
}
