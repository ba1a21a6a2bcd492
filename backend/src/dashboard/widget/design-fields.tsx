import type { WidgetDesign } from '../../modules/applications/application.js';
import { languageLabel } from '../../modules/templates/template.js';
import { WIDGET_PALETTES, WIDGET_TEXTS } from '../../platform/contract/generated/widget.js';
import { Field, Select, TextArea } from '../components/form.js';
import type { FormState } from '../form.js';
import { languages, MAX_RADIUS, textField, type TextName } from './design-form.js';

type FieldsProps = { form: FormState; readOnly: boolean };

/** `accent`: the accent color of the account, which the widget uses if it has none; "" if the account has none. */
type AppearanceProps = FieldsProps & { accent: string };

const languageName = (tag: string): string => (tag === '' ? 'Language of the page or the visitor' : languageLabel(tag));

const THEMES = [
  { value: 'auto', label: "Same as the visitor's device" },
  { value: 'light', label: 'Always light' },
  { value: 'dark', label: 'Always dark' },
];

const LABELS = {
  title: 'Title',
  logoUrl: 'Logo',
  theme: 'Theme',
  language: 'Language',
  accentColor: 'Accent color',
  backgroundColor: 'Background color',
  textColor: 'Text color',
  radius: 'Corner radius',
};

const COLORS = [
  { name: 'accentColor', fallback: 'accent' },
  { name: 'backgroundColor', fallback: 'ground' },
  { name: 'textColor', fallback: 'ink' },
] as const;

/**
 * Text fields for colors, because color pickers cannot be empty. A script on the page adds a picker to each field.
 */
function ColorFields({ form, readOnly, accent }: AppearanceProps) {
  const { light, dark } = WIDGET_PALETTES;
  return (
    <>
      {COLORS.map(({ name, fallback }) => (
        <div key={name} class="color">
          <Field
            form={form}
            name={name}
            label={LABELS[name]}
            placeholder={(fallback === 'accent' && accent) || 'Default'}
            maxLength={20}
            readOnly={readOnly}
            spellcheck={false}
            autocomplete="off"
          />
          <input
            type="color"
            data-color={`field-${name}`}
            data-own={(fallback === 'accent' && accent) || light[fallback]}
            data-own-dark={(fallback === 'accent' && accent) || dark[fallback]}
            aria-label={`Pick the ${LABELS[name].toLowerCase()}`}
            hidden
            disabled={readOnly}
          />
        </div>
      ))}
    </>
  );
}

export function AppearanceFields({ form, readOnly, accent, stored }: AppearanceProps & { stored: WidgetDesign }) {
  const common = { form, readOnly };
  return (
    <>
      <Field
        {...common}
        name="title"
        label={LABELS.title}
        maxLength={100}
        hint="The title is shown at the top of the widget. It is usually the name of your shop."
      />
      <Field
        {...common}
        name="logoUrl"
        label={LABELS.logoUrl}
        hint={
          <>
            The https:// address of an image. Leave it empty to use the logo in your{' '}
            <a href="/dashboard/account-settings#logo">account settings</a>.
          </>
        }
        type="url"
        placeholder="https://shop.example/logo.svg"
        maxLength={500}
      />
      <div class="columns">
        <Select form={form} name="theme" label={LABELS.theme} disabled={readOnly} choices={THEMES} />
        <Select
          form={form}
          name="language"
          label={LABELS.language}
          disabled={readOnly}
          choices={languages(stored.language).map((value) => ({ value, label: languageName(value) }))}
        />
        <ColorFields form={form} readOnly={readOnly} accent={accent} />
        <Field
          {...common}
          name="radius"
          label={LABELS.radius}
          unit="px"
          type="number"
          min={0}
          max={MAX_RADIUS}
          step={1}
          required
        />
      </div>
    </>
  );
}

interface TextGroup {
  readonly title: string;
  /** The state of the preview that shows these texts. */
  readonly state: string;
  readonly labels: Partial<Readonly<Record<TextName, string>>>;
}

