/** The fields of the widget's look and words. */
import { WIDGET_PALETTES, WIDGET_TEXTS } from '../../platform/contract/generated/widget.js';
import type { WidgetDesign } from '../../modules/applications/application.js';
import { Field, Select } from '../components/form.js';
import type { FormState } from '../form.js';
import { languages, MAX_RADIUS, textField, type TextName } from './design-form.js';

interface FieldsProps {
  readonly form: FormState;
  readonly readOnly: boolean;
}

const LANGUAGE_NAMES: Readonly<Record<string, string>> = { '': "The page's, or the visitor's" };

const languageName = (tag: string): string =>
  LANGUAGE_NAMES[tag] ?? new Intl.DisplayNames(['en'], { type: 'language' }).of(tag) ?? tag;

/** A colour as text, which can be empty; the page's script adds the picker. */
function ColourField({
  form,
  readOnly,
  name,
  label,
  hint,
  own,
}: FieldsProps & { name: string; label: string; hint: string; own: string }) {
  return (
    <div class="colour">
      <Field
        form={form}
        name={name}
        label={label}
        hint={hint}
        placeholder="the widget's own"
        maxLength={20}
        readOnly={readOnly}
        spellcheck={false}
        autocomplete="off"
      />
      <input
        type="color"
        data-colour={`field-${name}`}
        data-own={own}
        aria-label={`Pick the ${label.toLowerCase()}`}
        hidden
        disabled={readOnly}
      />
    </div>
  );
}

export function LookFields({ form, readOnly, stored }: FieldsProps & { stored: WidgetDesign }) {
  const common = { form, readOnly };
  const own = WIDGET_PALETTES[form.typed.theme === 'dark' ? 'dark' : 'light'];
  return (
    <>
      <Field
        {...common}
        name="title"
        label="Title"
        hint="Above the widget, usually the name of your shop."
        maxLength={100}
      />
      <Field
        {...common}
        name="logoUrl"
        label="Logo"
        hint="Address of a picture with https://. It is shown up to 48 pixels high."
        type="url"
        placeholder="https://shop.example/logo.svg"
        maxLength={500}
      />
      <div class="columns three">
        <Select
          form={form}
          name="theme"
          label="Light or dark"
          disabled={readOnly}
          choices={[
            { value: 'auto', label: "As the visitor's system" },
            { value: 'light', label: 'Always light' },
            { value: 'dark', label: 'Always dark' },
          ]}
        />
        <Select
          form={form}
          name="language"
          label="Language"
          disabled={readOnly}
          choices={languages(stored.language).map((value) => ({ value, label: languageName(value) }))}
        />
      </div>
      <div class="columns three">
        <ColourField {...common} name="accentColor" label="Accent colour" hint="The main button." own={own.accent} />
        <ColourField
          {...common}
          name="backgroundColor"
          label="Background colour"
          hint="Settles light or dark."
          own={own.ground}
        />
        <ColourField {...common} name="textColor" label="Text colour" hint="All words." own={own.ink} />
      </div>
      <Field
        {...common}
        name="radius"
        label="Corners"
        hint={`Radius in pixels, from 0 (square) to ${MAX_RADIUS}.`}
        type="number"
        min={0}
        max={MAX_RADIUS}
        step={1}
        required
      />
    </>
  );
}

/** Where each text is met. */
const GROUPS: readonly { readonly title: string; readonly names: readonly TextName[] }[] = [
  {
    title: 'Setting it up',
    names: [
      'enrolTitle',
      'enrolLead',
      'enrolApps',
      'openApp',
      'manualSummary',
      'manualLead',
      'next',
      'back',
      'enrolAgain',
      'qrLabel',
    ],
  },
  {
    title: 'Entering a code',
    names: [
      'enterTitle',
      'enterLead',
      'confirmTitle',
      'confirmLead',
      'codeLabel',
      'codeHint',
      'check',
      'incomplete',
      'wrongCode',
    ],
  },
  {
    title: 'Recovery codes',
    names: [
      'savedTitle',
      'savedLead',
      'copy',
      'download',
      'saved',
      'copied',
      'notCopied',
      'useRecovery',
      'recoveryLead',
      'recoveryLabel',
      'wrongRecovery',
    ],
  },
  {
    title: 'On and off',
    names: ['onTitle', 'onLead', 'codesLeft', 'turnOff', 'offTitle', 'offLead', 'offCodeLead', 'keepOn', 'doneTitle'],
  },
  {
    title: 'Waiting, and what can go wrong',
    names: [
      'loading',
      'checking',
      'lockedTitle',
      'lockedLead',
      'unreachableLead',
      'brokenTitle',
      'brokenLead',
      'misplacedTitle',
      'misplacedLead',
      'signInLead',
      'retry',
    ],
  },
];

/** Every text has a field; a test holds the groups against the widget's list. */
export const GROUPED_TEXTS = GROUPS.flatMap(({ names }) => names);

/** The widget's own words in the language of the design are what an empty field leaves. */
export function TextFields({ form, readOnly, language }: FieldsProps & { language: string }) {
  const own: Readonly<Record<TextName, string>> =
    WIDGET_TEXTS[language as keyof typeof WIDGET_TEXTS] ?? WIDGET_TEXTS.en;
  return (
    <div class="stack">
      <h3>Words</h3>
      <p class="hint">
        What is left empty stays as the widget says it, in the visitor's language. What you write is shown in every
        language.
      </p>
      {GROUPS.map(({ title, names }) => {
        const fields = names.map(textField);
        const open = fields.some((name) => form.errors[name] !== undefined || form.typed[name]);
        return (
          <details key={title} open={open}>
            <summary>{title}</summary>
            <div class="stack">
              {names.map((name) => (
                <Field
                  key={name}
                  form={form}
                  name={textField(name)}
                  label={own[name]}
                  readOnly={readOnly}
                  maxLength={300}
                />
              ))}
            </div>
          </details>
        );
      })}
    </div>
  );
}
