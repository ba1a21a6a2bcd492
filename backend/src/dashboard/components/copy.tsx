/** A value to take along, with a button that copies it. Without script it can be selected. */

interface CopyProps {
  /** What it is; part of what the button is called. */
  readonly label: string;
  readonly value: string;
}

/** One line. */
export function Copy({ label, value }: CopyProps) {
  return (
    <span class="copy">
      <code>{value}</code>
      <button type="button" class="button subtle small" data-copy={value} aria-label={`Copy ${label}`} hidden>
        Copy
      </button>
    </span>
  );
}

/** Several lines, such as a snippet of a program. */
export function CopyBlock({ label, value }: CopyProps) {
  return (
    <div class="copy-block">
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>{value}</code>
      </pre>
      <button type="button" class="button subtle small" data-copy={value} aria-label={`Copy ${label}`} hidden>
        Copy
      </button>
    </div>
  );
}
