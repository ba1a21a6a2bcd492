import type { ComponentChildren } from 'preact';
import { statusOf, type FormState } from '../form.js';
import { FormProblems } from './form.js';

interface DisclosureProps {
  readonly label: string;
  readonly form: FormState;
  readonly labels: Readonly<Record<string, string>>;
  /** States what the errors prevented. */
  readonly prevented?: string;
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
