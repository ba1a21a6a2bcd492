/** A webhook's log: the events that were sent, each with its calls and the server's replies. */
import { ATTEMPTS_PER_WEBHOOK, isAccepted, type Attempt } from '../../modules/webhooks/webhook.js';
import type { WebhookLog } from '../../modules/webhooks/webhook-changes.js';
import { SECOND } from '../../platform/clock.js';
import { localDay } from '../../platform/local-day.js';
import { Breakable } from '../components/breakable.js';
import { Card } from '../components/card.js';
import { useNow, useTimeZone } from '../components/context.js';
import { CopyBlock, Copy } from '../components/copy.js';
import { Facts } from '../components/facts.js';
import { Form } from '../components/form.js';
import { LinkNav } from '../components/link-nav.js';
import { Pager } from '../components/pager.js';
import { polling } from '../components/polling.js';
import { Table, type Column } from '../components/table.js';
import { dayName, LocalTime, Time } from '../components/time.js';
import { countText } from '../usage/figures.js';
import { eventPage, nextAttemptAt, type EventQuery, type LoggedEvent } from './event-log.js';
import { ReplyBadge, waitingText } from './labels.js';

export const LOG_ID = 'webhook-log';

export interface LogProps extends EventQuery {
  readonly path: string;
  readonly log: WebhookLog;
}

const logPath = (path: string, isFailed: boolean, before?: number): string => {
  const query = new URLSearchParams({
    ...(isFailed && { failed: 'yes' }),
    ...(before !== undefined && { before: `${before}` }),
  });
  return `${path}${query.size > 0 ? `?${query}` : ''}#log`;
};

const durationText = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);

const EventCell = ({ event: { body } }: { readonly event: LoggedEvent }) => (
  <details class="log-event">
    <summary>
      <Breakable text={body.event} />
      {body.test && ' (test)'}
    </summary>
  </details>
);

/** A call with its reply, in the details of the event. */
const AttemptItem = ({ attempt: { calledAt, status, reply, durationMs } }: { readonly attempt: Attempt }) => (
  <li>
    <Time ms={calledAt} seconds isZoneNamed />
    <ReplyBadge status={status} />
    <span class="quiet small">
      {reply && <span class="reply">{reply}</span>}
      {status !== null && durationMs !== null && `${reply && ' · '}${durationText(durationMs)}`}
    </span>
  </li>
);

interface DetailProps {
  readonly event: LoggedEvent;
  /** When the event may be sent again, in epoch milliseconds; undefined if it is not known to wait. */
  readonly nextAt: number | undefined;
}

/** The event with all its calls. */
function EventDetail({ event: { eventId, body, attempts, attemptCount }, nextAt }: DetailProps) {
  const missing = attemptCount - attempts.length;
  // The row already shows everything about a single call without a reply.
  const isListed = attemptCount > 1 || attempts[0]!.status !== null;
  return (
    <div class="stack">
      <Facts
        strip
        facts={[
          ['Event ID', <Copy label="event ID" value={eventId} />],
          ['Event created', <LocalTime ms={body.createdTime * SECOND} day />],
          [
            'Next attempt',
            nextAt !== undefined && (
              <>
                <LocalTime ms={nextAt} day /> or later
              </>
            ),
          ],
        ]}
      />
      {isListed && (
        <ol class="attempt-list" aria-label="Attempts, newest first">
          {attempts.map((attempt) => (
            <AttemptItem key={attempt.id} attempt={attempt} />
          ))}
          {missing > 0 && (
            <li class="quiet small">
              {missing === 1 ? '1 earlier attempt is' : `${countText(missing)} earlier attempts are`} no longer in the
              log.
            </li>
          )}
        </ol>
      )}
      <CopyBlock label={`Event ${eventId}`} language="json" value={JSON.stringify(body, null, 2)} />
    </div>
  );
}

/** The message that the event is about. Events about codes, pauses and recipients may have none. */
function MessageCell({ event: { body } }: { readonly event: LoggedEvent }) {
  const { messageId, to } = body.data ?? {};
  if (messageId === undefined || body.test) return <>{to ?? '–'}</>;
  return <a href={`/dashboard/messages/${messageId}`}>{to ?? 'Open'}</a>;
}

const ResultCell = ({ attempt: { status, reply } }: { readonly attempt: Attempt }) => (
  <>
    <ReplyBadge status={status} />{' '}
    {!isAccepted(status) && <span class={`quiet small ${status === null ? 'no-reply' : 'reply-start'}`}>{reply}</span>}
  </>
);

const AttemptsCell = ({ count }: { readonly count: number }) => (
  <span class={count === 1 ? 'once' : undefined}>{countText(count)}</span>
);

const columnsOf = (path: string): readonly Column<LoggedEvent>[] => [
  { title: 'Event', cell: (event) => <EventCell event={event} /> },
  { title: 'Message', cell: (event) => <MessageCell event={event} /> },
  { title: 'Result', cell: ({ last }) => <ResultCell attempt={last} /> },
  { title: 'Attempts', number: true, cell: ({ attemptCount }) => <AttemptsCell count={attemptCount} /> },
  { title: 'Last attempt', cell: ({ last }) => <Time ms={last.calledAt} clock seconds /> },
  {
    title: 'Action',
    cell: ({ eventId, last }) => (
      <Form action={`${path}/resend`} class="inline">
        <input type="hidden" name="attempt" value={last.id} />
        <button class="link-button" aria-label={`Send event ${eventId} again`}>
          Send again
        </button>
      </Form>
    ),
  },
];

/** Shows a page of the log. The latest page refreshes itself while events are waiting to be sent. */
export function LogView({ path, log, before, isFailed }: LogProps) {
  const { events, olderThan } = eventPage(log, { before, isFailed });
  const { pending } = log;
  const isOlder = before !== undefined;
  const zone = useTimeZone();
  const now = useNow();
  const today = localDay(now, zone);
  const refreshes = pending > 0 && !isOlder && !isFailed;
  const links = [
    { href: logPath(path, false), label: 'All events', current: !isFailed },
    { href: logPath(path, true), label: 'Failed events', current: isFailed },
  ];
  return (
    <div id={LOG_ID} class="compact webhook-log" {...(refreshes && polling(`${path}/log`, LOG_ID, '2s'))}>
      <Card
        id="log"
        title="Log"
        lead={`Up to ${ATTEMPTS_PER_WEBHOOK} attempts from the last three days. Times are in ${zone}. ${pending > 0 ? `${waitingText(pending)} to be sent or retried.` : ''}`}
      >
        <LinkNav class="pills" label="Events" links={links} currentAs="true" />
        {events.length === 0 ? (
          <p class="quiet">{isFailed ? 'No failed events.' : 'No events in the last three days.'}</p>
        ) : (
          <Table
            caption="Events, newest first"
            columns={columnsOf(path)}
            rows={events}
            keyOf={({ eventId }) => eventId}
            groupOf={({ last }) => dayName(localDay(last.calledAt, zone), today)}
            detailOf={(event) => <EventDetail event={event} nextAt={nextAttemptAt(event, log, now)} />}
          />
        )}
        <Pager
          latest={isOlder && logPath(path, isFailed)}
          older={olderThan !== undefined && logPath(path, isFailed, olderThan)}
        />
      </Card>
    </div>
  );
}
