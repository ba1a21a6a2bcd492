/** A card that tests a provider's credentials, and sends a test message to the tester's own phone or email address. */
import type { DryRun, TestedCredentials, TestedMessage } from '../../modules/providers/provider-checks.js';
import type { ProviderView } from '../../modules/providers/provider-view.js';
import type { ProviderType, VendorReply } from '../../providers/provider-type.js';
import { Card } from '../components/card.js';
import { CopyBlock } from '../components/copy.js';
import { Field, Form, FormProblems, Select } from '../components/form.js';
import { NextStep } from '../components/next-step.js';
import { Notice } from '../components/notice.js';
import type { FormState } from '../form.js';
import type { Step } from '../home/checklist.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import { providerPath, sentence } from './labels.js';

export type TestOutcome =
  | { readonly kind: 'credentials'; readonly result: TestedCredentials }
  | { readonly kind: 'message'; readonly credentials: TestedCredentials; readonly message: TestedMessage }
  | { readonly kind: 'request'; readonly result: DryRun };

const Reply = ({ to, reply }: { readonly to: string; readonly reply: VendorReply | undefined }) =>
  reply ? (
    <CopyBlock
      title="Reply"
      label={`the provider's reply to the ${to}`}
      value={`Status ${reply.status}\n\n${reply.text}`}
    />
  ) : null;

function Credentials({ result }: { readonly result: TestedCredentials }) {
  if (result === 'unsupported')
    return (
      <Notice kind="info">
        The credentials of this provider cannot be checked without sending a message. Send a test message.
      </Notice>
    );
  return (
    <>
      {result.ok ? (
        <Notice kind="good">The credentials are valid.</Notice>
      ) : (
        <Notice kind="bad">The credentials could not be confirmed. {sentence(result.reason)}</Notice>
      )}
      <Reply to="check" reply={result.reply} />
    </>
  );
}

function MessageResult({ result }: { readonly result: TestedMessage }) {
  if (result.ok)
    return (
      <Notice kind="good">
        The provider accepted the message. Check that it arrives. {result.isOwnId ? "Passbell's" : "The provider's"} ID
        for the message is <code>{result.providerId}</code>.
      </Notice>
    );
  if (result.isUnknown)
    return (
      <Notice kind="warning">
        The message may have been sent. {sentence(result.reason)} Check whether it arrives, and check the settings
        below, before you test again.
      </Notice>
    );
  return (
    <Notice kind="bad">
      The message was not sent. {sentence(result.reason)} Check the recipient and the settings below, then test again.
    </Notice>
  );
}

const SentMessage = ({ result }: { readonly result: TestedMessage }) => (
  <>
    <MessageResult result={result} />
    <Reply to="message" reply={result.reply} />
  </>
);

function Request({ result }: { readonly result: DryRun }) {
  if (result === 'unsupported')
    return <Notice kind="info">This provider's request cannot be shown. Send a test message.</Notice>;
  if (!result.ok) return <Notice kind="bad">The request cannot be created. {sentence(result.reason)}</Notice>;
  const { method, url, headers, body } = result.request;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      <Notice kind="info">This request would be sent. Nothing was sent, and secrets are hidden.</Notice>
      <CopyBlock
        label="the request"
        title="Request"
        value={[`${method} ${url}`, ...lines, '', body ?? ''].join('\n').trimEnd()}
      />
    </>
  );
}

function Outcome({ outcome }: { readonly outcome: TestOutcome }) {
  return (
    <div class="stack" id="test-outcome" tabIndex={-1} data-focus>
      {outcome.kind === 'credentials' && <Credentials result={outcome.result} />}
      {outcome.kind === 'message' && outcome.credentials !== 'unsupported' && (
        <Credentials result={outcome.credentials} />
      )}
      {outcome.kind === 'message' && <SentMessage result={outcome.message} />}
      {outcome.kind === 'request' && <Request result={outcome.result} />}
    </div>
  );
}

interface TestCardProps {
  readonly provider: ProviderView;
  readonly type: ProviderType;
  readonly form: FormState;
  readonly outcome: TestOutcome | undefined;
  readonly next: Step | undefined;
}

export function TestCard({ provider, type, form, outcome, next }: TestCardProps) {
  const { id, channels } = provider;
  const isEmail = channels.includes('EMAIL');
  const toLabel = isEmail ? 'Your email address' : 'Your phone number';
  const action = (kind: TestOutcome['kind'], text: string, style = 'subtle') => (
    <button class={`button ${style}`} name="test" value={kind}>
      {text}
    </button>
  );
  return (
    <Card
      beside
      id="test"
      title="Test"
      lead="A test message contains a sample code, which is not valid. The provider may charge you for the message."
    >
      {outcome && <Outcome outcome={outcome} />}
      <NextStep step={next} />
      <FormProblems form={form} labels={{ to: toLabel }} prevented="Nothing was sent." />
      <Form action={`${providerPath(id)}/test`} noValidate>
        <div class="columns">
          {channels.length > 1 ? (
            <Select
              form={form}
              name="channel"
              label="Channel"
              choices={channels.map((channel) => ({ value: channel, label: CHANNEL_NAMES[channel] }))}
            />
          ) : (
            <input type="hidden" name="channel" value={channels[0] ?? ''} />
          )}
          <Field
            form={form}
            name="to"
            label={toLabel}
            hint={isEmail ? undefined : 'Include the country code, as in +49 151 23456789.'}
            type={isEmail ? 'email' : 'tel'}
            autocomplete={isEmail ? 'email' : 'tel'}
            maxLength={320}
          />
        </div>
        <div class="actions">
          {action('message', 'Send a test message', provider.verified ? 'subtle' : '')}
          {type.check && action('credentials', 'Check the credentials')}
          {type.dryRun && action('request', 'Show the request')}
        </div>
      </Form>
    </Card>
  );
}
