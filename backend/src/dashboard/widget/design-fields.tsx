import type { WidgetDesign } from '../../modules/applications/application.js';
import { languageLabel } from '../../modules/templates/template.js';
import { WIDGET_PALETTES, WIDGET_TEXTS } from '../../platform/contract/generated/widget.js';
import { Field, Select } from '../components/form.js';
import type { FormState } from '../form.js';
import { languages, MAX_RADIUS, textField, type TextName } from './design-form.js';

type FieldsProps = { form: FormState; readOnly: boolean };

/** `accent`: the accent color of the account, which the widget uses if it has none; "" if the account has none. */
type AppearanceProps = FieldsProps & { accent: string };

const languageName = (tag: string): string => (tag === '' ? "The visitor's language" : languageLabel(tag));

const THEMES = [
  { value: 'auto', label: "The visitor's choice" },
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
        hint="Shown above the widget. Usually the name of your shop."
      />
      <Field
        {...common}
        name="logoUrl"
        label={LABELS.logoUrl}
        hint={
          <>
            URL of an image, starting with https://. If this is empty, the widget shows the logo that you upload in the{' '}
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
          hint={`From 0 to ${MAX_RADIUS}.`}
          unit="pixels"
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

/** Names of the texts, by the widget step that shows them. */
const TEXT_GROUPS = Object.entries({
  Setup:
    'enrolTitle enrolLead enrolApps openApp manualSummary manualLead phoneLead openPhoneApp scanSummary next back enrolAgain qrLabel',
  'Entering a code': 'enterTitle enterLead confirmTitle confirmLead codeLabel codeHint check incomplete wrongCode',
  'Recovery codes':
    'savedTitle savedLead copy download saved copied notCopied useRecovery recoveryLead recoveryLabel wrongRecovery',
  'Turning two-factor on and off': 'onTitle onLead codesLeft turnOff offTitle offLead offCodeLead keepOn doneTitle',
  'Loading and errors':
    'loading checking lockedTitle lockedLead unreachableLead brokenTitle brokenLead misplacedTitle misplacedLead signInLead retry',
}).map(([title, names]) => ({ title, names: names.split(' ') as TextName[] }));

/** Exported for a test that checks that every text has a field. */
export const GROUPED_TEXTS = TEXT_GROUPS.flatMap(({ names }) => names);

function defaultTexts({ typed }: FormState): Readonly<Record<TextName, string>> {
  const texts: Readonly<Record<string, Readonly<Record<TextName, string>>>> = WIDGET_TEXTS;
  return texts[typed.language ?? ''] ?? WIDGET_TEXTS.en;
}

export const designLabels = (form: FormState): Readonly<Record<string, string>> => ({
  ...LABELS,
  ...Object.fromEntries(
    Object.entries(defaultTexts(form)).map(([name, text]) => [textField(name as TextName), `“${text}”`]),
  ),
});

/**
 * Input fields for all widget texts. Each field's label is the default text, which the widget shows if the field is
 * empty.
 */
export function TextFields({ form, readOnly }: FieldsProps) {
  const common = { form, readOnly };
  const defaults = defaultTexts(form);
  return (
    <div class="widget-texts">
      <h3>Texts</h3>
      <p class="hint">
        If a field is empty, the widget shows the built-in text in the visitor's language. Your own text is shown in
        every language.
      </p>
      {TEXT_GROUPS.map(({ title, names }) => {
        const fields = names.map(textField);
        const changed = fields.filter((name) => form.typed[name]).length;
        return (
          <details key={title} open={fields.some((name) => form.errors[name] !== undefined)}>
            <summary>
              {title} {changed > 0 && <span class="quiet small">{`${changed} of ${fields.length} changed`}</span>}
            </summary>
            <div class="stack">
              {names.map((name) => (
                <Field key={name} {...common} name={textField(name)} label={defaults[name]} maxLength={300} />
              ))}
            </div>
          </details>
        );
      })}
    </div>
  );
}
