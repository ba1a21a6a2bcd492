/** Validates allow-list entries typed by people. Rejects entries that no caller can match, and suggests corrections. */
import { hostOf, isAddressHost, isNetwork } from './allow-list.js';

export const EXAMPLES = 'Examples: https://shop.example, *.shop.example, 203.0.113.7, 203.0.113.0/24.';

const WILDCARD = /^([a-z][a-z0-9+.-]*:\/\/)?\*\./i;
const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;

const SCHEMES = ['http', 'https'];
/** `http//shop.example` would parse as the host `http`. Browsers send `Origin: null` for files and sandboxed frames. */
const INVALID_HOSTS = [...SCHEMES, 'null'];

/** `http//x`, `https:/x`, `https:x`, `https;//x`: a scheme whose separator is mistyped. */
const MISTYPED_SCHEME = /^(https?)(?:[:;]\/*|\/+)(?=[^:/])/i;

function canMatch(entry: string): boolean {
  const scheme = SCHEME.exec(entry)?.[1]?.toLowerCase();
  if (scheme !== undefined && !SCHEMES.includes(scheme)) return false;
  const host = hostOf(entry.replace(WILDCARD, '$1'));
  const rest = entry.replace(SCHEME, '').replace(WILDCARD, '');
  if (host === undefined || rest.includes('*') || INVALID_HOSTS.includes(host) || /^\.|\.\./.test(host)) return false;
  if (!isAddressHost(host)) return true;
  // With a scheme, an address is a page origin, and a prefix length would be parsed as a path.
  return !WILDCARD.test(entry) && !/\/\d/.test(rest) && scheme !== undefined;
}

const isValid = (entry: string): boolean => isNetwork(entry) || canMatch(entry);

/** `192.0.2.*` → `192.0.2.0/24` */
function networkOfPattern(entry: string): string {
  const numbers = /^((?:\d{1,3}\.){1,3})\*(?:\.\*){0,2}$/.exec(entry)?.[1]?.split('.').filter(Boolean) ?? [];
  return numbers.length === 0 ? '' : `${[...numbers, '0', '0', '0'].slice(0, 4).join('.')}/${numbers.length * 8}`;
}

/** `https://192.0.2.0/24/` → `192.0.2.0/24` */
function networkIn(entry: string): string {
  const text = entry.replace(SCHEME, '').replace(/\/$/, '');
  return isNetwork(text) ? text : '';
}

/** Corrections of common mistakes, the most specific one first. */
const corrections = (entry: string): string[] => [
  networkOfPattern(entry),
  entry.replace(MISTYPED_SCHEME, '$1://'),
  networkIn(entry),
  entry.replace(SCHEME, 'https://'),
  entry.replace(/^((?:https?:\/\/)?[^/]+)\/.*$/i, '$1'),
  entry.replace(/^((?:https?:\/\/)?)\*?\.?(?=[^*.])/i, '$1*.'),
  hostOf(entry) ?? '',
  `http://${entry}`,
];

/** The valid entry that was probably meant; undefined if there is none. */
function suggestionFor(entry: string): string | undefined {
  return corrections(entry).find((correction) => correction !== entry && isValid(correction));
}

/** The reason for rejecting an entry, worded to follow the entry in a sentence; undefined if the entry is valid. */
export function entryProblem(entry: string): string | undefined {
  if (isValid(entry)) return undefined;
  if (entry === '*') return 'would accept every caller. To allow that, leave the list empty.';
  if (/^[\d.:a-f/]*\/-?\d+$/i.test(entry))
    return 'is not a network. The prefix length is at most 32 for IPv4 and 128 for IPv6.';
  const suggestion = suggestionFor(entry);
  if (suggestion !== undefined) return `is not a valid entry. Did you mean ${suggestion}?`;
  if (/[\s,;]/.test(entry)) return 'contains more than one entry. Enter each one separately.';
  return `is not an origin, host, address or network. ${EXAMPLES}`;
}
