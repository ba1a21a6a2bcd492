/** The side of the editor that follows what is typed: what is wrong, what arrives, and what differs from the built-in text. */
import type { ComponentChildren } from 'preact';
import type { Content } from '../../providers/provider.js';
import type { Application } from '../../modules/applications/application.js';
import type { OverrideKey } from '../../modules/templates/overrides-store.js';
import type { OverrideProblem } from '../../modules/templates/rendering/override-problems.js';
import type { OverrideText } from '../../modules/templates/rendering/override.js';
import type { DashboardServices } from '../services.js';
import { diffWords } from './diff.js';
import { MessagePreview, priceText } from './previews.js';
import { textPath, type TextForm } from './text-page.js';

/** What a text comes to with the values that are typed. */
export interface Judgement {
  readonly problems: readonly OverrideProblem[];
  /** Undefined where there are problems. */
  readonly content: Content | undefined;
  /** What the service's own text says with the same values. */
  readonly builtIn: Content;
}

/** A text that is the same as the service's own is judged as that: it says it better, a mail with a table. */
export const sameText = (one: OverrideText, other: OverrideText): boolean =>
  one.text.trim() === other.text.trim() && (one.subject ?? '').trim() === (other.subject ?? '').trim();

export function judge(
  { templates }: Pick<DashboardServices, 'templates'>,
  application: Application,
  key: OverrideKey,
  { own, values }: TextForm,
  isOwn: boolean,
): Judgement {
  const builtIn = templates.tryOut(application, key, null, values);
  if (!isOwn && sameText(own, templates.builtIn(key))) return { problems: [], content: builtIn, builtIn };
  const problems = templates.problems(application, { ...key, ...own }, values);
  const content = problems.length === 0 ? templates.tryOut(application, key, own, values) : undefined;
  return { problems, content, builtIn };
}

/** What is wrong, read out when it changes; the editor keeps its place. */
export function Check({ problems }: { readonly problems: readonly OverrideProblem[] }) {
  if (problems.length === 0) return <p class="check good">No mistakes: this text can be used.</p>;
  return (
    <div class="check bad">
      <ul>
        {problems.map(({ part, line, message }, n) => (
          <li key={n}>
            {(part === 'subject' || line !== null) && (
              <strong>{part === 'subject' ? 'Subject: ' : `Line ${line}: `}</strong>
            )}
            {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

const saidBy = (content: Content): string =>
  content.kind === 'speech'
    ? content.sentences.join('\n')
    : content.kind === 'email'
      ? `${content.subject}\n\n${content.text}`
      : content.text;

function Comparison({ content, builtIn }: { readonly content: Content; readonly builtIn: Content }) {
  const pieces = diffWords(saidBy(builtIn).trim(), saidBy(content).trim());
  const same = pieces.every(({ kind }) => kind === 'same');
  return (
    <details class="compare">
      <summary>{same ? 'Says the same as the built-in text' : 'What differs from the built-in text'}</summary>
      {!same && (
        <p class="difference" dir="auto">
          {pieces.map(({ kind, text }, n) =>
            kind === 'added' ? <ins key={n}>{text}</ins> : kind === 'removed' ? <del key={n}>{text}</del> : text,
          )}
        </p>
      )}
    </details>
  );
}

interface MailFrameProps {
  readonly path: string;
  /** Whether what is typed is also what is stored, which the frame can fetch by itself. */
  readonly untouched: boolean;
}

function MailFrame({ path, untouched }: MailFrameProps) {
  return (
    <>
      <iframe
        class="mail-frame"
        name="mail-frame"
        title="The mail"
        sandbox=""
        {...(untouched ? { src: `${path}/mail` } : {})}
      />
      {!untouched && (
        <button
          class="button subtle small"
          formaction={`${path}/mail`}
          formtarget="mail-frame"
          formnovalidate
          data-press
        >
          Show the mail
        </button>
      )}
    </>
  );
}

export interface PanelProps {
  readonly application: Application;
  readonly textKey: OverrideKey;
  readonly judgement: Judgement;
  readonly untouched: boolean;
  readonly services: Pick<DashboardServices, 'prices' | 'testMessages'>;
}

/** What a message costs here: the dev inbox takes nothing. */
function priceOf({ prices, testMessages }: PanelProps['services'], { channel }: OverrideKey): string {
  const carrier = testMessages.carrier(channel);
  const price = priceText(prices, channel);
  return carrier?.standIn && prices.prices[channel]
    ? `${price}; nothing while the dev inbox stands in for a provider`
    : price;
}

export function PreviewPanel({ application, textKey, judgement, untouched, services }: PanelProps): ComponentChildren {
  const { content, builtIn } = judgement;
  if (!content) return <p class="preview-empty">The preview comes back as soon as the text has no more mistakes.</p>;
  const path = textPath(application.appKey, textKey);
  return (
    <>
      <MessagePreview
        channel={textKey.channel}
        content={content}
        language={textKey.language}
        price={priceOf(services, textKey)}
        frame={<MailFrame path={path} untouched={untouched} />}
      />
      <Comparison content={content} builtIn={builtIn} />
    </>
  );
}
