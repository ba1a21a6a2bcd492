/** The log of a shop: the events that it has sent, and what was sent or why not. */
import type { Application } from '../../modules/applications/application.js';
import type { Automation, EventResult, ShopConnection, ReceivedEvent } from '../../modules/automations/automation.js';
import { LOG_DAYS } from '../../modules/automations/automation.js';
import { eventTypeOf } from '../../modules/automations/shop-types.js';
import { templateLabel } from '../../modules/templates/template.js';
import { Badge, type BadgeKind } from '../components/badge.js';
import { Card } from '../components/card.js';
import { polling } from '../components/polling.js';
import { Table, type Column } from '../components/table.js';
import { Time } from '../components/time.js';
import { shopPath, testEventAdvice } from './labels.js';

export const LOG_ID = 'shop-log';

export interface LogProps {
  readonly application: Application;
  readonly shop: ShopConnection;
  readonly automations: readonly Automation[];
  readonly events: readonly ReceivedEvent[];
}

const OUTCOMES: Readonly<Record<EventResult['outcome'], readonly [BadgeKind, string]>> = {
  sent: ['good', 'Sent'],
  skipped: ['neutral', 'Not sent'],
  failed: ['bad', 'Not sent'],
  waiting: ['neutral', 'Waiting'],
};

const SCHEDULED: readonly [BadgeKind, string] = ['neutral', 'Scheduled'];

const ResultBadge = ({ outcome, sendAt }: Pick<EventResult, 'outcome' | 'sendAt'>) => {
  const [kind, label] = sendAt === undefined ? OUTCOMES[outcome] : SCHEDULED;
  return <Badge kind={kind}>{label}</Badge>;
};

/** Shows the most important result of an event. */
export function EventBadge({ results }: Pick<ReceivedEvent, 'results'>) {
  const byImportance = (['failed', 'waiting', 'sent', 'skipped'] as const).map((outcome) =>
    results.find((result) => result.outcome === outcome),
  );
  return <ResultBadge {...(byImportance.find((result) => result) ?? { outcome: 'waiting' })} />;
}

function Result({
  result,
  shop,
  automations,
}: Pick<LogProps, 'shop' | 'automations'> & { readonly result: EventResult }) {
  const { event, automationId, outcome, text, messageId, sendAt } = result;
  const template = automations.find(({ id }) => id === automationId)?.template;
  return (
    <li>
      <ResultBadge {...result} /> {event !== '' && <strong>{eventTypeOf(shop.kind, event).label}: </strong>}
      {template !== undefined && `template “${templateLabel(template)}”. `}
      {sendAt !== undefined && (
        <>
          For <Time ms={sendAt} />.{' '}
        </>
      )}
      {(outcome !== 'sent' || !messageId) && `${text} `}
      {messageId && (
        <a class="nowrap" href={`/dashboard/messages/${messageId}`}>
          Show the message
        </a>
      )}
    </li>
  );
}

function Results({ event, ...props }: Pick<LogProps, 'shop' | 'automations'> & { readonly event: ReceivedEvent }) {
  if (event.results.length === 0) return <span class="quiet">Waiting to be processed.</span>;
  return (
    <ul class="event-results">
      {event.results.map((result, n) => (
        <Result key={n} result={result} {...props} />
      ))}
    </ul>
  );
}

const columnsOf = (props: Pick<LogProps, 'shop' | 'automations'>): readonly Column<ReceivedEvent>[] => [
  { title: 'Received', cell: ({ receivedAt }) => <Time ms={receivedAt} /> },
  {
    title: 'Order',
    cell: ({ delivery: { reference, topic }, results }) => (
      <>
        {reference}
        {results.every(({ event }) => event === '') && <p class="quiet small">{topic || 'No topic'}</p>}
      </>
    ),
  },
  { title: 'Result', cell: (event) => <Results event={event} {...props} /> },
];

/** Shows the log. Refreshes itself while events are waiting to be handled. */
export function LogView({ application, shop, automations, events }: LogProps) {
  const isWaiting = events.some(({ dueAt }) => dueAt !== null);
  return (
    <div id={LOG_ID} {...(isWaiting && polling(`${shopPath(application, shop)}/log`, LOG_ID, '2s'))}>
      <Card
        id="log"
        class="card compact"
        title="Received events"
        lead={`The events of the last ${LOG_DAYS} days, and the messages sent for them.`}
      >
        {events.length === 0 ? (
          <p class="quiet">No events received yet. {testEventAdvice(shop)}.</p>
        ) : (
          <Table
            caption="Events, newest first"
            columns={columnsOf({ shop, automations })}
            rows={events}
            keyOf={({ id }) => id}
          />
        )}
      </Card>
    </div>
  );
}
