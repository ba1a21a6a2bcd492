/** Explains why messages did not arrive, with the button that helps. */
import { failedByRecipient, hasWrongRecipient, reportingProvider } from '../../modules/messages/explanation.js';
import { canRetry, type Message, type VisibleState } from '../../modules/messages/message.js';
import { refusedBecause } from '../../modules/fraud/fraud-texts.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import { capitalized } from '../../platform/capitalized.js';
import { DAY, HOUR } from '../../platform/clock.js';
import { CHANNELS_PATH } from '../channels/labels.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { useNow, useTimeZone, useVisit } from '../components/context.js';
import { Notice } from '../components/notice.js';
import { countText, messagesText, nounFor, NOTABLE_FAILURES, total } from '../usage/figures.js';
import { isFiltered, urlOf, type MessageQuery } from './filter.js';
import { STORED_PART } from './filters.js';
import { Fix } from './fix.js';
import { MAX_GROUPS, type ReasonGroup } from './group-by-reason.js';
import { REASON_TITLES } from './labels.js';
import {
  hasNoReason,
  inPlace,
  isByGuard,
  pausedText,
  peopleText,
  placeOf,
  reasonOfAll,
  uncertainText,
  unknownAttempt,
} from './reasons.js';
import { RefusedFigures } from './refused-figures.js';
import { spanText } from './time-span.js';
import type { UndeliveredShare } from './undelivered-share.js';

/** The title or the end of an introduction. */
const CALM = 'No action is needed';

const newestOf = ({ messages }: ReasonGroup): Message => messages[0]!;
const othersIn = ({ people, enteredLater }: ReasonGroup): number => people - enteredLater;
const isOver = ({ createdAt }: Message, now: number): boolean => createdAt < now - HOUR;
/** Whether messages failed because of their recipients, so that new messages to them will also fail. */
const isByRecipient = (message: Message): boolean =>
  hasWrongRecipient(message) || message.attempts.some(failedByRecipient);
/** Whether messages to other people may fail for this reason, too. */
const mayGoOn = (message: Message): boolean => message.state === 'failed' && !isByRecipient(message);

/** The buttons that fix the reason of a refusal, unless one of the groups above has the same. */
function RefusalFix({ group, above }: Pick<GroupProps, 'group' | 'above'>) {
  const { application, pause } = group;
  const newest = newestOf(group);
  const isFirst = (of: (message: Message) => unknown) =>
    !above.some((one) => one.application === application && of(newestOf(one)) === of(newest));
  const pausable = !pause && isFirst(placeOf) ? placeOf(newest) : '';
  return (
    <div class="group-fix">
      <Fix
        message={newest}
        application={application}
        pause={pause}
        hasLink={isFirst(({ refusal }) => refusal?.code)}
        pausable={pausable}
      />
    </div>
  );
}

/** Whether the reason still stops messages. A filter can leave out later messages. */
function GroupState({ group, query }: Pick<GroupProps, 'group' | 'query'>) {
  const now = useNow();
  const newest = newestOf(group);
  if (group.pause) return <Badge kind="warning">Still paused</Badge>;
  if (!mayGoOn(newest)) return null;
  if (!isOver(newest, now)) return <Badge kind="warning">Still happening</Badge>;
  const isCut = isFiltered({ ...query, application: undefined, reason: undefined, from: undefined });
  return isCut ? null : <Badge kind="neutral">None since then</Badge>;
}

function askText(messages: readonly Message[]): string {
  const hasIds = messages.some(({ providerId }) => providerId !== null);
  const ids = " The provider's message ID is on the page of each message, under “For developers”.";
  const question = hasNoReason(messages[0]!) ? 'for the reason' : 'how to avoid this';
  return `Ask ${reportingProvider(messages[0]!) ?? 'the provider'} ${question}.${hasIds ? ids : ''}`;
}

/** `The code was entered, so this message arrived.`, `2 of 3 codes were entered, so 2 messages arrived.` */
function arrivedText(arrived: number, codes: number): string {
  if (codes === 1) return 'the code was entered, so this message arrived.';
  if (arrived === codes) return `all ${countText(codes)} codes were entered, so these messages arrived.`;
  const were = arrived === 1 ? 'was' : 'were';
  return `${countText(arrived)} of ${countText(codes)} codes ${were} entered, so ${messagesText(arrived)} arrived.`;
}

