/** The fields of the actions, from the description that all no-code hosts share. */
import { type DynamicPropsValue, Property } from '@activepieces/pieces-framework';
import { CHOICES, FIELDS } from '../../connectors/generated/connectors.js';
import { PREVIEWS } from '../../connectors/generated/previews.js';
import { TEMPLATES, VARIABLES } from '../../connectors/generated/templates.js';
import { operationOf, variableNames, type OperationName } from '../../connectors/operations.js';
import { auth } from './connection.js';

interface Description {
  readonly label: string;
  readonly help: string;
  readonly sample?: string;
  readonly choices?: keyof typeof CHOICES;
}

const dropdown = (texts: ReturnType<typeof textsOf>, entries: readonly (readonly [string, string])[]) =>
  Property.StaticDropdown({ ...texts, options: { options: entries.map(([value, label]) => ({ value, label })) } });

const textsOf = ({ label, help, sample }: Description, required: boolean) => ({
  displayName: label,
  description: sample === undefined ? help : `${help} Example: ${sample}`,
  required,
});

/** Returns the templates of orders or invoices. */
const templatesFor = (name: OperationName) =>
  Object.entries(TEMPLATES)
    .filter(([, { kind }]) => (kind === 'order') === (name === 'notifyOrder'))
    .map(([template, { label }]) => [template, label] as const);

/** Shows the text of the selected template, and the fields of its variables. */
const variablesField = Property.DynamicProperties({
  auth,
  displayName: 'Variables',
  description: 'The values in the text of the template.',
  required: true,
  refreshers: ['templateType'],
  async props({ templateType }) {
    const template = TEMPLATES[templateType as unknown as keyof typeof TEMPLATES] as { required: readonly string[] };
    const preview = (PREVIEWS as Record<string, string>)[String(templateType)];
    const entries = variableNames(templateType).map((name, index) => {
      const description = VARIABLES[name as keyof typeof VARIABLES] as Description;
      const texts = textsOf(description, template?.required.includes(name) ?? false);
      const text =
        index === 0 && preview ? `Text of the template: “${preview}” ${texts.description}` : texts.description;
      return [name, Property.ShortText({ ...texts, description: text })] as const;
    });
    return Object.fromEntries(entries) as DynamicPropsValue;
  },
});

function fieldOf(operation: OperationName, name: keyof typeof FIELDS, required: boolean) {
  const description = FIELDS[name] as Description;
  const texts = textsOf(description, required);
  if (name === 'templateType') return dropdown(texts, templatesFor(operation));
  if (name === 'idempotencyKey')
    return Property.ShortText({
      ...texts,
      description: `${texts.description} If empty, this step sends the same message only once in each run.`,
    });
  if (name === 'sendAt') return Property.DateTime(texts);
  return description.choices === undefined
    ? Property.ShortText(texts)
    : dropdown(texts, Object.entries(CHOICES[description.choices]));
}

/** Returns the fields of an operation. */
export function fieldsOf(operation: OperationName) {
  const { required, optional } = operationOf(operation);
  const fields = [
    ...required.map((name) => [name, fieldOf(operation, name, true)] as const),
    ...(required.includes('templateType') ? [['variables', variablesField] as const] : []),
    ...optional.map((name) => [name, fieldOf(operation, name, false)] as const),
  ];
  return Object.fromEntries(fields);
}
