/** Texts about the rules of the fraud guard, for the page Protection. */
import { LIST } from '../../platform/list.js';
import type { LatelyView } from '../../modules/fraud/fraud-overview.js';
import type { FraudSetting, FraudSettings } from '../../modules/fraud/fraud-settings.js';
import { NAMED_COUNTRIES } from '../../modules/fraud/fraud-texts.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import { countText } from '../usage/figures.js';

/** The rules of the settings that pause messages, with what they look at. */
const PAUSING_RULES = [
  ['countryUnverified', 'a country'],
  ['addressUnverified', 'one IP address'],
  ['prefixUnverified', 'similar numbers (last 4 digits)'],
  ['rangeUnverified', 'similar numbers (last 6 digits)'],
  ['newCountriesUnverified', 'all new countries together'],
  ['homeUnverified', 'your own country'],
  ['burstUnverified', 'all codes within minutes'],
] as const satisfies readonly (readonly [FraudSetting, string])[];

/** Whether any rule pauses messages. */
export const isProtected = (settings: FraudSettings): boolean => PAUSING_RULES.some(([name]) => settings[name] > 0);

/** States which rules are on, and warns about those that are off. */
export function rulesText(settings: FraudSettings): string {
  const placesOf = (isOn: boolean) =>
    LIST.format(PAUSING_RULES.filter(([name]) => settings[name] > 0 === isOn).map(([, place]) => place));
  const off = placesOf(false);
  if (!isProtected(settings)) return 'Protection is off: no rule pauses messages. Turn the rules on under “Settings”.';
  return off === ''
    ? 'Protection is on. If too few people in a country, or with similar numbers, enter their codes, Passbell pauses messages to that country or to those numbers.'
    : `Protection is on, but these rules are off: ${off}. If too few people enter their codes, Passbell pauses messages by the other rules: ${placesOf(true)}.`;
}

/** `Passbell pauses a country if too many recent codes are unused. Older codes count less: France is at 8 of 40.` */
export function thresholdsText(unusual: readonly LatelyView[]): string {
  const named = unusual.slice(0, NAMED_COUNTRIES);
  const places = named
    .filter(({ limit }) => limit < Infinity)
    .map(({ key, limit, count }) => `${countryInSentence(key)} is at ${countText(count)} of ${countText(limit)}`);
  const never = named.filter(({ limit }) => limit === Infinity).map(({ key }) => countryInSentence(key));
  return [
    places.length > 0 &&
      `Passbell pauses a country if too many recent codes are unused. Older codes count less: ${LIST.format(places)}.`,
    never.length > 0 && `Passbell does not pause ${LIST.format(never)} automatically.`,
  ]
    .filter(Boolean)
    .join(' ');
}
