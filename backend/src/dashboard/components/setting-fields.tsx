/** Form fields for numbers that have bounds. */
import { wholeNumber } from '../../modules/applications/setting-values.js';
import { hintOf, namesIn, type SettingTable, type Values } from '../../modules/settings/bounded-setting.js';
import type { FieldReader, FormState } from '../form.js';
import { Field } from './form.js';

export const labelsOf = (table: SettingTable): Readonly<Record<string, string>> =>
  Object.fromEntries(namesIn(table).map((name) => [name, table[name]!.label]));

export const readersOf = (table: SettingTable): Readonly<Record<string, FieldReader<number>>> =>
  Object.fromEntries(namesIn(table).map((name) => [name, wholeNumber(table[name]!.min, table[name]!.max)]));

interface SettingFieldsProps {
  readonly form: FormState;
  readonly table: SettingTable;
  readonly names: readonly string[];
  /** The loosest values that the account allows. */
  readonly bounds: Values;
  /** Units of the values, by name. */
  readonly units?: Readonly<Record<string, string>>;
}

export const SettingFields = ({ form, table, names, bounds, units = {} }: SettingFieldsProps) => (
  <div class="setting-rows">
    {names.map((name) => (
      <Field
        key={name}
        form={form}
        name={name}
        label={table[name]!.label}
        hint={hintOf(table[name]!, bounds[name], Number(form.typed[name]))}
        unit={units[name]}
        placeholder="No limit"
        inputMode="numeric"
        autocomplete="off"
      />
    ))}
  </div>
);
