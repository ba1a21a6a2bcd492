/** Reads forms: every field in its own way, all problems at once, and what was typed stays. */
import { sha256 } from '../platform/crypto.js';
import { ValueError } from '../modules/applications/setting-values.js';

/** What a browser posted: the texts of each name, in their order. */
export type FormBody = Readonly<Record<string, readonly string[]>>;

/** What a form shows: the text of each field, and what to do about those that cannot be taken. */
export interface FormState {
  readonly typed: Readonly<Record<string, string | readonly string[]>>;
  readonly errors: Readonly<Record<string, string>>;
}

/** Reads a field's text; throws a {@link ValueError} that says what to do. */
export type FieldReader<T> = (text: string) => T;

/** A sentence for the person who fills the form in; the readers of an application's settings throw the same. */
export { ValueError as FieldError };

/** Reads all the texts of a name: checkboxes and the like. */
export interface ManyReader<T> {
  readonly many: (texts: readonly string[]) => T;
}

type Fields = Readonly<Record<string, FieldReader<unknown> | ManyReader<unknown>>>;
type ValueOf<R> = R extends ManyReader<infer T> ? T : R extends FieldReader<infer T> ? T : never;
type ValuesOf<F extends Fields> = { readonly [N in keyof F]: ValueOf<F[N]> };

export type ReadForm<F extends Fields> =
  | { readonly ok: true; readonly values: ValuesOf<F>; readonly state: FormState }
  | { readonly ok: false; readonly state: FormState };

/** The text of a field, "" where there is none; lines end with one LF. */
export const textOf = (body: FormBody, name: string): string => (body[name]?.[0] ?? '').replace(/\r\n?/g, '\n');

/** A form whose fields show these values. */
export const filledIn = (values: FormState['typed'], errors: FormState['errors'] = {}): FormState => ({
  typed: values,
  errors,
});

/** Reads the fields of a posted form. */
export function readForm<const F extends Fields>(fields: F, body: FormBody): ReadForm<F> {
  const typed: Record<string, string | readonly string[]> = {};
  const errors: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  for (const [name, reader] of Object.entries(fields)) {
    const many = typeof reader !== 'function';
    typed[name] = many ? (body[name] ?? []) : textOf(body, name);
    try {
      values[name] = many ? reader.many(body[name] ?? []) : reader(textOf(body, name));
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      errors[name] = error.message;
    }
  }
  const state = { typed, errors };
  return Object.keys(errors).length === 0 ? { ok: true, values: values as ValuesOf<F>, state } : { ok: false, state };
}

/**
 * Names what a form was filled in from. `Form` sends it along as `version`; when what is stored has another one by then,
 * somebody else was quicker, and the person decides.
 */
export const versionOf = (stored: unknown): string => sha256(JSON.stringify(stored)).slice(0, 16);

/** Whether what a form was filled in from is what is stored. */
export const isCurrent = (body: FormBody, stored: unknown): boolean => textOf(body, 'version') === versionOf(stored);
