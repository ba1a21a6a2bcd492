import type { Application } from '../../modules/applications/application.js';
import { ATTEMPT_DAYS, isPaused, type Attempt, type Webhook } from '../../modules/webhooks/webhook.js';
import { useVisit } from '../components/context.js';
import { Crumbs } from '../components/crumbs.js';
import { Field, Form, FormProblems } from '../components/form.js';
import { EmptyState } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { Submit } from '../components/submit.js';
import { Table, type Column } from '../components/table.js';
import { NoEntry, Time } from '../components/time.js';
import type { FormState } from '../form.js';
import { EventBoxes } from './events.js';
import { eventsText, hostOf, ReplyBadge, StateBadge, webhookPath, webhooksPath } from './labels.js';

export interface WebhookRow {
  readonly webhook: Webhook;
  /** Undefined if the log is empty. */
  readonly lastCall: Pick<Attempt, 'calledAt' | 'status'> | undefined;
}

interface ListProps {
  readonly application: Application;
  readonly webhooks: readonly WebhookRow[];
  readonly now: number;
}

interface CreationProps extends Pick<ListProps, 'application'> {
  readonly form: FormState;
  /** The events that are selected in the form. */
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

const columnsOf = (application: Application, now: number, mayChange: boolean): readonly Column<WebhookRow>[] => [
  {
    title: 'Server',
    cell: ({ webhook }) =>
      mayChange ? (
        <a class="strong" href={webhookPath(application, webhook)}>
          {hostOf(webhook)}
        </a>
      ) : (
        hostOf(webhook)
      ),
  },
  { title: 'Events', cell: ({ webhook }) => <EventsCell webhook={webhook} /> },
  {
    title: 'State',
    cell: ({ webhook }) => (
      <>
        <StateBadge webhook={webhook} now={now} />
        {webhook.restsUntil > now && !isPaused(webhook) && (
          <div class="quiet small">
            Next attempt: <Time ms={webhook.restsUntil} />
          </div>
        )}
      </>
    ),
  },
  {
    title: 'Last request',
    cell: ({ webhook, lastCall }) =>
      lastCall ? (
        <>
          <ReplyBadge status={lastCall.status} /> <Time ms={lastCall.calledAt} />
        </>
      ) : (
        <NoEntry since={webhook.createdAt} now={now} days={ATTEMPT_DAYS} />
      ),
  },
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

export function ListView({ application, webhooks, now }: ListProps) {
  const mayChange = useVisit().may('own');
  const button = mayChange && (
    <a class="button" href={newPath(application)}>
      New webhook
    </a>
  );
  return (
    <>
      <PageHead
        title="Webhooks"
        lead={`Webhooks notify your server about messages and codes.${mayChange ? '' : ' Owners can change webhooks.'}`}
        guide="/docs/webhooks"
      >
        {webhooks.length > 0 && button}
      </PageHead>
      {webhooks.length === 0 ? (
        <EmptyState title="No webhooks yet" action={button}>
          {mayChange ? 'Create the first one. Then send it a test event.' : 'Owners can create them.'}
        </EmptyState>
      ) : (
        <Table
          caption="Webhooks"
          columns={columnsOf(application, now, mayChange)}
          rows={webhooks}
          keyOf={({ webhook }) => webhook.webhookId}
        />
      )}
    </>
  );
}
