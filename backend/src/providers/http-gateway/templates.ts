/**
 * Compiles the Liquid templates of a request. Values cannot change the request's structure: each value is
 * percent-encoded in URLs, and inserted before JSON, forms and queries are encoded.
 */
import type { Liquid, Template as LiquidTemplate } from 'liquidjs';
import { createLiquid, explainLiquidError, MAX_TEMPLATE_LENGTH } from '../../platform/liquid.js';
import { DefinitionError, type Json } from './definition.js';

/** Values by name. A message value replaces a setting with the same name. */
export type Values = Readonly<Record<string, unknown>>;

/** A base URL from the settings. Templates insert it without escaping. */
export class BaseUrl {
  constructor(readonly url: string) {}
}

/** Renders a template. Throws a {@link RenderError}. */
export type Template = (values: Values) => string;

/** A template cannot be rendered with these values. The error message contains no values. */
export class RenderError extends Error {}

/** Maximum length of the part of a text that an error message repeats. */
const SHOWN_LENGTH = 80;

/** Replaces lone surrogates, which cannot be encoded. */
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

const plain = createLiquid({ outputEscape: (value) => (value instanceof BaseUrl ? value.url : String(value ?? '')) });
const urlEncoding = createLiquid({
  outputEscape: (value) => (value instanceof BaseUrl ? value.url : encodeURIComponent(wellFormed(String(value ?? '')))),
});

function parse(liquid: Liquid, text: string): LiquidTemplate[] {
  if (text.length > MAX_TEMPLATE_LENGTH)
    throw new DefinitionError(`contains a template longer than ${MAX_TEMPLATE_LENGTH} characters`);
  try {
    return liquid.parse(text);
  } catch (error) {
    const shown = text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
    throw new DefinitionError(
      `contains “${shown}”, which is not valid. ${explainLiquidError((error as Error).message)}`,
    );
  }
}

function compileWith(liquid: Liquid, text: string): Template {
  if (!/\{[{%]/.test(text)) return () => text;
  const template = parse(liquid, text);
  return (values) => {
    try {
      return String(liquid.renderSync(template, values));
    } catch {
      throw new RenderError('a gateway template cannot be rendered');
    }
  };
}

export const compileText = (text: string): Template => compileWith(plain, text);

/** Compiles a URL template. All values except a {@link BaseUrl} are percent-encoded. */
export const compileUrl = (text: string): Template => compileWith(urlEncoding, text);

/** Matches a template that consists of a single output with a conversion, such as `{{ unicode | boolean }}`. */
const CONVERTED = /^\{\{((?:(?!\}\}).)*)\|\s*(integer|boolean)\s*\}\}$/s;

/** Returns the names of all values that the templates in a JSON value use. */
export function findNames(json: Json): string[] {
  if (typeof json === 'object') return Object.values(json ?? {}).flatMap(findNames);
  const template = parse(plain, String(json).trim().replace(CONVERTED, '{{$1}}'));
  return Object.keys(plain.analyzeSync(template).globals);
}

/**
 * Compiles a text inside JSON. The filters `| integer` and `| boolean` at its end convert it to a number or a boolean.
 */
function compileJsonText(text: string): (values: Values) => Json | undefined {
  const [, expression, conversion] = CONVERTED.exec(text.trim()) ?? [];
  if (expression === undefined) {
    const render = compileText(text);
    return (values) => render(values) || undefined;
  }
  const render = compileText(`{{${expression}}}`);
  if (conversion === 'boolean') return (values) => !['', 'false', '0'].includes(render(values).trim());
  return (values) => {
    const rendered = render(values).trim();
    return /^-?\d{1,15}$/.test(rendered) ? Number(rendered) : undefined;
  };
}

/**
 * Compiles a JSON value whose texts are templates. Values are inserted into parsed JSON, so they cannot change its
 * structure. Fields that render to an empty text are left out, as are objects and lists that become empty.
 */
export function compileJson(json: Json): (values: Values) => Json | undefined {
  if (typeof json === 'string') return json === '' ? () => '' : compileJsonText(json);
  if (typeof json !== 'object' || json === null) return () => json;
  if (Array.isArray(json)) {
    const items = (json as readonly Json[]).map(compileJson);
    return (values) => {
      const rendered = items.map((item) => item(values)).filter((item) => item !== undefined);
      return rendered.length > 0 || items.length === 0 ? rendered : undefined;
    };
  }
  const entries = Object.entries(json).map(([name, value]) => [name, compileJson(value)] as const);
  return (values) => {
    const rendered = entries.flatMap(([name, value]) => {
      const item = value(values);
      return item === undefined ? [] : [[name, item] as const];
    });
    return rendered.length > 0 || entries.length === 0 ? Object.fromEntries(rendered) : undefined;
  };
}
