import type { Application } from '../../modules/applications/application.js';
import { ATTEMPT_DAYS, type Attempt, type Webhook } from '../../modules/webhooks/webhook.js';
import { useVisit } from '../components/context.js';
import { Disclosure } from '../components/disclosure.js';
import { Field, Form } from '../components/form.js';
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
  readonly form: FormState;
  /** The events that are selected in the form. */
  readonly checked: readonly string[];
}

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
  { title: 'Events', cell: ({ webhook }) => eventsText(webhook) },
  { title: 'State', cell: ({ webhook }) => <StateBadge webhook={webhook} now={now} /> },
  {
    title: 'Last call',
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

function CreateForm({ application, form, checked }: Pick<ListProps, 'application' | 'form' | 'checked'>) {
  return (
    <Disclosure label="New webhook" form={form} prevented="The webhook was not created.">
      <Form action={webhooksPath(application)} class="card" noValidate>
        <p class="lead">Your server receives each event as a signed POST request.</p>
        <Field
          form={form}
          name="url"
          label="URL"
          type="url"
          placeholder="https://shop.example/passbell-events"
          hint="A URL of your server that is reachable from the internet, starting with https://."
          maxLength={2000}
          required
        />
        <EventBoxes form={form} checked={checked} />
        <Submit label="Create webhook" />
      </Form>
    </Disclosure>
  );
}

export function ListView({ application, webhooks, now, form, checked }: ListProps) {
  const mayChange = useVisit().may('own');
  return (
    <>
      <PageHead
        title="Webhooks"
        lead={
          <>
            Webhooks notify your server of what happens to messages and codes. The <a href="/docs/webhooks">guide</a>{' '}
            shows how to check their signature.{!mayChange && ' Owners can change webhooks.'}
          </>
        }
      />
      {mayChange && <CreateForm application={application} form={form} checked={checked} />}
      {webhooks.length === 0 ? (
        <EmptyState title="No webhooks yet">
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
