/** The pages that add and change a provider. */
import type { ProviderView } from '../../modules/providers/provider-view.js';
import type { ProviderType } from '../../providers/provider-type.js';
import { CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import { Card } from '../components/card.js';
import { Copy } from '../components/copy.js';
import { Facts } from '../components/facts.js';
import { Form, FormProblems, Select } from '../components/form.js';
import { LinkNav } from '../components/link-nav.js';
import { Notice } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { Submit } from '../components/submit.js';
import type { FormState } from '../form.js';
import type { Step } from '../home/checklist.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import { ProviderStateText } from './channels-view.js';
import { ChannelIcon } from './icons.js';
import { channelList, CHANNELS_PATH, providerPath, typesAnchor } from './labels.js';
import { ProviderFields, shownValue } from './provider-form.js';
import { TestCard, type TestOutcome } from './test-card.js';

const TypeEntry = ({ type, channel }: { readonly type: ProviderType; readonly channel: ChannelName }) => (
  <li class="provider-type">
    <ChannelIcon channel={channel} />
    <div>
      <h3>{type.title}</h3>
      <p>{type.description}</p>
      {type.channels.length > 1 && <p class="quiet small">Channels: {channelList(type.channels)}</p>}
    </div>
    <a class="button subtle" href={`${CHANNELS_PATH}/add/${type.name}`} aria-label={`Set up ${type.title}`}>
      Set up
    </a>
  </li>
);

/** Lists provider types by channel. Types with several channels are listed under each channel. */
export function TypesPage({ types }: { readonly types: readonly ProviderType[] }) {
  const listed = CHANNELS.map(
    (channel) => [channel, types.filter(({ channels }) => channels.includes(channel))] as const,
  ).filter(([, entries]) => entries.length > 0);
  const links = listed.map(([channel]) => ({
    href: `#${typesAnchor(channel)}`,
    label: CHANNEL_NAMES[channel],
    current: false,
  }));
  return (
    <>
      <PageHead
        title="Add a provider"
        lead="A provider is your account at a company that sends messages, or your own mail server."
      />
      <LinkNav class="tools" label="Channels" links={links} />
      {listed.map(([channel, entries]) => (
        <Card key={channel} id={typesAnchor(channel)} title={CHANNEL_NAMES[channel]}>
          <ul class="plain-list">
            {entries.map((type) => (
              <TypeEntry key={type.name} type={type} channel={channel} />
            ))}
          </ul>
        </Card>
      ))}
    </>
  );
}

const HelpLink = ({ type: { helpUrl } }: { readonly type: ProviderType }) =>
  helpUrl === undefined ? null : (
    <>
      {' '}
      <a href={helpUrl} rel="noreferrer">
        Open the documentation
      </a>
    </>
  );

interface FormProps {
  readonly type: ProviderType;
  readonly form: FormState;
  /** A problem that does not concern a single field. */
  readonly problem: string | undefined;
}

const Problems = ({ form, problem }: Omit<FormProps, 'type'>) => (
  <>
    {problem !== undefined && <Notice kind="bad">Nothing was saved. {problem}</Notice>}
    <FormProblems form={form} />
  </>
);

export function AddPage({ type, form, problem }: FormProps) {
  return (
    <>
      <PageHead
        title={`Add ${type.title}`}
        lead={
          <>
            {type.description}
            <HelpLink type={type} />
          </>
        }
      />
      <Problems form={form} problem={problem} />
      <Form action={`${CHANNELS_PATH}/add/${type.name}`} class="card narrow" noValidate>
        <ProviderFields type={type} form={form} />
        <Submit label="Add the provider" cancel={`${CHANNELS_PATH}/add`} />
      </Form>
    </>
  );
}

const ENABLED_CHOICES = [
  { value: 'yes', label: 'On: sends messages' },
  { value: 'no', label: 'Off: keeps its settings, but sends nothing' },
];

const NoReportsCard = () => (
  <Card id="reports" title="Delivery reports">
    <p>
      A mail server cannot report which emails were delivered, bounced or marked as spam. To see this, add a provider
      with delivery reports, such as Amazon SES or Postmark.
    </p>
  </Card>
);

function ReportsCard({ provider: { callbackUrl }, type }: { provider: ProviderView; type: ProviderType }) {
  if (!type.capabilities.deliveryReports) return type.channels.includes('EMAIL') ? <NoReportsCard /> : null;
  return (
    <Card id="reports" title="Delivery reports">
      {callbackUrl === undefined ? (
        <p>
          The provider cannot report deliveries yet, because it cannot reach this server. The operator of this server
          can set its public address as <code>BASE_URL</code>.
        </p>
      ) : (
        <>
          <p>
            {type.reportsHelp ??
              'If the provider asks for an address for delivery reports (a webhook), enter this one:'}
          </p>
          <Copy label="address for delivery reports" value={callbackUrl} />
          <p class="hint">It contains a secret. Do not publish it.</p>
        </>
      )}
    </Card>
  );
}

function RepliesCard({ provider: { inboundUrl } }: { readonly provider: ProviderView }) {
  if (inboundUrl === undefined) return null;
  return (
    <Card id="replies" title="Replies such as STOP">
      <p>
        Recipients can reply STOP to stop order notifications. Passbell receives replies only if you enter this address
        at the provider, as the address (webhook) for incoming messages:
      </p>
      <Copy label="address for replies" value={inboundUrl} />
      <p class="hint">It contains a secret. Do not publish it.</p>
    </Card>
  );
}

function RemoveCard({ provider: { id, name } }: { readonly provider: ProviderView }) {
  const question = `${name} is removed from all routes, and its credentials are deleted. Remove it?`;
  return (
    <Card id="remove" title="Remove the provider">
      <p>
        It is removed from all routes, and its credentials are deleted. Messages that are waiting for it are sent by the
        next provider in the route.
      </p>
      <Form action={`${providerPath(id)}/remove`}>
        <Submit label={`Remove ${name}`} kind="danger" confirm={question} />
      </Form>
    </Card>
  );
}

/** The provider's state. Until it is verified, it sends no messages. */
function StateLine({ provider: { state, verified, enabled } }: { readonly provider: ProviderView }) {
  if (verified || !enabled)
    return (
      <p>
        <ProviderStateText state={state} />
      </p>
    );
  return (
    <Notice kind="warning">
      <ProviderStateText state={state} /> It sends no messages until a check of its credentials or a test message
      succeeds. <a href="#test">Send a test message</a>
    </Notice>
  );
}

interface ProviderPageProps extends FormProps {
  readonly provider: ProviderView;
  readonly testForm: FormState;
  readonly outcome: TestOutcome | undefined;
  /** The account's next step after a successful test. */
  readonly next: Step | undefined;
}

export function ProviderPage(props: ProviderPageProps) {
  const { provider, type, form, problem, testForm, outcome, next } = props;
  const { id, name, version, secrets } = provider;
  return (
    <>
      <PageHead
        title={name}
        lead={
          <>
            {name !== type.title && type.title}
            <HelpLink type={type} />
          </>
        }
      />
      <StateLine provider={provider} />
      <TestCard provider={provider} type={type} form={testForm} outcome={outcome} next={next} />
      <Card id="settings" title="Settings">
        <Problems form={form} problem={problem} />
        <Form action={providerPath(id)} stored={version} noValidate>
          <ProviderFields type={type} form={form} secrets={secrets}>
            <Select form={form} name="enabled" label="State" choices={ENABLED_CHOICES} />
          </ProviderFields>
          <Submit label="Save" cancel={CHANNELS_PATH} />
        </Form>
      </Card>
      <ReportsCard provider={provider} type={type} />
      <RepliesCard provider={provider} />
      <RemoveCard provider={provider} />
    </>
  );
}

/**
 * The page of a provider that cannot be edited: its settings come from environment variables, its type no longer
 * exists, or its credentials can no longer be decrypted.
 */
export function FixedProviderPage({ provider, type }: { provider: ProviderView; type: ProviderType | undefined }) {
  const { name, readOnly, settings, channels } = provider;
  const shown = Object.entries(settings).map(([name, value]) => {
    const field = type?.fields.find((candidate) => candidate.name === name);
    return field ? ([field.label, shownValue(field, value)] as const) : ([name, value] as const);
  });
  return (
    <>
      <PageHead title={name} lead={type?.title} />
      <Card id="settings" title="Settings">
        <p>
          {readOnly
            ? "This provider is configured in the server's environment, and can only be changed there."
            : 'This provider cannot be used, because its credentials cannot be decrypted. Remove it and add it again.'}
        </p>
        <Facts
          facts={[
            ['State', <ProviderStateText state={provider.state} />],
            ['Channels', channelList(channels)],
            ...shown,
          ]}
        />
      </Card>
      {!readOnly && <RemoveCard provider={provider} />}
    </>
  );
}
