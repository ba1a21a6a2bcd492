/** Explains why messages did not arrive, with the button that helps. */
import { hasWrongRecipient } from '../../modules/messages/explanation.js';
import { MAX_STORED_PER_HOUR } from '../../modules/messages/record-refusal.js';
import { acceptedAttempt, type Message, type VisibleState } from '../../modules/messages/message.js';
import { refusalsStart } from '../../modules/fraud/refusal-counts.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import { sentence } from '../channels/labels.js';
import { DAY, HOUR } from '../../platform/clock.js';
import { localDay } from '../../platform/local-day.js';
import { localText } from '../../platform/local-time.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { useNow, useTimeZone, useVisit } from '../components/context.js';
import { momentText, Time } from '../components/time.js';
import { countText, messagesText } from '../usage/figures.js';
import { urlOf, type MessageQuery } from './filter.js';
import { Fix } from './fix.js';
import type { ReasonGroup } from './group-by-reason.js';
import { REASON_TITLES } from './labels.js';
import { hasNoReason, isByGuard, placeOf, reasonOf } from './reasons.js';

const isOver = ({ createdAt }: Message, now: number): boolean => createdAt < now - HOUR;

/** The buttons that fix the reason, unless one of the `earlier` groups has the same. */
function GroupFix({ group, earlier }: Pick<GroupProps, 'group' | 'earlier'>) {
  const { may, now } = useVisit();
  const { application, messages, pause } = group;
  const newest = messages[0]!;
  const isFirst = (of: (message: Message) => unknown) =>
    !earlier.some((one) => one.application === application && of(one.messages[0]!) === of(newest));
  if (newest.refusal)
    return (
      <Fix
        message={newest}
        application={application}
        pause={pause}
        hasLink={isFirst(({ refusal }) => refusal?.code)}
        pausable={!pause && isFirst(placeOf) ? placeOf(newest) : ''}
      />
    );
  if (hasWrongRecipient(newest) || isOver(newest, now) || !may('own')) return null;
  return (
    <a class="button subtle" href="/dashboard/channels">
      Open {newest.attempts.at(-1)?.provider ?? 'Channels'}
    </a>
  );
}

/** Delivery reports can be wrong: a message whose code was entered has arrived. */
function arrivedText(messages: readonly Message[], isEntered: (message: Message) => boolean): string {
  const count = messages.filter(isEntered).length;
  if (count === 0) return '';
  return count === messages.length
    ? 'All of these codes were entered, so the messages arrived.'
    : `${countText(count)} of the ${countText(messages.length)} codes were entered, so those messages arrived.`;
}

/** Whether the reason still stops messages; nothing for wrong recipients, because their messages will always fail. */
function GroupState({ messages, pause, rescue, enteredLater }: ReasonGroup) {
  const now = useNow();
  const zone = useTimeZone();
  const newest = messages[0]!;
  if (pause) return <Badge kind="warning">Still paused</Badge>;
  if (isByGuard(newest)) {
    const until = newest.refusal?.until ?? Infinity;
    const isKnown = until <= now && localDay(until, zone) === localDay(now, zone);
    return (
      <Badge kind="neutral">
        {isKnown ? `The pause ended at ${momentText(until, now, zone)}` : 'The pause has ended'}
      </Badge>
    );
  }
  if (newest.refusal || hasWrongRecipient(newest)) return null;
  if (!isOver(newest, now)) return newest.state === 'failed' ? <Badge kind="warning">Still happening</Badge> : null;
  // Without a message that was sent since, it is not known whether the cause has ended.
  const isEnded = newest.state === 'failed' && (rescue !== undefined || enteredLater > 0);
  const since = `since ${momentText(newest.createdAt, now, zone)}`;
  return <Badge kind="neutral">{isEnded ? `No failures ${since}` : `None ${since}`}</Badge>;
}

const othersText = (count: number): string => (count === 1 ? '1 other person' : `${countText(count)} other people`);

/** Entered codes are deleted after this time. */
const CODES_KEPT_MS = 7 * DAY;

function askText(messages: readonly Message[]): string {
  const provider = acceptedAttempt(messages[0]!)?.provider ?? 'the provider';
  const hasIds = messages.some(({ providerId }) => providerId !== null);
  return `Ask ${provider} for the reason.${hasIds ? ' Its message ID is on the page of each message.' : ''}`;
}

