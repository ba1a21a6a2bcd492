import type { LatelyView } from '../../modules/fraud/fraud-overview.js';
import { NAMED_COUNTRIES } from '../../modules/fraud/fraud-texts.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import { countText } from '../usage/figures.js';

const LIST = new Intl.ListFormat('en-GB');

/** `Passbell pauses France when more than 40 recent codes are unused (now 8). Codes stop counting over time, …` */
export function thresholdsText(unusual: readonly LatelyView[]): string {
  const named = unusual.slice(0, NAMED_COUNTRIES);
  const places = named
    .filter(({ limit }) => limit < Infinity)
    .map(({ key, limit, count }, n) => {
      const codes = n === 0 ? 'recent codes are unused' : 'are';
      return `${countryInSentence(key)} when more than ${countText(limit)} ${codes} (now ${countText(count)})`;
    });
  const never = named.filter(({ limit }) => limit === Infinity).map(({ key }) => countryInSentence(key));
  return [
    places.length > 0 &&
      `Passbell pauses ${LIST.format(places)}. Codes stop counting over time, and each entered code lowers the count.`,
    never.length > 0 && `Passbell does not pause ${LIST.format(never)} automatically.`,
  ]
    .filter(Boolean)
    .join(' ');
}
