/** Looks up notification templates by name, and checks their required variables. */
import leven from 'leven';
import { ApiError, shorten } from '../../platform/contract/errors.js';
import { TEMPLATES } from '../../platform/contract/generated/templates.js';
import type { TemplateName } from '../templates/template.js';

export type { TemplateName };
export type NotificationKind = (typeof TEMPLATES)[TemplateName]['kind'];

export interface Template {
  readonly kind: NotificationKind;
  readonly required: readonly string[];
  readonly oneOf: readonly string[];
  readonly optional: readonly string[];
  readonly aliases: readonly string[];
}

export const templateOf = (name: TemplateName): Template => TEMPLATES[name];

/** Maximum edit distance between a requested and a suggested template name, in letters. */
const MAX_TYPOS = 3;

const templateEntries = Object.entries(TEMPLATES) as [TemplateName, Template][];

/**
 * Converts to lower case, and removes spaces, underscores and hyphens: `Order Shipped`, `order-shipped` and
 * `orderShipped` → `ordershipped`.
 */
const normalizeName = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, '');

const NAMES_BY_ALIAS = new Map(
  templateEntries.flatMap(([name, { aliases }]) =>
    [name, ...aliases].map((alias) => [normalizeName(alias), name] as const),
  ),
);

const namesOfKind = (kind: NotificationKind): TemplateName[] =>
  templateEntries.filter(([, template]) => template.kind === kind).map(([name]) => name);

export const findTemplate = (name: string): TemplateName | undefined => NAMES_BY_ALIAS.get(normalizeName(name));

/** Suggests the other endpoint if the template belongs there, or otherwise the template with the most similar name. */
function templateHint(name: string, kind: NotificationKind): string | undefined {
  const found = findTemplate(name);
  if (found !== undefined) return `Send ${found} with POST /notifications/${templateOf(found).kind}.`;
  const distanceTo = (known: string) => leven(normalizeName(name), normalizeName(known));
  const closest = namesOfKind(kind).reduce((a, b) => (distanceTo(b) < distanceTo(a) ? b : a));
  return distanceTo(closest) <= MAX_TYPOS ? `Did you mean ${closest}?` : undefined;
}

function unknownTemplate(name: string, kind: NotificationKind): ApiError {
  const values = { names: namesOfKind(kind).join(', ') };
  const hint = templateHint(name, kind);
  return new ApiError('UNKNOWN_TEMPLATE', { values, field: 'templateType', received: shorten(name), hint });
}

/** Finds a template by name and kind. Throws an error that lists the valid names if no template matches. */
export function requestedTemplate(name: string, kind: NotificationKind): TemplateName {
  const found = findTemplate(name);
  if (found === undefined || templateOf(found).kind !== kind) throw unknownTemplate(name, kind);
  return found;
}

export function requireVariables(name: TemplateName, variables: Readonly<Record<string, string>>): void {
  const { required, oneOf } = templateOf(name);
  const missing = required.filter((variable) => variables[variable] === undefined);
  if (oneOf.length > 0 && oneOf.every((variable) => variables[variable] === undefined))
    missing.push(oneOf.join(' or '));
  if (missing.length > 0)
    throw new ApiError('MISSING_TEMPLATE_VARIABLES', { field: 'variables', values: { names: missing.join(', ') } });
}
