/** The state of pauses on the Protection page, with advice for owners. */
import type { EndedPause, ScopeView } from '../../modules/fraud/fraud-pauses.js';
import { listOf, NAMED_COUNTRIES, recipientsOf, stateText } from '../../modules/fraud/fraud-texts.js';

export interface Decision {
  /** A sentence. */
  readonly title: string;
  /** Sentences; "" if the title says everything. */
  readonly text: string;
}

/** `The pause for recipients in Brazil has ended.` */
function endedText(ended: readonly EndedPause[]): string {
  const places = ended.slice(0, NAMED_COUNTRIES).map((ref) => recipientsOf(ref));
  const [pauses, have] = ended.length === 1 ? ['The pause for', 'has'] : ['The pauses for', 'have'];
  return `${pauses} ${listOf(places, ended.length, ',')} ${have} ended.`;
}

function pauseAdvice(scopes: readonly ScopeView[]): string {
  const paused = scopes.filter(({ state }) => state === 'paused');
  if (paused.some(({ rule }) => rule !== 'person'))
    return 'If this is an attack, you do not need to do anything. If the recipients are your customers, choose “Allow for 24 hours”.';
  return paused.length > 0 ? 'A manual pause lasts until you choose “Resume”.' : '';
}

/** Why messages are paused; "" if several pauses have different reasons. */
function reasonText(scopes: readonly ScopeView[]): string {
  const reasons = scopes.filter(({ rule, reason }) => rule !== 'person' && reason !== '');
  return reasons.length === 1 ? reasons[0]!.reason : '';
}

interface Facts {
  /** Whether unusual countries are described separately. */
  readonly hasUnusual: boolean;
  readonly scopes: readonly ScopeView[];
  /** Pauses that have ended by themselves, in countries that are not unusual. */
  readonly ended: readonly EndedPause[];
  /** Whether a country of refused messages can be added to the served countries. */
  readonly isServable: boolean;
  readonly isOwner: boolean;
}

/** Describes pauses and challenges. Without any, describes pauses that have ended, or that nothing is paused. */
export function decisionOf({ hasUnusual, scopes, ended, isServable, isOwner }: Facts): Decision {
  const advice = (text: string) => (isOwner ? text : '');
  if (scopes.some(({ state }) => state !== 'allowed'))
    return { title: stateText(scopes), text: `${reasonText(scopes)} ${advice(pauseAdvice(scopes))}`.trim() };
  if (hasUnusual) return { title: 'Pauses and exceptions', text: 'Nothing is paused now.' };
  if (ended.length > 0)
    return {
      title: endedText(ended),
      text: advice(
        'Passbell pauses the messages again if few codes are entered. If the recipients are not your customers, pause the messages yourself.',
      ),
    };
  const serve = isServable ? 'If messages to your customers are refused, choose “Add to served countries” below.' : '';
  return { title: stateText(scopes), text: advice(serve) };
}
