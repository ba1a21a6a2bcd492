import type { ComponentChildren } from 'preact';
import { statusOf } from '../form.js';
import { FormProblems, type FormProblemsProps } from './form.js';

interface DisclosureProps extends FormProblemsProps {
  readonly label: string;
  readonly isDanger?: boolean;
  readonly children: ComponentChildren;
}

/** A button that opens a form. A form with errors is open. */
export const Disclosure = ({ label, form, labels, prevented, isDanger = false, children }: DisclosureProps) => (
  <details class="disclosure" open={statusOf(form) !== 200}>
    <summary class={`button ${isDanger ? 'danger' : 'subtle'} small`}>{label}</summary>
    <div class="stack">
      <FormProblems form={form} labels={labels} {...(prevented && { prevented })} />
      {children}
    </div>
  </details>
);
