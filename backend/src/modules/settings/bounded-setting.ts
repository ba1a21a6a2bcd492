/**
 * Numbers that owners can change for an application, within bounds that the operator sets for the account: limits, and
 * the numbers of the fraud guard. A table describes them; the command, the pages and the ceilings are derived from it.
 */
import { ExpectedError } from '../../platform/expected-error.js';

export type Values = Readonly<Record<string, number>>;

/** Changes to values; undefined removes a value. */
export type ValuesChange = Readonly<Record<string, number | undefined>>;

interface Range {
  readonly default: number;
  readonly min: number;
  readonly max: number;
  /** Whether 0 is the strictest value. Otherwise, 0 turns the setting off, which is its loosest value. */
  readonly zeroIsStrictest?: boolean;
  /** Whether Passbell chooses the value if it is 0. No bound forbids this. */
  readonly zeroIsAutomatic?: boolean;
}

export interface BoundedSetting extends Range {
  /** Whether lower or higher values allow fewer messages. Bounds limit the other direction. */
  readonly stricter: 'lower' | 'higher';
  readonly label: string;
  /** A short explanation, shown below the label. */
  readonly about?: string;
  /** The unit of the value, in the plural, next to the field. */
  readonly unit?: string;
  /** Full sentences for the field. */
  readonly hint?: string;
  /** The meaning, for the command and the documentation. */
  readonly text: string;
}

export type SettingTable = Readonly<Record<string, BoundedSetting>>;
export type ValuesOf<T extends SettingTable> = { readonly [N in keyof T]: number };

export const lowerIsStricter = (range: Range) => ({ ...range, stricter: 'lower' as const });
export const higherIsStricter = (range: Range) => ({ ...range, stricter: 'higher' as const });

export const namesIn = <T extends SettingTable>(table: T) => Object.keys(table) as (keyof T & string)[];

/** A change to a setting is not allowed. `advice` names the allowed values. */
export class SettingError extends ExpectedError {
  constructor(
    readonly setting: string,
    readonly advice: string,
    /** Errors of other settings of the same change. */
    private readonly others: readonly SettingError[] = [],
  ) {
    super([`${setting}: ${advice}`, ...others.map(({ message }) => message)].join(' '));
  }

  /** The advice for all settings of the change that are not allowed. */
  get advices(): Readonly<Record<string, string>> {
    return Object.fromEntries([this, ...this.others].map(({ setting, advice }) => [setting, advice]));
  }
}

/** Throws one error for all settings. */
export function throwErrors([first, ...others]: readonly SettingError[]): void {
  if (first) throw new SettingError(first.setting, first.advice, others);
}

const canBeOff = ({ min, zeroIsStrictest = false }: BoundedSetting): boolean => min === 0 && !zeroIsStrictest;

export const isOff = (setting: BoundedSetting, value: number): boolean => value === 0 && canBeOff(setting);

export const zeroName = ({ zeroIsAutomatic }: BoundedSetting): string => (zeroIsAutomatic ? 'automatic' : 'off');

const isBound = (setting: BoundedSetting, bound: number | undefined): bound is number =>
  bound !== undefined && !isOff(setting, bound);

/** Returns the stricter one of a value and a bound. A bound that is off bounds nothing. */
function stricterOf(setting: BoundedSetting, value: number, bound: number | undefined): number {
  if (!isBound(setting, bound)) return value;
  if (isOff(setting, value)) return setting.zeroIsAutomatic ? value : bound;
  return setting.stricter === 'lower' ? Math.min(value, bound) : Math.max(value, bound);
}

/** Whether a value allows more than another one. An automatic value is never looser. */
export const isLooser = (setting: BoundedSetting, value: number, than: number): boolean =>
  stricterOf(setting, value, than) !== value;

/** Returns the values in effect: the defaults, the stored changes, and the bounds where they are stricter. */
export function effectiveValues<T extends SettingTable>(
  table: T,
  stored: Partial<ValuesOf<T>>,
  bounds: Partial<ValuesOf<T>>,
): ValuesOf<T> {
  const entries = namesIn(table).map((name) => {
    const setting = table[name]!;
    return [name, stricterOf(setting, stored[name] ?? setting.default, bounds[name])];
  });
  return Object.fromEntries(entries) as ValuesOf<T>;
}

/** Returns the changed values. Omits values that the change removes. */
export function changeValues(before: Values, change: ValuesChange = {}): Values {
  const entries = Object.entries({ ...before, ...change });
  return Object.fromEntries(entries.filter((entry): entry is [string, number] => entry[1] !== undefined));
}

const zeroText = ({ zeroIsAutomatic }: BoundedSetting): string =>
  zeroIsAutomatic ? '0 is automatic' : '0 turns it off';

/** Throws a {@link SettingError} for an unknown setting, and for a value that is out of its setting's range. */
export function checkChange(table: SettingTable, change: ValuesChange): void {
  for (const [name, value] of Object.entries(change)) {
    if (!Object.hasOwn(table, name))
      throw new SettingError(name, `There is no such setting. The settings are ${namesIn(table).join(', ')}.`);
    const setting = table[name]!;
    if (value === undefined || (Number.isInteger(value) && value >= setting.min && value <= setting.max)) continue;
    const zero = canBeOff(setting) ? `; ${zeroText(setting)}` : '';
    throw new SettingError(
      name,
      `Enter a whole number from ${setting.min} to ${setting.max.toLocaleString('en')}${zero}.`,
    );
  }
}

function rangeText(setting: BoundedSetting, bound: number): string {
  if (setting.stricter === 'higher') return `of at least ${bound.toLocaleString('en')}`;
  return `from ${canBeOff(setting) ? 1 : setting.min} to ${bound.toLocaleString('en')}`;
}

/**
 * Returns the changes that are looser than their bounds. Throws a {@link SettingError} if there are any, unless
 * `mayExceed` is true.
 */
export function looserValues(table: SettingTable, change: ValuesChange, bounds: Values, mayExceed: boolean): Values {
  const looser = Object.entries(changeValues({}, change)).filter(
    ([name, value]) => stricterOf(table[name]!, value, bounds[name]) !== value,
  );
  const errors = looser.map(([name]) => {
    const range = rangeText(table[name]!, bounds[name]!);
    return new SettingError(name, `Enter a number ${range}. Only the operator of this server can allow other values.`);
  });
  if (!mayExceed) throwErrors(errors);
  return Object.fromEntries(looser);
}

/** Describes a bound, such as "at most 20"; "any" without a bound. */
export function boundText(setting: BoundedSetting, bound: number | undefined): string {
  if (!isBound(setting, bound)) return 'any';
  return `at ${setting.stricter === 'lower' ? 'most' : 'least'} ${bound.toLocaleString('en')}`;
}

export function hintOf(setting: BoundedSetting, bound: number | undefined): string {
  const allowed = isBound(setting, bound) ? `Your account allows ${boundText(setting, bound)}.` : '';
  const zero = setting.zeroIsStrictest ? '0 is the strictest value.' : '';
  return [setting.hint, allowed, zero].filter(Boolean).join(' ');
}

/** Returns the name of a setting's command option: `sendsPer10Minutes` → `sends-per-10-minutes`. */
export const optionOf = (name: string): string => name.replace(/[A-Z]|\d+/g, (start) => `-${start}`).toLowerCase();
