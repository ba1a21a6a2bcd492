import type { TextareaHTMLAttributes } from 'preact';
import { LANGUAGE_CODES } from '../../modules/templates/language-codes.js';
import { MAX_OVERRIDE_LENGTH } from '../../modules/templates/rendering/override.js';
import type { OverrideKey, OverrideText } from '../../modules/templates/template.js';
import { CHANNEL_LABELS, languageLabel, sampleVariables } from '../../modules/templates/template.js';
import { CHANNELS } from '../../platform/contract/channels.js';
import { Badge } from '../components/badge.js';
import { useVisit } from '../components/context.js';
import { Crumbs } from '../components/crumbs.js';
import { Field, FieldProblem, Form, idOf, TextArea } from '../components/form.js';
import { LinkNav } from '../components/link-nav.js';
import { Notice } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { fieldProblems } from './field-problems.js';
import { PreviewPanel, type PanelProps } from './preview-panel.js';
import { TestCard, type TestCardProps } from './test-card.js';
import { LOCAL_VARIABLES } from '../../modules/templates/rendering/notification.js';
import { filledForm } from '../form.js';
import { groupBy } from '../group-by.js';
import { sampleFieldName, sampleFields } from './sample-fields.js';
import { sentenceField, sentencesOf, type Sentence } from './sentences.js';
import { templateInfo, templatesPath, textPath } from './text-page.js';

type Problems = ReturnType<typeof fieldProblems>;

