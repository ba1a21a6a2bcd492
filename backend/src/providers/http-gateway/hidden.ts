/** Hides secrets in the request that a dry run shows. */
import { random } from '../../platform/crypto.js';
import type { HttpRequest } from '../../platform/http/exchange.js';

/** Shown in place of secrets. */
export const HIDDEN = '••••';

/** Replaces secrets while a dry run builds a request. Has only letters and digits, which no encoding changes. */
export const PLACEHOLDER = `hidden${random.hex(8)}`;

export function hidePlaceholders({ method, url, headers, body }: HttpRequest): HttpRequest {
  const hide = (text: string): string => text.replace(/^Basic .*/, `Basic ${HIDDEN}`).replaceAll(PLACEHOLDER, HIDDEN);
  const shown = Object.entries(headers).map(([name, value]) => [name, hide(value)] as const);
  return { method, url: hide(url), headers: Object.fromEntries(shown), body: body && hide(body) };
}

/** Matches Liquid tags, which can contain question marks, and the question mark before the query. */
const TAG_OR_QUERY = /\{\{(?:(?!\{\{|\}\}).)*\}\}|\{%(?:(?!\{%|%\}).)*%\}|\?/gs;
/** Matches the parts of a query. The first group contains Liquid tags, names and separators. */
const QUERY_PART = /(\{\{(?:(?!\{\{|\}\}).)*\}\}|\{%(?:(?!\{%|%\}).)*%\}|(?:^|&)[^=&{]*=|&)|[^&{]+|\{/gs;

/**
 * Replaces texts in the query of an address template with a placeholder, because people enter keys there. Keeps the
 * names of parameters and all Liquid tags: `?key=abc&to={{ to }}` → `?key=<placeholder>&to={{ to }}`.
 */
export function hideTypedQuery(url: string): string {
  const mark = [...url.matchAll(TAG_OR_QUERY)].find(([text]) => text === '?');
  if (!mark) return url;
  const start = mark.index + 1;
  const query = url.slice(start);
  return url.slice(0, start) + query.replace(QUERY_PART, (_part, kept: string | undefined) => kept ?? PLACEHOLDER);
}
