import type { InputHTMLAttributes } from 'preact';
import type { FormState } from '../form.js';
import { Field } from './form.js';

interface CodeFieldProps extends Pick<InputHTMLAttributes, 'inputMode' | 'pattern' | 'autofocus'> {
  readonly form: FormState;
  readonly name?: string;
  readonly label: string;
}

/** A field that is as wide as a code or a recovery code. */
export const CodeField = ({ name = 'code', ...props }: CodeFieldProps) => (
  <Field name={name} class="code-input" autocomplete="one-time-code" required {...props} />
);
