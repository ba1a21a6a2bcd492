import type { Step } from '../home/checklist.js';

/** A link to the next of the account's first steps. Shown after a step is completed. */
export const NextStep = ({ step }: { readonly step: Step | undefined }) =>
  step?.link ? (
    <p class="next-step">
      Next: {step.title}{' '}
      <a class="button small" href={step.link.href}>
        {step.link.label}
      </a>
    </p>
  ) : null;
