import { Breakable } from './breakable.js';
import { highlighted, languageName } from '../../modules/docs/code-block.js';
import { isSingleLine } from '../../modules/docs/code-lines.js';

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

/** `oneLine`: whether phones cut off a value that is too long for a line. */
export function Copy({ label, value, oneLine = false }: CopyProps & { readonly oneLine?: boolean }) {
  return (
    <span class={oneLine ? 'copy one-line' : 'copy'}>
      <code>
        <Breakable text={value} />
      </code>
      <CopyButton label={label} value={value} />
    </span>
  );
}

interface CodeProps {
  readonly label: string;
  readonly value: string;
  /** As in Markdown. Without it, the value is not highlighted. */
  readonly language?: string | undefined;
  /** Example values in highlighted code that the reader must replace. They contain no characters that HTML escapes. */
  readonly marked?: readonly string[];
}

const markedHtml = (html: string, marked: readonly string[]): string =>
  marked.reduce((text, value) => text.replaceAll(value, `<mark>${value}</mark>`), html);

/** Code whose long lines wrap, with indented continuation lines. */
export function Code({ label, value, language = '', marked = [] }: CodeProps) {
  return (
    <pre class="code" role="region" aria-label={label}>
      <code dangerouslySetInnerHTML={{ __html: markedHtml(highlighted({ language, code: value }), marked) }} />
    </pre>
  );
}

/** Code with a Copy button: beside a single line, and in a bar above several lines. */
interface BlockProps extends CodeProps {
  /** Shown above several lines instead of the language. */
  readonly title?: string;
}

export function CopyBlock(props: BlockProps) {
  const { label, value, language = '', title = languageName(language) } = props;
  if (isSingleLine(value))
    return (
      <div class="copy-block line">
        <Code {...props} />
        <CopyButton label={label} value={value} />
      </div>
    );
  return (
    <div class="copy-block">
      <div class="code-bar">
        <span>{title}</span>
        <CopyButton label={label} value={value} />
      </div>
      <Code {...props} />
    </div>
  );
}
