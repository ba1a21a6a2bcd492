import type { Application } from '../../modules/applications/application.js';
import { publicName } from '../../modules/webhooks/event.js';
import { isPaused, type Webhook } from '../../modules/webhooks/webhook.js';
import type { WebhookLog } from '../../modules/webhooks/webhook-changes.js';
import { Card } from '../components/card.js';
import { Copy } from '../components/copy.js';
import { Facts } from '../components/facts.js';
import { Form, FormProblems, Select } from '../components/form.js';
import { PageHead } from '../components/page-head.js';
import { Submit } from '../components/submit.js';
import { Time } from '../components/time.js';
import { filledForm, type FormState } from '../form.js';
import { EventBoxes } from './events.js';
import { hostOf, StateBadge, webhookPath, webhooksPath } from './labels.js';
import { LogView } from './log-view.js';

interface WebhookProps {
  readonly application: Application;
  readonly webhook: Webhook;
  readonly log: WebhookLog;
  readonly now: number;
  /** A new signing secret, which is shown only once. */
  readonly secret: string | undefined;
  readonly form: FormState;
  readonly checked: readonly string[];
}

type PartProps = { readonly path: string; readonly webhook: Webhook };

function DetailsCard({ webhook, secret, now }: Pick<WebhookProps, 'webhook' | 'secret' | 'now'>) {
  const { url, webhookId, createdAt, failures } = webhook;
  const shown = secret ? (
    <>
      <Copy label="secret" value={secret} />
      <p class="hint">Copy it now. It won't be shown again. Your server checks the signature with it.</p>
    </>
  ) : (
    <span class="quiet">Hidden. It was shown once, when it was created.</span>
  );
  return (
    <Card id="details" title="Details" class={secret ? 'card highlight' : 'card'}>
      <Facts
        facts={[
          ['State', <StateBadge webhook={webhook} now={now} />],
          ['URL', <Copy label="URL" value={url} />],
          ['Secret', shown],
          ['Webhook ID', <Copy label="webhook ID" value={webhookId} />],
          ['Consecutive failures', failures > 0 && String(failures)],
          ['Created', <Time ms={createdAt} />],
        ]}
      />
    </Card>
  );
}

function TestCard({ path, webhook }: PartProps) {
  const choices = webhook.events.map(publicName).map((event) => ({ value: event, label: event }));
  return (
    <Card id="test" title="Send a test event">
      <p>
        It contains sample data and <code>"test": true</code>, and is signed like a real one.
      </p>
      <Form action={`${path}/test`} class="line">
        <Select form={filledForm({ event: choices[0]?.value ?? '' })} name="event" label="Event" choices={choices} />
        <button class="button">Send</button>
      </Form>
    </Card>
  );
}

function PauseCard({ path, webhook }: PartProps) {
  const paused = isPaused(webhook);
  return (
    <Card id="pause" title={paused ? 'Paused' : 'Pause'}>
      <p>
        {paused
          ? 'Nothing is sent. Events wait for up to 24 hours, and are sent when you resume.'
          : 'For example, while you work on your server. Events wait for up to 24 hours.'}
      </p>
      <Form action={`${path}/${paused ? 'resume' : 'pause'}`}>
        <div class="actions">
          <button class={paused ? 'button' : 'button subtle'}>{paused ? 'Resume' : 'Pause'}</button>
        </div>
      </Form>
    </Card>
  );
}

function SecretCard({ path }: Pick<PartProps, 'path'>) {
  return (
    <Card id="secret" title="New secret">
      <p>
        The old secret stops working immediately. Events that your server rejects until it has the new one are sent
        again later.
      </p>
      <Form action={`${path}/secret`}>
        <Submit
          label="Create new secret"
          kind="subtle"
          confirm="The old secret stops working immediately. Create a new one?"
        />
      </Form>
    </Card>
  );
}

function RemoveCard({ path, webhook }: PartProps) {
  const question = 'The webhook, its waiting events and its log are deleted. Delete it?';
  return (
    <Card id="remove" title="Delete">
      <p>The webhook, its waiting events and its log are deleted.</p>
      <Form action={`${path}/remove`}>
        <Submit label={`Delete the webhook to ${hostOf(webhook)}`} kind="danger long" confirm={question} />
      </Form>
    </Card>
  );
}

export function WebhookView({ application, webhook, log, now, secret, form, checked }: WebhookProps) {
  const path = webhookPath(application, webhook);
  return (
    <>
      <p class="crumbs">
        <a href={webhooksPath(application)}>Webhooks</a>
      </p>
      <PageHead title={hostOf(webhook)} />
      <DetailsCard webhook={webhook} secret={secret} now={now} />
      {!isPaused(webhook) && <TestCard path={path} webhook={webhook} />}
      <LogView path={path} webhook={webhook} log={log} />
      <div class="halves">
        <Card id="events" title="Change the events">
          <FormProblems form={form} />
          <Form action={`${path}/events`} noValidate>
            <div class="stack">
              <EventBoxes form={form} checked={checked} />
              <Submit label="Save" />
            </div>
          </Form>
        </Card>
        <div class="stack">
          <PauseCard path={path} webhook={webhook} />
          <SecretCard path={path} />
          <RemoveCard path={path} webhook={webhook} />
        </div>
      </div>
    </>
  );
}
