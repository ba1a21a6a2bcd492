/** Texts about messages that did not arrive for the same reason: what happened to them, and what to do. */
import { failedByRecipient, hasWrongRecipient, reportingProvider } from '../../modules/messages/explanation.js';
import { canRetry, type Message } from '../../modules/messages/message.js';
import { capitalized } from '../../platform/capitalized.js';
import { DAY, HOUR } from '../../platform/clock.js';
import { countText, messagesText } from '../usage/figures.js';
import { STORED_PART } from './filters.js';
import type { ReasonGroup } from './group-by-reason.js';
import type { GroupProps, StoredProps } from './reason-groups.js';
import { hasNoReason, pausedText, peopleText, uncertainText, unknownAttempt } from './reasons.js';

export const newestOf = ({ messages }: ReasonGroup): Message => messages[0]!;
export const othersIn = ({ people, enteredLater }: ReasonGroup): number => people - enteredLater;
export const isOver = ({ createdAt }: Message, now: number): boolean => createdAt < now - HOUR;
/** Whether messages failed because of their recipients, so that new messages to them will also fail. */
const isByRecipient = (message: Message): boolean =>
  hasWrongRecipient(message) || message.attempts.some(failedByRecipient);
/** Whether messages to other people may fail for this reason, too. */
export const mayGoOn = (message: Message): boolean => message.state === 'failed' && !isByRecipient(message);

export const isOngoing = (message: Message, now: number): boolean => mayGoOn(message) && !isOver(message, now);

function askText(messages: readonly Message[]): string {
  const hasIds = messages.some(({ providerId }) => providerId !== null);
  const ids = " The provider's message ID is on the page of each message, under “For developers”.";
  const question = hasNoReason(messages[0]!) ? 'for the reason' : 'how to avoid this';
  return `Ask ${reportingProvider(messages[0]!) ?? 'the provider'} ${question}.${hasIds ? ids : ''}`;
}

/** `The code was entered, so this message arrived.`, `2 of 3 codes were entered, so 2 messages arrived.` */
function arrivedText(group: ReasonGroup): string {
  const { arrived, codes } = group;
  if (isPartKnown(group))
    return `${countText(arrived)} arrived: ${arrived === 1 ? 'its code was' : 'their codes were'} entered.`;
  if (codes === 1) return 'the code was entered, so this message arrived.';
  if (arrived === codes) return `all ${countText(codes)} codes were entered, so these messages arrived.`;
  const were = arrived === 1 ? 'was' : 'were';
  return `${countText(arrived)} of ${countText(codes)} codes ${were} entered, so ${messagesText(arrived)} arrived.`;
}

/** Says why Passbell did not store all refused messages of a group; "" if only the newest stored messages are grouped, or if the text below the list says it. */
const storedText = ({ messages, count }: ReasonGroup, { newestOnly, listed }: StoredProps): string =>
  messages.length < count && newestOnly === undefined && listed === ''
    ? `${countText(messages.length)} of the ${countText(count)} messages ${messages.length === 1 ? 'is' : 'are'} listed: ${STORED_PART}`
    : '';

/** Whether some messages are so old that their entered codes are no longer stored. */
export const isPartKnown = ({ codes, messages }: ReasonGroup): boolean => codes < messages.length;

/** Returns which messages arrived, and whether the people got a code anyway. */
export function outcomeOf({ group, query, isOnly, newestOnly, listed }: GroupProps, now: number, zone: string): string {
  const { messages, pause, arrived, people, enteredLater } = group;
  const newest = newestOf(group);
  const unknown = unknownAttempt(newest);
  const some = isPartKnown(group)
    ? `in the last 7 days, ${peopleText(enteredLater)}`
    : `${countText(enteredLater)} of ${peopleText(people)}`;
  const who = people === 1 ? 'the person' : some;
  const texts = [
    isOnly && !query.withoutCode && unknown && uncertainText(unknown.provider, messages.length),
    arrived > 0 && capitalized(arrivedText(group)),
    enteredLater > 0 && capitalized(`${who} entered a later code.`),
    pausedText(newest, pause !== undefined, now, zone),
    storedText(group, { newestOnly, listed }),
  ];
  return texts.filter(Boolean).join(' ');
}

/** `the 22 people who entered no code`, `the person who entered no code in the last 7 days` */
const withoutCodeText = (people: number, isPart: boolean): string =>
  `the ${people === 1 ? 'person' : peopleText(people)} who entered no code${isPart ? ' in the last 7 days' : ''}`;

/** `The 22 people who entered no code can request a new code.` */
export const newCodeText = (people: number, isPart: boolean): string =>
  `${capitalized(withoutCodeText(people, isPart))} can request a new code.`;

/** `The other 22 can request a new code.`; "" for refused messages, which have buttons, and if nobody needs a code. */
export function todoOf(
  { group, query, isAlarming, isCalm }: Pick<GroupProps, 'group' | 'query' | 'isAlarming' | 'isCalm'>,
  now: number,
): string {
  const { messages, people, enteredLater, arrived } = group;
  const newest = newestOf(group);
  const others = othersIn(group);
  const isOne = messages.length === 1;
  const customers = isOne ? 'your customer' : 'your customers';
  if (newest.refusal) return '';
  if (isAlarming && others > 0) return askText(messages);
  if (hasWrongRecipient(newest)) {
    const address = newest.recipient.includes('@') ? 'email address' : 'phone number';
    return `${capitalized(customers)} must enter a correct ${address}.`;
  }
  if (newest.state === 'failed' && isByRecipient(newest)) return `${capitalized(customers)} must opt in again.`;
  if (newest.state === 'failed' && !isOver(newest, now)) return 'The provider needs to be checked.';
  if (newest.template !== 'otp')
    return canRetry(newest, now)
      ? `You can send ${isOne ? 'this message again on its page' : 'these messages again on their pages'}.`
      : `Send ${isOne ? 'a new notification if it is' : 'new notifications if they are'} still needed.`;
  if (isCalm || others === 0) return '';
  if (query.withoutCode)
    return `If ${others === 1 ? 'this person' : 'one of these people'} contacts you, ask them to request a new code.`;
  const rest = others === 1 ? 'the other person' : `the other ${countText(others)}`;
  const some = isPartKnown(group) ? withoutCodeText(others, true) : rest;
  const who = arrived + enteredLater > 0 ? some : people === 1 ? 'your customer' : 'your customers';
  if (newest.createdAt > now - DAY) return `${capitalized(who)} can request a new code.`;
  return others === 1 ? 'The code has expired.' : 'The codes have expired.';
}
