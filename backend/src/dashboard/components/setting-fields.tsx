/** Form fields for numbers that have bounds. */
import { Fragment, type ComponentChildren } from 'preact';
import { wholeNumber } from '../../modules/applications/setting-values.js';
import {
  boundText,
  hintOf,
  isOff,
  namesIn,
  type BoundedSetting,
  type SettingTable,
  type Values,
} from '../../modules/settings/bounded-setting.js';
import { withoutSeparators } from '../fields.js';
import type { FieldReader, FormState } from '../form.js';
import { countText } from '../usage/figures.js';
import { Field } from './form.js';

export const labelsOf = (table: SettingTable): Readonly<Record<string, string>> =>
  Object.fromEntries(namesIn(table).map((name) => [name, table[name]!.label]));

export const readersOf = (table: SettingTable): Readonly<Record<string, FieldReader<number>>> =>
  Object.fromEntries(
    namesIn(table).map((name) => {
      const read = wholeNumber(table[name]!.min, table[name]!.max);
      return [name, (text) => read(withoutSeparators(text))];
    }),
  );

/** The value of a field; NaN if it is not a number. */
export const numberIn = ({ typed }: FormState, name: string): number => Number(withoutSeparators(typed[name] ?? ''));

/** Returns the form with whole numbers as the reader writes them, such as 5,000. */
export function withNumbers(form: FormState): FormState {
  const entries = Object.entries(form.typed).map(([name, text]) => [
    name,
    /^\d+$/.test(text) ? countText(Number(text)) : text,
  ]);
  return { ...form, typed: Object.fromEntries(entries) };
}

const offText = (setting: BoundedSetting, bound: number | undefined): string => {
  if (boundText(setting, bound) !== 'any') return '';
  return setting.stricter === 'higher' ? 'No wait' : 'No limit';
};

const limitText = (setting: BoundedSetting, value: number): string => {
  if (isOff(setting, value)) return setting.stricter === 'higher' ? 'no wait' : 'no limit';
  return `${countText(value)}${setting.unit === 'seconds' ? ' seconds' : ''}`;
};

/** `Codes to one recipient per day: no limit instead of 10` */
export const looserText = (setting: BoundedSetting, now: number, before: number): string =>
  `${setting.label}: ${limitText(setting, now)} instead of ${limitText(setting, before)}`;

interface SettingFieldsProps {
  readonly form: FormState;
  readonly table: SettingTable;
  readonly names: readonly string[];
  /** The loosest values that the account allows. */
  readonly bounds: Values;
  /**
   * The value of an empty field with its source: shown in the field while it is empty, and otherwise as `Normal: 65` in the hint.
   * Without it, an empty field turns the setting off.
   */
  readonly usualValue?: (name: string) => readonly [source: string, value: number];
  /** Whether the labels name the units, so that the fields do not show them. */
  readonly isUnitInLabel?: boolean;
  /** Rows to show after a field, by its name. */
  readonly after?: Readonly<Record<string, ComponentChildren>>;
}

/** Formats names between backticks as code. */
const withCode = (text: string) =>
  text && text.split('`').map((part, n) => (n % 2 === 1 ? <code key={part}>{part}</code> : part));

/** Returns the texts in, beside and below a field. One of them contains its usual value. */
function notesOf({ form, table, bounds, usualValue, isUnitInLabel }: SettingFieldsProps, name: string) {
  const setting = table[name]!;
  const unit = isUnitInLabel ? undefined : setting.unit;
  const hint = hintOf(setting, bounds[name]);
  if (!usualValue) {
    const isUsual = numberIn(form, name) === setting.default;
    return {
      hint: isUsual ? hint : `${hint} Recommended: ${countText(setting.default)}.`.trim(),
      placeholder: offText(setting, bounds[name]),
      unit,
    };
  }
  const [source, value] = usualValue(name);
  return {
    hint: (
      <>
        {withCode(hint)}{' '}
        <span class="usual">
          {source}: {countText(value)}.
        </span>
      </>
    ),
    placeholder: countText(value),
    unit,
  };
}

interface FixedNumberProps {
  readonly label: string;
  readonly hint: ComponentChildren;
  readonly value: string;
  readonly unit: string;
}

/** A row with a number that follows from another setting. */
export const FixedNumber = ({ label, hint, value, unit }: FixedNumberProps) => (
  <div class="field fixed">
    <p class="label">{label}</p>
    <div class="with-unit">
      <strong>{value}</strong>
      <span>{unit}</span>
    </div>
    <p class="hint">{hint}</p>
  </div>
);

export function SettingFields(props: SettingFieldsProps) {
  const { form, table, names, after } = props;
  return (
    <div class="setting-rows">
      {names.map((name) => (
        <Fragment key={name}>
          <Field
            form={withNumbers(form)}
            name={name}
            label={table[name]!.label}
            {...notesOf(props, name)}
            inputMode="numeric"
            autocomplete="off"
          />
          {after?.[name]}
        </Fragment>
      ))}
    </div>
  );
}
