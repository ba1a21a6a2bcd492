/** The channels page: each channel's state and routes, and the list of providers. */
import type { ComponentChildren } from 'preact';
import type { ChannelState, ChannelView } from '../../modules/providers/channel-view.js';
import type { ProviderState } from '../../modules/providers/provider-state.js';
import type { ProviderView } from '../../modules/providers/provider-view.js';
import type { PricesView } from '../../modules/providers/prices-service.js';
import type { ProviderType } from '../../providers/provider-type.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { Field, Form, FormProblems, Select } from '../components/form.js';
import { InboxLink } from '../components/inbox-hint.js';
import { EmptyState } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { Submit } from '../components/submit.js';
import { Table, type Column } from '../components/table.js';
import { Time } from '../components/time.js';
import type { FormState } from '../form.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import { ChannelIcon } from './icons.js';
import { channelAnchor, channelList, CHANNELS_PATH, pricesPath, providerPath, typesAnchor } from './labels.js';
import { pricesSummary } from './prices-view.js';
import { Route } from './route-view.js';

interface ChannelsProps {
  readonly channels: readonly ChannelView[];
  readonly providers: readonly ProviderView[];
  readonly types: readonly ProviderType[];
  readonly prices: PricesView;
  /** State of the form that adds a route for a country. */
  readonly form: FormState;
  /** Shown after the channels. */
  readonly children?: ComponentChildren;
}

type StateProps = { readonly state: ChannelState; readonly types: readonly ProviderType[] };

const PROVIDER_BADGES: Readonly<Record<ProviderState['kind'], ComponentChildren>> = {
  'not verified': <Badge kind="warning">Not verified</Badge>,
  live: <Badge kind="good">Live</Badge>,
  failing: <Badge kind="bad">Failing</Badge>,
  off: <Badge kind="neutral">Off</Badge>,
};

export function StateBadge({ state }: { readonly state: ChannelState }) {
  switch (state.kind) {
    case 'own':
    case 'waiting':
    case 'operator':
      return PROVIDER_BADGES[state.state.kind];
    case 'devInbox':
      return <Badge kind="warning">Dev inbox</Badge>;
    case 'unusable':
      return <Badge kind="bad">Off</Badge>;
    case 'off':
      return <Badge kind="neutral">Off</Badge>;
  }
}

const STATE_TEXTS = {
  operator: "Messages are sent through the operator's providers.",
  devInbox: (
    <>
      Messages are not sent. Developers can read them in the <InboxLink /> of this server.
    </>
  ),
  unusable:
    "No messages are sent, because your providers for this channel are off or cannot be used. Turn one on, or remove them all to use the operator's providers.",
  off: 'No messages are sent.',
} as const;

/** `Failing since 2026-11-23 10:00 UTC because the provider rejected the credentials (401).` */
export function ProviderStateText({ state }: { readonly state: ProviderState }) {
  switch (state.kind) {
    case 'failing':
      return (
        <>
          Failing since <Time ms={state.since} /> because {state.reason}.
        </>
      );
    case 'live':
      if (state.lastSuccessAt === undefined) return <>Live.</>;
      return (
        <>
          Live. Last success: <Time ms={state.lastSuccessAt} />.
        </>
      );
    case 'not verified':
      return <>Not verified: no check and no message has succeeded yet.</>;
    case 'off':
      return <>Off.</>;
  }
}

function Waiting({ state }: { readonly state: Extract<ChannelState, { readonly kind: 'waiting' }> }) {
  const { through, inDevInbox } = state;
  return (
    <p>
      <strong>{through.name}</strong> is not verified, so it sends no messages
      {inDevInbox ? (
        <>
          . Developers can read them in the <InboxLink /> of this server.
        </>
      ) : (
        ', and sends fail.'
      )}{' '}
      {useVisit().may('own') && <a href={providerPath(through.id)}>Send a test message, or correct its settings</a>}
    </p>
  );
}

function StateText({ state, types }: StateProps) {
  if (state.kind !== 'own' && state.kind !== 'waiting') return <p>{STATE_TEXTS[state.kind]}</p>;
  const { through, state: shown } = state;
  const helpUrl = types.find(({ name }) => name === through.type)?.helpUrl;
  return (
    <>
      {state.kind === 'waiting' && <Waiting state={state} />}
      {state.kind === 'own' && shown.kind !== 'failing' && (
        <p>
          Messages are sent through <strong>{through.name}</strong>.
        </p>
      )}
      {shown.kind === 'failing' && (
        <p>
          <strong>{through.name}</strong> has been failing since <Time ms={shown.since} /> because {shown.reason}.{' '}
          {helpUrl !== undefined && (
            <a href={helpUrl} rel="noreferrer">
              Open the provider’s help page
            </a>
          )}
        </p>
      )}
      {state.kind === 'own' && shown.kind !== 'failing' && (
        <p class="quiet small">
          <ProviderStateText state={shown} />
        </p>
      )}
    </>
  );
}

