/** Explains why messages did not arrive, with the button that helps. */
import type { Message, VisibleState } from '../../modules/messages/message.js';
import { isSuspicionHint, refusedBecause } from '../../modules/fraud/fraud-texts.js';
import { countryInSentence, countryName } from '../../modules/recipients/country.js';
import { capitalized } from '../../platform/capitalized.js';
import { CHANNELS_PATH } from '../channels/labels.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { useNow, useTimeZone, useVisit } from '../components/context.js';
import { Notice } from '../components/notice.js';
import { countText, messagesText, nounFor, NOTABLE_FAILURES, total } from '../usage/figures.js';
import { isFiltered, urlOf, type MessageQuery } from './filter.js';
import { Fix } from './fix.js';
import { MAX_GROUPS, type ReasonGroup } from './group-by-reason.js';
import { REASON_TITLES } from './labels.js';
import {
  isOngoing,
  isOver,
  isPartKnown,
  mayGoOn,
  newCodeText,
  newestOf,
  othersIn,
  outcomeOf,
  todoOf,
} from './reason-texts.js';
import { inPlace, isByGuard, peopleText, placeOf, reasonOfAll } from './reasons.js';
import { refusedText } from './refused-text.js';
import { spanText } from './time-span.js';
import type { UndeliveredShare } from './undelivered-share.js';

/** The end of an introduction. */
const CALM = 'No action is needed';

/** The buttons that fix the reason of a refusal, unless one of the groups above has the same. */
function RefusalFix({ group, above }: Pick<GroupProps, 'group' | 'above'>) {
  const { application, pause } = group;
  const newest = newestOf(group);
  const isFirst = (of: (message: Message) => unknown) =>
    !above.some((one) => one.application === application && of(newestOf(one)) === of(newest));
  const pausable = !pause && isFirst(placeOf) ? placeOf(newest) : '';
  return (
    <Fix
      message={newest}
      application={application}
      pause={pause}
      hasLink={isFirst(({ refusal }) => refusal?.code)}
      pausable={pausable}
    />
  );
}

/** Whether the reason still stops messages. */
function GroupState({ group }: Pick<GroupProps, 'group'>) {
  const now = useNow();
  if (group.pause) return <Badge kind="warning">Still paused</Badge>;
  return isOngoing(newestOf(group), now) ? <Badge kind="warning">Still happening</Badge> : null;
}

/** Whether the reason no longer stops messages. A filter can leave out later messages. */
function isPast(group: ReasonGroup, query: MessageQuery, now: number): boolean {
  const newest = newestOf(group);
  const isCut = isFiltered({ ...query, application: undefined, reason: undefined, from: undefined });
  return mayGoOn(newest) && isOver(newest, now) && !isCut;
}

/** Whether several people got no code. `groups`: of a period with more undelivered messages than usual. */
export const hasAlarm = (groups: readonly ReasonGroup[]): boolean => total(groups.map(othersIn)) >= NOTABLE_FAILURES;

const causeOf = ({ messages }: ReasonGroup): string =>
  capitalized(
    isByGuard(messages[0]!) ? inPlace(refusedBecause(messages[0]!.refusal?.hint), messages[0]!) : reasonOfAll(messages),
  );

export type StoredProps = Pick<ReasonGroupsProps, 'newestOnly' | 'listed'>;

