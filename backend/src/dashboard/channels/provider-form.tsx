/** The provider form, generated from the provider type's fields. Pages never contain stored secrets. */
import { uncapitalized } from '../../platform/capitalized.js';
import type { ComponentChildren } from 'preact';
import { MISSING, type FieldProblems } from '../../modules/providers/provider-account.js';
import type { ProviderView } from '../../modules/providers/provider-view.js';
import type { ProviderField, ProviderSettings, ProviderType } from '../../providers/provider-type.js';
import { Field, Select, TextArea, type Choice } from '../components/form.js';
import { groupBy } from '../group-by.js';
import { sentence } from './labels.js';
import { filledForm, textOf, type FormBody, type FormState } from '../form.js';
import { SECRET_PREFIX } from '../http/form-secrets.js';

const SETTING_PREFIX = 'setting-';
const KEEP_SECRET = 'Leave it empty to keep the stored value.';

const nameOf = ({ name, secret }: ProviderField): string => `${secret ? SECRET_PREFIX : SETTING_PREFIX}${name}`;

/** Returns the form for a new provider. */
export function newForm(type: ProviderType): FormState {
  const values = type.fields.map((field) => [nameOf(field), field.initial ?? chosenByDefault(field)]);
  return filledForm({ name: type.title, ...Object.fromEntries(values) });
}

export function storedForm(type: ProviderType, { name, enabled, settings }: ProviderView): FormState {
  const plain = type.fields.filter(({ secret }) => !secret);
  const values = plain.map((field) => [nameOf(field), settings[field.name] ?? chosenByDefault(field)]);
  return filledForm({ name, enabled: enabled ? 'yes' : 'no', ...Object.fromEntries(values) });
}

const chosenByDefault = ({ kind, default: value = '' }: ProviderField): string =>
  kind === 'choice' || kind === 'boolean' ? value : '';

export interface SubmittedProvider {
  readonly name: string;
  readonly enabled: boolean;
  /** An empty value removes the setting. Empty secrets are left out, which keeps the stored secrets. */
  readonly settings: ProviderSettings;
  /** The submitted values to show again after an error, without secrets. */
  readonly form: FormState;
}

export function readProvider({ fields }: ProviderType, body: FormBody): SubmittedProvider {
  const typed = fields.map((field) => [field, textOf(body, nameOf(field))] as const);
  const plain = typed.filter(([{ secret }]) => !secret).map(([field, text]) => [field, text.trim()] as const);
  const secrets = typed.filter(([{ secret }, text]) => secret && text !== '');
  const name = textOf(body, 'name').trim();
  const enabled = textOf(body, 'enabled');
  const shown = plain.map(([field, text]) => [nameOf(field), text]);
  return {
    name,
    enabled: enabled !== 'no',
    settings: Object.fromEntries([...plain, ...secrets].map(([field, text]) => [field.name, text])),
    form: filledForm({ name, enabled, ...Object.fromEntries(shown) }),
  };
}

const oneOfLabels = ({ fields, oneOf }: ProviderType): string =>
  fields.flatMap(({ name, label }) => (oneOf?.includes(name) ? [label] : [])).join(', ');

/** Returns the label and help of a field with a choice of the field that it depends on. */
const textsWith = ({ label, help, usedWith }: ProviderField, choice: string) =>
  usedWith && Object.hasOwn(usedWith.choices, choice) ? usedWith.choices[choice]! : ([label, help] as const);

/** Adds errors to the submitted form. Secrets must be entered again, because a page never contains them. */
export function withProblems(type: ProviderType, { form, settings }: SubmittedProvider, problems: FieldProblems) {
  const errors = type.fields.flatMap((field): [string, string][] => {
    const problem = problems[field.name];
    const [label] = textsWith(field, settings[field.usedWith?.field ?? ''] ?? '');
    if (problem === MISSING || problem?.startsWith('is needed'))
      return [[nameOf(field), label.includes(':') ? `Fill in “${label}”.` : `Enter the ${inSentence(label)}.`]];
    if (problem?.startsWith(MISSING)) return [[nameOf(field), `Enter at least one of these: ${oneOfLabels(type)}.`]];
    if (problem !== undefined) return [[nameOf(field), sentence(`“${label}” ${problem}`)]];
    return field.secret && settings[field.name] ? [[nameOf(field), `Enter the ${inSentence(label)} again.`]] : [];
  });
  const name = problems.name === undefined ? {} : { name: `The name ${problems.name}.` };
  return filledForm(form.typed, { ...name, ...Object.fromEntries(errors) });
}

/** `Auth token` → `auth token`; `API key` and `Account SID` keep their capitals. */
const inSentence = (label: string): string => (/^[A-Z][a-z]+( [^A-Z]+)?$/.test(label) ? uncapitalized(label) : label);

const YES_NO: readonly Choice[] = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

const EMPTY_CHOICE: Choice = { value: '', label: '–' };

/** Returns how a value is shown to people. */
export const shownValue = ({ choiceLabels = {} }: ProviderField, value: string): string => choiceLabels[value] ?? value;

