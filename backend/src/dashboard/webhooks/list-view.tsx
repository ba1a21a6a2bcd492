import type { Application } from '../../modules/applications/application.js';
import { ATTEMPT_DAYS, isPaused, type Webhook } from '../../modules/webhooks/webhook.js';
import type { WebhookState } from '../../modules/webhooks/webhook-changes.js';
import { Breakable } from '../components/breakable.js';
import { useTimeZone, useVisit } from '../components/context.js';
import { Crumbs } from '../components/crumbs.js';
import { Field, Form, FormProblems } from '../components/form.js';
import { EmptyState } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { Submit } from '../components/submit.js';
import { Table, type Column } from '../components/table.js';
import { NoEntry } from '../components/time.js';
import type { FormState } from '../form.js';
import { countText, nounFor } from '../usage/figures.js';
import { EventBoxes } from './events.js';
import { DayTime, eventsText, hostOf, pathTextOf, ReplyText, StateBadge, webhookPath, webhooksPath } from './labels.js';

export interface WebhookRow extends WebhookState {
  readonly webhook: Webhook;
}

interface ListProps {
  readonly application: Application;
  readonly webhooks: readonly WebhookRow[];
  readonly now: number;
}

interface CreationProps extends Pick<ListProps, 'application'> {
  readonly form: FormState;
  readonly checked: readonly string[];
}

const EventsCell = ({ webhook }: Pick<WebhookRow, 'webhook'>) =>
  webhook.events.length === 1 ? (
    <>{eventsText(webhook)}</>
  ) : (
    <details>
      <summary>{webhook.events.length} events</summary>
      {eventsText(webhook)}
    </details>
  );

/** The host; to owners, also the path, which may contain a key. */
function ServerCell({ application, webhook }: Pick<ListProps, 'application'> & WebhookRow) {
  const host = hostOf(webhook);
  const path = pathTextOf(webhook);
  if (!useVisit().may('own')) return <>{host}</>;
  return (
    <>
      <a class="strong" href={webhookPath(application, webhook)}>
        {host}
      </a>
      {path !== '' && (
        <div class="quiet small">
          <Breakable text={path} />
        </div>
      )}
    </>
  );
}

const isFailing = ({ webhook }: Pick<WebhookRow, 'webhook'>): boolean => webhook.failures > 0 && !isPaused(webhook);

/** The state, and since when the webhook has been failing. */
function StateCell(row: WebhookRow) {
  const { webhook, since, neverWorked } = row;
  return (
    <>
      <StateBadge webhook={webhook} neverWorked={neverWorked} />
      {isFailing(row) && since !== undefined && !neverWorked && (
        <div class="quiet small">
          Since <DayTime ms={since} inSentence />
        </div>
      )}
    </>
  );
}

/** The number of waiting events, and when a failing webhook gets the next one. */
function WaitingCell(row: WebhookRow) {
  const { pending, nextAt = 0 } = row;
  const { now } = useVisit();
  if (pending === 0) return <span class="quiet none">–</span>;
  return (
    <>
      {`${countText(pending)} ${nounFor(pending, 'event')}`}
      {isFailing(row) && nextAt > now && (
        <div class="quiet small">
          Next attempt: <DayTime ms={nextAt} inSentence />
        </div>
      )}
    </>
  );
}

const columnsOf = ({ application, now }: Pick<ListProps, 'application' | 'now'>): readonly Column<WebhookRow>[] => [
  { title: 'Server', cell: (row) => <ServerCell application={application} {...row} /> },
  { title: 'State', cell: (row) => <StateCell {...row} /> },
  {
    title: 'Last request',
    cell: ({ webhook, lastCall }) =>
      lastCall ? (
        <>
          <ReplyText status={lastCall.status} />
          <div class="quiet small">
            <DayTime ms={lastCall.calledAt} />
          </div>
        </>
      ) : (
        <NoEntry since={webhook.createdAt} now={now} days={ATTEMPT_DAYS} />
      ),
  },
  { title: 'Waiting', cell: (row) => <WaitingCell {...row} /> },
  { title: 'Events', cell: ({ webhook }) => <EventsCell webhook={webhook} /> },
];

const newPath = (application: Application): string => `${webhooksPath(application)}/new`;

export function CreationView({ application, form, checked }: CreationProps) {
  const list = webhooksPath(application);
  return (
    <>
      <Crumbs application={application} pages={[{ href: list, label: 'Webhooks' }]} />
      <PageHead title="New webhook" lead="Your server receives each event as a signed POST request." />
      <FormProblems form={form} labels={{ url: 'URL', events: 'Events' }} prevented="The webhook was not created." />
      <Form action={list} class="card" noValidate>
        <Field
          form={form}
          name="url"
          label="URL"
          type="url"
          placeholder="https://shop.example/passbell-events"
          hint="A URL of your server that is reachable from the internet, starting with https://."
          maxLength={2000}
          autofocus
          required
        />
        <EventBoxes form={form} checked={checked} />
        <Submit label="Create webhook" cancel={list} />
      </Form>
    </>
  );
}

export function ListView(props: ListProps) {
  const { application, webhooks } = props;
  const mayChange = useVisit().may('own');
  const zone = useTimeZone();
  const button = mayChange && (
    <a class="button" href={newPath(application)}>
      New webhook
    </a>
  );
  return (
    <>
      <PageHead
        title="Webhooks"
        lead={`Webhooks notify your server about messages and codes.${mayChange ? '' : ' Owners can change webhooks.'}${webhooks.length > 0 ? ` Times are in ${zone}.` : ''}`}
        guide="/docs/webhooks"
      >
        {webhooks.length > 0 && button}
      </PageHead>
      {webhooks.length === 0 ? (
        <EmptyState title="No webhooks yet" action={button}>
          {mayChange ? 'Create the first one. Then send it a test event.' : 'Owners can create them.'}
        </EmptyState>
      ) : (
        <div class="webhook-list">
          <Table
            caption="Webhooks"
            columns={columnsOf(props)}
            rows={webhooks}
            keyOf={({ webhook }) => webhook.webhookId}
          />
        </div>
      )}
    </>
  );
}