/** The texts, by the step of the widget that shows them. */
const TEXT_GROUPS: readonly TextGroup[] = [
  {
    title: 'Setup: QR code',
    state: 'enroll',
    labels: {
      enrolTitle: 'Title',
      enrolLead: 'Instructions',
      enrolApps: 'Supported apps',
      qrLabel: 'Description for screen readers',
      openApp: 'Link to an app',
      manualSummary: 'Help with scanning',
      manualLead: 'Instructions for the key',
      phoneLead: 'Instructions on a phone',
      openPhoneApp: 'Button on a phone',
      scanSummary: 'Link on a phone',
      next: 'Next button',
      back: 'Back button',
      enrolAgain: 'Expired setup',
    },
  },
  { title: 'Setup: first code', state: 'confirm', labels: { confirmTitle: 'Title', confirmLead: 'Instructions' } },
  {
    title: 'Setup: recovery codes',
    state: 'codes',
    labels: {
      savedTitle: 'Title',
      savedLead: 'Instructions',
      copy: 'Copy button',
      copied: 'After copying',
      notCopied: 'If copying fails',
      download: 'Download button',
      saved: 'Done button',
    },
  },
  {
    title: 'Enter a code',
    state: 'enter',
    labels: {
      enterTitle: 'Title',
      enterLead: 'Instructions',
      codeLabel: 'Label of the field',
      codeHint: 'Hint below the field',
      check: 'Button',
      incomplete: 'Incomplete code',
      wrongCode: 'Wrong code',
    },
  },
  {
    title: 'Enter a recovery code',
    state: 'recovery',
    labels: {
      useRecovery: 'Link',
      recoveryLead: 'Instructions',
      recoveryLabel: 'Label of the field',
      wrongRecovery: 'Wrong recovery code',
    },
  },
  {
    title: 'Two-factor is on',
    state: 'verified',
    labels: { onTitle: 'Title', onLead: 'Text', codesLeft: 'Remaining codes', turnOff: '“Turn off” button' },
  },
  {
    title: 'Turn two-factor off',
    state: 'verified',
    labels: {
      offTitle: 'Question',
      offLead: 'Consequence',
      offCodeLead: 'Request for a code',
      keepOn: 'Cancel button',
      doneTitle: 'Result',
    },
  },
  {
    title: 'Errors',
    state: 'error',
    labels: {
      loading: 'Loading',
      checking: 'Checking a code',
      lockedTitle: 'Locked: title',
      lockedLead: 'Locked: text',
      unreachableLead: 'No connection',
      brokenTitle: 'Error: title',
      brokenLead: 'Error: text',
      misplacedTitle: 'Wrong setup: title',
      misplacedLead: 'Wrong setup: text',
      signInLead: 'Expired page',
      retry: 'Retry button',
    },
  },
];

const textsIn = ({ labels }: TextGroup) => Object.entries(labels) as [TextName, string][];

/** Exported for a test that checks that every text has a field. */
export const GROUPED_TEXTS = TEXT_GROUPS.flatMap(textsIn).map(([name]) => name);

export const DESIGN_LABELS: Readonly<Record<string, string>> = {
  ...LABELS,
  ...Object.fromEntries(
    TEXT_GROUPS.flatMap((group) =>
      textsIn(group).map(([name, label]) => [textField(name), `${label} (${group.title})`]),
    ),
  ),
};

function defaultTexts({ typed: { language = '' } }: FormState): Readonly<Record<TextName, string>> {
  return Object.hasOwn(WIDGET_TEXTS, language) ? WIDGET_TEXTS[language as keyof typeof WIDGET_TEXTS] : WIDGET_TEXTS.en;
}

/** Longer texts do not fit on one line beside their labels. */
const ONE_LINE = 32;

/** Fields for the widget's texts, with the default text as placeholder. Groups without changes are closed. */
export function TextFields({ form, readOnly }: FieldsProps) {
  const defaults = defaultTexts(form);
  return (
    <div class="widget-texts">
      <h3>Texts</h3>
      <p class="hint">
        An empty field shows the built-in text in the widget's language. Your own text is not translated: all visitors
        see it in the language in which you wrote it.
      </p>
      {TEXT_GROUPS.map((group) => {
        const changed = textsIn(group).filter(([name]) => form.typed[textField(name)]).length;
        const isWrong = textsIn(group).some(([name]) => form.errors[textField(name)] !== undefined);
        return (
          <details class="limit-group" key={group.title} open={changed > 0 || isWrong} data-state={group.state}>
            <summary>
              {group.title} {changed > 0 && <span class="quiet small">{`${changed} changed`}</span>}
            </summary>
            <div class="stack">
              {textsIn(group).map(([name, label]) => {
                const field = {
                  form,
                  name: textField(name),
                  label,
                  placeholder: defaults[name],
                  maxLength: 300,
                  readOnly,
                };
                return defaults[name].length > ONE_LINE ? (
                  <TextArea key={name} {...field} rows={2} />
                ) : (
                  <Field key={name} {...field} />
                );
              })}
            </div>
          </details>
        );
      })}
    </div>
  );
}
