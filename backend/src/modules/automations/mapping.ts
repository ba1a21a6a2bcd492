/** Fills in an automation's fields with the values of an event, and lists the values that people can choose from. */
import { VARIABLES } from '../../platform/contract/generated/templates.js';
import { createLiquid, explainLiquidError } from '../../platform/liquid.js';
import { internationalNumber } from '../recipients/recipient.js';
import { notificationVariables, sentenceCase, type TemplateName, type VariableName } from '../templates/template.js';
import { untrustedLine } from '../templates/rendering/text.js';
import type { Automation, AutomationFields } from './automation.js';
import type { JsonObject } from './shop-type.js';

/** Labels of the fields that are not variables of the template. */
const RECIPIENT_FIELDS: Readonly<Record<string, string>> = {
  to: 'Recipient',
  country: 'Country',
  language: 'Language',
};

/** Limits for the list of sample values, so that a page stays readable. */
const SAMPLE_VALUES = 200;
const SAMPLE_DEPTH = 6;
const SAMPLE_ITEMS = 3;
const SAMPLE_LENGTH = 60;

const liquid = createLiquid();

export const fieldNamesOf = (template: TemplateName): readonly string[] => [
  ...Object.keys(RECIPIENT_FIELDS),
  ...notificationVariables(template),
];

export const fieldLabel = (name: string): string =>
  RECIPIENT_FIELDS[name] ?? sentenceCase(VARIABLES[name as VariableName].label);

const messageOf = (error: unknown): string => explainLiquidError((error as Error).message);

/** Returns the error in a Liquid text, in plain words; undefined if it is valid. */
export function liquidProblem(text: string): string | undefined {
  try {
    liquid.parse(text);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** A field cannot be filled in. The message is shown in the log. */
export class MappingError extends Error {}

function fillIn(name: string, text: string, body: JsonObject): string {
  try {
    return untrustedLine(String(liquid.parseAndRenderSync(text, body)));
  } catch (error) {
    throw new MappingError(`“${fieldLabel(name)}” cannot be filled in. ${messageOf(error)}`);
  }
}

export interface FilledFields {
  readonly to: string;
  readonly country: string;
  readonly language: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** Fills in the fields. Shortens variables to their maximum length. Throws a {@link MappingError}. */
export function fillFields({ template, fields }: Pick<Automation, 'template' | 'fields'>, body: JsonObject) {
  const valueOf = (name: string) => fillIn(name, fields[name] ?? '', body);
  const variables = Object.fromEntries(
    notificationVariables(template).map((name) => [name, valueOf(name).slice(0, VARIABLES[name].maxLength)]),
  );
  const country = valueOf('country');
  const filled: FilledFields = {
    to: internationalNumber(valueOf('to'), country),
    country,
    language: valueOf('language').slice(0, 35),
    variables: Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== '')),
  };
  return filled;
}

/** Returns the fields of a shop that a template has. A message needs only one of the order total and the amount. */
export function fieldsFor(template: TemplateName, presets: AutomationFields): AutomationFields {
  const names = fieldNamesOf(template).filter((name) => presets[name] !== undefined);
  const chosen = names.includes('orderTotal') ? names.filter((name) => name !== 'amount') : names;
  return Object.fromEntries(chosen.map((name) => [name, presets[name]!]));
}

export interface SampleValue {
  /** The Liquid expression, such as `billing.phone`. */
  readonly path: string;
  readonly value: string;
}

const IDENTIFIER = /^[A-Za-z_][\w-]*$/;

function pathTo(parent: string, key: string): string {
  if (!IDENTIFIER.test(key)) return `${parent}[${JSON.stringify(key)}]`;
  return parent === '' ? key : `${parent}.${key}`;
}

/** Lists the values in a body with their Liquid expressions, in the order of the body. */
export function sampleValues(body: JsonObject): readonly SampleValue[] {
  const found: SampleValue[] = [];
  function visit(path: string, value: unknown, depth: number): void {
    if (found.length >= SAMPLE_VALUES || depth > SAMPLE_DEPTH) return;
    if (Array.isArray(value))
      value.slice(0, SAMPLE_ITEMS).forEach((item, n) => visit(`${path}[${n}]`, item, depth + 1));
    else if (typeof value === 'object' && value !== null) {
      // A quote cannot be escaped in Liquid.
      const keys = Object.entries(value).filter(([key]) => !/["\\]/.test(key));
      for (const [key, item] of keys) visit(pathTo(path, key), item, depth + 1);
    } else if (typeof value === 'number' || (typeof value === 'string' && value !== ''))
      found.push({ path, value: untrustedLine(String(value)).slice(0, SAMPLE_LENGTH) });
  }
  visit('', body, 0);
  return found;
}

/** Returns the name of a received value in words: `billing.first_name` → `billing first name`. */
export const valueName = (path: string): string =>
  path
    .replace(/[._[\]"]+/g, ' ')
    .trim()
    .toLowerCase()
    .replace(/\b(?:id|url|gmt|sku)\b/g, (word) => word.toUpperCase());

function isMissing(value: unknown, [name, ...rest]: readonly unknown[]): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if (typeof name !== 'string') return false;
  return !Object.hasOwn(value, name) || isMissing((value as JsonObject)[name], rest);
}

/**
 * Returns the values that a valid Liquid text uses and a body does not have, such as `nope.nope`. Lists can be empty, so their
 * items are never missing.
 */
export const missingValues = (text: string, body: JsonObject): readonly string[] =>
  liquid
    .globalVariableSegmentsSync(text)
    .filter((segments) => isMissing(body, segments))
    .map((segments) => segments.join('.'));

const listFormat = new Intl.ListFormat('en');

/**
 * Names the received values in a Liquid text: `{{ billing.phone | default: shipping.phone }}` → `“billing phone” or
 * “shipping phone”`. Returns "" for a text without values.
 */
export function sourceOf(text: string): string {
  const outputs = [...text.matchAll(/\{\{([^{}]*)\}\}/g)].map(([, output = '']) => {
    const [first = '', ...filters] = output.split('|').map((part) => part.trim());
    const others = filters.flatMap((filter) => (filter.startsWith('default:') ? filter.slice('default:'.length) : []));
    return [first, ...others].map((value) => `“${valueName(value)}”`).join(' or ');
  });
  return listFormat.format(outputs);
}

const MIN_PHONE_DIGITS = 7;
/** Bodies that are nested more deeply are not searched, but are treated like a match. No shop sends them. */
const MAX_DEPTH = 100;

/**
 * Whether a body contains a phone number or email address. Phone numbers may lack their country code, so the last
 * digits are compared.
 */
export function mentions(body: unknown, address: string, depth = 0): boolean {
  if (typeof body === 'object' && body !== null)
    return depth > MAX_DEPTH || Object.values(body).some((value) => mentions(value, address, depth + 1));
  const text = typeof body === 'string' || typeof body === 'number' ? String(body) : '';
  if (address.includes('@')) return text.toLowerCase().includes(address.toLowerCase());
  const digits = text.replace(/\D/g, '').replace(/^0+/, '');
  return digits.length >= MIN_PHONE_DIGITS && (address.endsWith(digits) || digits.endsWith(address.slice(1)));
}
