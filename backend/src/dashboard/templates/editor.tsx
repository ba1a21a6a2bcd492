/** One text: the words, how they arrive, and a test of them. */
import type { ComponentChildren } from 'preact';
import { CHANNELS } from '../../providers/provider.js';
import type { Application } from '../../modules/applications/application.js';
import type { OverrideKey } from '../../modules/templates/overrides-store.js';
import type { OverrideText } from '../../modules/templates/rendering/override.js';
import { OVERRIDE_LENGTH } from '../../platform/limits.js';
import { Badge } from '../components/badge.js';
import { useVisit } from '../components/context.js';
import { Field, FieldProblem, Form, TextArea } from '../components/form.js';
import { PageHead } from '../components/page-head.js';
import { Check, PreviewPanel, type Judgement } from './preview-panel.js';
import {
  CHANNEL_LABELS,
  labelOf,
  LANGUAGE_CODES,
  languageLabel,
  sampleField,
  templatesPath,
  textPath,
  variablesOf,
  type TextForm,
} from './text-page.js';
import { TestCard, type TestCardProps } from './test-card.js';

export interface EditorProps extends Pick<TestCardProps, 'services' | 'outcome'> {
  readonly application: Application;
  readonly textKey: OverrideKey;
  /** The application's own text; null while it has the service's. */
  readonly stored: OverrideText | null;
  readonly form: TextForm;
  readonly judgement: Judgement;
  /** Whether the form is as it was filled in. */
  readonly untouched: boolean;
}

function Choices({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <nav class="choices" aria-label={label}>
      <ul>{children}</ul>
    </nav>
  );
}

function Ways({ application, textKey }: Pick<EditorProps, 'application' | 'textKey'>) {
  const link = (key: OverrideKey, text: string, current: boolean) => (
    <li key={text}>
      <a href={textPath(application.appKey, key)} aria-current={current ? 'page' : undefined}>
        {text}
      </a>
    </li>
  );
  return (
    <div class="ways">
      <Choices label="Channel">
        {CHANNELS.map((channel) => link({ ...textKey, channel }, CHANNEL_LABELS[channel], channel === textKey.channel))}
      </Choices>
      <Choices label="Language">
        {LANGUAGE_CODES.map((language) =>
          link({ ...textKey, language }, languageLabel(language), language === textKey.language),
        )}
      </Choices>
    </div>
  );
}

/** As high as the text is, as far as a screen allows. */
function rowsFor(text: string): number {
  const rows = text.split('\n').reduce((sum, line) => sum + Math.ceil((line.length + 1) / ROW), 0);
  return Math.min(Math.max(rows + 1, 5), 18);
}

/** Characters in a row of the editor, about. */
const ROW = 48;

function Words({ textKey, stored, form, judgement }: EditorProps) {
  const visit = useVisit();
  const readOnly = !visit.may('change');
  const { language, channel } = textKey;
  // From the left in every language: the marks of the variables would fall apart otherwise.
  const written = { lang: language, dir: 'ltr' as const, readOnly, spellcheck: false };
  return (
    <section class="card" aria-labelledby="words-title">
      <div class="card-head">
        <h2 id="words-title">Words</h2>
        <Badge kind={stored ? 'good' : 'neutral'}>{stored ? 'own text' : 'built-in text'}</Badge>
      </div>
      {channel === 'EMAIL' && (
        <Field form={form.state} name="subject" label="Subject" maxLength={OVERRIDE_LENGTH} {...written} />
      )}
      <TextArea
        form={form.state}
        name="text"
        label="Text"
        rows={rowsFor(form.own.text)}
        class="words"
        maxLength={OVERRIDE_LENGTH}
        hint={HINTS[channel]}
        {...written}
      />
      <div id="check" aria-live="polite">
        <Check problems={judgement.problems} />
      </div>
    </section>
  );
}

const LIQUID = 'A variable stands in {{ }}; {% if name %} … {% endif %} says something only when there is one.';
const HINTS = {
  SMS: LIQUID,
  WHATSAPP: LIQUID,
  VOICE: `Each line is a sentence. ${LIQUID}`,
  EMAIL: `Each line is a paragraph; a line that is words, a colon and a link is a button. ${LIQUID}`,
} as const;

