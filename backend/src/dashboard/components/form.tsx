import type {
  ComponentChildren,
  FormHTMLAttributes,
  InputHTMLAttributes,
  SelectHTMLAttributes,
  TextareaHTMLAttributes,
} from 'preact';
import { uncapitalized } from '../../platform/capitalized.js';
import { versionOf } from '../../platform/crypto.js';
import { CONFIRMED, type FormState } from '../form.js';
import { groupBy } from '../group-by.js';
import { useFormToken } from './context.js';

interface FormProps {
  readonly action: string;
  /** The stored values that the form edits. The form submits a hash of the stored values, to detect edit conflicts. */
  readonly stored?: unknown;
  /** The state of the form. A form that was submitted but not saved keeps its hash. */
  readonly form?: FormState;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A POST form that contains the form token. Other attributes, such as those for htmx, are added to the element. */
export function Form({ action, stored, form, children, ...attributes }: FormProps & FormHTMLAttributes) {
  const formToken = useFormToken();
  return (
    <form method="post" action={action} {...attributes}>
      <input type="hidden" name="token" value={formToken} />
      {stored !== undefined && <input type="hidden" name="version" value={form?.version ?? versionOf(stored)} />}
      {children}
    </form>
  );
}

interface FieldProps {
  readonly form: FormState;
  readonly name: string;
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
}

export const idOf = (name: string): string => `field-${name}`;

/** Returns the attributes that connect an input element to its label, hint and error. */
function inputAttributes({ form, name, hint }: Omit<FieldProps, 'label'>) {
  const ids = [...(hint ? [`${idOf(name)}-hint`] : []), ...(form.errors[name] ? [`${idOf(name)}-error`] : [])];
  return {
    id: idOf(name),
    name,
    'aria-describedby': ids.join(' ') || undefined,
    'aria-invalid': form.errors[name] ? true : undefined,
  };
}

function LabeledField({ children, ...field }: FieldProps & { readonly children: ComponentChildren }) {
  const { form, name, label, hint } = field;
  return (
    <div class={form.errors[name] ? 'field wrong' : 'field'}>
      <label for={idOf(name)}>{label}</label>
      {children}
      <FieldProblem form={form} name={name} />
      {hint && (
        <p class="hint" id={`${idOf(name)}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

export function FieldProblem({ form, name }: Pick<FieldProps, 'form' | 'name'>) {
  const error = form.errors[name];
  return error ? (
    <p class="problem" id={`${idOf(name)}-error`}>
      {error}
    </p>
  ) : null;
}

type FieldPropName = 'form' | 'name' | 'label';
export type TextFieldProps = FieldProps & {
  /** Shown after the input, such as `seconds`. */
  readonly unit?: ComponentChildren;
  /** Shown after the unit, such as a button. Needs a unit. */
  readonly after?: ComponentChildren;
} & Omit<InputHTMLAttributes, FieldPropName>;

/** The input element of a field, with its unit. */
function FieldInput({ form, name, hint, unit, after, ...input }: Omit<TextFieldProps, 'label'>) {
  const { 'aria-describedby': texts, ...others } = inputAttributes({ form, name, hint });
  const description = [unit !== undefined && `${idOf(name)}-unit`, texts].filter(Boolean).join(' ');
  const attributes = { ...others, 'aria-describedby': description || undefined, value: form.typed[name] ?? '' };
  const box = <input type="text" {...(input as object)} {...attributes} />;
  return unit === undefined ? (
    box
  ) : (
    <div class="with-unit">
      {box}
      <span id={`${idOf(name)}-unit`}>{unit}</span>
      {after}
    </div>
  );
}

export const Field = ({ label, ...input }: TextFieldProps) => (
  <LabeledField form={input.form} name={input.name} label={label} hint={input.hint}>
    <FieldInput {...input} />
  </LabeledField>
);

export function TextArea({
  form,
  name,
  label,
  hint,
  ...area
}: FieldProps & Omit<TextareaHTMLAttributes, FieldPropName>) {
  const field = { form, name, label, hint };
  return (
    <LabeledField {...field}>
      <textarea rows={4} {...(area as object)} {...inputAttributes(field)} value={form.typed[name] ?? ''} />
    </LabeledField>
  );
}

/** A file whose text a script copies into the field `name`. Hidden unless JavaScript runs. */
export const ListFile = ({ name }: { readonly name: string }) => (
  <div class="field" hidden data-file>
    <label for="field-file">CSV file</label>
    <input id="field-file" type="file" accept=".csv,.tsv,.txt,text/csv,text/plain" data-file-for={idOf(name)} />
  </div>
);

interface ConfirmationProps {
  readonly form: FormState;
  readonly label: string;
  /** The consequence of all effects together. */
  readonly consequence?: string;
}

/**
 * A warning, with a checkbox that confirms the change. It appears if the form has an error for {@link CONFIRMED}, with a line
 * for each effect of the change.
 */
export function ConfirmationBox({ form, label, consequence }: ConfirmationProps) {
  const effects = form.errors[CONFIRMED]?.split('\n');
  if (!effects) return null;
  const id = `${idOf(CONFIRMED)}-effects`;
  const isList = effects.length > 1 || consequence !== undefined;
  return (
    <div class="notice warning confirmation" role="alert" tabIndex={-1} data-focus>
      <div id={id}>
        <p>
          <strong>Not saved yet.</strong> {isList ? consequence : effects}
        </p>
        {isList && (
          <ul>
            {effects.map((effect) => (
              <li key={effect}>{effect}</li>
            ))}
          </ul>
        )}
      </div>
      <label class="choice">
        <input type="checkbox" name={CONFIRMED} value="yes" id={idOf(CONFIRMED)} aria-describedby={id} />
        {label}
      </label>
    </div>
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
  /** A question that the browser asks before it submits the form with this choice. */
  readonly confirm?: string;
  /** The heading of the choice. Choices without one come first. */
  readonly group?: string;
}
type SelectProps = FieldProps & { readonly choices: readonly Choice[] } & Omit<SelectHTMLAttributes, FieldPropName>;

export function Select({ form, name, label, hint, choices, ...select }: SelectProps) {
  const field = { form, name, label, hint };
  const optionOf = ({ value, label: text, confirm }: Choice) => (
    <option key={value} value={value} data-confirm={confirm} selected={value === (form.typed[name] ?? '')}>
      {text}
    </option>
  );
  const groups = groupBy(choices, ({ group = '' }) => group);
  return (
    <LabeledField {...field}>
      <select {...(select as object)} {...inputAttributes(field)}>
        {groups.map((options) =>
          options[0]!.group === undefined ? (
            options.map(optionOf)
          ) : (
            <optgroup key={options[0]!.group} label={options[0]!.group}>
              {options.map(optionOf)}
            </optgroup>
          ),
        )}
      </select>
    </LabeledField>
  );
}

export type Preset = Pick<Choice, 'value'> & Readonly<Record<'label' | 'hint', ComponentChildren>>;

interface PresetsProps extends FieldProps {
  readonly choices: readonly Preset[];
  /** The stored value, so that a script still recognizes a change after a rejected save. */
  readonly stored?: string | undefined;
  /** Fields that belong to one of the choices. */
  readonly children?: ComponentChildren;
}

/** Radio buttons with explanations, side by side. */
export const Presets = ({ form, name, label, hint, choices, stored, children }: PresetsProps) => (
  <fieldset class="presets" id={idOf(name)} tabIndex={-1} aria-describedby={hint ? `${idOf(name)}-hint` : undefined}>
    <legend>{label}</legend>
    {choices.map(({ value, label: text, hint: meaning }) => (
      <label key={value}>
        <input
          type="radio"
          name={name}
          value={value}
          checked={value === (form.typed[name] ?? '')}
          data-stored={stored}
        />
        <span>
          {text}
          <span class="hint">{meaning}</span>
        </span>
      </label>
    ))}
    {children}
    <FieldProblem form={form} name={name} />
    {hint && (
      <p class="hint" id={`${idOf(name)}-hint`}>
        {hint}
      </p>
    )}
  </fieldset>
);

export interface FormProblemsProps {
  readonly form: FormState;
  /** Labels of the fields, by name. Omit the labels of fields that their error messages name. */
  readonly labels: Readonly<Record<string, string>>;
  /** States what the errors prevented; "" for a form that changes nothing, such as a search. */
  readonly prevented?: string;
}

/** Error summary at the top of a form, with links to the fields. */
export function FormProblems({ form, labels, prevented = 'Your changes were not saved.' }: FormProblemsProps) {
  const errors = Object.entries(form.errors).filter(([name]) => name !== CONFIRMED);
  // An error of a list has a line for each problem.
  const problems = errors.flatMap(([name, error]) =>
    error.split('\n').map((text) => {
      const label = labels[name];
      if (!label) return { name, text };
      return { name, text: text.startsWith('Line ') ? `${label}, ${uncapitalized(text)}` : `${label}: ${text}` };
    }),
  );
  if (problems.length === 0) return null;
  const isList = problems.length > errors.length;
  const [verb, noun] = isList ? ['Correct', 'entries'] : ['Check', 'fields'];
  return (
    <div class="notice bad" role="alert" tabIndex={-1} data-focus>
      <p>
        <strong>{problems.length === 1 ? 'There is a problem' : `${verb} ${problems.length} ${noun}`}.</strong>{' '}
        {prevented}
      </p>
      <ul>
        {problems.map(({ name, text }) => (
          <li key={text}>
            <a href={`#${idOf(name)}`}>{text}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}