/** Shows a channel's prices, which apply only to the account's own providers. */
function PricesLine({ channel, prices }: Pick<ChannelView, 'channel'> & Pick<ChannelsProps, 'prices'>) {
  const own = prices.channels.find((candidate) => candidate.channel === channel)!;
  const isFree = Object.keys(own.prices).length === 0;
  const mayChange = useVisit().may('own') && !own.readOnly;
  if (isFree && !mayChange) return null;
  const action = !mayChange ? 'Show the prices' : isFree ? 'Set prices' : 'Change the prices';
  return (
    <p class="channel-prices">
      <span class="quiet">{pricesSummary(own, prices.currency)}</span>{' '}
      <a href={pricesPath(channel)} aria-label={`${action} of ${CHANNEL_NAMES[channel]}`}>
        {action}
      </a>
    </p>
  );
}

type ChannelCardProps = { readonly view: ChannelView } & Pick<ChannelsProps, 'providers' | 'types' | 'prices'>;

function ChannelCard({ view, providers, types, prices }: ChannelCardProps) {
  const { channel, state, routes } = view;
  const id = channelAnchor(channel);
  const lacksProvider = routes.length === 0 && (state.kind === 'devInbox' || state.kind === 'off');
  const mayChange = useVisit().may('own');
  return (
    <Card
      id={id}
      title={
        <>
          <ChannelIcon channel={channel} /> {CHANNEL_NAMES[channel]} <StateBadge state={state} />
        </>
      }
    >
      <StateText state={state} types={types} />
      {lacksProvider && mayChange && (
        <p>
          <a href={`${CHANNELS_PATH}/add#${typesAnchor(channel)}`}>Add a provider for {CHANNEL_NAMES[channel]}</a>
        </p>
      )}
      {routes.map((route) => (
        <Route key={route.country} route={route} channel={channel} providers={providers} isOnly={routes.length === 1} />
      ))}
      {routes.length > 0 && <PricesLine channel={channel} prices={prices} />}
    </Card>
  );
}

/** A form that adds a route for a country, with one provider. */
function CountryCard({ providers, form }: Pick<ChannelsProps, 'providers' | 'form'>) {
  const choices = providers.flatMap(({ id, name, enabled, channels }) =>
    channels
      .filter((channel) => enabled && channel !== 'EMAIL')
      .map((channel) => ({ value: `${channel} ${id}`, label: `${CHANNEL_NAMES[channel]}: ${name}` })),
  );
  if (choices.length < 2) return null;
  return (
    <Card
      id="country"
      title="Add a country"
      lead="Choose the providers that send messages to this country. If the first provider cannot send a message, the next one does."
    >
      <FormProblems form={form} />
      <Form action={`${CHANNELS_PATH}/countries`} noValidate>
        <div class="columns">
          <Field form={form} name="country" label="Country" hint="Such as India, or its code IN." maxLength={60} />
          <Select
            form={form}
            name="provider"
            label="First provider"
            hint="You can add others later."
            choices={choices}
          />
        </div>
        <Submit label="Add the country" />
      </Form>
    </Card>
  );
}

const stateOf = ({ readOnly, enabled, channels, state }: ProviderView) => (
  <>
    {PROVIDER_BADGES[state.kind]}
    {readOnly && <span class="quiet small"> set in the environment</span>}
    {enabled && channels.length === 0 && <span class="quiet small"> cannot be used</span>}
  </>
);

const providerColumns = (types: readonly ProviderType[], mayChange: boolean): readonly Column<ProviderView>[] => [
  {
    title: 'Provider',
    cell: ({ id, name }) =>
      mayChange ? (
        <a class="strong" href={providerPath(id)}>
          {name}
        </a>
      ) : (
        name
      ),
  },
  { title: 'Type', cell: ({ type }) => types.find(({ name }) => name === type)?.title ?? type },
  { title: 'Channels', cell: ({ channels }) => channelList(channels) || <span class="quiet">none</span> },
  { title: 'State', cell: stateOf },
];

const ADD_PROVIDER = (
  <a class="button" href={`${CHANNELS_PATH}/add`}>
    Add a provider
  </a>
);

export function ChannelsPage({ channels, providers, types, prices, form, children }: ChannelsProps) {
  const mayChange = useVisit().may('own');
  const lead = `The providers that send your messages, and the order in which they are tried.${mayChange ? '' : ' Only owners can change them.'}`;
  return (
    <>
      <PageHead title="Channels" lead={lead}>
        {mayChange && providers.length > 0 && ADD_PROVIDER}
      </PageHead>
      <div class="channels">
        {channels.map((view) => (
          <ChannelCard key={view.channel} view={view} providers={providers} types={types} prices={prices} />
        ))}
      </div>
      {children}
      {mayChange && <CountryCard providers={providers} form={form} />}
      <h2>Providers</h2>
      {providers.length === 0 ? (
        <EmptyState title="No providers yet" action={mayChange && ADD_PROVIDER}>
          A provider is your account at a company that sends messages, such as an SMS gateway or a mail server.
        </EmptyState>
      ) : (
        <Table
          caption="Providers"
          columns={providerColumns(types, mayChange)}
          rows={providers}
          keyOf={({ id }) => id}
        />
      )}
    </>
  );
}
