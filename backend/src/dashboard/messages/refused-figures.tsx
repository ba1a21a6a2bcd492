/** How many messages Passbell refused, why, and what they would have cost. */
import { isManualHint, isSuspicionHint, NAMED_COUNTRIES } from '../../modules/fraud/fraud-texts.js';
import type { Message } from '../../modules/messages/message.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import { LIST } from '../../platform/list.js';
import { Figure, FigureStrip } from '../components/figure-strip.js';
import { groupBy } from '../group-by.js';
import { countText, nounFor, total, unbroken } from '../usage/figures.js';
import { STORED_PART } from './filters.js';
import { MAX_GROUPS, type ReasonGroup } from './group-by-reason.js';
import type { ReasonGroupsProps } from './reason-groups.js';
import { isByGuard, placeOf } from './reasons.js';

const sumOf = (groups: readonly ReasonGroup[]): number => total(groups.map(({ count }) => count));

/** Why Passbell refused a message; "" for limits and errors. */
function refusalCause(message: Message): '' | 'manual' | 'fraud' {
  if (!isByGuard(message)) return '';
  if (isManualHint(message.refusal?.hint)) return 'manual';
  return isSuspicionHint(message.refusal?.hint) ? 'fraud' : '';
}

const CAUSE_NAMES = { fraud: 'Likely fraud', manual: 'Paused manually', '': 'Other reasons' };

/** ` to Bangladesh and Cuba`; "" for many countries, and for recipients without a country. */
function toPlaces(groups: readonly ReasonGroup[]): string {
  const places = [...new Set(groups.map((group) => placeOf(group.messages[0]!)))];
  const isNamed = places.length <= NAMED_COUNTRIES && !places.includes('');
  return isNamed ? ` to ${LIST.format(places.map(countryInSentence))}` : '';
}

/** The number of refused messages for each cause, their estimated cost, and how many are listed. A single figure is left out. */
export function RefusedFigures({ groups, saved, listed }: Pick<ReasonGroupsProps, 'groups' | 'saved' | 'listed'>) {
  const isKnown = groups.length < MAX_GROUPS;
  const causes = isKnown ? groupBy(groups, (group) => refusalCause(group.messages[0]!)) : [];
  const figures = causes.map((same) => ({
    name: CAUSE_NAMES[refusalCause(same[0]!.messages[0]!)],
    value: countText(sumOf(same)),
    detail: `${nounFor(sumOf(same), 'message')}${toPlaces(same)}`,
  }));
  if (isKnown && saved) figures.push({ name: 'Cost avoided', value: unbroken(saved), detail: 'estimate' });
  if (listed) figures.push({ name: 'Listed', value: listed, detail: STORED_PART });
  if (figures.length < 2) return null;
  return (
    <FigureStrip>
      {figures.map((figure) => (
        <Figure key={figure.name} {...figure} />
      ))}
    </FigureStrip>
  );
}
