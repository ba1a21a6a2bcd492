/** The contract's message templates as form fields. */
import type { PlainInputField } from 'zapier-platform-core';
import { ENGLISH, languageChoices } from './fields.js';
import { PREVIEWS } from './generated/previews.js';
import { TEMPLATES, VARIABLES } from './generated/templates.js';

export type Kind = 'order' | 'invoice';
type Variable = keyof typeof VARIABLES;

interface Template {
  readonly kind: Kind;
  readonly label: string;
  readonly help: string;
  readonly required: readonly Variable[];
  readonly oneOf: readonly Variable[];
  readonly optional: readonly Variable[];
}

const templatesOf = (kind: Kind) =>
  (Object.entries(TEMPLATES) as [string, Template][]).filter(([, template]) => template.kind === kind);

/** Choices for a trigger's filter: all templates, and the verification code. */
export const allTemplateChoices = [
  { value: 'otp', label: 'Verification Code', sample: 'otp' },
  ...(Object.entries(TEMPLATES) as [string, Template][]).map(([value, { label }]) => ({ value, label, sample: value })),
];

export const templateChoices = (kind: Kind) =>
  templatesOf(kind).map(([value, { label }]) => ({ value, label, sample: value }));

/** Variables of a template. For an unknown name, such as a mapped alias, all variables of the kind, as optional. */
function variablesOf(kind: Kind, name: string): Pick<Template, 'required' | 'oneOf' | 'optional'> {
  const templates = templatesOf(kind);
  const template = templates.find(([known]) => known === name)?.[1];
  if (template) return template;
  const all = templates.flatMap(([, { required, oneOf, optional }]) => [...required, ...oneOf, ...optional]);
  return { required: [], oneOf: [], optional: [...new Set(all)] };
}

export function variableNames(kind: Kind, name: string): readonly Variable[] {
  const { required, oneOf, optional } = variablesOf(kind, name);
  return [...required, ...oneOf, ...optional];
}

type Previews = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * A text in the form that shows a template as an SMS; nothing for an unknown name. Without a language, the text is in
 * English, because the form does not know the application's language.
 */
export function previewField(name = '', tag = ''): PlainInputField[] {
  const chosen = languageChoices.find(({ value }) => value === tag) ?? ENGLISH;
  const text = (PREVIEWS as Previews)[chosen.value]?.[name];
  if (text === undefined) return [];
  return [{ key: 'preview', label: 'Preview', type: 'copy', helpText: `As an SMS in ${chosen.label}: “${text}”` }];
}

/** The fields of a template, required ones first; empty while no template is selected. */
export function variableFields(kind: Kind, name: string | undefined): PlainInputField[] {
  if (!name) return [];
  const { required, oneOf } = variablesOf(kind, name);
  return variableNames(kind, name).map((key) => {
    const { label, help, sample, link, maxLength } = VARIABLES[key];
    const others = oneOf.filter((other) => other !== key).map((other) => VARIABLES[other].label);
    const hint = oneOf.includes(key) ? ` Required unless you fill in ${others.join(' or ')}.` : '';
    const long = maxLength > 100 && !link;
    const form = link ? ' Enter a URL.' : long ? ` At most ${maxLength} characters.` : '';
    return {
      key,
      label,
      type: long ? 'text' : 'string',
      required: required.includes(key),
      placeholder: sample,
      helpText: `${help}${form}${hint}`,
    };
  });
}
