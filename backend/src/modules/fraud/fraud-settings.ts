/** The numbers of the fraud guard that owners can change for an application, within the operator's bounds. */
import type { SettingTable, ValuesOf } from '../settings/bounded-setting.js';
import { effectiveValues, higherIsStricter, lowerIsStricter, namesIn } from '../settings/bounded-setting.js';

const EXCESS_HINT = 'Each recipient adds one, each entered code subtracts more than one, and time subtracts the rest.';

/** The number of recipients that a scope may have above the usual number before the guard acts. */
const excessLimit = (value: number) => lowerIsStricter({ default: value, min: 0, max: 100_000 });

/** In the order in which they are shown. */
export const FRAUD_THRESHOLDS = {
  strictness: {
    ...higherIsStricter({ default: 2, min: 1, max: 3 }),
    label: 'Protection',
    hint: 'Changes the defaults of the numbers of unverified recipients below.',
    text: '1: relaxed, 2: normal, 3: strict. Relaxed doubles the defaults of the numbers of unverified recipients, strict halves them',
  },
  exemptDays: {
    ...lowerIsStricter({ default: 90, min: 1, max: 365 }),
    label: 'Days of exemption after a verification',
    hint: 'During this time, only pauses by people, daily budgets, refused number ranges and the rule about codes in a row apply to the recipient.',
    text: 'Days for which a verified recipient is exempt from the other rules',
  },
  codesInARow: {
    ...lowerIsStricter({ default: 4, min: 0, max: 1000 }),
    label: 'Codes in a row that a recipient does not enter',
    hint: 'After that, the recipient gets one code a day, or must solve a challenge. The number is higher for an application in which many people do not enter their codes.',
    text: 'Codes in a row that a recipient may leave unentered before it gets one a day',
  },
  prefixUnverified: {
    ...excessLimit(10),
    label: 'Unverified recipients with the same prefix (10,000 numbers)',
    hint: `${EXCESS_HINT} When several prefixes of a country are paused, the limit of the others drops.`,
    text: 'Unverified recipients above the usual number that pause a prefix of 10,000 numbers',
  },
  rangeUnverified: {
    ...excessLimit(25),
    label: 'Unverified recipients with the same prefix (1,000,000 numbers)',
    text: 'Unverified recipients above the usual number that pause a prefix of 1,000,000 numbers',
  },
  addressUnverified: {
    ...excessLimit(8),
    label: 'Unverified recipients of one IP address',
    hint: 'The address that you pass as clientIp.',
    text: "Unverified recipients above the usual number that pause an end user's IP address",
  },
  countryUnverified: {
    ...excessLimit(25),
    label: 'Unverified recipients in another country',
    hint: 'The limit is higher by three fifths for countries that you list.',
    text: 'Unverified recipients above the usual number that pause a country other than the home country',
  },
  newCountriesUnverified: {
    ...excessLimit(40),
    label: 'Unverified recipients in all new countries together',
    hint: 'Stops attacks that spread over many countries.',
    text: 'Unverified recipients above the usual number that pause all new countries together, or all served countries that are not established',
  },
  homeUnverified: {
    ...excessLimit(65),
    label: 'Unverified recipients in the home country',
    hint: 'Above this number, people must solve a challenge. Without a challenge, the owners only get an email, because a pause would refuse your customers.',
    text: 'Unverified recipients above the usual number before the home country needs a challenge',
  },
  pauseHome: {
    ...higherIsStricter({ default: 0, min: 0, max: 1 }),
    label: 'Without a challenge, when too many codes are not entered in the home country',
    text: 'Whether the home country is paused if the application has no challenge: 1, or 0 to only tell the owners',
  },
  burstUnverified: {
    ...excessLimit(120),
    label: 'Unverified recipients within minutes',
    hint: 'More than ten a minute above the usual number. All codes need a challenge then, or stop for ten minutes.',
    text: 'Unverified recipients within minutes that stop all codes for ten minutes',
  },
  tolerance: {
    ...higherIsStricter({ default: 75, min: 10, max: 95 }),
    label: 'Suspicious below this percentage of the usual conversion',
    hint: 'The conversion is the share of recipients who enter their code. It is compared with the usual conversion of the country.',
    text: 'Percentage of the usual conversion that is still normal',
  },
  establishedVerifications: {
    ...higherIsStricter({ default: 15, min: 1, max: 10_000 }),
    label: 'Verifications in 14 days that make a country established',
    hint: 'Countries with fewer verifications are also judged together. Voice calls and unlimited notifications need ten times as many, unless you serve the country.',
    text: 'Verifications in the 14 days before today that make a country established',
  },
  newCountryNotifications: {
    ...lowerIsStricter({ default: 20, min: 0, max: 10_000 }),
    label: 'Notifications to a new country',
    hint: 'Applies to unverified recipients in countries that you do not serve. Two more are allowed each hour, and twice as many for all these countries together.',
    text: 'Notifications to unverified recipients in a country that is not served and has fewer than ten times as many verifications as an established one',
  },
} as const satisfies SettingTable;

export type FraudSetting = keyof typeof FRAUD_THRESHOLDS;
export type FraudSettings = ValuesOf<typeof FRAUD_THRESHOLDS>;

export const FRAUD_SETTINGS = namesIn(FRAUD_THRESHOLDS);

/** Factors for the default numbers of unverified recipients, by strictness. */
const FACTORS: Readonly<Record<number, number>> = { 1: 2, 2: 1, 3: 0.5 };
const isScaled = (name: string): boolean => name.endsWith('Unverified');

/** Returns the table with the defaults of a strictness. */
export function thresholdsOf(strictness: number): SettingTable & typeof FRAUD_THRESHOLDS {
  const factor = FACTORS[strictness] ?? 1;
  const entries = FRAUD_SETTINGS.map((name) => {
    const setting = FRAUD_THRESHOLDS[name];
    return [name, isScaled(name) ? { ...setting, default: Math.ceil(setting.default * factor) } : setting];
  });
  return Object.fromEntries(entries) as SettingTable & typeof FRAUD_THRESHOLDS;
}

/** Returns the settings in effect: the defaults, the owner's changes, and the operator's bounds where they are stricter. */
export function fraudSettingsOf(
  changes: Partial<FraudSettings> = {},
  bounds: Partial<FraudSettings> = {},
): FraudSettings {
  const { strictness } = effectiveValues(FRAUD_THRESHOLDS, changes, bounds);
  return effectiveValues(thresholdsOf(strictness), changes, bounds);
}