function choicesOf(field: ProviderField): readonly Choice[] {
  const { kind, choices = [], default: value } = field;
  const named =
    kind === 'boolean' ? YES_NO : choices.map((choice) => ({ value: choice, label: shownValue(field, choice) }));
  return value === undefined ? [EMPTY_CHOICE, ...named] : named;
}

const INPUT_TYPES = { url: 'url', email: 'email', number: 'text', text: 'text' } as const;

interface InputProps {
  readonly type: ProviderType;
  readonly field: ProviderField;
  readonly form: FormState;
  /** Whether the provider has a stored value for the secret field. */
  readonly isStored: boolean;
}

/** Returns the label (0) or the help (1) of a field. Those that depend on a choice are all in the page; styles hide the others. */
function textsOf({ type, field }: Pick<InputProps, 'type' | 'field'>, part: 0 | 1): ComponentChildren {
  const { label, help, usedWith } = field;
  if (!usedWith) return [label, help][part];
  const { choices = [] } = type.fields.find(({ name }) => name === usedWith.field)!;
  const texts = choices.map((choice) => ({ choice, text: textsWith(field, choice)[part] }));
  return groupBy(texts, ({ text = '' }) => text).map((same) => (
    <span key={same[0]!.choice} data-used-with={same.map(({ choice }) => choice).join(' ')}>
      {same[0]!.text}
    </span>
  ));
}

function Input({ type, field, form, isStored }: InputProps) {
  const { kind, label, secret, required = false, isAlternative, usedWith, default: placeholder } = field;
  const text = textsOf({ type, field }, 1);
  const help = field.helpUrl ? [text, ' ', <a href={field.helpUrl}>See all values</a>] : text;
  const hint = secret && isStored ? [help, ' ', KEEP_SECRET] : help;
  const named = required || isAlternative || usedWith ? textsOf({ type, field }, 0) : `${label} (optional)`;
  const shown = { form, name: nameOf(field), label: named, hint };
  const plainText = { autocapitalize: 'none', autocomplete: 'off', spellcheck: false, placeholder } as const;
  if (secret) {
    const stored = isStored ? { placeholder: '••••••••' } : { required };
    return <Field {...shown} {...stored} type="password" autocomplete="new-password" />;
  }
  if (kind === 'boolean' || kind === 'choice')
    return <Select {...shown} label={label} choices={choicesOf(field)} required={required} />;
  if (kind === 'multiline') return <TextArea {...shown} {...plainText} class="code" required={required} />;
  const inputMode = kind === 'number' ? ({ inputMode: 'numeric' } as const) : {};
  return <Field {...shown} {...plainText} {...inputMode} type={INPUT_TYPES[kind]} required={required} />;
}

interface ProviderFieldsProps {
  readonly type: ProviderType;
  readonly form: FormState;
  /** Names of the secret fields that have a stored value. */
  readonly secrets?: readonly string[];
  readonly children?: ComponentChildren;
}

export function ProviderFields({ type, form, secrets = [], children }: ProviderFieldsProps) {
  const inputs = (fields: readonly ProviderField[]) =>
    fields.map((field) => {
      const { name, usedWith } = field;
      const isStored = secrets.includes(name);
      const input = <Input key={name} type={type} field={field} form={form} isStored={isStored} />;
      if (!usedWith) return input;
      // Templates may use a stored value with any choice.
      const isUsed = Object.hasOwn(usedWith.choices, form.typed[`${SETTING_PREFIX}${usedWith.field}`] ?? '');
      if (!isUsed && (isStored || form.typed[nameOf(field)] || form.errors[nameOf(field)])) return input;
      return (
        <div key={name} data-used-with={Object.keys(usedWith.choices).join(' ')}>
          {input}
        </div>
      );
    });
  const advanced = type.fields.filter((field) => field.advanced);
  const isOpen = advanced.some((field) => form.errors[nameOf(field)]);
  return (
    <>
      <Field
        form={form}
        name="name"
        label="Name"
        hint="The name of the provider in this dashboard."
        maxLength={64}
        required
      />
      {groupBy(
        type.fields.filter((field) => !field.advanced),
        ({ group = '' }) => group,
      ).map((fields) => {
        const [{ group }] = fields as [ProviderField];
        if (group === undefined) return inputs(fields);
        return (
          <fieldset key={group} class="two-columns">
            <legend>{group}</legend>
            {inputs(fields)}
          </fieldset>
        );
      })}
      {children}
      {advanced.length > 0 && (
        <details open={isOpen}>
          <summary>More settings</summary>
          <div class="stack">{inputs(advanced)}</div>
        </details>
      )}
    </>
  );
}

/** Returns the stored and submitted values by label, for the page that shows an edit conflict. Leaves out secrets. */
export const conflictFields = (type: ProviderType, stored: FormState, typed: FormState) => [
  { name: 'name', label: 'Name', stored: stored.typed.name ?? '', typed: typed.typed.name ?? '' },
  ...type.fields
    .filter(({ secret }) => !secret)
    .map((field) => [field.label, nameOf(field)] as const)
    .map(([label, name]) => ({ name, label, stored: stored.typed[name] ?? '', typed: typed.typed[name] ?? '' })),
];
