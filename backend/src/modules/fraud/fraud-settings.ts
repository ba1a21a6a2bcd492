/** The numbers of the fraud guard that owners can change for an application, within the operator's bounds. */
import type { SettingTable, ValuesOf } from '../settings/bounded-setting.js';
import { effectiveValues, higherIsStricter, lowerIsStricter, namesIn } from '../settings/bounded-setting.js';

/** The number of recipients that a scope may have above the usual number before the guard acts. */
const excessLimit = (value: number) => ({
  ...lowerIsStricter({ default: value, min: 0, max: 100_000 }),
  unit: 'people',
});

/** In the order in which they are shown. */
export const FRAUD_THRESHOLDS = {
  strictness: {
    ...higherIsStricter({ default: 2, min: 1, max: 3 }),
    label: 'Level',
    text: '1: relaxed, 2: normal, 3: strict. Relaxed doubles the default limits on unverified recipients, and strict halves them',
  },
  exemptDays: {
    ...lowerIsStricter({ default: 90, min: 1, max: 365 }),
    label: 'Trust people who enter a code',
    about: 'They skip automatic pauses and challenges',
    unit: 'days',
    hint: 'Manual pauses and the limit on unused codes in a row still apply to these people.',
    text: 'Days for which a verified recipient is exempt from automatic pauses and challenges',
  },
  codesInARow: {
    ...lowerIsStricter({ default: 4, min: 0, max: 1000 }),
    label: 'Unused codes in a row',
    about: 'Codes that a person requests but never enters',
    unit: 'codes',
    hint: 'After that, each code needs a challenge, or the person gets one a day, even if trusted. Passbell allows at least 3 codes, and more where many go unused.',
    text: 'Unused codes in a row before each further code needs a challenge; without a challenge, or after twice as many, the recipient gets only one code a day',
  },
  prefixUnverified: {
    ...excessLimit(10),
    label: 'Similar phone numbers',
    about: 'Only the last 4 digits differ',
    hint: 'Above this limit, codes to these numbers are paused.',
    text: 'Unverified recipients above the usual number before a prefix of 10,000 numbers is paused',
  },
  rangeUnverified: {
    ...excessLimit(25),
    label: 'Similar phone numbers, larger range',
    about: 'Only the last 6 digits differ',
    hint: 'Above this limit, codes to these numbers are paused.',
    text: 'Unverified recipients above the usual number before a prefix of 1,000,000 numbers is paused',
  },
  addressUnverified: {
    ...excessLimit(8),
    label: 'One IP address',
    about: 'Codes that one of your visitors requests',
    hint: 'Above this limit, codes requested from the address are paused. Your server must send `clientIp` with each request.',
    text: "Unverified recipients above the usual number before an end user's IP address is paused",
  },
  countryUnverified: {
    ...excessLimit(25),
    label: 'Any other country',
    about: 'About 1.6 times as high in countries that you serve',
    hint: 'Above this limit, codes to the country are paused.',
    text: 'Unverified recipients above the usual number before a country other than your own is paused; 1.6 times as many in a served country',
  },
  newCountriesUnverified: {
    ...excessLimit(40),
    label: 'All new countries together',
    about: 'Where few people have entered a code recently',
    hint: 'Above this limit, codes to all new countries are paused. Countries that you serve, but where few people have entered a code recently, are a separate group with the same limit.',
    text: 'Unverified recipients above the usual number before all new countries are paused, or all served countries that are not established',
  },
  homeUnverified: {
    ...excessLimit(65),
    label: 'Your own country',
    about: 'See “Unused codes in your own country”',
    hint: 'What happens above this limit depends on your choice there. If you chose “Email the owners”, the email is sent at about a fifth of this limit. It is also the limit on codes after solved challenges in each country.',
    text: 'Unverified recipients above the usual number before your own country needs a challenge; without a challenge, `pauseHome` applies',
  },
  pauseHome: {
    ...higherIsStricter({ default: 0, min: 0, max: 1 }),
    label: 'Unused codes in your own country',
    text: 'Without a challenge, 1 pauses your own country, and 0 only alerts the owners; in the first week after the first entered code, 1 always applies',
  },
  burstUnverified: {
    ...excessLimit(120),
    label: 'All countries, within a few minutes',
    about: 'Stops sudden attacks',
    hint: 'Above this limit, all codes need a challenge or are paused for 10 minutes. In busy applications, the limit is higher.',
    text: 'Unverified recipients above the usual number, within a few minutes, before codes need a challenge or are paused for ten minutes',
  },
  tolerance: {
    ...higherIsStricter({ default: 75, min: 10, max: 95 }),
    label: 'Lowest normal share of entered codes',
    unit: '% of usual',
    about: 'Unused codes count only below this share',
    hint: 'For example, if 80% of people usually enter their code, 75% of usual is a share of 60%. The difference is at least 15 percentage points.',
    text: 'Lowest normal share of entered codes, as a percentage of the usual share',
  },
  establishedVerifications: {
    ...higherIsStricter({ default: 15, min: 1, max: 10_000 }),
    label: 'Country no longer new after',
    about: 'People who entered a code in the 14 days before today',
    unit: 'people',
    hint: 'While a country is new, its codes also count toward “All new countries together”.',
    text: 'Verified people in the 14 days before today that make a country established',
  },
  newCountryNotifications: {
    ...lowerIsStricter({ default: 20, min: 0, max: 10_000 }),
    label: 'Notifications to a country that you do not serve',
    about: '2 more each hour. Trusted people do not count.',
    unit: 'messages',
    hint: 'There is no limit for countries where many people have recently entered a code. All other countries together can get twice as many messages, and also 2 more each hour.',
    text: 'Notifications to unverified recipients in a country that is not served, while the number of verified people there is less than ten times `establishedVerifications`',
  },
} as const satisfies SettingTable;

export type FraudSetting = keyof typeof FRAUD_THRESHOLDS;
export type FraudSettings = ValuesOf<typeof FRAUD_THRESHOLDS>;

export const FRAUD_SETTINGS = namesIn(FRAUD_THRESHOLDS);

/** Factors for the default numbers of unverified recipients, by strictness. */
const FACTORS: Readonly<Record<number, number>> = { 1: 2, 2: 1, 3: 0.5 };

/** Whether the default of a setting depends on the strictness. */
export const isScaled = (name: string): boolean => name.endsWith('Unverified');

/** Whether any rule pauses messages. The names of the limits of these rules end with `Unverified`. */
export const isProtected = (settings: FraudSettings): boolean =>
  FRAUD_SETTINGS.some((name) => isScaled(name) && settings[name] > 0);

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