/** Says whether the people got a code anyway, and what they can do. */
function outcomeOf({ messages, people, enteredLater, rescue }: ReasonGroup, isArrived: boolean, now: number): string {
  const newest = messages[0]!;
  const isCode = newest.template === 'otp';
  const mayArrive = !newest.refusal && !hasWrongRecipient(newest);
  const isKnown = messages.at(-1)!.createdAt > now - CODES_KEPT_MS;
  const canRequest = isCode && mayArrive && newest.expiresAt < now && !isArrived && enteredLater < people;
  const texts = [
    hasWrongRecipient(newest) &&
      (people === 1
        ? 'Another message to the same recipient will also fail.'
        : 'New messages to these recipients will also fail.'),
    rescue && `${othersText(rescue.count)} got their code through ${rescue.provider}.`,
    enteredLater > 0 &&
      (people === 1
        ? 'This person entered a later code.'
        : `${isKnown ? '' : 'At least '}${countText(enteredLater)} of these ${countText(people)} people entered a later code.`),
    canRequest && enteredLater === 0 && isKnown && 'Nobody has entered a later code yet.',
    canRequest && `${enteredLater > 0 ? 'The others' : 'Your customers'} can request a new code.`,
    hasNoReason(newest) && !isArrived && askText(messages),
  ];
  return texts.filter(Boolean).join(' ');
}

interface GroupProps {
  readonly group: ReasonGroup;
  /** The application's name, unless the account has only one. */
  readonly application: string | undefined;
  /** The list with only these messages; undefined if it already shows them. */
  readonly href: string | undefined;
  /** Whether the codes of all messages were entered. */
  readonly isArrived: boolean;
  /** The groups above. */
  readonly earlier: readonly ReasonGroup[];
}

/** `Jan 16, 02:10 to 02:29`, `All on Jan 16, 02:00` */
function Times({ messages }: Pick<ReasonGroup, 'messages'>) {
  const zone = useTimeZone();
  const first = messages.at(-1)!.createdAt;
  const last = messages[0]!.createdAt;
  if (localText(first, zone) === localText(last, zone))
    return (
      <>
        {messages.length > 1 && 'All on '}
        <Time ms={last} />
      </>
    );
  return (
    <>
      <Time ms={first} /> to <Time ms={last} clock={localDay(first, zone) === localDay(last, zone)} />
    </>
  );
}

function Group({ group, application, href, isArrived, earlier }: GroupProps) {
  const now = useNow();
  const { messages } = group;
  const newest = messages[0]!;
  const place = placeOf(newest);
  const outcome = outcomeOf(group, isArrived, now);
  return (
    <li>
      <div>
        <p class="strong">
          {messagesText(messages.length)}
          {place !== '' && ` to ${countryInSentence(place)}`}
          {application !== undefined && ` from ${application}`} <GroupState {...group} />
        </p>
        <p>{sentence(reasonOf(newest))}</p>
        {outcome !== '' && <p>{outcome}</p>}
        <p class="quiet small">
          <Times messages={messages} />
          {href !== undefined && (
            <>
              {' · '}
              <a href={href}>Show messages</a>
            </>
          )}
        </p>
      </div>
      <GroupFix group={group} earlier={earlier} />
    </li>
  );
}

interface ReasonGroupsProps {
  readonly query: MessageQuery & { readonly state: VisibleState };
  readonly groups: readonly ReasonGroup[];
  readonly applicationCount: number;
  /** Number of messages that were grouped, if there are more; otherwise undefined. */
  readonly newestOnly: number | undefined;
  /** Whether the code of a message was entered; undefined for messages that no provider accepted. */
  readonly isEntered: ((message: Message) => boolean) | undefined;
  /** Number of messages that the fraud guard refused in the last days, if the list shows fewer. */
  readonly refused: number | undefined;
}

export function ReasonGroups({ query, groups, applicationCount, newestOnly, isEntered, refused }: ReasonGroupsProps) {
  if (groups.length === 0) return null;
  const messages = groups.flatMap((group) => group.messages);
  const [title, outcome] = REASON_TITLES[query.state]!;
  // Older refusals are not counted.
  const period = (query.from ?? 0) < refusalsStart(useNow()) ? 'in the last 7 days' : 'in this period';
  const lead = [
    outcome,
    isEntered && arrivedText(messages, isEntered),
    newestOnly && `Based on the ${countText(newestOnly)} newest messages.`,
    refused &&
      `The list below shows at most ${MAX_STORED_PER_HOUR} refused messages an hour${applicationCount > 1 ? ' for each application' : ''}.`,
  ];
  return (
    <Card
      id="reasons"
      title={refused ? `Protection refused ${messagesText(refused)} ${period}` : title}
      lead={lead.filter(Boolean).join(' ') || undefined}
    >
      <ul class="plain-list">
        {groups.map((group, n) => (
          <Group
            key={group.key}
            group={group}
            application={applicationCount > 1 ? group.application.name : undefined}
            href={groups.length > 1 ? urlOf('/messages', { ...query, reason: group.key }) : undefined}
            isArrived={isEntered !== undefined && group.messages.every(isEntered)}
            earlier={groups.slice(0, n)}
          />
        ))}
      </ul>
    </Card>
  );
}