export interface GroupProps extends StoredProps {
  /** The start of the period of the groups, in epoch milliseconds; undefined for all messages of the list. */
  readonly since: number | undefined;
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

/** The people of a group who entered no code, its messages, and what fixes the reason. */
function GroupActions(props: GroupProps) {
  const { group, query, isOnly, isAlarming, since, isFixed, above } = props;
  const { may, now, timeZone, mayHaveProviders } = useVisit();
  const { key, messages, count, arrived, enteredLater } = group;
  const others = othersIn(group);
  const newest = newestOf(group);
  // The group has only messages of this time.
  const period = since !== undefined && { from: since, zone: query.zone ?? timeZone };
  const ofReason = { ...query, ...period, reason: key };
  const listed = messages.length;
  const listedText =
    listed < count ? `${countText(listed)} stored ${nounFor(listed, 'message')}` : messagesText(listed);
  return (
    <div class="group-actions">
      {isOngoing(newest, now) && mayHaveProviders && may('own') && (
        <a class="button small" href={CHANNELS_PATH}>
          Open Channels
        </a>
      )}
      {newest.refusal && !isFixed && <RefusalFix group={group} above={above} />}
      {others > 0 && arrived + enteredLater > 0 && (
        <a
          class="button subtle small"
          href={urlOf('/messages', { ...ofReason, withoutCode: true })}
          aria-label={`Show ${peopleText(others)} who entered no code`}
        >
          Show {peopleText(others)}
        </a>
      )}
      {(!isOnly || isAlarming) && (
        <a class="button subtle small" href={urlOf('/messages', ofReason)}>
          Show {listedText}
        </a>
      )}
    </div>
  );
}

/** A reason with the number of its messages, what happened to them, and what to do. */
function Group(props: GroupProps) {
  const { group, application, query, isCalm, above } = props;
  const now = useNow();
  const zone = useTimeZone();
  const { messages, count, people } = group;
  const place = placeOf(newestOf(group));
  const cause = causeOf(group);
  const isPlaceNamed =
    place === '' || above.some((one) => placeOf(newestOf(one)) === place) || cause.includes(countryInSentence(place));
  const [number, noun] = query.withoutCode
    ? [people, people === 1 ? 'person' : 'people']
    : [count, nounFor(count, 'message')];
  const details = [
    application,
    !isCalm && spanText(messages.at(-1)!.createdAt, messages[0]!.createdAt, now, zone),
    query.reason !== undefined && isPast(group, query, now) && 'none since then',
  ];
  const text = capitalized(details.filter(Boolean).join(' · '));
  const outcome = outcomeOf(props, now, zone);
  const todo = todoOf(props, now);
  return (
    <li>
      <p class="group-cause">
        {cause}
        {!isPlaceNamed && ` · ${countryName(place)}`}
      </p>{' '}
      <p class="group-count">
        {countText(number)} <span class="unseen">{noun}</span>
      </p>{' '}
      {`${text}${outcome}${todo}` !== '' && (
        <p class="group-text quiet small">
          {text !== '' && `${text}. `}
          <GroupState group={group} /> {outcome} <span class="todo">{todo}</span>
        </p>
      )}
      <GroupActions {...props} />
    </li>
  );
}

/** More reasons are folded. */
const MAX_SHOWN = 4;

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
  /** The share of undelivered messages; undefined for other states, and with filters. */
  readonly share: UndeliveredShare | undefined;
  /** Whether more people than usual got no code, so that the groups have only messages of the period of the share. */
  readonly isAlarming: boolean;
  /** The number of listed messages from before the period of the groups; Infinity if they are too many to count. */
  readonly older: number;
}

/** Returns whether the owner has to fix nothing, and compares the share of undelivered messages; undefined for other states. */
function undeliveredVerdict({ query, groups, share, isAlarming }: ReasonGroupsProps, now: number) {
  if (!share?.figures) return undefined;
  const { figures, comparison, isUsual } = share;
  // The title states the period.
  if (isAlarming) return { isCalm: false, text: `${figures}: ${comparison}.` };
  const isCalm = groups.every((group) => todoOf({ group, query, isAlarming: false, isCalm: true }, now) === '');
  const others = total(groups.map(othersIn));
  const texts = [
    isUsual && `${capitalized(comparison)}.`,
    isCalm && (others > 0 ? newCodeText(others, groups.some(isPartKnown)) : `${CALM}.`),
  ];
  return { isCalm, text: texts.filter(Boolean).join(' ') };
}

/** Whether the owner may have to fix a provider, or to send a notification again. */
const needsAction = (group: ReasonGroup, now: number): boolean => {
  const newest = newestOf(group);
  return isOngoing(newest, now) || newest.template !== 'otp';
};

/** `No action is needed.`, or whether a provider still fails; "" for other states, and if some reasons are not known. */
function failedVerdict({ query, groups }: ReasonGroupsProps, now: number): string {
  if (query.state === 'refused' || query.withoutCode || groups.length === MAX_GROUPS) return '';
  const isCalm = groups.every(
    (group) => !needsAction(group, now) && todoOf({ group, query, isAlarming: false, isCalm: false }, now) === '',
  );
  if (isCalm) return `${CALM}.`;
  const isWhole = query.state === 'failed' && !isFiltered({ ...query, application: undefined, from: undefined });
  return isWhole && !groups.some((group) => isOngoing(newestOf(group), now))
    ? 'In the last hour, no provider caused a failure.'
    : '';
}

