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

const value = (item: unknown): string => `\`${JSON.stringify(item)}\``;

/**
 * Returns all fields of a schema. Nested fields follow their object or list, with names such as
 * `data.results[].maskId`.
 */
function fieldsOf({ properties = {}, required = [] }: FieldSchema, prefix = ''): NamedField[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const field = { name: `${prefix}${name}`, required: required.includes(name), schema };
    const inner = schema.items?.properties ? schema.items : schema;
    const mark = inner === schema ? '.' : '[].';
    return inner.properties ? [field, ...fieldsOf(inner, `${field.name}${mark}`)] : [field];
  });
}

function typeText({ type, const: fixed, enum: values, items }: FieldSchema): string {
  if (fixed !== undefined) return value(fixed);
  if (items) return `array of ${[items.type ?? 'object'].flat().join(' or ')}`;
  return [type ?? (values ? 'string' : 'object')].flat().join(' or ');
}

function limits({ enum: values, default: preset, minimum, maximum, maxLength, items }: FieldSchema): string {
  const listed = values ?? items?.enum;
  const texts = [
    ...(listed && listed.length <= MAX_VALUES ? [`One of ${listed.map(value).join(', ')}.`] : []),
    ...(minimum !== undefined && maximum !== undefined ? [`${minimum} to ${maximum}.`] : []),
    ...(maxLength === undefined ? [] : [`At most ${maxLength} characters.`]),
    ...(preset === undefined || preset === '' ? [] : [`Default: ${value(preset)}.`]),
  ];
  return texts.join(' ');
}

/** Returns the list. `named`: additional fields, listed before the schema's fields. */
export function fieldList(named: readonly NamedField[], schema: FieldSchema = {}): string {
  const items = [...named, ...fieldsOf(schema)].map(({ name, required, note, schema: field }) => {
    const kind = `*${typeText(field)}${note === undefined ? '' : `, ${note}`}*${required ? ' **required**' : ''}`;
    const text = `${(field.description ?? '').replace(/\s+/g, ' ')} ${limits(field)}`.trim();
    return `- \`${name}\` ${kind}${text && `\\\n  ${text}`}`;
  });
  return items.join('\n');
}