/** Whether more people than usual got no code, which filtered lists don't show. `groups`: of the period of the share. */
export const hasAlarm = ({ groups, share }: Pick<ReasonGroupsProps, 'groups' | 'share'>): boolean =>
  share?.isUsual === false && total(groups.map(othersIn)) >= NOTABLE_FAILURES;

/** Says why Passbell did not store all refused messages of a group; "" if only the newest stored messages are grouped, or if the figures say it. */
const storedText = ({ messages, count }: ReasonGroup, { newestOnly, listed }: StoredProps): string =>
  messages.length < count && newestOnly === undefined && listed === ''
    ? `${countText(messages.length)} of the ${countText(count)} messages ${messages.length === 1 ? 'is' : 'are'} listed: ${STORED_PART}`
    : '';

/** `In the last 7 days, `; "" if entered codes are stored for all messages. */
const codesPeriod = (codes: number, messages: number): string => (codes < messages ? 'In the last 7 days, ' : '');

/** Returns which messages arrived, and whether the people got a code anyway. */
function outcomeOf({ group, query, newestOnly, listed }: GroupProps, now: number, zone: string): string {
  const { messages, pause, codes, arrived, people, enteredLater } = group;
  const newest = newestOf(group);
  const unknown = unknownAttempt(newest);
  const period = codesPeriod(codes, messages.length);
  const who = people === 1 ? 'the person' : `${countText(enteredLater)} of ${peopleText(people)}`;
  const texts = [
    !query.withoutCode && unknown && uncertainText(unknown.provider, messages.length),
    arrived > 0 && capitalized(period + arrivedText(arrived, codes)),
    enteredLater > 0 && capitalized(`${arrived > 0 ? '' : period}${who} entered a later code.`),
    pausedText(newest, pause !== undefined, now, zone),
    storedText(group, { newestOnly, listed }),
  ];
  return texts.filter(Boolean).join(' ');
}

/** `If one of these people contacts you, ask them to request a new code.` */
const contactText = (people: number): string =>
  `If ${people === 1 ? 'this person' : 'one of these people'} contacts you, ask them to request a new code.`;

/** `The other 22 can request a new code.`; "" for refused messages, which have buttons, and if nobody needs a code. */
function todoOf(
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
  if (query.withoutCode) return contactText(others);
  const some = others === 1 ? 'the other person' : `the other ${countText(others)}`;
  const who = arrived + enteredLater > 0 ? some : people === 1 ? 'your customer' : 'your customers';
  if (newest.createdAt > now - DAY) return `${capitalized(who)} can request a new code.`;
  return others === 1 ? 'The code has expired.' : 'The codes have expired.';
}

const causeOf = ({ messages }: ReasonGroup): string =>
  capitalized(
    isByGuard(messages[0]!) ? inPlace(refusedBecause(messages[0]!.refusal?.hint), messages[0]!) : reasonOfAll(messages),
  );

type StoredProps = Pick<ReasonGroupsProps, 'newestOnly' | 'listed'>;

interface GroupProps extends StoredProps, Pick<ReasonGroupsProps, 'since'> {
  readonly group: ReasonGroup;
  readonly application: string | undefined;
  readonly query: MessageQuery;
  readonly isOnly: boolean;
  /** Whether more people than usual got no code, so that the owner should ask a provider. */
  readonly isAlarming: boolean;
  /** Whether the introduction says what to do, if anything. */
  readonly isCalm: boolean;
  readonly above: readonly ReasonGroup[];
  /** Whether the buttons that fix the reason are above the groups. */
  readonly isFixed: boolean;
}

