/** Forms and their fields: each says by itself what is expected and what to do about a mistake. */
import type {
  ComponentChildren,
  FormHTMLAttributes,
  InputHTMLAttributes,
  SelectHTMLAttributes,
  TextareaHTMLAttributes,
} from 'preact';
import type { FormState } from '../form.js';
import { versionOf } from '../form.js';
import { useFormToken } from './context.js';

interface FormProps {
  readonly action: string;
  /** What the form is filled in from, where a second tab may change it meanwhile. */
  readonly stored?: unknown;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A form that is posted with its token. Attributes of htmx may be given as well. */
export function Form({ action, stored, children, ...attributes }: FormProps & FormHTMLAttributes) {
  const formToken = useFormToken();
  return (
    <form method="post" action={action} {...attributes}>
      <input type="hidden" name="token" value={formToken} />
      {stored !== undefined && <input type="hidden" name="version" value={versionOf(stored)} />}
      {children}
    </form>
  );
}

interface FieldProps {
  readonly form: FormState;
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
}

const idOf = (name: string): string => `field-${name}`;

const typedText = (form: FormState, name: string): string => {
  const typed = form.typed[name];
  return typeof typed === 'string' ? typed : '';
};

function describedBy({ form, name, hint }: FieldProps): string | undefined {
  const ids = [...(hint ? [`${idOf(name)}-hint`] : []), ...(form.errors[name] ? [`${idOf(name)}-error`] : [])];
  return ids.join(' ') || undefined;
}

function Around({ children, ...field }: FieldProps & { readonly children: ComponentChildren }) {
  const { form, name, label, hint } = field;
  return (
    <div class={form.errors[name] ? 'field wrong' : 'field'}>
      <label for={idOf(name)}>{label}</label>
      {hint && (
        <p class="hint" id={`${idOf(name)}-hint`}>
          {hint}
        </p>
      )}
      {children}
      <FieldProblem form={form} name={name} />
    </div>
  );
}

/** What to do about a field; nothing where all is well. */
export function FieldProblem({ form, name }: Pick<FieldProps, 'form' | 'name'>) {
  const error = form.errors[name];
  return error ? (
    <p class="problem" id={`${idOf(name)}-error`}>
      {error}
    </p>
  ) : null;
}

type InputProps = FieldProps & Omit<InputHTMLAttributes, 'form' | 'name' | 'label'>;

/** A line of text. */
export function Field({ form, name, label, hint, ...input }: InputProps) {
  const field = { form, name, label, hint };
  return (
    <Around {...field}>
      <input
        type="text"
        {...(input as object)}
        id={idOf(name)}
        name={name}
        value={typedText(form, name)}
        aria-describedby={describedBy(field)}
        aria-invalid={form.errors[name] ? true : undefined}
      />
    </Around>
  );
}

type AreaProps = FieldProps & Omit<TextareaHTMLAttributes, 'form' | 'name' | 'label'>;

/** Several lines of text. */
export function TextArea({ form, name, label, hint, ...area }: AreaProps) {
  const field = { form, name, label, hint };
  return (
    <Around {...field}>
      <textarea
        rows={4}
        {...(area as object)}
        id={idOf(name)}
        name={name}
        aria-describedby={describedBy(field)}
        aria-invalid={form.errors[name] ? true : undefined}
        value={typedText(form, name)}
      />
    </Around>
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

type SelectProps = FieldProps & { readonly choices: readonly Choice[] } & Omit<
    SelectHTMLAttributes,
    'form' | 'name' | 'label'
  >;

/** One of a few. */
export function Select({ form, name, label, hint, choices, ...select }: SelectProps) {
  const field = { form, name, label, hint };
  return (
    <Around {...field}>
      <select
        {...(select as object)}
        id={idOf(name)}
        name={name}
        aria-describedby={describedBy(field)}
        aria-invalid={form.errors[name] ? true : undefined}
      >
        {choices.map(({ value, label: text }) => (
          <option key={value} value={value} selected={value === typedText(form, name)}>
            {text}
          </option>
        ))}
      </select>
    </Around>
  );
}

/** Says at the top of a form that it could not be taken, and leads to the fields. */
export function FormProblems({ form }: { readonly form: FormState }) {
  const names = Object.keys(form.errors);
  if (names.length === 0) return null;
  return (
    <div class="notice bad" role="alert" tabIndex={-1} data-focus>
      <p>
        <strong>{names.length === 1 ? 'One field needs' : `${names.length} fields need`} another look.</strong> Nothing
        was saved yet.
      </p>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <a href={`#${idOf(name)}`}>{form.errors[name]}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}
