/** Warns callers about parameters that the contract does not define, because they have no effect. */
import type { RequestHandler } from 'express';
import leven from 'leven';
import { requestSchema, type ParameterSchema } from '../contract/contract.js';
import { shorten } from '../contract/errors.js';
import { allowOnly, jsonBody, warn } from './envelope.js';
import { isObject } from '../json.js';
import { parametersOf } from './validation.js';

const MAX_WARNINGS = 10;

type Properties = Readonly<Record<string, ParameterSchema>>;

/**
 * Returns the parameter that the caller probably meant: its name differs by at most two letters, or `name` is a
 * synonym.
 */
function findIntended(name: string, properties: Properties): string | undefined {
  const lower = name.toLowerCase().replace(/[_-]/g, '');
  const bySynonym = Object.keys(properties).find((known) =>
    properties[known]!['x-synonyms']?.some((synonym) => synonym.toLowerCase() === lower),
  );
  return (
    bySynonym ?? Object.keys(properties).find((known) => known.length > 2 && leven(lower, known.toLowerCase()) <= 2)
  );
}

function warningsAbout(source: unknown, properties: Properties, path = ''): string[] {
  if (!isObject(source)) return [];
  const known = new Map(Object.keys(properties).map((name) => [name.toLowerCase(), properties[name]!]));
  return Object.entries(source).flatMap(([name, value]) => {
    const property = known.get(name.toLowerCase());
    if (property) return property.properties ? warningsAbout(value, property.properties, `${path}${name}.`) : [];
    const intended = findIntended(name, properties);
    const suggestion = intended ? ` Did you mean ${path}${intended}?` : '';
    return [`${path}${shorten(name)} is not a parameter of this call and was ignored.${suggestion}`];
  });
}

/** Adds a warning to the reply for each parameter of the request that the schema does not define. */
export function warnAboutUnknown(schemaName: string): RequestHandler {
  const { properties } = requestSchema(schemaName);
  return (request, response, next) => {
    for (const text of warningsAbout(parametersOf(request), properties).slice(0, MAX_WARNINGS)) warn(response, text);
    next();
  };
}

/**
 * The middleware of an API call: the methods that it accepts, authentication, the body, and warnings about parameters that
 * the schema does not define.
 */
export const apiCall = (
  authentication: RequestHandler,
  schemaName: string,
  ...methods: readonly string[]
): RequestHandler[] => [allowOnly(...methods), authentication, jsonBody, warnAboutUnknown(schemaName)];
