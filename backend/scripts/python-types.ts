/** Writes schemas of the contract as types of clients/python: a TypedDict for each object, and an alias for anything else. */

export interface Schema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

/** Keywords of Python, which cannot be names of attributes. */
const KEYWORDS = new Set(['from', 'class', 'global', 'import', 'is', 'in', 'not', 'or', 'and', 'if', 'for']);

const HEADER = `"""Types of requests, replies and events.

Generated from backend/openapi/openapi.yaml by \`npm run generate\`. Do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import Required
`;

const literal = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);
const union = (types: readonly string[]): string => {
  const all = [...new Set(types)];
  return all.length === 1 ? all[0]! : `Union[${all.join(', ')}]`;
};
const capitalized = (name: string): string => `${name[0]!.toUpperCase()}${name.slice(1)}`;

/** Returns the module. `resolve` returns the schema that a `$ref` points to. */
export function pythonTypes(schemas: Readonly<Record<string, Schema>>, resolve: ($ref: string) => Schema): string {
  const classes: string[] = [];
  const aliases: string[] = [];

  /** Returns the type of a schema. `name` is for the class of an object that has no name of its own. */
  function typeOf(schema: Schema, name: string): string {
    const { $ref, oneOf, anyOf, allOf, items, properties, additionalProperties } = schema;
    const referenced = $ref?.match(/^#\/components\/schemas\/(\w+)$/)?.[1];
    if (referenced !== undefined && referenced in schemas) return referenced;
    if ($ref !== undefined) return typeOf(resolve($ref), name);
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`;
    const either = oneOf ?? anyOf;
    if (either && !properties) return union(either.map((each, n) => typeOf(each, `${name}${n + 1}`)));
    if (allOf || properties) return addClass(schema, name);
    if (items) return `List[${typeOf(items, `${name}Item`)}]`;
    if (typeof additionalProperties === 'object') return `Dict[str, ${typeOf(additionalProperties, `${name}Value`)}]`;
    const types = [schema.type ?? []].flat().map((type) => TYPES[type] ?? 'Dict[str, Any]');
    return types.length === 0 ? 'Any' : union(types);
  }

  function membersOf({
    $ref,
    allOf = [],
    required = [],
    properties = {},
  }: Schema): Required<Pick<Schema, 'required' | 'properties'>> {
    if ($ref !== undefined) return membersOf(resolve($ref));
    const parts = allOf.map(membersOf);
    return {
      properties: Object.assign({}, ...parts.map((part) => part.properties), properties) as Record<string, Schema>,
      required: [...parts.flatMap((part) => part.required), ...required],
    };
  }

  function addClass(schema: Schema, name: string): string {
    const { required, properties } = membersOf(schema);
    const isTotal = Object.keys(properties).every((key) => required.includes(key));
    const fields = Object.entries(properties).map(([key, value]): [string, string] => {
      const type = typeOf(value, `${name}${capitalized(key)}`);
      if (required.includes(key)) return [key, isTotal ? type : `Required[${type}]`];
      // Optional parameters may be None, which the client leaves out.
      return [key, name.endsWith('Request') ? union([type, 'None']) : type];
    });
    const lines = fields.map(([key, type]) => `    ${key}: ${type}\n`);
    const isClass = fields.every(([key]) => !KEYWORDS.has(key));
    const entries = fields.map(([key, type]) => `    ${literal(key)}: ${literal(type.replaceAll('"', "'"))},\n`);
    classes.push(
      isClass
        ? `class ${name}(TypedDict${isTotal ? '' : ', total=False'}):\n${lines.join('') || '    pass\n'}`
        : `${name} = TypedDict("${name}", {\n${entries.join('')}}${isTotal ? '' : ', total=False'})\n`,
    );
    return name;
  }

  /** Python evaluates aliases, unlike annotations, so the names of schemas are strings there. */
  const quoted = (type: string) => type.replace(/\w+/g, (word) => (word in schemas ? `"${word}"` : word));

  for (const [name, schema] of Object.entries(schemas)) {
    // Newer servers return additional codes.
    const type = name === 'ErrorCode' ? 'str' : typeOf(schema, name);
    if (type !== name) aliases.push(`${name} = ${type.startsWith('Literal') ? type : quoted(type)}\n`);
  }
  return [HEADER, ...classes, ...(aliases.length > 0 ? [aliases.join('')] : [])].join('\n\n');
}
