/** All thresholds of the fraud guard. Owners change them for an application, within the bounds of the operator. */

interface Threshold {
  readonly default: number;
  readonly min: number;
  readonly max: number;
  /** Which direction refuses more. The operator bounds the other one. */
  readonly stricter: 'lower' | 'higher';
  readonly text: string;
}

/** In the order in which they are shown. 0 turns a limit off where `min` is 0. */
export const FRAUD_THRESHOLDS = {
  exemptDays: {
    ...{ default: 90, min: 1, max: 365, stricter: 'lower' },
    text: 'R0: days for which a verified recipient is exempt',
  },
  newCountryVerifications: {
    ...{ default: 3, min: 1, max: 1000, stricter: 'higher' },
    text: 'R2: verifications in 14 days from which on a country that is not listed has no cap',
  },
  newCountryPerHour: {
    ...{ default: 10, min: 0, max: 10_000, stricter: 'lower' },
    text: 'R2: unverified recipients an hour in such a country',
  },
  newCountryPerDay: {
    ...{ default: 40, min: 0, max: 100_000, stricter: 'lower' },
    text: 'R2: unverified recipients in 24 hours in such a country',
  },
  newCountriesPerHour: {
    ...{ default: 30, min: 0, max: 10_000, stricter: 'lower' },
    text: 'R2: unverified recipients an hour in all such countries together',
  },
  prefixUnverified: {
    ...{ default: 10, min: 0, max: 1000, stricter: 'lower' },
    text: 'R3: unverified recipients from which on a prefix is judged',
  },
  prefixOutstanding: {
    ...{ default: 30, min: 0, max: 1000, stricter: 'lower' },
    text: 'R3: unverified recipients of a prefix in an hour, however recent, while hardly anyone is verified',
  },
  prefixTolerance: {
    ...{ default: 60, min: 10, max: 95, stricter: 'higher' },
    text: "R3: percentage of the country's usual conversion that is normal for a prefix",
  },
  prefixCoincidence: {
    ...{ default: 10_000, min: 10, max: 1_000_000_000, stricter: 'lower' },
    text: 'R3: a prefix is paused if chance alone explains its conversion in fewer than one of so many cases',
  },
  countryUnverified: {
    ...{ default: 20, min: 0, max: 10_000, stricter: 'lower' },
    text: 'R4: unverified recipients from which on a country is judged',
  },
  countryTolerance: {
    ...{ default: 85, min: 10, max: 95, stricter: 'higher' },
    text: 'R4: percentage of its usual conversion that is normal for a country',
  },
  countryCoincidence: {
    ...{ default: 30_000, min: 10, max: 1_000_000_000, stricter: 'lower' },
    text: 'R4: a country is paused if chance alone explains its conversion in fewer than one of so many cases',
  },
  establishedVerifications: {
    ...{ default: 20, min: 1, max: 10_000, stricter: 'higher' },
    text: 'R4: verifications in 14 days from which on a country is judged by itself, and not with all new ones',
  },
  establishedExcess: {
    ...{ default: 30, min: 0, max: 10_000, stricter: 'lower' },
    text: 'R4: unverified recipients an hour, beyond the usual, from which on the home country or an established one is paused',
  },
  sourceUnverified: {
    ...{ default: 10, min: 0, max: 10_000, stricter: 'lower' },
    text: "R5: unverified recipients in 24 hours from which on an end user's address is judged",
  },
  sourceTolerance: {
    ...{ default: 60, min: 10, max: 95, stricter: 'higher' },
    text: "R5: percentage of the country's usual conversion that is normal for an address",
  },
  sourceCoincidence: {
    ...{ default: 1000, min: 10, max: 1_000_000_000, stricter: 'lower' },
    text: 'R5: an address is refused if chance alone explains its conversion in fewer than one of so many cases',
  },
  sourceCountries: {
    ...{ default: 5, min: 0, max: 200, stricter: 'lower' },
    text: "R5: countries without a verification in 24 hours of an end user's address; each verified recipient adds one",
  },
  spendFloor: {
    ...{ default: 10, min: 0, max: 1_000_000, stricter: 'lower' },
    text: 'R6: amount in whole units of the currency that a day can always cost',
  },
  spendFactor: {
    ...{ default: 3, min: 0, max: 1000, stricter: 'lower' },
    text: 'R6: multiple of the most expensive of the last 14 days that stops a day with a low conversion',
  },
  spendBudget: {
    ...{ default: 0, min: 0, max: 1_000_000, stricter: 'lower' },
    text: 'R6: amount in whole units of the currency that stops any day',
  },
  observeDays: {
    ...{ default: 7, min: 0, max: 30, stricter: 'lower' },
    text: 'Days in which R3 to R5 only record what they would refuse',
  },
} as const satisfies Record<string, Threshold>;

