import type { Application } from '../../modules/applications/application.js';
import { publicName } from '../../modules/webhooks/event.js';
import {
  ATTEMPT_DAYS,
  isAccepted,
  isPaused,
  WEBHOOK_HOURS,
  type Attempt,
  type Webhook,
} from '../../modules/webhooks/webhook.js';
import { statusText } from '../../platform/http/exchange.js';
import { Card } from '../components/card.js';
import { Copy } from '../components/copy.js';
import { Crumbs } from '../components/crumbs.js';
import { Disclosure } from '../components/disclosure.js';
import { Facts } from '../components/facts.js';
import { Form, Select } from '../components/form.js';
import { Notice } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { Submit } from '../components/submit.js';
import { AtTime, LocalTime } from '../components/time.js';
import { filledForm, type FormState } from '../form.js';
import { countText } from '../usage/figures.js';
import { EventBoxes } from './events.js';
import { eventsText, hostOf, StateBadge, webhookPath, webhooksPath } from './labels.js';
import { LogView, type LogProps } from './log-view.js';

interface WebhookProps extends Omit<LogProps, 'path'> {
  readonly application: Application;
  readonly webhook: Webhook;
  readonly now: number;
  /** A new signing secret, which is shown only once. */
  readonly secret: string | undefined;
  readonly form: FormState;
  readonly checked: readonly string[];
}

type PartProps = { readonly path: string; readonly webhook: Webhook };
type DetailsProps = PartProps & Pick<WebhookProps, 'form' | 'checked'> & { readonly list: string };

const NewSecretCard = ({ secret }: { readonly secret: string }) => (
  <Card id="new-secret" class="card highlight" title="Secret">
    <Copy label="secret" value={secret} />
    <p class="hint">Copy it now. It won't be shown again.</p>
  </Card>
);

function DetailsCard({ path, list, webhook, form, checked }: DetailsProps) {
  const { webhookId, createdAt } = webhook;
  return (
    <Card beside id="details" title="Details" lead="The events of this webhook, its ID, and when it was created.">
      <Facts
        facts={[
          ['Events', eventsText(webhook)],
          ['Webhook ID', <Copy oneLine label="webhook ID" value={webhookId} />],
          ['Created', <LocalTime ms={createdAt} day />],
        ]}
      />
      <p class="quiet small">
        To use another address, <a href={`${list}/new`}>create a new webhook</a> and{' '}
        <a href="#delete">delete this one</a>.
      </p>
      <Disclosure label="Change the events" form={form} labels={{ events: 'Events' }}>
        <Form action={`${path}/events`} noValidate>
          <EventBoxes form={form} checked={checked} />
          <Submit label="Save" />
        </Form>
      </Disclosure>
    </Card>
  );
}

/** `The last 16 requests failed`, `All 14 requests failed`, `The only request failed` */
function failedText(failures: number, neverWorked: boolean): string {
  if (neverWorked) return failures === 1 ? 'The only request failed' : `All ${countText(failures)} requests failed`;
  return failures === 1 ? 'The last request failed' : `The last ${countText(failures)} requests failed`;
}

/** The cause of the latest failed request, and how to fix it. Undefined: the log no longer contains the request. */
function causeOf(failed: Attempt | undefined): string {
  if (!failed) return 'Fix your server, then send a test event. The log will show its reply.';
  if (failed.status !== null)
    return `Your server replied with ${statusText(failed.status)}. Fix your server, then send a test event.`;
  return `${failed.reply.replace(/\.$/, '')}. Check the address and your firewall, then send a test event.`;
}

function FailureNotice({ webhook, log, now }: Pick<WebhookProps, 'webhook' | 'log' | 'now'>) {
  const { failures } = webhook;
  const { since, nextAt, neverWorked, attempts } = log;
  if (failures === 0 || isPaused(webhook)) return null;
  const button = (
    <a class="button small" href="#test">
      Send a test event
    </a>
  );
  return (
    <Notice kind="bad" after={button}>
      <strong>
        {neverWorked && 'This webhook has never worked. '}
        {failedText(failures, neverWorked)}
        {since !== undefined && (
          <>
            {failures === 1 ? ', ' : ', the first one '}
            <AtTime ms={since} day />
          </>
        )}
        .
      </strong>
      <br />
      {causeOf(attempts.find(({ status }) => !isAccepted(status)))}
      <br />
      Events are retried for up to {WEBHOOK_HOURS} hours.{' '}
      {nextAt !== undefined && nextAt > now ? (
        <>
          Next attempt: <LocalTime ms={nextAt} day />.
        </>
      ) : (
        nextAt !== undefined && 'The next attempt is due now.'
      )}
    </Notice>
  );
}

