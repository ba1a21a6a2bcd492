/** Redacts providers' replies before they are stored: recipients, the content of messages, secrets and long tokens. */
import { unescape } from 'node:querystring';
import { printable } from '../../platform/control-characters.js';
import { HIDDEN } from '../../providers/http-gateway/hidden.js';
import type { FailureDetails } from '../../providers/provider.js';
import type { HiddenSecrets } from '../providers/hidden-secrets.js';

/** Delivery reports contain no credentials. */
const NO_SECRETS: HiddenSecrets = { hide: (text) => text, longest: 0 };

/** Maximum number of bytes of a stored reply. */
export const MAX_REPLY_BYTES = 4096;
/** Maximum number of characters that are read. More than are stored, because redacting makes most replies shorter. */
const MAX_READ = 4 * MAX_REPLY_BYTES;
/** Shorter texts, such as a number of minutes, identify nobody, and would hide most of a reply. */
const MIN_HIDDEN = 3;
/** Shorter texts are only hidden as whole words. */
const MIN_PART_OF_WORD = 4;
/** Six digits of a phone number identify it among the recipients of an application; the first three are a country code. */
const MIN_DIGITS = 6;
const COUNTRY_CODE_DIGITS = 3;
/** Characters that one character of a hidden text can take, for example as an escape sequence with a separator. */
const MAX_SPELLING = 12;

/** Matches one character, or an escape sequence in JSON, URLs or HTML. */
const CHARACTER = /\\u([\da-f]{4})|\\[bfnrt]|((?:%[\da-f]{2})+)|&#x([\da-f]{1,5});|&#(\d{1,6});|[^]/giu;
/** Matches the characters of tokens, keys and IDs. Those without a digit are names of fields. */
const TOKEN = /[\w+=-]{24,}/g;

function decoded(match: RegExpExecArray): string {
  const [character, json, url, hex, decimal] = match;
  if (json ?? hex ?? decimal)
    return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(json ?? hex!, 16));
  if (url) return unescape(url);
  return character.length > 1 && character.startsWith('\\') ? '' : character;
}

/** The letters and digits of a text in lower case, each with its range in the text. All spellings have the same letters. */
function lettersOf(text: string) {
  let letters = '';
  const ranges: (readonly [start: number, end: number])[] = [];
  for (const match of text.matchAll(CHARACTER))
    for (const character of decoded(match).toLowerCase()) {
      if (!/[\p{L}\p{N}]/u.test(character)) continue;
      letters += character;
      for (let unit = 0; unit < character.length; unit++) ranges.push([match.index, match.index + match[0].length]);
    }
  return { letters, ranges };
}

/** Replaces the texts with `••••`, in all spellings: `123456` also hides `12-34 56` and `1, 2, 3, 4, 5, 6`. */
function hideTexts(reply: string, texts: readonly string[]): string {
  const { letters, ranges } = lettersOf(reply);
  const found: (readonly [start: number, end: number])[] = [];
  for (const wanted of new Set(texts.map((text) => lettersOf(text).letters))) {
    if (wanted.length < MIN_HIDDEN) continue;
    for (let at = letters.indexOf(wanted); at !== -1; at = letters.indexOf(wanted, at + 1)) {
      const last = at + wanted.length - 1;
      const start = ranges[at]![0];
      const end = ranges[last]![1];
      const isWord = ranges[at - 1]?.[1] !== start && ranges[last + 1]?.[0] !== end;
      if (isWord || wanted.length >= MIN_PART_OF_WORD) found.push([start, end]);
    }
  }
  let shown = '';
  let shownUntil = 0;
  for (const [start, end] of found.sort(([a], [b]) => a - b)) {
    if (start >= shownUntil) shown += reply.slice(shownUntil, start) + HIDDEN;
    shownUntil = Math.max(shownUntil, end);
  }
  return shown + reply.slice(shownUntil);
}

/** Returns the parts of a recipient that identify it: the ends of a phone number, or an email address and its mailbox. */
function partsOf(recipient: string): string[] {
  const at = recipient.lastIndexOf('@');
  if (at > 0) return [recipient, recipient.slice(0, at)];
  const digits = recipient.replace(/\D/g, '');
  const shortest = Math.min(MIN_DIGITS, digits.length - COUNTRY_CODE_DIGITS);
  return Array.from({ length: digits.length - shortest + 1 }, (_, start) => digits.slice(start));
}

/** Returns as many whole characters as fit into the limit. */
function cut(text: string): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_REPLY_BYTES));
  return text.slice(0, read);
}

/**
 * Returns the details of a delivery report that can be stored and shown. Leaves the text out if the recipient was erased,
 * because the text may contain the recipient.
 */
export function redactReport(
  details: FailureDetails | undefined,
  recipient: string,
  content: readonly string[],
): FailureDetails | undefined {
  const { reply, ...others } = details ?? {};
  if (reply === undefined || recipient === '') return details && others;
  return { ...others, reply: redactReply(reply, { recipient, content }, NO_SECRETS) };
}

/** Returns a reply that can be stored and shown. `content`: the variables of the message, such as the code. */
export function redactReply(
  reply: string,
  { recipient, content }: { readonly recipient: string; readonly content: readonly string[] },
  secrets: HiddenSecrets,
): string {
  const texts = [...partsOf(recipient), ...content];
  const read = printable(reply).slice(0, MAX_READ);
  const redacted = hideTexts(secrets.hide(read), texts);
  // A reply that is cut may end within a text to hide.
  const longest = Math.max(secrets.longest, ...texts.map(({ length }) => length * MAX_SPELLING));
  const complete = reply.length > MAX_READ ? redacted.slice(0, -longest) : redacted;
  return cut(complete.replace(TOKEN, (token) => (/\d/.test(token) ? HIDDEN : token))).trim();
}
