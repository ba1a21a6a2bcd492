/** The channels with their states and routes, and the list of providers. */
import type { ChannelState, ChannelView, RouteView } from '../../modules/providers/channel-view.js';
import type { ProviderView } from '../../modules/providers/provider-view.js';
import { ANY_COUNTRY, MAX_ROUTE_LENGTH, type RouteEntry } from '../../modules/providers/route.js';
import type { ProviderType } from '../../providers/provider-type.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { Field, Form, FormProblems, Select } from '../components/form.js';
import { EmptyState } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { Submit } from '../components/submit.js';
import { Table, type Column } from '../components/table.js';
import { Time } from '../components/time.js';
import type { FormState } from '../form.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import { channelList, CHANNELS_PATH, providerPath, routeTitle, sentence } from './labels.js';

interface ChannelsProps {
  readonly channels: readonly ChannelView[];
  readonly providers: readonly ProviderView[];
  readonly types: readonly ProviderType[];
  /** The form that adds a country. */
  readonly form: FormState;
}

type StateProps = { readonly state: ChannelState; readonly types: readonly ProviderType[] };

function StateBadge({ state }: { readonly state: ChannelState }) {
  switch (state.kind) {
    case 'live':
      return state.failure ? <Badge kind="bad">Failing</Badge> : <Badge kind="good">Live</Badge>;
    case 'operator':
      return <Badge kind="good">Live</Badge>;
    case 'devInbox':
      return <Badge kind="warning">Dev inbox</Badge>;
    case 'off':
      return <Badge kind="neutral">Off</Badge>;
  }
}

const STATE_TEXTS = {
  operator: 'Messages are sent by the operator of this server.',
  devInbox: 'Messages are not sent. Developers can read them in the dev inbox of this server.',
  off: 'No messages are sent. Add a provider to turn this channel on.',
} as const;

function StateText({ state, types }: StateProps) {
  if (state.kind !== 'live') return <p>{STATE_TEXTS[state.kind]}</p>;
  const { through, failure } = state;
  if (!failure)
    return (
      <p>
        Messages are sent through <strong>{through.name}</strong>.
      </p>
    );
  const helpUrl = types.find(({ name }) => name === through.type)?.helpUrl;
  return (
    <p>
      <strong>{through.name}</strong> has been failing since <Time ms={failure.since} />. {sentence(failure.reason)}{' '}
      {helpUrl !== undefined && (
        <a href={helpUrl} rel="noreferrer">
          Open the help page of the provider
        </a>
      )}
    </p>
  );
}

interface EntryProps {
  readonly entry: RouteEntry;
  readonly provider: ProviderView | undefined;
  readonly position: number;
  readonly count: number;
}

function EntryButtons({ entry, provider, position, count }: EntryProps) {
  const name = provider?.name ?? entry.provider;
  const button = (change: string, label: string, text: string) => (
    <button
      class="button subtle small"
      name="change"
      value={`${change}:${entry.provider}`}
      aria-label={label}
      title={label}
    >
      {text}
    </button>
  );
  return (
    <span class="entry-buttons">
      {position > 0 && button('up', `Move ${name} up`, '↑')}
      {position < count - 1 && button('down', `Move ${name} down`, '↓')}
      {!provider?.readOnly && count > 1 && button('remove', `Remove ${name} from the route`, 'Remove')}
    </span>
  );
}

function Entry(props: EntryProps) {
  const { entry, provider, position } = props;
  return (
    <li>
      <span>
        <span class="quiet">{position + 1}.</span> <span class="strong">{provider?.name ?? entry.provider}</span>{' '}
        {provider?.readOnly && <span class="quiet small">set in the environment</span>}
        {provider?.enabled === false && <span class="quiet small">off</span>}
        {entry.weight !== undefined && <span class="quiet small">weight {entry.weight}</span>}
      </span>
      {useVisit().may('own') && <EntryButtons {...props} />}
    </li>
  );
}

