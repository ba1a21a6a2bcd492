/** The failures of the last 30 days, grouped by their causes. */
import type { ComponentChildren } from 'preact';
import { capitalized } from '../../platform/capitalized.js';
import { hasWrongRecipient } from '../../modules/messages/explanation.js';
import { visibleState, type Message } from '../../modules/messages/message.js';
import { maskRecipient } from '../../modules/recipients/recipient.js';
import { Card } from '../components/card.js';
import { AtTime } from '../components/time.js';
import { groupBy } from '../group-by.js';
import { urlOf, type MessageQuery } from '../messages/filter.js';
import { problemsOf, reasonKey, shortProblemsOf } from '../messages/reasons.js';
import { countText, messagesText } from '../usage/figures.js';
import { COUNTED_FAILURES, type Concern } from './concern.js';
import type { Failures } from './home-state.js';
import { notRecoveredText, type Outage } from './outages.js';

const NOT_CALLED = 'No provider was called';
/** How many groups of equal failures are listed. */
const SHOWN_GROUPS = 5;

interface CauseProps extends Pick<LatestFailuresProps, 'timeZone'> {
  readonly count: number;
  /** Whether there may be more messages than are counted. */
  readonly isCut: boolean;
  readonly link: Required<Concern['link']>;
  readonly reason: string;
  /** When the newest of the messages was created, in epoch milliseconds. */
  readonly latest: number;
  readonly children: ComponentChildren;
}

/** A cause of failed messages: the reason, their number, and what follows. */
const Cause = ({ count, isCut, link, reason, latest, timeZone, children }: CauseProps) => (
  <li>
    <p class="strong">{capitalized(reason)}</p>
    <p class="quiet small">
      {failuresText(count, isCut)}, {count !== 1 && 'the latest '}
      <AtTime ms={latest} zone={timeZone} />.
    </p>
    <p class="quiet small">{children}</p>
    <a class="small" href={link.href} aria-label={`${link.label}: ${reason}`}>
      {link.label}
    </a>
  </li>
);

const showMessages = (query: MessageQuery) => ({ href: urlOf('/messages', query), label: 'Show messages' });

const failuresText = (count: number, isCut: boolean): string =>
  isCut ? `${countText(count)}+ messages` : messagesText(count);

/** `group`: newest first. */
interface FailureGroupProps extends Omit<LatestFailuresProps, 'failures' | 'outage'>, Pick<CauseProps, 'isCut'> {
  readonly group: readonly Message[];
}

function FailureGroup({ group, isCut, application, lastSent, timeZone }: FailureGroupProps) {
  const { id, channel, createdAt, ...newest } = group[0]!;
  const sentAt = lastSent.get(channel)?.at ?? 0;
  const isOne = group.length === 1;
  // The list can show one reason of one application. Otherwise, it also shows failures for other reasons.
  const [reason, ...otherReasons] = new Set(group.map(reasonKey));
  const only = otherReasons.length === 0 ? { reason } : { channel };
  const again = isOne
    ? 'Another message to the same recipient will also fail.'
    : 'New messages to these recipients will also fail.';
  const later = sentAt > createdAt && (
    <>
      Later messages were sent, the latest <AtTime ms={sentAt} zone={timeZone} />.
    </>
  );
  return (
    <Cause
      count={group.length}
      isCut={isCut}
      link={
        isOne
          ? { href: `/dashboard/messages/${id}`, label: maskRecipient(newest.recipient) }
          : showMessages({ state: visibleState(group[0]!), application, ...only })
      }
      reason={shortProblemsOf(group) || NOT_CALLED}
      latest={createdAt}
      timeZone={timeZone}
    >
      {group.every(hasWrongRecipient) ? again : later || `${notRecoveredText(channel)}.`}
    </Cause>
  );
}

interface LatestFailuresProps extends Failures {
  /** App Key of the application that the failures are of; undefined for all applications. */
  readonly application?: string;
  /** The time zone that the page names. */
  readonly timeZone: string;
  /** An outage, whose failures the alerts describe. */
  readonly outage?: Outage | undefined;
}

const FAILURES = 'Failures in the last 30 days';

/** Leaves out the failures of an outage, which the alerts describe. */
export function LatestFailures({ failures, outage, ...shared }: LatestFailuresProps) {
  const described = new Set(outage?.failures.map(({ id }) => id));
  const others = failures.filter(({ id }) => !described.has(id));
  const all = groupBy(others, problemsOf);
  const groups = all.slice(0, SHOWN_GROUPS);
  const besides = outage ? `Apart from the ${outage.name} outage, ` : '';
  if (others.length === 0)
    return (
      <Card id="failures" title={FAILURES} lead={capitalized(`${besides}no message has failed in the last 30 days.`)} />
    );
  const isCut = failures.length >= COUNTED_FAILURES;
  const count = failuresText(others.length, isCut);
  const among = all.length > SHOWN_GROUPS ? ', among others' : '';
  // A single group has the count.
  const lead = groups.length > 1 ? `${besides}${count} failed for these reasons${among}:` : besides.replace(', ', ':');
  return (
    <Card id="failures" title={FAILURES} lead={lead || undefined}>
      <ul class="plain-list">
        {groups.map((group) => (
          <FailureGroup key={group[0]!.id} group={group} isCut={isCut} {...shared} />
        ))}
      </ul>
    </Card>
  );
}
