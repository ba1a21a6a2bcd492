/** Parses forms. Reports the errors in all fields at once. */
import { versionOf } from '../platform/crypto.js';
import { ValueError } from '../modules/applications/setting-values.js';

export type FormBody = Readonly<Record<string, readonly string[]>>;

/** The values that a form shows, and the error messages by field. */
export interface FormState {
  readonly typed: Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<string, string>>;
  /** The version of the stored values when the person opened the form; undefined if the form shows the current ones. */
  readonly version?: string | undefined;
}

/** The checkbox that confirms a change. Its error explains the effects of the change. */
export const CONFIRMED = 'confirmed';

/** Thrown for an invalid value. The message is shown next to the field. */
export { ValueError as FieldError };

export type FieldReader<T> = (text: string) => T;
export type Fields = Readonly<Record<string, FieldReader<unknown>>>;
export type ValuesOf<F extends Fields> = { readonly [N in keyof F]: ReturnType<F[N]> };

export type ReadForm<F extends Fields> =
  | { readonly ok: true; readonly values: ValuesOf<F>; readonly state: FormState }
  | { readonly ok: false; readonly state: FormState };

/** Returns a field's first value, or "". Converts line breaks to LF. */
export const textOf = (body: FormBody, name: string): string => (body[name]?.[0] ?? '').replace(/\r\n?/g, '\n');

export const statusOf = ({ errors }: FormState): number => (Object.keys(errors).length > 0 ? 422 : 200);

export const filledForm = (values: FormState['typed'], errors: FormState['errors'] = {}): FormState => ({
  typed: values,
  errors,
});

export const EMPTY_FORM = filledForm({});

/** Returns the state of a form that was submitted but not saved. Keeps its version, so that saving it later detects an edit conflict. */
export const submittedForm = (body: FormBody, values: FormState['typed'], errors?: FormState['errors']): FormState => ({
  ...filledForm(values, errors),
  version: body.version?.[0],
});

/** Reads a form's fields. The values of a field with several values are separated by commas. */
export function readForm<const F extends Fields>(fields: F, body: FormBody): ReadForm<F> {
  const typed: Record<string, string> = {};
  const errors: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  for (const [name, reader] of Object.entries(fields)) {
    typed[name] = (body[name] ?? []).filter(Boolean).join(', ').replace(/\r\n?/g, '\n');
    try {
      values[name] = reader(typed[name]);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      errors[name] = error.message;
    }
  }
  const state = submittedForm(body, typed, errors);
  return Object.keys(errors).length === 0 ? { ok: true, values: values as ValuesOf<F>, state } : { ok: false, state };
}

/** Whether the stored values are those that the form showed: `Form` submits their {@link versionOf}. */
export const isCurrent = (body: FormBody, stored: unknown): boolean => textOf(body, 'version') === versionOf(stored);
