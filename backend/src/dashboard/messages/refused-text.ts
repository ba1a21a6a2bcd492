/** Why Passbell refused messages, and what they would have cost. */
import { isManualHint, isSuspicionHint } from '../../modules/fraud/fraud-texts.js';
import type { Message } from '../../modules/messages/message.js';
import { capitalized } from '../../platform/capitalized.js';
import { groupBy } from '../group-by.js';
import { countText, total, unbroken } from '../usage/figures.js';
import { MAX_GROUPS, type ReasonGroup } from './group-by-reason.js';
import type { ReasonGroupsProps } from './reason-groups.js';
import { isByGuard } from './reasons.js';

const sumOf = (groups: readonly ReasonGroup[]): number => total(groups.map(({ count }) => count));

/** Why Passbell refused a message; "" for limits and errors. */
function refusalCause(message: Message): '' | 'manual' | 'fraud' {
  if (!isByGuard(message)) return '';
  if (isManualHint(message.refusal?.hint)) return 'manual';
  return isSuspicionHint(message.refusal?.hint) ? 'fraud' : '';
}

const CAUSE_NAMES = { fraud: 'likely fraud', manual: 'paused manually', '': 'other reasons' };

/** `Likely fraud. About 32.62 USD avoided.`, `Likely fraud: 412, paused manually: 20.` */
export function refusedText({ groups, saved }: Pick<ReasonGroupsProps, 'groups' | 'saved'>): string {
  if (groups.length === MAX_GROUPS) return '';
  const causes = groupBy(groups, (group) => refusalCause(group.messages[0]!));
  const [first] = causes;
  const names = causes.map((same) => {
    const name = CAUSE_NAMES[refusalCause(same[0]!.messages[0]!)];
    return causes.length === 1 ? name : `${name}: ${countText(sumOf(same))}`;
  });
  // The only reason says that people paused the messages.
  const isNamed = causes.length > 1 || refusalCause(first![0]!.messages[0]!) === 'fraud';
  const texts = [isNamed && `${capitalized(names.join(', '))}.`, saved && `About ${unbroken(saved)} avoided.`];
  return texts.filter(Boolean).join(' ');
}
