/** Creates the fields of provider types. */
import type { ProviderField } from './provider-type.js';

export const optional = (name: string, label: string, help?: string): ProviderField => ({
  name,
  label,
  help,
  kind: 'text',
});

export const required = (name: string, label: string, help?: string): ProviderField => ({
  ...optional(name, label, help),
  required: true,
});

export const secret = (name: string, label: string, help?: string): ProviderField => ({
  ...required(name, label, help),
  secret: true,
});

/** Adds a check to a field. `problem` completes a sentence about the value, such as `must consist of digits`. */
export const matching = (field: ProviderField, pattern: RegExp, problem: string): ProviderField => ({
  ...field,
  problem: (value) => (pattern.test(value) ? undefined : problem),
});

/** A field with a few possible values, the first of which is the default. `choices`: labels by value. */
export const choice = (
  name: string,
  label: string,
  choices: Readonly<Record<string, string>>,
  help?: string,
): ProviderField => ({
  ...optional(name, label, help),
  kind: 'choice',
  choices: Object.keys(choices),
  choiceLabels: choices,
  default: Object.keys(choices)[0],
});

/** The address of a server that customers can host. `address`: the vendor's own server, with which the form is filled in. */
export const server = (name: string, label: string, help: string, address?: string): ProviderField => ({
  ...required(name, label, help),
  kind: 'url',
  ...(address === undefined ? {} : { initial: address }),
});

/** Puts fields into a group of the form. */
export const grouped = (group: string, fields: readonly ProviderField[]): ProviderField[] =>
  fields.map((field) => ({ ...field, group }));

/** The address of an API that is the same for all accounts. */
export const apiUrl = (address?: string, help = 'Change it only to use a proxy or a test server.'): ProviderField => ({
  ...optional('apiUrl', 'Address of the API', help),
  kind: 'url',
  operatorOnly: true,
  default: address,
});
