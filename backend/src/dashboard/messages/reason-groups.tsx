/** Explains why messages did not arrive, with the button that helps. */
import { failedByRecipient, hasWrongRecipient, reportingProvider } from '../../modules/messages/explanation.js';
import type { Message, VisibleState } from '../../modules/messages/message.js';
import {
  isManualHint,
  isPauseHint,
  isSuspicionHint,
  NAMED_COUNTRIES,
  refusedBecause,
} from '../../modules/fraud/fraud-texts.js';
import { LIST } from '../../platform/list.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import { sentence } from '../channels/labels.js';
import { capitalized } from '../../platform/capitalized.js';
import { DAY, HOUR } from '../../platform/clock.js';
import { dayBefore, localDay } from '../../platform/local-day.js';
import { localText } from '../../platform/local-time.js';
import { groupBy } from '../group-by.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { useNow, useTimeZone, useVisit } from '../components/context.js';
import { dayName, momentText, Time } from '../components/time.js';
import { countText, messagesText, NOTABLE_FAILURES, total } from '../usage/figures.js';
import { shortDay } from '../usage/period.js';
import { urlOf, type MessageQuery } from './filter.js';
import { Fix } from './fix.js';
import { MAX_GROUPS, type ReasonGroup } from './group-by-reason.js';
import { REASON_TITLES } from './labels.js';
import { hasNoReason, isByGuard, placeOf, reasonOfAll, uncertainText, unknownAttempt } from './reasons.js';
import type { UndeliveredShare } from './undelivered-share.js';

const isOver = ({ createdAt }: Message, now: number): boolean => createdAt < now - HOUR;

/** The buttons that fix the reason, unless one of the groups above has the same. */
function GroupFix({ group, above }: Pick<GroupProps, 'group' | 'above'>) {
  const { may, now } = useVisit();
  const { application, messages, pause } = group;
  const newest = messages[0]!;
  const isFirst = (of: (message: Message) => unknown) =>
    !above.some((one) => one.application === application && of(one.messages[0]!) === of(newest));
  const pausable = !pause && isFirst(placeOf) ? placeOf(newest) : '';
  if (newest.refusal)
    return (
      <div class="group-fix">
        {pausable !== '' && may('own') && (
          <p>If you have no customers in {countryInSentence(pausable)}, pause messages to this country.</p>
        )}
        <Fix
          message={newest}
          application={application}
          pause={pause}
          hasLink={isFirst(({ refusal }) => refusal?.code)}
          pausable={pausable}
        />
      </div>
    );
  if (newest.state !== 'failed' || hasWrongRecipient(newest) || isOver(newest, now) || !may('own')) return null;
  return (
    <a class="button subtle" href="/dashboard/channels">
      Open Channels
    </a>
  );
}

/** Whether the reason still stops messages; nothing for wrong recipients, because their messages will always fail. */
function GroupState({ messages, pause }: ReasonGroup) {
  const now = useNow();
  const zone = useTimeZone();
  const newest = messages[0]!;
  if (pause) return <Badge kind="warning">Still paused</Badge>;
  if (newest.state !== 'failed' || hasWrongRecipient(newest)) return null;
  return isOver(newest, now) ? (
    <Badge kind="good">{`None since ${momentText(newest.createdAt, now, zone)}`}</Badge>
  ) : (
    <Badge kind="warning">Still happening</Badge>
  );
}

/** `1 person`, `22 people`, `41 other people` */
const peopleText = (count: number, other = ''): string =>
  `${countText(count)} ${other}${count === 1 ? 'person' : 'people'}`;

const REFERENCE_HINT =
  'The CSV export contains the reference of each message. Your developer can use it to find the customer.';

const reporterOf = (message: Message): string => reportingProvider(message) ?? 'the provider';

function askText(messages: readonly Message[]): string {
  const hasIds = messages.some(({ providerId }) => providerId !== null);
  const ids = " The provider's ID is on the page of each message, under “For developers”.";
  return `Ask ${reporterOf(messages[0]!)} for the reason.${hasIds ? ids : ''}`;
}

