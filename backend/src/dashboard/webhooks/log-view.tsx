/** A webhook's log: the latest calls and the server's replies. */
import { isAccepted, type Attempt, type Webhook } from '../../modules/webhooks/webhook.js';
import type { WebhookLog } from '../../modules/webhooks/webhook-changes.js';
import type { EventBody } from '../../modules/webhooks/event.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { Form } from '../components/form.js';
import { polling } from '../components/polling.js';
import { Table, type Column } from '../components/table.js';
import { Time } from '../components/time.js';

export const LOG_ID = 'webhook-log';

type LogProps = { readonly path: string; readonly webhook: Webhook; readonly log: WebhookLog };

function EventCell({ attempt: { body, eventId, attempt } }: { readonly attempt: Attempt }) {
  const { event, test } = JSON.parse(body) as EventBody;
  return (
    <details class="log-event">
      <summary>
        {event}
        {test && ' (test)'}
      </summary>
      <p class="quiet small">
        {eventId}
        {attempt > 1 && `, attempt ${attempt}`}
      </p>
      <pre tabIndex={0} role="region" aria-label={`Event ${eventId}`}>
        <code>{JSON.stringify(JSON.parse(body), null, 2)}</code>
      </pre>
    </details>
  );
}

function ReplyCell({ attempt: { status, reply } }: { readonly attempt: Attempt }) {
  const kind = isAccepted(status) ? 'good' : 'bad';
  return (
    <>
      <Badge kind={kind}>{status === null ? 'no reply' : String(status)}</Badge>
      {reply !== '' && <span class="reply small">{reply}</span>}
    </>
  );
}

const columnsOf = (path: string): readonly Column<Attempt>[] => [
  { title: 'Called', cell: ({ calledAt }) => <Time ms={calledAt} /> },
  { title: 'Event', cell: (attempt) => <EventCell attempt={attempt} /> },
  { title: 'Reply', cell: (attempt) => <ReplyCell attempt={attempt} /> },
  {
    title: 'Repeat',
    cell: ({ id, eventId }) => (
      <Form action={`${path}/resend`} class="inline">
        <input type="hidden" name="attempt" value={id} />
        <button class="button subtle small" aria-label={`Send event ${eventId} again`}>
          Send again
        </button>
      </Form>
    ),
  },
];

const waitingText = (pending: number): string =>
  pending === 1 ? '1 event is waiting to be sent.' : `${pending} events are waiting to be sent.`;

/** Shows the log. Refreshes itself while events are waiting to be sent. */
export function LogView({ path, log: { attempts, pending } }: LogProps) {
  return (
    <div id={LOG_ID} {...(pending > 0 && polling(`${path}/log`, LOG_ID, '2s'))}>
      <Card
        id="log"
        title="Log"
        lead={`The latest calls, for up to three days. ${pending > 0 ? waitingText(pending) : ''}`}
      >
        {attempts.length === 0 ? (
          <p class="quiet">No calls yet.</p>
        ) : (
          <Table caption="Calls, newest first" columns={columnsOf(path)} rows={attempts} keyOf={({ id }) => id} />
        )}
      </Card>
    </div>
  );
}
