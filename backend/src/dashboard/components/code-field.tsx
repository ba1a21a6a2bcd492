import type { InputHTMLAttributes } from 'preact';
import type { FormState } from '../form.js';
import { Field } from './form.js';

interface CodeFieldProps extends Pick<InputHTMLAttributes, 'class' | 'inputMode' | 'autofocus'> {
  readonly form: FormState;
  readonly label: string;
}

export const CodeField = (props: CodeFieldProps) => (
  <Field name="code" autocomplete="one-time-code" required {...props} />
);
