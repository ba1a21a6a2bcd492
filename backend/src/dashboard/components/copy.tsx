import { highlighted } from '../../modules/docs/code-block.js';

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

/** `language`: as in Markdown. Without it, the value is not highlighted, and its lines wrap. */
export function CopyBlock({ label, value, language = '' }: CopyProps & { readonly language?: string }) {
  return (
    <div class={language === '' ? 'copy-block' : 'copy-block program'}>
      <pre tabIndex={0} role="region" aria-label={label}>
        {language === '' ? (
          <code>{value}</code>
        ) : (
          <code dangerouslySetInnerHTML={{ __html: highlighted({ language, code: value }) }} />
        )}
      </pre>
      <CopyButton label={label} value={value} />
    </div>
  );
}
