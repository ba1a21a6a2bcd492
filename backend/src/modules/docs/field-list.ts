/** Lists the fields of a schema in Markdown. */

export interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly items?: FieldSchema;
}

interface NamedField {
  readonly name: string;
  readonly required: boolean;
  readonly schema: FieldSchema;
  /** Where the field is sent, such as `header`. */
  readonly note?: string;
}

/** Longer lists of allowed values are omitted. The error codes have a separate page. */
const MAX_VALUES = 20;

/** `1,440` */
const numberText = (n: number): string => n.toLocaleString('en');

const value = (item: unknown): string => `\`${JSON.stringify(item)}\``;

/** Returns the fields of a schema. The names of nested fields contain the path, such as `data.results[].maskId`. */
function fieldsOf({ properties = {}, required = [] }: FieldSchema, prefix = ''): NamedField[] {
  return Object.entries(properties).map(([name, schema]) => {
    return { name: `${prefix}${name}`, required: required.includes(name), schema };
  });
}

function nestedFields({ name, schema }: NamedField): NamedField[] {
  return schema.items?.properties ? fieldsOf(schema.items, `${name}[].`) : fieldsOf(schema, `${name}.`);
}

function typeText({ type, const: fixed, enum: values, items }: FieldSchema): string {
  if (fixed !== undefined) return value(fixed);
  if (items)
    return `array of ${[items.type ?? 'object']
      .flat()
      .map((name) => `${name}s`)
      .join(' or ')}`;
  return [type ?? (values ? 'string' : 'object')].flat().join(' or ');
}

function limits({ type, enum: values, default: preset, minimum, maximum, maxLength, items }: FieldSchema): string {
  // A number instead of a text, such as a time, has bounds that say nothing to a reader.
  const isNumber = ![type].flat(2).includes('string');
  const listed = values ?? items?.enum;
  const texts = [
    ...(listed && listed.length <= MAX_VALUES ? [`${values ? 'One' : 'Any'} of ${listed.map(value).join(', ')}.`] : []),
    ...(isNumber && minimum !== undefined && maximum !== undefined
      ? [`${numberText(minimum)} to ${numberText(maximum)}.`]
      : []),
    ...(maxLength === undefined ? [] : [`At most ${numberText(maxLength)} characters.`]),
    ...(preset === undefined || preset === '' ? [] : [`Default: ${value(preset)}.`]),
  ];
  return texts.join(' ');
}

const EARLIER_SPELLING = /^The same as (`\w+`), for programs that use the earlier spelling\.$/;

/** Returns a field, and below it a list of its nested fields. Marks required parameters, and optional fields of replies. */
function listItem(field: NamedField, isReply: boolean, indent = ''): string {
  const { name, required, note, schema } = field;
  const [, current] = EARLIER_SPELLING.exec(schema.description ?? '') ?? [];
  if (current) return `${indent}- \`${name}\` *earlier spelling of ${current}*`;
  const notes = [
    typeText(schema),
    ...(note === undefined ? [] : [note]),
    ...(isReply && !required ? ['optional'] : []),
  ];
  const kind = `*${notes.join(', ')}*${required && !isReply ? ' **required**' : ''}`;
  const text = `${(schema.description ?? '').replace(/\s+/g, ' ')} ${limits(schema)}`.trim();
  const inner = `${indent}  `;
  const line = `${indent}- \`${name}\` ${kind}${text && `\\\n${inner}${text}`}`;
  return [line, ...nestedFields(field).map((nested) => listItem(nested, isReply, inner))].join('\n');
}

/** Returns the list of the parameters. `named`: additional parameters, listed before the schema's fields. */
export const parameterList = (named: readonly NamedField[], schema: FieldSchema = {}): string =>
  [...named, ...fieldsOf(schema)].map((field) => listItem(field, false)).join('\n');

export const replyFieldList = (schema: FieldSchema): string =>
  fieldsOf(schema)
    .map((field) => listItem(field, true))
    .join('\n');