/** The messages of a group, and the people who entered no code. */
function GroupLinks({ group, query, isOnly, since }: GroupProps) {
  const { may, now, timeZone, mayHaveProviders } = useVisit();
  const { key, messages, count, arrived, enteredLater } = group;
  const others = othersIn(group);
  const isOngoing = mayGoOn(newestOf(group)) && !isOver(newestOf(group), now);
  // The group has only messages of this time.
  const period = since !== undefined && { from: since, zone: query.zone ?? timeZone };
  const ofReason = { ...query, ...period, reason: key };
  const hasPeople = others > 0 && arrived + enteredLater > 0;
  const isAll = isOnly && !period;
  const listed = messages.length;
  const listedText =
    listed < count ? `${countText(listed)} stored ${nounFor(listed, 'message')}` : messagesText(listed);
  if (isAll && !hasPeople && !isOngoing) return null;
  return (
    <div class="group-links">
      {isOngoing && mayHaveProviders && may('own') && (
        <a class="button small" href={CHANNELS_PATH}>
          Open Channels
        </a>
      )}
      {hasPeople && (
        <a
          class="button subtle small"
          href={urlOf('/messages', { ...ofReason, withoutCode: true })}
          aria-label={`Show ${peopleText(others)} who entered no code`}
        >
          Show {peopleText(others)}
        </a>
      )}
      {!isAll && (
        <a class="button subtle small" href={urlOf('/messages', ofReason)}>
          Show {listedText}
        </a>
      )}
    </div>
  );
}

function Group(props: GroupProps) {
  const { group, application, query, isFixed, above } = props;
  const now = useNow();
  const zone = useTimeZone();
  const { messages, count, people } = group;
  const place = placeOf(newestOf(group));
  const cause = causeOf(group);
  const isPlaceNamed = place === '' || (isFixed && above.length > 0) || cause.includes(countryInSentence(place));
  const outcome = outcomeOf(props, now, zone);
  const todo = todoOf(props, now);
  return (
    <li>
      <p class="group-head">
        <span class="strong">
          {cause} · {query.withoutCode ? peopleText(people) : messagesText(count)}
          {!isPlaceNamed && ` to ${countryInSentence(place)}`}
        </span>
        {application !== undefined && <span class="quiet small">{application}</span>}
        <span class="quiet small">
          {capitalized(spanText(messages.at(-1)!.createdAt, messages[0]!.createdAt, now, zone))}
        </span>
        <GroupState group={group} query={query} />
      </p>
      {(outcome !== '' || todo !== '') && (
        <div class="group-text">
          {outcome !== '' && <p class="quiet">{outcome}</p>}
          {todo !== '' && <p>{todo}</p>}
        </div>
      )}
      <GroupLinks {...props} />
      {newestOf(group).refusal && !isFixed && <RefusalFix group={group} above={above} />}
    </li>
  );
}

export interface ReasonGroupsProps {
  readonly query: MessageQuery & { readonly state: VisibleState };
  readonly groups: readonly ReasonGroup[];
  /** Number of messages that were grouped, if there are more; otherwise undefined. */
  readonly newestOnly: number | undefined;
  /** Estimated cost of the refused messages; "" if it is unknown. */
  readonly saved: string;
  /** Whether refused messages that are not stored are counted, too. */
  readonly isComplete: boolean;
  /** The number of listed messages, if Passbell did not store all refused messages; otherwise "". */
  readonly listed: string;
  /** The share of undelivered messages; undefined for other states and older messages. */
  readonly share: UndeliveredShare | undefined;
  /** The start of the period of the share, in epoch milliseconds, if it is unusually high, so that the groups have only messages of this period. */
  readonly since: number | undefined;
  /** The number of listed messages from before the period of the groups; Infinity if they are too many to count. */
  readonly older: number;
}

/** Returns whether the owner has to fix nothing, and compares the share of undelivered messages; undefined for other states. */
function undeliveredVerdict({ query, groups, share, since }: ReasonGroupsProps, now: number) {
  if (!share?.figures) return undefined;
  const { figures, comparison, period, isUsual } = share;
  // The title states the period.
  if (since !== undefined) return { isCalm: false, text: `${figures}: ${comparison}.` };
  const isCalm = groups.every((group) => todoOf({ group, query, isAlarming: false, isCalm: true }, now) === '');
  const others = total(groups.map(othersIn));
  const advice = isCalm && others > 0 ? `${contactText(others)} ` : '';
  if (isUsual) return { isCalm, text: `${advice}Undelivered messages ${period}: ${comparison}.` };
  return { isCalm, text: advice.trim() };
}

/** Whether the owner may have to fix a provider, or to send a notification again. */
const needsAction = (group: ReasonGroup, now: number): boolean => {
  const newest = newestOf(group);
  return (mayGoOn(newest) && !isOver(newest, now)) || newest.template !== 'otp';
};

