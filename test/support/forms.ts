/** Finds the forms of the dashboard by following its links. */
import type { Visitor } from './dashboard.js';

export interface FoundForm {
  readonly method: 'get' | 'post';
  /** Path below `/dashboard`, without a query. */
  readonly path: string;
  /** The values that a browser would submit without any input, and "" for unchecked boxes. */
  readonly fields: Readonly<Record<string, string>>;
}

const unescape = (text: string): string =>
  text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_entity, name: string) => ({ lt: '<', gt: '>', quot: '"', '#39': "'" })[name] ?? '&',
  );

const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return found === undefined ? undefined : unescape(found);
};

/** Returns the attribute of all tags that have it. */
const attributes = (html: string, name: string): string[] =>
  [...html.matchAll(/<[a-z][^>]*>/g)].flatMap(([tag]) => attribute(tag, name) ?? []);

function valueOf(tag: string, content: string): string {
  if (tag.startsWith('<textarea')) return unescape(content);
  if (!tag.startsWith('<select')) return attribute(tag, 'value') ?? '';
  const options = [...content.matchAll(/<option\b[^>]*>/g)].map(([option]) => option);
  return attribute(options.find((option) => /\sselected\b/.test(option)) ?? options[0] ?? '', 'value') ?? '';
}

const ELEMENT = /(<(?:input|button)\b[^>]*>)|(<(textarea|select)\b[^>]*>)([\s\S]*?)<\/\3>/g;

function fieldsOf(html: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [, single, area, , content = ''] of html.matchAll(ELEMENT)) {
    const tag = single ?? area!;
    const name = attribute(tag, 'name');
    if (name === undefined) continue;
    const isUnused = /\stype="(checkbox|radio)"/.test(tag) ? !/\schecked\b/.test(tag) : tag.startsWith('<button');
    fields[name] = isUnused ? (fields[name] ?? '') : valueOf(tag, content);
  }
  return fields;
}

const isDashboard = (address: string): boolean => address.startsWith('/dashboard/');
const pathOf = (address: string): string => address.replace(/^\/dashboard|[?#].*$/g, '');

/** Returns the forms of a page. A form with several buttons that have their own addresses counts for each of them. */
export function formsOf(html: string): FoundForm[] {
  return [...html.matchAll(/(<form\b[^>]*>)([\s\S]*?)<\/form>/g)].flatMap(([whole, tag, content]) => {
    const method = attribute(tag!, 'method') === 'post' ? 'post' : 'get';
    const targets = ['action', 'formaction', `hx-${method}`].flatMap((name) => attributes(whole, name));
    return [...new Set(targets.filter(isDashboard).map(pathOf))].map((path) => ({
      method,
      path,
      fields: fieldsOf(content!),
    }));
  });
}

/**
 * Opens `start` and all pages that are linked from there, and returns their forms. Two pages with the same `routeOf`
 * have the same forms, so only one of them is opened.
 */
export async function findForms(
  visitor: Visitor,
  start: readonly string[],
  routeOf: (path: string) => string,
): Promise<FoundForm[]> {
  const waiting = [...start];
  const opened = new Set<string>();
  const forms = new Map<string, FoundForm>();
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (opened.has(routeOf(path))) continue;
    opened.add(routeOf(path));
    const reply = await visitor.get(path);
    if (reply.status === 303) waiting.push(pathOf(reply.location));
    if (!/^text\/html/.test(reply.headers.get('Content-Type') ?? '')) continue;
    for (const form of formsOf(reply.html))
      forms.set(`${form.method} ${routeOf(form.path)} ${Object.keys(form.fields)}`, form);
    waiting.push(...attributes(reply.html, 'href').filter(isDashboard).map(pathOf));
  }
  return [...forms.values()];
}
