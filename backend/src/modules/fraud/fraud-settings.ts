/** All thresholds of the fraud guard. Owners can change them for an application, within the operator's bounds. */

interface Threshold {
  readonly default: number;
  readonly min: number;
  readonly max: number;
  /** Whether lower or higher values refuse more messages. The operator's bounds limit the other direction. */
  readonly stricter: 'lower' | 'higher';
  readonly text: string;
}

/** In the order in which they are shown. 0 turns a limit off where `min` is 0. */
export const FRAUD_THRESHOLDS = {
  exemptDays: {
    default: 90,
    min: 1,
    max: 365,
    stricter: 'lower',
    text: 'R0: days for which a verified recipient is exempt',
  },
  newCountryVerifications: {
    default: 3,
    min: 1,
    max: 1000,
    stricter: 'higher',
    text: 'R2: verifications in 14 days that lift the caps for a country that is not listed',
  },
  newCountryPerHour: {
    default: 10,
    min: 0,
    max: 10_000,
    stricter: 'lower',
    text: 'R2: unverified recipients per hour in a country that is not listed',
  },
  newCountryPerDay: {
    default: 40,
    min: 0,
    max: 100_000,
    stricter: 'lower',
    text: 'R2: unverified recipients per 24 hours in a country that is not listed',
  },
  newCountriesPerHour: {
    default: 30,
    min: 0,
    max: 10_000,
    stricter: 'lower',
    text: 'R2: unverified recipients per hour in all new countries together',
  },
  prefixUnverified: {
    default: 10,
    min: 0,
    max: 1000,
    stricter: 'lower',
    text: 'R3: unverified recipients that a prefix must have before it is evaluated',
  },
  prefixOutstanding: {
    default: 30,
    min: 0,
    max: 1000,
    stricter: 'lower',
    text: 'R3: unverified recipients in an hour, however recent, that pause a prefix while fewer than 10% are verified',
  },
  prefixTolerance: {
    default: 60,
    min: 10,
    max: 95,
    stricter: 'higher',
    text: "R3: percentage of the country's usual conversion that is still normal for a prefix",
  },
  prefixCoincidence: {
    default: 10_000,
    min: 10,
    max: 1_000_000_000,
    stricter: 'lower',
    text: 'R3: a prefix is paused only if a conversion this low would occur by chance less than once in this many cases',
  },
  countryUnverified: {
    default: 20,
    min: 0,
    max: 10_000,
    stricter: 'lower',
    text: 'R4: unverified recipients that a country must have before it is evaluated; twice as many for all new countries together',
  },
  countryTolerance: {
    default: 85,
    min: 10,
    max: 95,
    stricter: 'higher',
    text: "R4: percentage of a country's usual conversion that is still normal for it",
  },
  countryCoincidence: {
    default: 30_000,
    min: 10,
    max: 1_000_000_000,
    stricter: 'lower',
    text: 'R4: a country is paused only if a conversion this low would occur by chance less than once in this many cases',
  },
  establishedVerifications: {
    default: 20,
    min: 1,
    max: 10_000,
    stricter: 'higher',
    text: 'R4: verifications in the 14 days before today that make a country established; other countries are also evaluated together',
  },
  homeExcess: {
    default: 30,
    min: 0,
    max: 10_000,
    stricter: 'lower',
    text: 'R4: unverified recipients per hour above the usual number before the home country is paused; fewer are only recorded',
  },
  sourceUnverified: {
    default: 10,
    min: 0,
    max: 10_000,
    stricter: 'lower',
    text: "R5: unverified recipients that an end user's address must have in 24 hours before it is evaluated",
  },
  sourceTolerance: {
    default: 60,
    min: 10,
    max: 95,
    stricter: 'higher',
    text: "R5: percentage of the country's usual conversion that is still normal for an address",
  },
  sourceCoincidence: {
    default: 1000,
    min: 10,
    max: 1_000_000_000,
    stricter: 'lower',
    text: 'R5: an address is refused only if a conversion this low would occur by chance less than once in this many cases',
  },
  sourceRepeated: {
    default: 1,
    min: 0,
    max: 10_000,
    stricter: 'lower',
    text: 'R5: unverified recipients in 24 hours for an address that was refused in the last 14 days; each verified recipient raises this limit by one',
  },
  sourceCountries: {
    default: 5,
    min: 0,
    max: 200,
    stricter: 'lower',
    text: "R5: countries without a verification for an end user's address in 24 hours; each verified recipient raises this limit by one",
  },
  spendFloor: {
    default: 10,
    min: 0,
    max: 1_000_000,
    stricter: 'lower',
    text: 'R6: lowest value of the automatic daily limit, in whole units of the currency',
  },
  spendFactor: {
    default: 3,
    min: 0,
    max: 1000,
    stricter: 'lower',
    text: 'R6: automatic daily limit, as a multiple of the most expensive of the last 14 days; stops only days with a low conversion',
  },
  spendBudget: {
    default: 0,
    min: 0,
    max: 1_000_000,
    stricter: 'lower',
    text: 'R6: daily budget in whole units of the currency; stops any day',
  },
  observeDays: {
    default: 7,
    min: 0,
    max: 30,
    stricter: 'lower',
    text: 'Days during which R3 to R5 only record the messages that they would refuse',
  },
} as const satisfies Record<string, Threshold>;