/** `No action is needed.`; "" if a group has advice, for other states, and if some reasons are not known. */
function failedVerdict({ query, groups }: ReasonGroupsProps, now: number): string {
  if (query.state === 'refused' || query.withoutCode || groups.length === MAX_GROUPS) return '';
  const isCalm = groups.every(
    (group) => !needsAction(group, now) && todoOf({ group, query, isAlarming: false, isCalm: false }, now) === '',
  );
  return isCalm ? `${CALM}.` : '';
}

function titleOf({ query, groups, share, since, newestOnly }: ReasonGroupsProps, isCalm: boolean): string {
  const others = total(groups.map(othersIn));
  if (isCalm && others === 0) return CALM;
  const isPart = newestOnly || groups.length === MAX_GROUPS;
  if (isCalm) return isPart ? 'People who entered no code' : `${peopleText(others)} entered no code`;
  if (query.withoutCode) return 'People who entered no code';
  if (!share || since === undefined) return REASON_TITLES[query.state]!;
  if (newestOnly) return `Undelivered ${share.period}`;
  return `${countText(total(groups.map(({ messages }) => messages.length)))} undelivered ${share.period}`;
}

/** The title of a list of people who entered no code, and why they may have none. */
export function peopleHead({ query, groups, newestOnly }: ReasonGroupsProps, now: number, zone: string) {
  const [group] = groups;
  if (!query.withoutCode || !group || groups.length > 1 || newestOf(group).refusal) return undefined;
  const { messages, people } = group;
  const time = spanText(messages.at(-1)!.createdAt, messages[0]!.createdAt, now, zone);
  const title = newestOnly ? 'People who entered no code' : `${peopleText(people)} who entered no code`;
  return { title, lead: `${causeOf(group)}, ${time}.` };
}

/** `302 undelivered messages`; `undelivered messages` if they are too many to count. */
function listedText({ groups, older }: ReasonGroupsProps): string {
  const count = older + total(groups.map(({ messages }) => messages.length));
  return `${count < Infinity ? `${countText(count)} ` : ''}undelivered ${nounFor(count, 'message')}`;
}

const REFERENCE_HINT =
  'The CSV export contains the reference of each message. Your developer can use it to find the customer.';

export function ReasonGroups(props: ReasonGroupsProps) {
  const { query, groups, newestOnly, listed, isComplete, since, older } = props;
  const now = useNow();
  const zone = useTimeZone();
  const messages = groups.flatMap((group) => group.messages);
  const undelivered = undeliveredVerdict(props, now);
  const isCalm = undelivered?.isCalm === true;
  const texts = [
    undelivered?.text ?? failedVerdict(props, now),
    older > 0 && `The list below shows all ${listedText(props)} of the last 30 days.`,
    !isComplete && messages.some(isByGuard) && 'With these filters, only stored messages are counted.',
    newestOnly && `Based on the ${countText(newestOnly)} newest messages.`,
    query.withoutCode && messages.some(({ reference }) => reference) && REFERENCE_HINT,
  ];
  const lead = texts.filter(Boolean).join(' ');
  const isAlarming = since !== undefined;
  // The head of the page states the reason.
  if (peopleHead(props, now, zone))
    return (
      <Notice kind="info">
        {todoOf({ group: groups[0]!, query, isAlarming, isCalm }, now)} {lead}
      </Notice>
    );
  const applications = new Set(groups.map(({ application }) => application.id));
  const fixes = new Set(groups.map((group) => [group.application.id, placeOf(newestOf(group))].join(' ')));
  const isFixed = fixes.size === 1 && groups.every((group) => isByGuard(newestOf(group)));
  return (
    <Card id="reasons" title={titleOf(props, isCalm)} lead={lead || undefined}>
      {query.state === 'refused' && <RefusedFigures {...props} />}
      {isFixed && <RefusalFix group={groups.find(({ pause }) => pause) ?? groups[0]!} above={[]} />}
      <ul class="plain-list">
        {groups.map((group, n) => (
          <Group
            key={group.key}
            group={group}
            application={applications.size > 1 ? group.application.name : undefined}
            query={query}
            isOnly={groups.length === 1}
            since={since}
            newestOnly={newestOnly}
            listed={listed}
            isAlarming={isAlarming}
            isCalm={isCalm}
            above={groups.slice(0, n)}
            isFixed={isFixed}
          />
        ))}
      </ul>
    </Card>
  );
}
