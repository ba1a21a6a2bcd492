/** A message to oneself: asked for, and how it goes. */
import type { components } from '../../platform/contract/generated/api.js';
import type { Application } from '../../modules/applications/application.js';
import type { OverrideKey } from '../../modules/templates/overrides-store.js';
import { Badge, type BadgeKind } from '../components/badge.js';
import { useVisit } from '../components/context.js';
import { Field } from '../components/form.js';
import { Notice } from '../components/notice.js';
import type { DashboardServices } from '../services.js';
import { CHANNEL_LABELS, textPath, type TextForm } from './text-page.js';

type Message = components['schemas']['Message'];

/** What came of a test: refused, or a message on its way. */
export type TestOutcome =
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'sent'; readonly message: Message | string };

export interface TestCardProps {
  readonly application: Application;
  readonly textKey: OverrideKey;
  readonly form: TextForm;
  readonly services: Pick<DashboardServices, 'prices' | 'testMessages'>;
  readonly outcome: TestOutcome | undefined;
}

const OPEN: readonly Message['state'][] = ['queued', 'sending'];

/** What each state means to who waits for the message. */
const STATES: Readonly<Record<Message['state'], readonly [BadgeKind, string]>> = {
  queued: ['neutral', 'It waits for a worker.'],
  sending: ['neutral', 'A worker hands it to the provider.'],
  sent: ['good', 'The provider has taken it.'],
  delivered: ['good', 'The provider reports that it has arrived.'],
  undelivered: ['bad', 'The provider reports that it did not arrive.'],
  failed: ['bad', 'No provider has taken it.'],
  expired: ['bad', 'It could not be delivered in time.'],
};

function Progress({
  message,
  path,
  inbox,
}: {
  readonly message: Message;
  readonly path: string;
  readonly inbox: boolean;
}) {
  const { state, messageId, to, attempts, charge, currency } = message;
  const [kind, text] = STATES[state];
  const open = OPEN.includes(state);
  const failed = attempts.filter(({ success }) => !success);
  return (
    <div
      class="test-progress"
      {...(open
        ? { 'hx-get': `${path}/test/${messageId}`, 'hx-trigger': 'every 2s', 'hx-target': '#test-outcome' }
        : {})}
    >
      <p>
        <Badge kind={kind}>{state}</Badge> {text} {open && <span class="turning" aria-hidden="true" />}
      </p>
      {failed.length > 0 && (
        <ul class="small">
          {failed.map((attempt, n) => (
            <li key={n}>{attempt.message}</li>
          ))}
        </ul>
      )}
      <p class="quiet small">
        To {to}
        {!open && kind === 'good' && `, for ${charge} ${currency.toUpperCase()}`}.{' '}
        {inbox && kind === 'good' && <a href="/dev/inbox">Read it in the dev inbox</a>}
      </p>
    </div>
  );
}

type OutcomeProps = Pick<TestCardProps, 'application' | 'textKey' | 'services' | 'outcome'>;

export function Outcome({ application, textKey, services, outcome }: OutcomeProps) {
  if (!outcome) return null;
  if (outcome.kind === 'refused') return <Notice kind="bad">{outcome.message}</Notice>;
  if (typeof outcome.message === 'string') return <Notice kind="info">{outcome.message}</Notice>;
  const inbox = services.testMessages.carrier(textKey.channel)?.standIn === true;
  return <Progress message={outcome.message} path={textPath(application.appKey, textKey)} inbox={inbox} />;
}

export function TestCard({ application, textKey, form, services, outcome }: TestCardProps) {
  const { person } = useVisit();
  const { channel } = textKey;
  const carrier = services.testMessages.carrier(channel);
  const path = textPath(application.appKey, textKey);
  const what = CHANNEL_LABELS[channel];
  return (
    <section class="card" aria-labelledby="test-title">
      <h2 id="test-title">Send it to yourself</h2>
      {!carrier ? (
        <p class="quiet">This server has no provider for {what}, so nothing can be sent there.</p>
      ) : (
        <>
          {channel === 'EMAIL' ? (
            <p>
              To your own address, <strong>{person.email}</strong>.
            </p>
          ) : (
            <Field
              form={form.state}
              name="to"
              label="Your phone number"
              hint="With its country code, such as +49 151 23456789."
              type="tel"
              autocomplete="tel"
              maxLength={40}
            />
          )}
          <p class="hint">
            It goes the way of every message, with its limits and its price
            {carrier.standIn ? ', here to the dev inbox' : `, by ${carrier.provider}`}. It says what is saved, with the
            values above{textKey.template === 'otp' && ', except that the code is a new one'}.
          </p>
          <div class="actions">
            <button
              class="button subtle"
              formaction={`${path}/test`}
              formnovalidate
              hx-post={`${path}/test`}
              hx-target="#test-outcome"
              hx-disabled-elt="this"
            >
              Send a test
            </button>
          </div>
        </>
      )}
      <div id="test-outcome" aria-live="polite">
        <Outcome application={application} textKey={textKey} services={services} outcome={outcome} />
      </div>
    </section>
  );
}