/** The latest request of a webhook that works. */
const StateText = ({ log: { lastCall } }: Pick<WebhookProps, 'log'>) =>
  lastCall === undefined ? (
    <>No requests in the last {ATTEMPT_DAYS} days. Send a test event to check the connection.</>
  ) : (
    <>
      {isAccepted(lastCall.status) ? 'Your server accepted the last request' : 'The last request failed'}{' '}
      <AtTime ms={lastCall.calledAt} day />.
    </>
  );

function TestCard({ path, webhook }: PartProps) {
  const choices = webhook.events.map(publicName).map((event) => ({ value: event, label: event }));
  const lead = (
    <>
      Sample data with <code>"test": true</code>, signed like a real event.
    </>
  );
  return (
    <Card beside id="test" title="Send a test event" lead={lead}>
      <Form action={`${path}/test`} class="line">
        <Select form={filledForm({ event: choices[0]?.value ?? '' })} name="event" label="Event" choices={choices} />
        <button class="button">Send</button>
      </Form>
    </Card>
  );
}

function PauseForm({ path, webhook }: PartProps) {
  const paused = isPaused(webhook);
  return (
    <Form action={`${path}/${paused ? 'resume' : 'pause'}`}>
      <button class={paused ? 'button' : 'button subtle'}>{paused ? 'Resume' : 'Pause'}</button>
    </Form>
  );
}

const SecretCard = ({ path }: Pick<PartProps, 'path'>) => (
  <Card
    beside
    id="secret"
    title="Secret"
    lead="Your server uses the secret to check the signature of each event. A secret is shown only once."
  >
    <Form action={`${path}/secret`}>
      <p>
        A new secret replaces the old one immediately. Events that your server rejects before it has the new secret are
        sent again later.
      </p>
      <Submit
        label="Create new secret"
        kind="subtle"
        confirm="Create a new secret? The old one will stop working immediately."
      />
    </Form>
  </Card>
);

const DeleteCard = ({ path }: Pick<PartProps, 'path'>) => (
  <Card beside id="delete" title="Delete" lead="The webhook, its waiting events and its log will be deleted.">
    <Form action={`${path}/remove`}>
      <Submit
        label="Delete webhook"
        kind="danger"
        confirm="Delete this webhook? Its waiting events and its log will be deleted as well."
      />
    </Form>
  </Card>
);

export function WebhookView({ application, webhook, log, before, isFailed, now, secret, form, checked }: WebhookProps) {
  const path = webhookPath(application, webhook);
  const list = webhooksPath(application);
  return (
    <>
      <Crumbs application={application} pages={[{ href: list, label: 'Webhooks' }]} />
      <PageHead
        title={
          <>
            {hostOf(webhook)} <StateBadge webhook={webhook} neverWorked={log.neverWorked} />
          </>
        }
        lead={
          <>
            <Copy label="URL" value={webhook.url} />
            {webhook.failures === 0 && !isPaused(webhook) && (
              <>
                <br />
                <StateText log={log} />
              </>
            )}
          </>
        }
      >
        <PauseForm path={path} webhook={webhook} />
      </PageHead>
      <FailureNotice webhook={webhook} log={log} now={now} />
      {isPaused(webhook) && (
        <Notice kind="warning">
          Nothing is sent. Events wait for up to {WEBHOOK_HOURS} hours, and are sent when you resume.
        </Notice>
      )}
      {secret && <NewSecretCard secret={secret} />}
      <LogView path={path} log={log} before={before} isFailed={isFailed} />
      {!isPaused(webhook) && <TestCard path={path} webhook={webhook} />}
      <DetailsCard path={path} list={list} webhook={webhook} form={form} checked={checked} />
      <SecretCard path={path} />
      <DeleteCard path={path} />
    </>
  );
}