interface RouteProps extends Pick<ChannelView, 'channel'> {
  readonly route: RouteView;
  readonly isOnly: boolean;
  readonly providers: readonly ProviderView[];
}

function AddToRoute({ route, channel, providers }: RouteProps) {
  const missing = providers.filter(
    ({ id, enabled, channels }) =>
      enabled && channels.includes(channel) && !route.entries.some(({ provider }) => provider === id),
  );
  if (missing.length === 0 || route.entries.length >= MAX_ROUTE_LENGTH) return null;
  return (
    <div class="with-button">
      <select name="provider" aria-label="Provider to add">
        {missing.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <button class="button subtle" name="change" value="add">
        Add to the route
      </button>
    </div>
  );
}

function Route(props: RouteProps) {
  const { route, channel, isOnly, providers } = props;
  const { country, stored, entries } = route;
  const mayChange = useVisit().may('own');
  const title = routeTitle(country, channel, !isOnly);
  const reset = country === ANY_COUNTRY ? 'Use the order in which they were added' : `Remove the route for ${title}`;
  return (
    <Form action={`${CHANNELS_PATH}/routes`} stored={stored ?? []} class="route">
      <input type="hidden" name="channel" value={channel} />
      <input type="hidden" name="country" value={country} />
      <h3>{title}</h3>
      <ol class="plain-list">
        {entries.map((entry, position) => {
          const provider = providers.find(({ id }) => id === entry.provider);
          return <Entry key={entry.provider} {...{ entry, provider, position, count: entries.length }} />;
        })}
      </ol>
      {mayChange && <AddToRoute {...props} />}
      {mayChange && stored !== undefined && (
        <div class="actions">
          <button class="button subtle small" name="change" value="reset">
            {reset}
          </button>
        </div>
      )}
    </Form>
  );
}

function ChannelCard({ view, providers, types }: { view: ChannelView } & Pick<ChannelsProps, 'providers' | 'types'>) {
  const { channel, state, routes } = view;
  const id = `channel-${channel.toLowerCase()}`;
  return (
    <Card
      id={id}
      title={
        <>
          {CHANNEL_NAMES[channel]} <StateBadge state={state} />
        </>
      }
    >
      <StateText state={state} types={types} />
      {routes.map((route) => (
        <Route key={route.country} {...{ route, channel, providers, isOnly: routes.length === 1 }} />
      ))}
    </Card>
  );
}

/** Adds a route for a country, which starts with one provider. */
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
      lead="Messages to this country then have their own order of providers. If the first one cannot send, the next one does."
    >
      <FormProblems form={form} />
      <Form action={`${CHANNELS_PATH}/countries`} noValidate>
        <div class="columns">
          <Field form={form} name="country" label="Country" hint="Two letters, such as IN for India." maxLength={2} />
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

const stateOf = ({ readOnly, enabled, channels }: ProviderView) => {
  if (readOnly) return <Badge kind="neutral">set in the environment</Badge>;
  if (!enabled) return <Badge kind="neutral">off</Badge>;
  return channels.length > 0 ? <Badge kind="good">on</Badge> : <Badge kind="bad">cannot be used</Badge>;
};

const providerColumns = (types: readonly ProviderType[], mayOpen: boolean): readonly Column<ProviderView>[] => [
  {
    title: 'Provider',
    cell: ({ id, name }) =>
      mayOpen ? (
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

export function ChannelsPage({ channels, providers, types, form }: ChannelsProps) {
  const mayChange = useVisit().may('own');
  const lead = `Which providers send your messages, and in which order.${mayChange ? '' : ' Owners can change this.'}`;
  return (
    <>
      <PageHead title="Channels" lead={lead}>
        {mayChange && providers.length > 0 && ADD_PROVIDER}
      </PageHead>
      <div class="halves">
        {channels.map((view) => (
          <ChannelCard key={view.channel} view={view} providers={providers} types={types} />
        ))}
      </div>
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
