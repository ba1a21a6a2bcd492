/** A webhook's log: the latest calls and the server's replies. */
import { isAccepted, WEBHOOK_HOURS, type Attempt } from '../../modules/webhooks/webhook.js';
import type { WebhookLog } from '../../modules/webhooks/webhook-changes.js';
import type { EventBody } from '../../modules/webhooks/event.js';
import { HOUR, SECOND } from '../../platform/clock.js';
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
import { ReplyBadge, waitingText } from './labels.js';

export const LOG_ID = 'webhook-log';

export interface LogProps {
  readonly path: string;
  readonly log: WebhookLog;
  /** Whether the page shows older calls. */
  readonly isOlder: boolean;
  readonly isFailed: boolean;
}

const logPath = (path: string, isFailed: boolean, before?: number): string => {
  const query = new URLSearchParams({
    ...(isFailed && { failed: 'yes' }),
    ...(before !== undefined && { before: `${before}` }),
  });
  return `${path}${query.size > 0 ? `?${query}` : ''}#log`;
};

const durationText = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);

function EventCell({ attempt: { body, attempt } }: { readonly attempt: Attempt }) {
  const { event, test } = JSON.parse(body) as EventBody;
  return (
    <details class="log-event">
      <summary>
        <Breakable text={event} />
        {test && ' (test)'} <span class="quiet small">attempt {attempt}</span>
      </summary>
    </details>
  );
}

interface DetailProps {
  readonly attempt: Attempt;
  /** When the event may be sent again, in epoch milliseconds; undefined if it is not known to wait. */
  readonly nextAt: number | undefined;
}

/** The event, and the reply unless the row shows it. */
function AttemptDetail({ attempt: { body, eventId, status, reply }, nextAt }: DetailProps) {
  const { createdTime } = JSON.parse(body) as EventBody;
  return (
    <div class="stack">
      <Facts
        strip
        facts={[
          ['Event ID', <Copy label="event ID" value={eventId} />],
          ['Event created', <LocalTime ms={createdTime * SECOND} day />],
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
      {status !== null && reply !== '' && <p class="reply small">{`Reply: ${reply}`}</p>}
      <CopyBlock label={`Event ${eventId}`} language="json" value={JSON.stringify(JSON.parse(body), null, 2)} />
    </div>
  );
}

/** The message that the event is about. Events about codes, pauses and recipients may have none. */
function MessageCell({ attempt: { body } }: { readonly attempt: Attempt }) {
  const { data, test } = JSON.parse(body) as { test?: boolean; data?: { messageId?: string; to?: string } };
  const { messageId, to } = data ?? {};
  if (messageId === undefined || test) return <>{to ?? '–'}</>;
  return <a href={`/dashboard/messages/${messageId}`}>{to ?? 'Open'}</a>;
}

function ReplyCell({ attempt: { status, reply } }: { readonly attempt: Attempt }) {
  return (
    <>
      <ReplyBadge status={status} />{' '}
      {!isAccepted(status) && (
        <span class={`quiet small ${status === null ? 'no-reply' : 'reply-start'}`}>{reply}</span>
      )}
    </>
  );
}

const hasDuration = ({ status, durationMs }: Attempt): boolean => status !== null && durationMs !== null;

const DURATION: Column<Attempt> = {
  title: 'Duration',
  number: true,
  cell: (attempt) => (hasDuration(attempt) ? durationText(attempt.durationMs!) : '–'),
};

const columnsOf = (path: string, attempts: readonly Attempt[]): readonly Column<Attempt>[] => [
  { title: 'Event', cell: (attempt) => <EventCell attempt={attempt} /> },
  { title: 'Message', cell: (attempt) => <MessageCell attempt={attempt} /> },
  { title: 'Reply', cell: (attempt) => <ReplyCell attempt={attempt} /> },
  ...(attempts.some(hasDuration) ? [DURATION] : []),
  { title: 'Sent', cell: ({ calledAt }) => <Time ms={calledAt} clock seconds /> },
  {
    title: 'Action',
    cell: ({ id, eventId }) => (
      <Form action={`${path}/resend`} class="inline">
        <input type="hidden" name="attempt" value={id} />
        <button class="link-button" aria-label={`Send event ${eventId} again`}>
          Send again
        </button>
      </Form>
    ),
  },
];

/** When an event is sent again at the earliest, in the row of its latest attempt. Test events are not repeated. */
function nextAttempt(attempt: Attempt, { attempts, nextAt }: WebhookLog, isOlder: boolean, now: number) {
  const { body, eventId, status } = attempt;
  const { createdTime, test } = JSON.parse(body) as EventBody;
  const isLatest = !isOlder && attempts.find((one) => one.eventId === eventId) === attempt;
  const isWaiting = !isAccepted(status) && !test && now < createdTime * SECOND + WEBHOOK_HOURS * HOUR;
  return isLatest && isWaiting && nextAt !== undefined ? Math.max(nextAt, now) : undefined;
}

/** Shows a page of the log. The latest page refreshes itself while events are waiting to be sent. */
export function LogView({ path, log, isOlder, isFailed }: LogProps) {
  const { attempts, olderThan, pending } = log;
  const zone = useTimeZone();
  const now = useNow();
  const today = localDay(now, zone);
  const refreshes = pending > 0 && !isOlder && !isFailed;
  const links = [
    { href: logPath(path, false), label: 'All requests', current: !isFailed },
    { href: logPath(path, true), label: 'Failed requests', current: isFailed },
  ];
  return (
    <div id={LOG_ID} class="compact webhook-log" {...(refreshes && polling(`${path}/log`, LOG_ID, '2s'))}>
      <Card
        id="log"
        title="Log"
        lead={`Up to 100 requests from the last three days. Times are in ${zone}. ${pending > 0 ? `${waitingText(pending)} to be sent or retried.` : ''}`}
      >
        <LinkNav class="pills" label="Requests" links={links} currentAs="true" />
        {attempts.length === 0 ? (
          <p class="quiet">{isFailed ? 'No failed requests.' : 'No requests yet.'}</p>
        ) : (
          <Table
            caption="Requests, newest first"
            columns={columnsOf(path, attempts)}
            rows={attempts}
            keyOf={({ id }) => id}
            groupOf={({ calledAt }) => dayName(localDay(calledAt, zone), today)}
            detailOf={(attempt) => <AttemptDetail attempt={attempt} nextAt={nextAttempt(attempt, log, isOlder, now)} />}
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