export type FraudSetting = keyof typeof FRAUD_THRESHOLDS;
export type FraudSettings = { readonly [Name in FraudSetting]: number };

export const FRAUD_SETTINGS = Object.keys(FRAUD_THRESHOLDS) as FraudSetting[];

export const DEFAULT_FRAUD_SETTINGS = Object.fromEntries(
  FRAUD_SETTINGS.map((name) => [name, FRAUD_THRESHOLDS[name].default]),
) as FraudSettings;

/** Returns whether 0 turns the setting off. In comparisons, "off" is the loosest value. */
export const canBeOff = (name: FraudSetting): boolean =>
  FRAUD_THRESHOLDS[name].min === 0 && !['homeExcess', 'observeDays', 'spendFloor'].includes(name);

export const isOff = (name: FraudSetting, value: number | undefined): boolean => value === 0 && canBeOff(name);

function stricterOf(name: FraudSetting, value: number, bound: number): number {
  if (isOff(name, bound)) return value;
  if (isOff(name, value)) return bound;
  return FRAUD_THRESHOLDS[name].stricter === 'lower' ? Math.min(value, bound) : Math.max(value, bound);
}

/**
 * Returns the settings in effect: the defaults, the owner's changes, and the operator's bounds where they are stricter.
 */
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

/** Returns whether the value is in the setting's range. */
export const isFraudSettingValue = (name: FraudSetting, value: number): boolean =>
  Number.isInteger(value) && value >= FRAUD_THRESHOLDS[name].min && value <= FRAUD_THRESHOLDS[name].max;

/** A change to a setting or bound is not valid. The message contains the allowed values. */
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

/** Throws a {@link FraudSettingError} unless the value is in the setting's range. */
export function checkFraudSetting(name: FraudSetting, value: number): void {
  const { min, max } = FRAUD_THRESHOLDS[name];
  if (isFraudSettingValue(name, value)) return;
  const off = canBeOff(name) ? '; 0 turns it off' : '';
  throw new FraudSettingError(name, `It must be a whole number from ${min} to ${max}${off}.`);
}

/** Describes a setting's bound, such as "at most 20"; "any" without a bound. */
export function boundText(name: FraudSetting, bound: number | undefined): string {
  if (bound === undefined || isOff(name, bound)) return 'any';
  return `at ${FRAUD_THRESHOLDS[name].stricter === 'lower' ? 'most' : 'least'} ${bound.toLocaleString('en')}`;
}

export const isLooserThan = (name: FraudSetting, value: number, bound: number | undefined): boolean =>
  bound !== undefined && stricterOf(name, value, bound) !== value;
