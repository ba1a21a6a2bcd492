/** Explains why messages did not arrive, with the button that helps. */
import { hasWrongRecipient } from '../../modules/messages/explanation.js';
import { MAX_STORED_PER_HOUR } from '../../modules/messages/record-refusal.js';
import type { Message, VisibleState } from '../../modules/messages/message.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import { sentence } from '../channels/labels.js';
import { HOUR } from '../../platform/clock.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { useNow, useTimeZone, useVisit } from '../components/context.js';
import { momentText, Time } from '../components/time.js';
import { countText, messagesText } from '../usage/figures.js';
import { urlOf, type MessageQuery } from './filter.js';
import { Fix } from './fix.js';
import type { ReasonGroup } from './group-by-reason.js';
import { REASON_TITLES } from './labels.js';
import { placeOf, reasonOf } from './reasons.js';

const isOver = ({ createdAt }: Message, now: number): boolean => createdAt < now - HOUR;

/** The button that fixes the reason, or advice. Refusals have their own. */
function GroupFix({ application, messages, pause }: ReasonGroup) {
  const { may, now } = useVisit();
  const newest = messages[0]!;
  if (newest.refusal) return <Fix message={newest} application={application} pause={pause} />;
  if (hasWrongRecipient(newest) || isOver(newest, now) || !may('own')) return null;
  return (
    <a class="button subtle" href="/dashboard/channels">
      Check the provider
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

/** Whether the reason still stops messages. Wrong recipients have no end. */
function GroupState({ messages, pause }: ReasonGroup) {
  const now = useNow();
  const zone = useTimeZone();
  const newest = messages[0]!;
  if (pause) return <Badge kind="warning">Still paused</Badge>;
  if (newest.refusal?.code === 'FRAUD_SUSPECTED') return <Badge kind="neutral">The pause has ended</Badge>;
  if (newest.refusal || hasWrongRecipient(newest)) return null;
  if (!isOver(newest, now)) return <Badge kind="warning">Still happening</Badge>;
  return <Badge kind="neutral">{`Over since ${momentText(newest.createdAt, now, zone)}`}</Badge>;
}

const peopleText = (count: number): string => `${countText(count)} ${count === 1 ? 'person' : 'people'}`;

const othersText = (count: number): string => (count === 1 ? '1 other person' : `${countText(count)} other people`);

/** What became of the people: whether they got a code anyway, and what they can do. */
function outcomeOf({ messages, people, enteredLater, rescue }: ReasonGroup, isArrived: boolean, now: number): string {
  const newest = messages[0]!;
  const isCode = newest.template === 'otp';
  const mayArrive = !newest.refusal && !hasWrongRecipient(newest);
  const canRequest = isCode && mayArrive && newest.expiresAt < now && !isArrived && enteredLater < people;
  const texts = [
    hasWrongRecipient(newest) && 'Another message to the same recipient will also fail.',
    rescue && `${othersText(rescue.count)} got their code through ${rescue.provider}.`,
    enteredLater > 0 && `${countText(enteredLater)} of these ${peopleText(people)} entered a later code.`,
    canRequest &&
      (enteredLater > 0
        ? 'The others can request a new one.'
        : 'The codes have expired. Your customers can request new ones.'),
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
}

function Group({ group, application, href, isArrived }: GroupProps) {
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
          {messages.length > 1 && (
            <>
              First <Time ms={messages.at(-1)!.createdAt} /> · latest{' '}
            </>
          )}
          <Time ms={newest.createdAt} />
          {href !== undefined && (
            <>
              {' · '}
              <a href={href}>Show these messages</a>
            </>
          )}
        </p>
      </div>
      <GroupFix {...group} />
    </li>
  );
}

/** The list stores only some of the messages that were refused during an attack. */
const refusedText = (count: number, period: string): string =>
  `${period}, the fraud guard refused ${messagesText(count)}. This list shows at most ${MAX_STORED_PER_HOUR} an hour for each application.`;

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
  const lead = [
    isEntered && arrivedText(messages, isEntered),
    newestOnly && `Based on the ${countText(newestOnly)} newest messages.`,
    refused && refusedText(refused, query.from === undefined ? 'In the last 7 days' : 'In this period'),
  ];
  return (
    <Card id="reasons" title={REASON_TITLES[query.state]!} lead={lead.filter(Boolean).join(' ') || undefined}>
      <ul class="plain-list">
        {groups.map((group) => (
          <Group
            key={group.key}
            group={group}
            application={applicationCount > 1 ? group.application.name : undefined}
            href={groups.length > 1 ? urlOf('/messages', { ...query, reason: group.key }) : undefined}
            isArrived={isEntered !== undefined && group.messages.every(isEntered)}
          />
        ))}
      </ul>
    </Card>
  );
}