/** `the code was entered, so this message arrived`, `2 of 3 codes were entered, so 2 messages arrived` */
function arrivedText(arrived: number, codes: number): string {
  if (codes === 1) return 'the code was entered, so this message arrived';
  const were = arrived === 1 ? 'was' : 'were';
  return arrived === codes
    ? `all ${countText(codes)} codes were entered, so these messages arrived`
    : `${countText(arrived)} of ${countText(codes)} codes ${were} entered, so ${messagesText(arrived)} arrived`;
}

/** `Too few codes were entered in this country, so Passbell paused these messages until 00:00.` */
function refusedText({ messages, pause }: ReasonGroup, now: number, zone: string): string {
  const { hint, until } = messages[0]!.refusal!;
  const reason = capitalized(refusedBecause(hint));
  if (isManualHint(hint) || !isPauseHint(hint)) return `${reason}.`;
  // Without its pause, a time in the future no longer applies.
  const isEndKnown = until !== null && (until <= now || pause !== undefined);
  return `${reason}, so Passbell paused these messages${isEndKnown ? ` until ${momentText(until, now, zone)}` : ''}.`;
}

/** Whether the owner should ask the provider for the reason: only if more people than usual got no code, which filtered lists don't show. */
const needsReason = ({ messages, people, enteredLater }: ReasonGroup, share: UndeliveredShare | undefined): boolean =>
  share?.isUsual === false && hasNoReason(messages[0]!) && people - enteredLater >= NOTABLE_FAILURES;

/** Returns which messages arrived, whether the people got a code anyway, and what they can do. */
function outcomeOf(
  group: ReasonGroup,
  { query, share, newestOnly }: Pick<GroupProps, 'query' | 'share' | 'newestOnly'>,
  now: number,
): string {
  const { messages, count, codes, arrived, people, enteredLater } = group;
  const newest = messages[0]!;
  const isWrong = hasWrongRecipient(newest);
  const unknown = unknownAttempt(newest);
  const period = codes < messages.length ? 'In the last 7 days, ' : '';
  const others = people - enteredLater;
  const isRecent = newest.createdAt > now - DAY;
  const isExpired = newest.template === 'otp' && newest.expiresAt < now;
  const canRequest = isExpired && isRecent && !newest.refusal && !isWrong && others > 0 && !share?.isUsual;
  const some = others === 1 ? 'The other person' : `The other ${countText(others)}`;
  const all = query.withoutCode ? 'Their codes have expired. These people' : 'Your customers';
  const texts = [
    isWrong &&
      `Your ${messages.length === 1 ? 'customer' : 'customers'} must enter a correct ${newest.recipient.includes('@') ? 'email address' : 'phone number'}.`,
    !query.withoutCode && unknown && uncertainText(unknown.provider, messages.length),
    arrived > 0 &&
      capitalized(`${period}${arrivedText(arrived, codes)} although ${reporterOf(newest)} reported otherwise.`),
    count > messages.length &&
      !newestOnly &&
      `Passbell stores only some refused messages: ${countText(count - messages.length)} of these are not listed.`,
    enteredLater > 0 &&
      `${arrived > 0 ? '' : period}${countText(enteredLater)} of ${peopleText(people, arrived > 0 ? 'other ' : '')} entered a later code.`,
    canRequest && `${arrived + enteredLater > 0 ? some : all} can request a new code.`,
    query.withoutCode && messages.some(({ reference }) => reference) && REFERENCE_HINT,
    needsReason(group, share) && askText(messages),
  ];
  return texts.filter(Boolean).join(' ');
}

/** `Today, 02:10`, `Today, 02:10 – 02:29`, `Jan 7, 03:00 – today, 07:09` */
function Times({ messages }: Pick<ReasonGroup, 'messages'>) {
  const zone = useTimeZone();
  const today = localDay(useNow(), zone);
  const nameOf = (ms: number) => {
    const day = localDay(ms, zone);
    return day < dayBefore(today, 1) ? shortDay(day) : dayName(day, today).toLowerCase();
  };
  const first = messages.at(-1)!.createdAt;
  const last = messages[0]!.createdAt;
  return (
    <>
      {capitalized(nameOf(first))}, <Time ms={first} clock />
      {localText(first, zone) !== localText(last, zone) && (
        <>
          {' – '}
          {nameOf(first) !== nameOf(last) && `${nameOf(last)}, `}
          <Time ms={last} clock />
        </>
      )}
    </>
  );
}