function SaveActions({ application, textKey, stored }: EditorProps) {
  const path = textPath(application.appKey, textKey);
  return (
    <div class="actions">
      <button class="button">{stored ? 'Save' : 'Save as own text'}</button>
      {stored && (
        <button
          class="button subtle"
          formaction={`${path}/reset`}
          formnovalidate
          data-confirm="Go back to the built-in text? Your own is not kept."
        >
          Reset to the built-in text
        </button>
      )}
    </div>
  );
}

function Samples({ textKey, form }: EditorProps) {
  const wrong = Object.keys(form.state.errors).some((name) => name.startsWith('sample-'));
  return (
    <details class="card samples" open={wrong}>
      <summary>
        <h2>Variables</h2>
        <span class="quiet small">their names, and values to try</span>
      </summary>
      <div class="sample-fields">
        {variablesOf(textKey.template).map(({ name, label, maxLength }) => (
          <Field
            key={name}
            form={form.state}
            name={sampleField(name)}
            label={label}
            hint={<code>{`{{ ${name} }}`}</code>}
            maxLength={maxLength}
          />
        ))}
      </div>
      <p class="hint">
        <code>{'{{ application }}'}</code> is the name of this application.
      </p>
    </details>
  );
}

function MailControls() {
  const radio = (name: string, value: string, label: string, checked: boolean) => (
    <label class="segment">
      <input type="radio" name={name} value={value} checked={checked} />
      <span>{label}</span>
    </label>
  );
  return (
    <div class="mail-controls">
      <fieldset class="segments">
        <legend class="unseen">Colours of the mail</legend>
        {radio('scheme', 'auto', 'Device', true)}
        {radio('scheme', 'light', 'Light', false)}
        {radio('scheme', 'dark', 'Dark', false)}
      </fieldset>
      <fieldset class="segments">
        <legend class="unseen">Width of the mail</legend>
        {radio('width', 'wide', 'Wide', true)}
        {radio('width', 'narrow', 'Phone', false)}
      </fieldset>
    </div>
  );
}

function Preview(props: EditorProps) {
  const { application, textKey, judgement, untouched, services } = props;
  const path = textPath(application.appKey, textKey);
  return (
    <section class="card preview" aria-labelledby="preview-title">
      <div class="card-head">
        <h2 id="preview-title">Preview</h2>
        {textKey.channel === 'EMAIL' && <MailControls />}
      </div>
      <div id="preview">
        <PreviewPanel
          application={application}
          textKey={textKey}
          judgement={judgement}
          untouched={untouched}
          services={services}
        />
      </div>
      <noscript>
        <button class="button subtle small" formaction={`${path}/preview`} formnovalidate>
          Update the preview
        </button>
      </noscript>
    </section>
  );
}

/** Also what Enter in a field presses: the first button of a form. */
function FirstButton({ path }: { readonly path: string }) {
  return (
    <button
      class="unseen"
      tabIndex={-1}
      aria-hidden="true"
      formaction={`${path}/preview`}
      formnovalidate
      hx-post={`${path}/preview`}
      hx-target="#preview"
    >
      Update the preview
    </button>
  );
}

export function Editor(props: EditorProps) {
  const { application, textKey, stored, form } = props;
  const { may } = useVisit();
  const { label, help } = labelOf(textKey.template);
  const path = textPath(application.appKey, textKey);
  return (
    <>
      <PageHead
        title={label}
        lead={
          <>
            {help} <code>{textKey.template}</code>
          </>
        }
      >
        <a class="button subtle" href={`${templatesPath(application.appKey)}?language=${textKey.language}`}>
          All templates
        </a>
      </PageHead>
      <Ways application={application} textKey={textKey} />
      <Form action={path} stored={stored} class="editor" noValidate>
        <FirstButton path={path} />
        <div
          class="editor-panes"
          hx-post={`${path}/preview`}
          hx-trigger="input delay:350ms"
          hx-target="#preview"
          hx-sync="this:replace"
          // A preview takes the place of the one before it, never of a test that is on its way.
          hx-disinherit="*"
        >
          <div class="editor-side">
            <Words {...props} />
            {may('change') && <SaveActions {...props} />}
            <Samples {...props} />
          </div>
          <div class="editor-side">
            <Preview {...props} />
            {may('change') && <TestCard {...props} />}
          </div>
        </div>
        <FieldProblem form={form.state} name="version" />
      </Form>
    </>
  );
}
