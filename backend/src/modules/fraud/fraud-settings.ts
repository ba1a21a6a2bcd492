/** All numbers of the fraud guard. Owners can change them for an application, within the operator's bounds. */
import type { SettingTable, ValuesOf } from '../settings/bounded-setting.js';
import { effectiveValues, higherIsStricter, lowerIsStricter, namesIn } from '../settings/bounded-setting.js';

const TOLERANCE_HINT =
  'The conversion is the share of recipients who enter their code. It is compared with the usual conversion of the country.';
const CERTAINTY_HINT = 'Acts only if a conversion this low would occur by chance less than once in this many cases.';

/** In the order in which they are shown. The text starts with the rule that uses the number. */
export const FRAUD_THRESHOLDS = {
  exemptDays: {
    ...lowerIsStricter({ default: 90, min: 1, max: 365 }),
    label: 'Days of exemption after a verification',
    hint: 'During this time, R2 to R6 and their pauses do not apply to the recipient. The daily budget does.',
    text: 'R0: days for which a verified recipient is exempt',
  },
  newCountryVerifications: {
    ...higherIsStricter({ default: 3, min: 1, max: 1000 }),
    label: 'Verifications in 14 days after which a country is no longer limited',
    text: 'R2: verifications in 14 days that lift the caps for a country that is not listed',
  },
  newCountryPerHour: {
    ...lowerIsStricter({ default: 10, min: 0, max: 10_000 }),
    label: 'Unverified recipients in an hour, for each country',
    text: 'R2: unverified recipients per hour in a country that is not listed',
  },
  newCountryPerDay: {
    ...lowerIsStricter({ default: 40, min: 0, max: 100_000 }),
    label: 'Unverified recipients in 24 hours, for each country',
    text: 'R2: unverified recipients per 24 hours in a country that is not listed',
  },
  newCountriesPerHour: {
    ...lowerIsStricter({ default: 30, min: 0, max: 10_000 }),
    label: 'Unverified recipients in an hour, for all new countries together',
    hint: 'Stops attacks that spread over many countries.',
    text: 'R2: unverified recipients per hour in all new countries together',
  },
  prefixUnverified: {
    ...lowerIsStricter({ default: 10, min: 0, max: 1000 }),
    label: 'Unverified recipients before a prefix is evaluated',
    text: 'R3: unverified recipients that a prefix must have before it is evaluated',
  },
  prefixOutstanding: {
    ...lowerIsStricter({ default: 30, min: 0, max: 1000 }),
    label: 'Unverified recipients in an hour that pause a prefix immediately',
    hint: 'Applies even to codes sent a moment ago, if fewer than 10% of the recipients have entered theirs.',
    text: 'R3: unverified recipients in an hour, however recent, that pause a prefix while fewer than 10% are verified',
  },
  prefixTolerance: {
    ...higherIsStricter({ default: 60, min: 10, max: 95 }),
    label: 'Suspicious below this percentage of the usual conversion',
    hint: TOLERANCE_HINT,
    text: "R3: percentage of the country's usual conversion that is still normal for a prefix",
  },
  prefixCoincidence: {
    ...lowerIsStricter({ default: 10_000, min: 10, max: 1_000_000_000 }),
    label: 'Required certainty: 1 in',
    hint: `${CERTAINTY_HINT} A higher number means fewer pauses.`,
    text: 'R3: a prefix is paused only if a conversion this low would occur by chance less than once in this many cases',
  },
  countryUnverified: {
    ...lowerIsStricter({ default: 20, min: 0, max: 10_000 }),
    label: 'Unverified recipients before a country is evaluated',
    text: 'R4: unverified recipients that a country must have before it is evaluated; twice as many for all new countries together',
  },
  countryTolerance: {
    ...higherIsStricter({ default: 85, min: 10, max: 95 }),
    label: 'Suspicious below this percentage of the usual conversion',
    hint: TOLERANCE_HINT,
    text: "R4: percentage of a country's usual conversion that is still normal for it",
  },
  countryCoincidence: {
    ...lowerIsStricter({ default: 30_000, min: 10, max: 1_000_000_000 }),
    label: 'Required certainty: 1 in',
    hint: `${CERTAINTY_HINT} A higher number means fewer pauses.`,
    text: 'R4: a country is paused only if a conversion this low would occur by chance less than once in this many cases',
  },
  establishedVerifications: {
    ...higherIsStricter({ default: 20, min: 1, max: 10_000 }),
    label: 'Verifications in the 14 days before today that make a country established',
    hint: 'All other countries are also evaluated together.',
    text: 'R4: verifications in the 14 days before today that make a country established; other countries are also evaluated together',
  },
  homeExcess: {
    ...lowerIsStricter({ default: 30, min: 0, max: 10_000, zeroIsStrictest: true }),
    label: 'Unverified recipients in an hour, above the usual number, that pause the home country',
    hint: 'Smaller numbers are only recorded, because a pause would affect many legitimate users.',
    text: 'R4: unverified recipients per hour above the usual number before the home country is paused; fewer are only recorded',
  },
  sourceUnverified: {
    ...lowerIsStricter({ default: 10, min: 0, max: 10_000 }),
    label: 'Unverified recipients before an IP address is evaluated',
    text: "R5: unverified recipients that an end user's address must have in 24 hours before it is evaluated",
  },
  sourceTolerance: {
    ...higherIsStricter({ default: 60, min: 10, max: 95 }),
    label: 'Suspicious below this percentage of the usual conversion',
    hint: TOLERANCE_HINT,
    text: "R5: percentage of the country's usual conversion that is still normal for an address",
  },
  sourceCoincidence: {
    ...lowerIsStricter({ default: 1000, min: 10, max: 1_000_000_000 }),
    label: 'Required certainty: 1 in',
    hint: `${CERTAINTY_HINT} A higher number means fewer refusals.`,
    text: 'R5: an address is refused only if a conversion this low would occur by chance less than once in this many cases',
  },
  sourceRepeated: {
    ...lowerIsStricter({ default: 1, min: 0, max: 10_000 }),
    label: 'Unverified recipients in 24 hours, for an IP address that was refused in the last 14 days',
    hint: 'Each verified recipient raises this limit by one.',
    text: 'R5: unverified recipients in 24 hours for an address that was refused in the last 14 days; each verified recipient raises this limit by one',
  },
  sourceCountries: {
    ...lowerIsStricter({ default: 5, min: 0, max: 200 }),
    label: 'Countries without a verified code for one IP address in 24 hours',
    hint: 'Each verified recipient raises this limit by one.',
    text: "R5: countries without a verification for an end user's address in 24 hours; each verified recipient raises this limit by one",
  },
  spendFloor: {
    ...lowerIsStricter({ default: 10, min: 0, max: 1_000_000, zeroIsStrictest: true }),
    label: 'Lowest automatic limit for the daily cost',
    hint: 'In whole units of your currency.',
    text: 'R6: lowest value of the automatic daily limit, in whole units of the currency',
  },
  spendFactor: {
    ...lowerIsStricter({ default: 3, min: 0, max: 1000 }),
    label: 'Automatic limit, as a multiple of the most expensive day of the last 14',
    hint: 'Applies only on days with at least 20 recipients, if fewer people than usual enter their codes.',
    text: 'R6: automatic daily limit, as a multiple of the most expensive of the last 14 days; stops only days with a low conversion',
  },
  spendBudget: {
    ...lowerIsStricter({ default: 0, min: 0, max: 1_000_000 }),
    label: 'Daily budget',
    hint: 'In whole units of your currency. Applies no matter how many people enter their codes.',
    text: 'R6: daily budget in whole units of the currency; stops any day',
  },
  observeDays: {
    ...lowerIsStricter({ default: 7, min: 0, max: 30, zeroIsStrictest: true }),
    label: 'Days during which the guard only records',
    text: 'Days during which R3 to R5 only record the messages that they would refuse',
  },
} as const satisfies SettingTable;

export type FraudSetting = keyof typeof FRAUD_THRESHOLDS;
export type FraudSettings = ValuesOf<typeof FRAUD_THRESHOLDS>;

export const FRAUD_SETTINGS = namesIn(FRAUD_THRESHOLDS);

/** Returns the settings in effect: the defaults, the owner's changes, and the operator's bounds where they are stricter. */
export const fraudSettingsOf = (
  changes: Partial<FraudSettings> = {},
  bounds: Partial<FraudSettings> = {},
): FraudSettings => effectiveValues(FRAUD_THRESHOLDS, changes, bounds);
