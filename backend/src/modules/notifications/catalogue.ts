/** The templates that a request can name, and what each of them needs. */
import { ApiError } from '../../platform/contract/errors.js';
import { TEMPLATES } from '../../platform/contract/generated/templates.js';
import type { TemplateName } from '../templates/rendering/language.js';

export type { TemplateName };
export type NotificationKind = (typeof TEMPLATES)[TemplateName]['kind'];

/** A template as the contract describes it. */
export interface Template {
  readonly kind: NotificationKind;
  readonly required: readonly string[];
  readonly oneOf: readonly string[];
  readonly optional: readonly string[];
  readonly aliases: readonly string[];
}

export const templateOf = (name: TemplateName): Template => TEMPLATES[name];

const entries = Object.entries(TEMPLATES) as [TemplateName, Template][];

/** `Order Shipped`, `order-shipped` and `orderShipped` are one spelling. */
const spelling = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, '');

const BY_SPELLING = new Map(
  entries.flatMap(([name, { aliases }]) => [name, ...aliases].map((alias) => [spelling(alias), name] as const)),
);

const namesOfKind = (kind: NotificationKind): TemplateName[] =>
  entries.filter(([, template]) => template.kind === kind).map(([name]) => name);

/** The template that a name or an alias in any spelling means; undefined for an unknown one. */
export const findTemplate = (name: string): TemplateName | undefined => BY_SPELLING.get(spelling(name));

/** The template of a kind that a request names; an unknown one is refused with the list of the valid ones. */
export function requestedTemplate(name: string, kind: NotificationKind): TemplateName {
  const found = findTemplate(name);
  if (found === undefined || templateOf(found).kind !== kind)
    throw new ApiError('UNKNOWN_TEMPLATE', { values: { names: namesOfKind(kind).join(', ') } });
  return found;
}

/** Refuses variables that a template cannot do without. */
export function requireVariables(name: TemplateName, variables: Readonly<Record<string, string>>): void {
  const { required, oneOf } = templateOf(name);
  const missing = required.filter((variable) => variables[variable] === undefined);
  if (oneOf.length > 0 && oneOf.every((variable) => variables[variable] === undefined))
    missing.push(oneOf.join(' or '));
  if (missing.length > 0) throw new ApiError('MISSING_TEMPLATE_VARIABLES', { values: { names: missing.join(', ') } });
}
