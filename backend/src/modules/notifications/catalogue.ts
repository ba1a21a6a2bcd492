/** Looks up notification templates by name, and checks their required variables. */
import { ApiError } from '../../platform/contract/errors.js';
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

const templateEntries = Object.entries(TEMPLATES) as [TemplateName, Template][];

/** `Order Shipped`, `order-shipped` and `orderShipped` → `ordershipped`. */
const normalizeName = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, '');

const NAMES_BY_ALIAS = new Map(
  templateEntries.flatMap(([name, { aliases }]) =>
    [name, ...aliases].map((alias) => [normalizeName(alias), name] as const),
  ),
);

const namesOfKind = (kind: NotificationKind): TemplateName[] =>
  templateEntries.filter(([, template]) => template.kind === kind).map(([name]) => name);

export const findTemplate = (name: string): TemplateName | undefined => NAMES_BY_ALIAS.get(normalizeName(name));

/** Finds a template by name and kind. Throws an error that lists the valid names if no template matches. */
export function requestedTemplate(name: string, kind: NotificationKind): TemplateName {
  const found = findTemplate(name);
  if (found === undefined || templateOf(found).kind !== kind)
    throw new ApiError('UNKNOWN_TEMPLATE', { values: { names: namesOfKind(kind).join(', ') } });
  return found;
}

export function requireVariables(name: TemplateName, variables: Readonly<Record<string, string>>): void {
  const { required, oneOf } = templateOf(name);
  const missing = required.filter((variable) => variables[variable] === undefined);
  if (oneOf.length > 0 && oneOf.every((variable) => variables[variable] === undefined))
    missing.push(oneOf.join(' or '));
  if (missing.length > 0) throw new ApiError('MISSING_TEMPLATE_VARIABLES', { values: { names: missing.join(', ') } });
}
