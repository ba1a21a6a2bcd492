/** Form fields for numbers that have bounds. */
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
import { withUnit } from '../with-unit.js';
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
  return setting.unit === undefined ? countText(value) : withUnit(countText(value), setting.unit);
};

/** `Codes to one recipient per day: no limit instead of 10 codes` */
export const looserText = (setting: BoundedSetting, now: number, before: number): string =>
  `${setting.label}: ${limitText(setting, now)} instead of ${limitText(setting, before)}`;

interface SettingFieldsProps {
  readonly form: FormState;
  /** The labels name the units. */
  readonly table: SettingTable;
  readonly names: readonly string[];
  /** The loosest values that the account allows. */
  readonly bounds: Values;
}

/** Number fields. An empty field turns its setting off. */
export const SettingFields = ({ form, table, names, bounds }: SettingFieldsProps) => (
  <div class="setting-rows">
    {names.map((name) => {
      const setting = table[name]!;
      const hint = hintOf(setting, bounds[name]);
      const isUsual = numberIn(form, name) === setting.default;
      return (
        <Field
          key={name}
          form={withNumbers(form)}
          name={name}
          label={setting.label}
          hint={isUsual ? hint : `${hint} Recommended: ${countText(setting.default)}.`.trim()}
          placeholder={offText(setting, bounds[name])}
          inputMode="numeric"
          autocomplete="off"
        />
      );
    })}
  </div>
);