function titleOf({ query, groups, share, isAlarming, newestOnly }: ReasonGroupsProps): string {
  if (query.withoutCode) return 'People who entered no code';
  if (!share || !isAlarming) return REASON_TITLES[query.state]!;
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

/** Returns the group whose buttons apply to all groups; undefined if the groups need different buttons. */
function groupToFix(groups: readonly ReasonGroup[]): ReasonGroup | undefined {
  const fixes = new Set(groups.map((group) => [group.application.id, placeOf(newestOf(group))].join(' ')));
  if (fixes.size !== 1 || !groups.every((group) => isByGuard(newestOf(group)))) return undefined;
  return groups.find(({ pause }) => pause) ?? groups[0];
}

/** Returns advice for the time after an attack on a country that is not served; otherwise "". */
function pauseAdvice(group: ReasonGroup, now: number): string {
  const newest = newestOf(group);
  const place = placeOf(newest);
  const { countries, servedCountries } = group.application.settings;
  const isAfterAttack = isSuspicionHint(newest.refusal?.hint) && isOver(newest, now) && !group.pause;
  if (place === '' || !isAfterAttack || [...countries, ...servedCountries].includes(place)) return '';
  return `If you have no customers in ${countryInSentence(place)}, pause it to refuse all messages to that country.`;
}

const REFERENCE_HINT =
  'The CSV export contains the reference of each message. Your developer can use it to find the customer.';

export function ReasonGroups(props: ReasonGroupsProps) {
  const { query, groups, newestOnly, listed, isComplete, share, isAlarming, older } = props;
  const { may, now, timeZone: zone } = useVisit();
  const messages = groups.flatMap((group) => group.messages);
  const fixed = groupToFix(groups);
  const undelivered = undeliveredVerdict(props, now);
  const isCalm = undelivered?.isCalm === true;
  const texts = [
    query.state === 'refused' && refusedText(props),
    fixed && may('own') && pauseAdvice(fixed, now),
    undelivered?.text ?? failedVerdict(props, now),
    isAlarming && older > 0 && `The list below shows all ${listedText(props)} of the last 30 days.`,
    !isComplete && messages.some(isByGuard) && 'With these filters, only stored messages are counted.',
    newestOnly && `Based on the ${countText(newestOnly)} newest messages.`,
    query.withoutCode && messages.some(({ reference }) => reference) && REFERENCE_HINT,
  ];
  const lead = texts.filter(Boolean).join(' ');
  // The head of the page states the reason.
  if (peopleHead(props, now, zone))
    return (
      <Notice kind="info">
        {todoOf({ group: groups[0]!, query, isAlarming, isCalm }, now)} {lead}
      </Notice>
    );
  const applications = new Set(groups.map(({ application }) => application.id));
  const rows = groups.map((group, n) => (
    <Group
      key={group.key}
      group={group}
      application={applications.size > 1 ? group.application.name : undefined}
      query={query}
      isOnly={groups.length === 1}
      since={isAlarming ? share?.since : undefined}
      newestOnly={newestOnly}
      listed={listed}
      isAlarming={isAlarming}
      isCalm={isCalm}
      above={groups.slice(0, n)}
      isFixed={fixed !== undefined}
    />
  ));
  const shown = rows.length > MAX_SHOWN ? MAX_SHOWN - 1 : MAX_SHOWN;
  const folded = groups.slice(shown);
  return (
    <Card id="reasons" title={titleOf(props)} lead={lead || undefined}>
      {fixed && <RefusalFix group={fixed} above={[]} />}
      <ul class="plain-list">{rows.slice(0, shown)}</ul>
      {folded.length > 0 && (
        <details open={folded.some((group) => isOngoing(newestOf(group), now))}>
          <summary>{countText(folded.length)} more reasons</summary>
          <ul class="plain-list">{rows.slice(shown)}</ul>
        </details>
      )}
    </Card>
  );
}
