/** Builds the HTTP request that sends a message, according to a definition. */
import type { HttpRequest } from '../../platform/http/exchange.js';
import { parseUrl } from '../../platform/url.js';
import {
  DefinitionError,
  type Authentication,
  type BuildBody,
  type Encoding,
  type Json,
  type Method,
  type RequestDefinition,
} from './definition.js';
import type { Template, Values } from './templates.js';
import { compileJson, compileText, compileUrl, findNames, RenderError } from './templates.js';
import { messageValueNames } from './values.js';

type Fields = readonly (readonly [name: string, value: Template])[];

/** Throws a {@link RenderError} if the values do not fit into the request. */
export type BuildRequest = (values: Values) => HttpRequest;

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Headers that would change how the request is transported. */
const TRANSPORT_HEADERS = ['host', 'content-length', 'transfer-encoding', 'connection', 'upgrade', 'expect', 'te'];
/** Characters allowed in a header value. Line breaks, for example, could inject another header. */
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;
/** Matches `.` and `..` path segments, which would change the path of the URL. */
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:[/?#]|$)/i;

/**
 * Throws unless the scheme, host and port are independent of message values, which could send the request to another
 * server.
 */
function checkOrigin(url: string): void {
  const origin = /^(?:https?:\/\/(?:\{\{.*?\}\}|[^/?#{])*|\{\{.*?\}\})/s.exec(url)?.[0];
  if (origin === undefined) throw new DefinitionError('must start with https:// or http://');
  if (url.startsWith('{%', origin.length)) throw new DefinitionError('must not contain {% … %} in its host');
  if (origin.replace(/\{\{(?:(?!\{\{|\}\}).)*\}\}/gs, '').includes('@'))
    throw new DefinitionError('must not contain a password; use the authentication fields');
  const used = findNames(origin).find((name) => messageValueNames.includes(name));
  if (used !== undefined) throw new DefinitionError(`must not contain {{ ${used} }} in its host`);
}

export function compileAddress(url: string): (values: Values) => URL {
  // Also limits the length.
  const render = compileUrl(url);
  checkOrigin(url);
  return (values) => {
    const text = render(values);
    const parsed = parseUrl(text);
    if (!parsed || !/^https?:$/.test(parsed.protocol) || DOT_SEGMENT.test(text.replace(/^\w+:\/\//, '')))
      throw new RenderError("the provider's address is not valid for this message");
    return parsed;
  };
}

export function compileHeaders(headers: Readonly<Record<string, string>>): (values: Values) => Record<string, string> {
  for (const name of Object.keys(headers))
    if (!HEADER_NAME.test(name) || TRANSPORT_HEADERS.includes(name.toLowerCase()))
      throw new DefinitionError(`contains “${name}”, which cannot be set as a header`);
  const compiled = Object.entries(headers).map(([name, value]) => [name, compileText(value)] as const);
  return (values) => {
    const rendered = compiled.map(([name, value]) => [name, value(values).trim()] as const);
    const invalid = rendered.find(([, value]) => !HEADER_VALUE.test(value));
    if (invalid) throw new RenderError(`the header ${invalid[0]} cannot contain this value`);
    return Object.fromEntries(rendered.filter(([, value]) => value !== ''));
  };
}

/** Compiles the fields of a form or a query. */
function compileFields(body: RequestDefinition['body']): (values: Values) => [string, string][] {
  if (body === undefined) return () => [];
  if (typeof body === 'function')
    return (values) => Object.entries(body(values)).map(([name, value]): [string, string] => [name, String(value)]);
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new DefinitionError('needs a name for each form field and query parameter');
  const fields = Object.entries(body).map(([name, value]) => {
    if (typeof value === 'object') throw new DefinitionError(`contains “${name}”, which must be text`);
    return [name, compileText(String(value))] as const;
  });
  return (values) => rendered(fields, values);
}

const rendered = (fields: Fields, values: Values): [string, string][] =>
  fields.map(([name, value]): [string, string] => [name, value(values)]).filter(([, value]) => value !== '');

interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Fields;
}

/** Basic credentials are rendered first and encoded afterwards, because templates cannot encode base64. */
function compileCredentials(authentication: Authentication): (values: Values) => Credentials {
  const { type } = authentication;
  if (type === 'basic') {
    const [user, password] = [authentication.user, authentication.password].map(compileText) as [Template, Template];
    return (values) => {
      const encoded = Buffer.from(`${user(values)}:${password(values)}`).toString('base64');
      return { headers: { Authorization: `Basic ${encoded}` }, query: [] };
    };
  }
  if (type === 'none') return () => ({ headers: {}, query: [] });
  if (type === 'query') {
    const query = [[authentication.name, compileText(authentication.value)]] as const;
    return () => ({ headers: {}, query });
  }
  const headers = compileHeaders(
    type === 'bearer'
      ? { Authorization: `Bearer ${authentication.token}` }
      : { [authentication.name]: authentication.value },
  );
  return (values) => ({ headers: headers(values), query: [] });
}

const compileBody = (body: Json | BuildBody): BuildBody | ReturnType<typeof compileJson> =>
  typeof body === 'function' ? body : compileJson(body);

const CONTENT_TYPES = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const;

export function checkMethod(method?: Method, encoding?: Encoding): void {
  if (method === 'GET' && encoding !== 'query')
    throw new DefinitionError('must be query parameters for a GET request, which has no body');
}

/** Throws a {@link DefinitionError} for a body that the encoding cannot contain. */
export function compileContent({ encoding = 'json', body }: Pick<RequestDefinition, 'encoding' | 'body'>) {
  return {
    json: encoding === 'json' && body !== undefined ? compileBody(body) : undefined,
    fields: compileFields(encoding === 'json' ? undefined : body),
  };
}

/** Throws a {@link DefinitionError} if the definition is not valid. */
export function compileRequest(definition: RequestDefinition, authentication: Authentication): BuildRequest {
  const { method = 'POST', encoding = 'json', body } = definition;
  if (body !== undefined) checkMethod(method, encoding);
  const address = compileAddress(definition.url);
  const headers = compileHeaders(definition.headers ?? {});
  const credentials = compileCredentials(authentication);
  const { json, fields } = compileContent(definition);

  return (values) => {
    const url = address(values);
    const { headers: authorization, query } = credentials(values);
    for (const [name, value] of [...(encoding === 'query' ? fields(values) : []), ...rendered(query, values)])
      url.searchParams.append(name, value);
    const contentType = encoding === 'query' || method === 'GET' ? {} : { 'Content-Type': CONTENT_TYPES[encoding] };
    const text =
      encoding === 'form' ? new URLSearchParams(fields(values)).toString() : json && JSON.stringify(json(values) ?? {});
    return { method, url: url.href, headers: { ...contentType, ...headers(values), ...authorization }, body: text };
  };
}