export type FraudSetting = keyof typeof FRAUD_THRESHOLDS;
export type FraudSettings = { readonly [Name in FraudSetting]: number };

export const FRAUD_SETTINGS = Object.keys(FRAUD_THRESHOLDS) as FraudSetting[];

export const DEFAULT_FRAUD_SETTINGS = Object.fromEntries(
  FRAUD_SETTINGS.map((name) => [name, FRAUD_THRESHOLDS[name].default]),
) as FraudSettings;

/** Caps that 0 turns off: in a comparison, off is the loosest value. */
export const canBeOff = (name: FraudSetting): boolean =>
  FRAUD_THRESHOLDS[name].min === 0 && !['observeDays', 'spendFloor'].includes(name);

export const isOff = (name: FraudSetting, value: number | undefined): boolean => value === 0 && canBeOff(name);

function stricterOf(name: FraudSetting, value: number, bound: number): number {
  if (isOff(name, bound)) return value;
  if (isOff(name, value)) return bound;
  return FRAUD_THRESHOLDS[name].stricter === 'lower' ? Math.min(value, bound) : Math.max(value, bound);
}

/** The settings as they apply: defaults, the owner's changes, and the operator's bounds where these are stricter. */
export function fraudSettingsOf(
  changes: Partial<FraudSettings> = {},
  bounds: Partial<FraudSettings> = {},
): FraudSettings {
  const entries = FRAUD_SETTINGS.map((name) => {
    const value = changes[name] ?? FRAUD_THRESHOLDS[name].default;
    const bound = bounds[name];
    return [name, bound === undefined ? value : stricterOf(name, value, bound)];
  });
  return Object.fromEntries(entries) as FraudSettings;
}

/** Whether a person may store the value. */
export const isFraudSettingValue = (name: FraudSetting, value: number): boolean =>
  Number.isInteger(value) && value >= FRAUD_THRESHOLDS[name].min && value <= FRAUD_THRESHOLDS[name].max;

/** A change of settings or bounds that is not possible. The message says what is. */
export class FraudSettingError extends Error {
  constructor(
    readonly setting: string,
    /** The values that are allowed, such as "It must be a whole number from 0 to 1000; 0 turns it off." */
    readonly advice: string,
  ) {
    super(`${setting}: ${advice}`);
  }
}

export function fraudSettingNamed(name: string): FraudSetting {
  if (Object.hasOwn(FRAUD_THRESHOLDS, name)) return name as FraudSetting;
  throw new FraudSettingError(name, `There is no such setting. The settings are ${FRAUD_SETTINGS.join(', ')}.`);
}

/** Throws a {@link FraudSettingError} unless a person may store the value. */
export function checkFraudSetting(name: FraudSetting, value: number): void {
  const { min, max } = FRAUD_THRESHOLDS[name];
  if (isFraudSettingValue(name, value)) return;
  const off = canBeOff(name) ? '; 0 turns it off' : '';
  throw new FraudSettingError(name, `It must be a whole number from ${min} to ${max}${off}.`);
}

/** The bound of a setting in words, such as "at most 20"; "any" without a bound. */
export function boundText(name: FraudSetting, bound: number | undefined): string {
  if (bound === undefined || isOff(name, bound)) return 'any';
  return `at ${FRAUD_THRESHOLDS[name].stricter === 'lower' ? 'most' : 'least'} ${bound.toLocaleString('en')}`;
}

export const isLooserThan = (name: FraudSetting, value: number, bound: number | undefined): boolean =>
  bound !== undefined && stricterOf(name, value, bound) !== value;
