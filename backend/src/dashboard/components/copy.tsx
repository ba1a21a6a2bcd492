interface CopyProps {
  readonly label: string;
  readonly value: string;
}

/** A button that copies a value. Hidden unless JavaScript runs. */
function CopyButton({ label, value }: CopyProps) {
  return (
    <button type="button" class="button subtle small" data-copy={value} aria-label={`Copy ${label}`} hidden>
      Copy
    </button>
  );
}

export function Copy({ label, value }: CopyProps) {
  return (
    <span class="copy">
      <code>{value}</code>
      <CopyButton label={label} value={value} />
    </span>
  );
}

export function CopyBlock({ label, value }: CopyProps) {
  return (
    <div class="copy-block">
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>{value}</code>
      </pre>
      <CopyButton label={label} value={value} />
    </div>
  );
}