/** The problems while the text is typed, each with a link to its field. */
export function ProblemList({ problems }: { readonly problems: Problems }) {
  if (problems.length === 0) return null;
  return (
    <div class="check bad">
      <ul>
        {problems.map(({ field, message }) => (
          <li key={message}>
            <a href={`#${idOf(field)}`}>{message}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

export interface EditorProps extends PanelProps, TestCardProps {
  /** The application's text; null if it uses the built-in text. */
  readonly stored: OverrideText | null;
  /** Whether the text was not saved because of its errors. */
  readonly isRejected: boolean;
  /** Whether to edit the whole text as Liquid, instead of its sentences. */
  readonly isLiquid: boolean;
}

function ChannelAndLanguage({ application, textKey }: EditorProps) {
  const linkTo = (change: Partial<OverrideKey>, label: string) => {
    const href = textPath(application, { ...textKey, ...change });
    return { href, label, current: href === textPath(application, textKey) };
  };
  const channels = CHANNELS.map((channel) => linkTo({ channel }, CHANNEL_LABELS[channel]));
  const languages = LANGUAGE_CODES.map((language) => linkTo({ language }, languageLabel(language)));
  return (
    <div class="ways">
      <LinkNav class="choices" label="Channel" links={channels} />
      <LinkNav class="choices" label="Language" links={languages} />
    </div>
  );
}

/** Returns the number of rows for a text field with 48 characters per row, limited to what fits on a screen. */
function rowsFor(text: string, least: number): number {
  const rows = text.split('\n').reduce((sum, line) => sum + Math.ceil((line.length + 1) / 48), 0);
  return Math.min(Math.max(rows, least), 18);
}

const LINE_HINTS = {
  SMS: '',
  WHATSAPP: '',
  VOICE: 'Each line is a sentence. ',
  EMAIL: 'Each line is a paragraph. A line such as “Label: https://…” becomes a button. ',
} as const;
const LIQUID_HINT =
  'Text between {% if name %} and {% endif %} is sent only if the variable has a value. The filter “local” formats a date or an amount in the language of the message.';

const APPLICATION_FIELD = { name: 'application', label: 'Application name', help: 'Name of this application.' };

interface TextFieldsProps extends Pick<EditorProps, 'textKey' | 'form'> {
  /** Undefined if the text is edited as Liquid. */
  readonly sentences: readonly Sentence[] | undefined;
  readonly attributes: Pick<TextareaHTMLAttributes, 'lang' | 'dir' | 'readOnly' | 'spellcheck' | 'maxLength'>;
}

function TextFields({ textKey, form, sentences, attributes }: TextFieldsProps) {
  const { text } = form.draft;
  const lines = LINE_HINTS[textKey.channel];
  if (!sentences)
    return (
      <TextArea
        form={form.state}
        name="text"
        label="Text"
        rows={rowsFor(text, 5)}
        class="words code"
        hint={`${lines}${LIQUID_HINT}`}
        {...attributes}
      />
    );
  const values = filledForm(
    Object.fromEntries(sentences.map((sentence) => [sentenceField(sentence), sentence.text])),
    form.state.errors,
  );
  return (
    <>
      <p class="hint">
        {lines}
        {sentences.length > 1 && 'To leave a sentence out, clear its field.'}
      </p>
      <input type="hidden" name="source" value={text} />
      {sentences.map((sentence) => (
        <TextArea
          key={sentence.part}
          form={values}
          name={sentenceField(sentence)}
          label={sentence.label}
          rows={rowsFor(sentence.text, sentences.length > 1 ? 1 : 4)}
          class="words"
          {...attributes}
        />
      ))}
    </>
  );
}

function TextCard({ application, textKey, stored, form: posted, rendering, isLiquid }: EditorProps) {
  const { may } = useVisit();
  const { language, channel } = textKey;
  const split = sentencesOf(posted.draft.text, textKey);
  const sentences = isLiquid ? undefined : split;
  const problems = fieldProblems(rendering.problems, sentences);
  const errors = Object.fromEntries(
    groupBy(problems, ({ field }) => field).map((same) => [
      same[0]!.field,
      same.map(({ message }) => message).join(' '),
    ]),
  );
  const form = { ...posted, state: { ...posted.state, errors: { ...posted.state.errors, ...errors } } };
  const path = textPath(application, textKey);
  const attributes = {
    lang: language,
    // Left-to-right for every language: right-to-left display would scatter the braces of variables.
    dir: 'ltr' as const,
    readOnly: !may('change'),
    spellcheck: false,
    maxLength: MAX_OVERRIDE_LENGTH,
  };
  const samples: Readonly<Record<string, string>> = sampleVariables(textKey.template, language);
  const outputOf = (name: string) => (!sentences && LOCAL_VARIABLES.includes(name) ? `${name} | local` : name);
  return (
    <section class="card" aria-labelledby="words-title">
      <div class="card-head">
        <h2 id="words-title">{may('change') ? 'Edit the text' : 'Text'}</h2>
        <Badge kind={stored ? 'good' : 'neutral'}>{stored ? 'Custom text' : 'Built-in text'}</Badge>
      </div>
      {channel === 'EMAIL' && <Field form={form.state} name="subject" label="Subject" {...attributes} />}
      <TextFields textKey={textKey} form={form} sentences={sentences} attributes={attributes} />
      {/* Filled by the preview while the text is typed. The fields of this page have their problems. */}
      <div id="check" aria-live="polite" />
      {may('change') && (
        <section aria-labelledby="variables">
          <h3 id="variables">Variables</h3>
          <p class="hint">
            In a message, each variable is replaced by its value.
            <span class="example-hint"> Each row ends with an example.</span>
          </p>
          <ul class="variables">
            {[...sampleFields(textKey.template), APPLICATION_FIELD].map(({ name, label, help }) => (
              <li key={name}>
                <span data-insert={`{{ ${outputOf(name)} }}`} data-label={label}>
                  {label}: <code>{`{{ ${outputOf(name)} }}`}</code>
                </span>
                <p class="quiet small">
                  {help} <span class="example">{samples[name] ?? application.name}</span>
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
      {may('change') && (
        <div class="actions">
          <button class="button saved-by-bar">{stored ? 'Save' : 'Save custom text'}</button>
          {stored && (
            <button
              class="button subtle"
              formaction={`${path}/reset`}
              formnovalidate
              data-confirm="Restore the built-in text? Your custom text will be deleted."
            >
              Restore the built-in text
            </button>
          )}
        </div>
      )}
      <p class="quiet small">
        <span class="to-preview">
          <a href="#preview-title">See the message</a>
          {' · '}
        </span>
        {split && (
          <>
            <a href={sentences ? `${path}?edit=liquid` : path}>
              Switch to the {sentences ? 'advanced' : 'simple'} editor
            </a>
            {' · '}
          </>
        )}
        Name in the API: <code>{textKey.template}</code>
      </p>
    </section>
  );
}

/** Radio buttons. `options` contains the label of each value. The first option is selected. */
function Segments({ name, legend, options }: { name: string; legend: string; options: Record<string, string> }) {
  return (
    <fieldset class="segments">
      <legend class="unseen">{legend}</legend>
      {Object.entries(options).map(([value, label], n) => (
        <label key={value} class="segment">
          <input type="radio" name={name} value={value} checked={n === 0} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

const COLOR_SCHEMES = { auto: 'Device', light: 'Light', dark: 'Dark' };
const PREVIEW_WIDTHS = { wide: 'Wide', narrow: 'Phone' };

function PreviewCard(props: PanelProps) {
  const { application, textKey } = props;
  return (
    <section class="card preview" aria-labelledby="preview-title">
      <div class="card-head">
        <h2 id="preview-title">Message</h2>
        {textKey.channel === 'EMAIL' && (
          <div class="mail-controls">
            <Segments name="scheme" legend="Email color scheme" options={COLOR_SCHEMES} />
            <Segments name="width" legend="Email width" options={PREVIEW_WIDTHS} />
          </div>
        )}
      </div>
      <div id="preview">
        <PreviewPanel {...props} />
      </div>
      <noscript>
        <button class="button subtle small" formaction={`${textPath(application, textKey)}/preview`} formnovalidate>
          Update preview
        </button>
      </noscript>
    </section>
  );
}

function Samples({ textKey, form }: EditorProps) {
  const hasErrors = Object.keys(form.state.errors).some((name) => name.startsWith(sampleFieldName('')));
  return (
    <details class="card samples" open={hasErrors}>
      <summary>
        <h2>Sample values</h2>
      </summary>
      <p class="hint">
        {textKey.template === 'otp'
          ? 'The preview uses these values.'
          : 'The preview and the test message use these values.'}
      </p>
      <div class="sample-fields">
        {sampleFields(textKey.template).map(({ name, label, help, maxLength }) => (
          <Field
            key={name}
            form={form.state}
            name={sampleFieldName(name)}
            label={label}
            hint={help}
            maxLength={maxLength}
          />
        ))}
      </div>
    </details>
  );
}

export function Editor(props: EditorProps) {
  const { application, textKey, stored, form, isRejected } = props;
  const { may } = useVisit();
  const { label, help } = templateInfo(textKey.template);
  const path = textPath(application, textKey);
  return (
    <>
      <Crumbs
        application={application}
        pages={[{ href: `${templatesPath(application)}?language=${textKey.language}`, label: 'Templates' }]}
      />
      <PageHead title={label} lead={help} />
      <ChannelAndLanguage {...props} />
      {isRejected && <Notice kind="bad">The text was not saved. Correct the marked text.</Notice>}
      <Form
        action={path}
        stored={stored}
        form={form.state}
        class="editor"
        data-unsaved={isRejected || undefined}
        noValidate
      >
        {/* The Enter key presses the first button of a form, so the first button only updates the preview. */}
        <button
          class="unseen"
          tabIndex={-1}
          aria-hidden="true"
          formaction={`${path}/preview`}
          formnovalidate
          hx-post={`${path}/preview`}
          hx-target="#preview"
        >
          Update preview
        </button>
        <div
          class="editor-panes"
          hx-post={`${path}/preview`}
          hx-trigger="input delay:350ms"
          hx-target="#preview"
          hx-sync="this:queue last"
          // A new preview request cancels a pending preview request, but it does not cancel sending a test message.
          hx-disinherit="*"
        >
          <div class="editor-side">
            <TextCard {...props} />
          </div>
          <div class="editor-side">
            <PreviewCard {...props} />
            <Samples {...props} />
            {may('change') && <TestCard {...props} />}
          </div>
        </div>
        <FieldProblem form={form.state} name="version" />
      </Form>
    </>
  );
}
