import type { Schemas } from '../../platform/contract/schemas.js';
import { Badge, type BadgeKind } from '../components/badge.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { Field } from '../components/form.js';
import { Notice } from '../components/notice.js';
import { polling } from '../components/polling.js';
import { channelMessages, STATE_LABELS } from '../messages/labels.js';
import { textPath, type TextForm, type TextProps } from './text-page.js';

type Message = Schemas['Message'];

/**
 * Result of sending a test message. `note` means that no message was sent, for example because the recipient is a test
 * recipient.
 */
export type TestOutcome =
  { readonly kind: 'rejected' | 'note'; readonly text: string } | { readonly kind: 'sent'; readonly message: Message };

type OutcomeProps = TextProps & { readonly outcome: TestOutcome | undefined };

export type TestCardProps = OutcomeProps & { readonly form: TextForm };

const STATE_BADGES: Readonly<Record<Message['state'], readonly [BadgeKind, string]>> = {
  scheduled: ['neutral', 'The message will be sent later.'],
  queued: ['neutral', 'The message is waiting to be sent.'],
  sending: ['neutral', 'The message is being sent.'],
  sent: ['good', 'The provider accepted the message.'],
  delivered: ['good', 'The provider reported the delivery.'],
  undelivered: ['bad', 'The provider reported that the message could not be delivered.'],
  failed: ['bad', STATE_LABELS.failed.meaning],
  expired: ['bad', 'The message expired before a provider accepted it.'],
  canceled: ['bad', 'The message was canceled before it was sent.'],
  refused: ['bad', 'Passbell refused the message, so nothing was sent.'],
};

const IN_INBOX: (typeof STATE_BADGES)['sent'] = [
  'good',
  'The message is in the dev inbox. It was not sent to the recipient.',
];

function Progress({ message, application, textKey, services }: TextProps & { readonly message: Message }) {
  const { inboxPath } = useVisit();
  const { state, messageId, to, attempts, charge, currency } = message;
  const inbox = services.routing.isFree(application, textKey.channel);
  const isInInbox = inbox && state === 'sent';
  const [kind, text] = isInInbox ? IN_INBOX : STATE_BADGES[state];
  const open = state === 'queued' || state === 'sending';
  const failed = attempts.filter(({ success }) => !success);
  const refresh = open && polling(`${textPath(application, textKey)}/test/${messageId}`, 'test-progress', '2s');
  return (
    <div class="test-progress" id="test-progress" {...refresh}>
      <p>
        <Badge kind={kind}>{isInInbox ? 'Test' : STATE_LABELS[state].name}</Badge> {text}{' '}
        {open && <span class="turning" aria-hidden="true" />}
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
        {kind === 'good' && Number(charge) > 0 && `, for ${charge} ${currency.toUpperCase()}`}.{' '}
        {inboxPath && isInInbox && <a href={inboxPath}>Read it in the dev inbox</a>}
      </p>
    </div>
  );
}

export function Outcome({ outcome, ...props }: OutcomeProps) {
  if (!outcome) return null;
  if (outcome.kind === 'sent') return <Progress message={outcome.message} {...props} />;
  return <Notice kind={outcome.kind === 'note' ? 'info' : 'bad'}>{outcome.text}</Notice>;
}

function TestForm({ application, textKey, form, services }: TestCardProps) {
  const { person } = useVisit();
  const { channel, template } = textKey;
  const { routing } = services;
  const found = routing.providerFor(application.accountId, channel, '');
  const provider = typeof found === 'object' && 'name' in found ? found : undefined;
  const isFixed = channel === 'EMAIL' || routing.hasOneProvider(application, channel);
  // Providers that only send to some countries are not found.
  if (!provider && (found !== undefined || !routing.isPaid(application, channel)))
    return <p class="quiet">No provider can send {channelMessages(channel)} now, so a test cannot be sent.</p>;
  const path = `${textPath(application, textKey)}/test`;
  const htmx = { 'hx-post': path, 'hx-target': '#test-outcome', 'hx-disabled-elt': 'this' };
  return (
    <>
      {channel === 'EMAIL' ? (
        <p>
          The message goes to your own address, <strong>{person.email}</strong>.
        </p>
      ) : (
        <Field
          form={form.state}
          name="to"
          label="Your phone number"
          hint="Include the country code, as in +49 151 23456789."
          type="tel"
          autocomplete="tel"
          maxLength={40}
        />
      )}
      <p class="hint">
        {routing.isFree(application, channel)
          ? 'A test goes to the dev inbox, so it is free.'
          : `A test is charged like any message, and counts toward your ${template === 'otp' ? 'limits' : 'budgets'}. ${
              isFixed && provider
                ? `${provider.name} sends it.`
                : "It is sent through your route for the recipient's country."
            }`}{' '}
        The test uses the saved text{template === 'otp' && ', with a new code'}.
      </p>
      <div class="actions">
        <button class="button subtle" formaction={path} formnovalidate {...htmx}>
          Send a test
        </button>
      </div>
    </>
  );
}

export function TestCard(props: TestCardProps) {
  return (
    <Card id="test-title" title="Send a test message">
      <TestForm {...props} />
      <div id="test-outcome" aria-live="polite">
        <Outcome {...props} />
      </div>
    </Card>
  );
}
