import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { showFor } from '../../shared/properties';
import { PREVIEWS } from '../../shared/generated/previews';
import { TEMPLATES, VARIABLES } from '../../shared/generated/templates';

export type Kind = 'order' | 'invoice';

interface Template {
  kind: string;
  label: string;
  help: string;
  required: readonly string[];
  oneOf: readonly string[];
  optional: readonly string[];
}

interface Variable {
  label: string;
  help: string;
  sample: string;
}

const templates = Object.entries(TEMPLATES) as [string, Template][];
const variables = Object.entries(VARIABLES) as [string, Variable][];

const previews: Readonly<Record<string, string>> = PREVIEWS;

const ofKind = (kind: Kind) => templates.filter(([, template]) => template.kind === kind);

/** Names of the templates of a kind that match the predicate. */
const namesWhere = (kind: Kind, matches: (template: Template) => boolean): string[] =>
  ofKind(kind)
    .filter(([, template]) => matches(template))
    .map(([name]) => name);

export const templateOptions = (kind: Kind): INodePropertyOptions[] =>
  ofKind(kind)
    .map(([value, { label, help }]) => ({ name: label, value, description: `${help} "${previews[value]}"` }))
    .sort((a, b) => a.name.localeCompare(b.name));

/** The built-in text of the selected template, with sample values. */
export const textNotices = (kind: Kind, operation: string): INodeProperties[] =>
  ofKind(kind).map(([name, { help }]) => ({
    displayName: `Built-in text in English: “${previews[name]}”`,
    name: `text_${name}`,
    type: 'notice',
    default: '',
    description: help,
    displayOptions: showFor('notification', operation, { templateType: [name] }),
  }));

/** Labels of the variables of which a template requires one. */
const alternatives = (names: readonly string[]): string =>
  names.map((name) => (VARIABLES as Record<string, Variable>)[name]?.label ?? name).join(' or ');

/** Matches expressions. In the editor, n8n compares the expression's result instead. */
const EXPRESSION = { _cnd: { startsWith: '=' } };

/**
 * Hides a field unless one of these templates is selected. With `show`, n8n would check the required fields of all
 * templates if the template is an expression.
 */
const hideUnless = (kind: Kind, operation: string, templateTypes: readonly string[]): IDisplayOptions => ({
  hide: {
    resource: [{ _cnd: { not: 'notification' } }],
    operation: [{ _cnd: { not: operation } }],
    variablesFrom: ['json'],
    templateType: [...namesWhere(kind, () => true).filter((name) => !templateTypes.includes(name)), EXPRESSION],
  },
});

function field(kind: Kind, operation: string, [name, { label, help, sample }]: [string, Variable]): INodeProperties[] {
  const base = { displayName: label, name, type: 'string' as const, default: '', placeholder: sample };
  // The order matters: n8n shows a field if one of these conditions has an expression.
  const show = (templateType: NonNullable<IDisplayOptions['show']>[string]) =>
    showFor('notification', operation, { variablesFrom: ['fields'], templateType });
  const required = namesWhere(kind, (template) => template.required.includes(name));
  const fields: INodeProperties[] = [];
  if (required.length > 0)
    fields.push(
      { ...base, required: true, description: help, displayOptions: hideUnless(kind, operation, required) },
      // If an expression chooses the template, n8n cannot know which fields are required. The server checks them.
      { ...base, description: help, displayOptions: show([EXPRESSION]) },
    );
  for (const [templateName, { oneOf }] of ofKind(kind))
    if (oneOf.includes(name))
      fields.push({
        ...base,
        description: `${help} This template needs ${alternatives(oneOf)}.`,
        displayOptions: show([templateName]),
      });
  return fields;
}

/** A field for each required variable of the selected template. */
export const neededFields = (kind: Kind, operation: string): INodeProperties[] =>
  variables
    .flatMap((variable) => field(kind, operation, variable))
    .sort((a, b) => Number(b.required ?? false) - Number(a.required ?? false));

/** The optional variables of the selected template. */
export const optionalFields = (kind: Kind, operation: string): INodeProperties => ({
  displayName: 'More Variables',
  name: 'moreVariables',
  type: 'collection',
  placeholder: 'Add variable',
  default: {},
  displayOptions: showFor('notification', operation, { variablesFrom: ['fields'] }),
  options: variables
    .map(([name, { label, help, sample }]) => ({
      name,
      label,
      help,
      sample,
      templateType: namesWhere(kind, ({ optional }) => optional.includes(name)),
    }))
    .filter(({ templateType }) => templateType.length > 0)
    .sort((a, b) => a.label.localeCompare(b.label))
    .map(({ name, label, help, sample, templateType }) => ({
      displayName: label,
      name,
      type: 'string' as const,
      default: '',
      placeholder: sample,
      description: help,
      displayOptions: { show: { '/templateType': templateType } },
    })),
});

/** Variables with their own field in a template; those of all templates of the kind if the template is unknown. */
export function neededNames(kind: Kind, templateType: string): string[] {
  const template = (TEMPLATES as Record<string, Template>)[templateType];
  if (template) return [...template.required, ...template.oneOf];
  return [...new Set(ofKind(kind).flatMap(([, { required, oneOf }]) => [...required, ...oneOf]))];
}