interface GroupProps {
  readonly group: ReasonGroup;
  /** The application's name, unless the account has only one. */
  readonly application: string | undefined;
  readonly query: MessageQuery;
  /** Whether there are no other groups. */
  readonly isOnly: boolean;
  readonly share: UndeliveredShare | undefined;
  readonly newestOnly: number | undefined;
  readonly above: readonly ReasonGroup[];
}

function Group({ group, application, query, isOnly, share, newestOnly, above }: GroupProps) {
  const now = useNow();
  const zone = useTimeZone();
  const { messages, count, codes, arrived, people, enteredLater } = group;
  const others = people - enteredLater;
  const place = placeOf(messages[0]!);
  const outcome = outcomeOf(group, { query, share, newestOnly }, now);
  // The group has only messages of this time.
  const period = share && { from: share.since, zone: query.zone ?? zone };
  const ofReason = { ...query, ...period, reason: group.key };
  const hasPeople = others > 0 && arrived + enteredLater > 0 && codes === messages.length;
  return (
    <li>
      <div>
        <p class="strong">
          {query.withoutCode ? peopleText(people) : messagesText(count)}
          {place !== '' && !query.withoutCode && ` to ${countryInSentence(place)}`}
          {application !== undefined && !query.withoutCode && ` from ${application}`} <GroupState {...group} />
        </p>
        <p>{isByGuard(messages[0]!) ? refusedText(group, now, zone) : sentence(reasonOfAll(messages))}</p>
        {outcome !== '' && <p>{outcome}</p>}
        <p class="quiet small">
          <Times messages={messages} />
          {(!isOnly || period) && (
            <>
              {' · '}
              <a class="nowrap" href={urlOf('/messages', ofReason)}>
                Show {messagesText(messages.length)}
              </a>
            </>
          )}
        </p>
        {hasPeople && (
          <p class="actions">
            <a class="button subtle" href={urlOf('/messages', { ...ofReason, withoutCode: true })}>
              Show {others === 1 ? 'the person' : peopleText(others)} without a code
            </a>
          </p>
        )}
      </div>
      <GroupFix group={group} above={above} />
    </li>
  );
}

const sumOf = (groups: readonly ReasonGroup[]): number => total(groups.map(({ count }) => count));
const newestOf = ({ messages }: ReasonGroup): Message => messages[0]!;

/** Why Passbell refused a message; "" for limits and errors. */
function causeOf(message: Message): '' | 'manual' | 'fraud' {
  if (!isByGuard(message)) return '';
  if (isManualHint(message.refusal?.hint)) return 'manual';
  return isSuspicionHint(message.refusal?.hint) ? 'fraud' : '';
}

function causeText(cause: ReturnType<typeof causeOf>, count: number): string {
  const [they, were] = count === 1 ? ['it', 'was'] : ['they', 'were'];
  if (cause === '') return '';
  return ` because ${they} ${cause === 'fraud' ? 'looked like fraud' : `${were} paused manually`}`;
}

/** ` to Bangladesh and Cuba`; "" for many countries, and for recipients without a country. */
function toPlaces(groups: readonly ReasonGroup[]): string {
  const places = [...new Set(groups.map((group) => placeOf(newestOf(group))))];
  const isNamed = places.length <= NAMED_COUNTRIES && !places.includes('');
  return isNamed ? ` to ${LIST.format(places.map(countryInSentence))}` : '';
}

/** `Passbell refused 432 messages to Bangladesh because they looked like fraud.`; "" if some groups are not known. */
function refusedVerdict(groups: readonly ReasonGroup[]): string {
  if (groups.length === MAX_GROUPS) return '';
  const byCause = groupBy(groups, (group) => causeOf(newestOf(group)));
  const texts = byCause.map((same) => {
    const cause = causeOf(newestOf(same[0]!));
    const others = byCause.length > 1 ? ' for other reasons' : '';
    return `Passbell refused ${messagesText(sumOf(same))}${toPlaces(same)}${causeText(cause, sumOf(same)) || others}.`;
  });
  return texts.join(' ');
}

/** Failures over a longer time are not one outage. */
const OUTAGE_MS = 6 * HOUR;

/** `only messages to invalid phone numbers have failed.` */
function wrongText(groups: readonly ReasonGroup[]): string {
  const isEmail = (group: ReasonGroup) => newestOf(group).recipient.includes('@');
  const kinds = [groups.every(isEmail) ? '' : 'phone numbers', groups.some(isEmail) ? 'email addresses' : ''];
  return `only messages to invalid ${kinds.filter(Boolean).join(' or ')} have failed.`;
}

/** `Twilio failed from 02:10 to 02:29. There have been no such failures since then.`; "" if there are several causes, or few failures. */
function failedVerdict(groups: readonly ReasonGroup[], now: number, zone: string): string {
  const wrong = groups.filter((group) => hasWrongRecipient(newestOf(group)));
  const [outage, ...others] = groups.filter((group) => !wrong.includes(group));
  if (!outage) return capitalized(wrongText(wrong));
  const newest = newestOf(outage);
  const [attempt, ...attempts] = newest.attempts;
  const from = outage.messages.at(-1)!.createdAt;
  const isOne = others.length + attempts.length === 0 && newest.createdAt - from < OUTAGE_MS;
  if (!isOne || !attempt?.provider || failedByRecipient(attempt) || outage.count < NOTABLE_FAILURES) return '';
  const text = `${attempt.provider} failed from ${momentText(from, now, zone)} to ${momentText(newest.createdAt, now, zone)}.`;
  if (!isOver(newest, now)) return text;
  const isWrongSince = wrong.some((group) => newestOf(group).createdAt > newest.createdAt);
  return `${text} ${isWrongSince ? `Since then, ${wrongText(wrong)}` : 'There have been no such failures since then.'}`;
}

interface ReasonGroupsProps {
  readonly query: MessageQuery & { readonly state: VisibleState };
  readonly groups: readonly ReasonGroup[];
  readonly applicationCount: number;
  /** Number of messages that were grouped, if there are more; otherwise undefined. */
  readonly newestOnly: number | undefined;
  /** Which places are paused now; "" for other states. */
  readonly pauses: string;
  /** Whether refused messages that are not stored are counted, too. */
  readonly isComplete: boolean;
  /** The share of undelivered messages in the period of the groups; undefined for other states and older messages. */
  readonly share: UndeliveredShare | undefined;
}

/** Compares the share of undelivered messages, and says whether the owner has to do something. */
function undeliveredVerdict({ groups, share }: ReasonGroupsProps): string {
  if (!share?.text) return '';
  const codes = total(groups.map((group) => group.codes));
  const arrived = total(groups.map((group) => group.arrived));
  const isArrived = !share.isUsual && arrived > codes / 2;
  const texts = [
    share.text,
    isArrived && 'But most of their codes were entered, so most of these messages arrived.',
    !groups.some((group) => needsReason(group, share)) && "You don't need to do anything.",
  ];
  return texts.filter(Boolean).join(' ');
}

function verdictOf(props: ReasonGroupsProps, now: number, zone: string): string {
  switch (props.query.state) {
    case 'refused':
      return refusedVerdict(props.groups);
    case 'failed':
      return failedVerdict(props.groups, now, zone);
    default:
      return undeliveredVerdict(props);
  }
}

export function ReasonGroups(props: ReasonGroupsProps) {
  const { query, groups, applicationCount, newestOnly, pauses, isComplete, share } = props;
  const now = useNow();
  const zone = useTimeZone();
  if (groups.length === 0) return null;
  const messages = groups.flatMap((group) => group.messages);
  const [reasons, outcome] = REASON_TITLES[query.state]!;
  const title = query.withoutCode
    ? 'People who entered no later code'
    : share
      ? `Undelivered ${share.period}`
      : reasons;
  const verdict = verdictOf(props, now, zone);
  const lead = [
    verdict || (!messages.some(unknownAttempt) && outcome),
    pauses,
    !isComplete && messages.some(isByGuard) && 'With these filters, only stored messages are counted.',
    newestOnly && `Based on the ${countText(newestOnly)} newest messages.`,
  ];
  return (
    <Card id="reasons" title={title} lead={lead.filter(Boolean).join(' ') || undefined}>
      <ul class="plain-list">
        {groups.map((group, n) => (
          <Group
            key={group.key}
            group={group}
            application={applicationCount > 1 ? group.application.name : undefined}
            query={query}
            isOnly={groups.length === 1}
            share={share}
            newestOnly={newestOnly}
            above={groups.slice(0, n)}
          />
        ))}
      </ul>
    </Card>
  );
}
