/** The channels page: each channel's state and routes. */
import type { ComponentChildren } from 'preact';
import type { Application } from '../../modules/applications/application.js';
import type { ChannelState, ChannelView } from '../../modules/providers/channel-view.js';
import type { ProviderView } from '../../modules/providers/provider-view.js';
import type { PricesView } from '../../modules/providers/prices-service.js';
import type { ProviderType } from '../../providers/provider-type.js';
import { Badge } from '../components/badge.js';
import { useVisit } from '../components/context.js';
import { CountryField } from '../components/country-fields.js';
import { Disclosure } from '../components/disclosure.js';
import { Facts } from '../components/facts.js';
import { Form, Select } from '../components/form.js';
import { InboxLink } from '../components/inbox-hint.js';
import { PageHead } from '../components/page-head.js';
import { Submit } from '../components/submit.js';
import { LocalTime } from '../components/time.js';
import { EMPTY_FORM, type FormState } from '../form.js';
import { CHANNEL_NAMES, channelMessages } from '../messages/labels.js';
import type { Activity, RecentActivity } from './activity.js';
import { lastSuccessOf, ProviderBadge, ProviderStateText } from './activity-view.js';
import { ChannelIcon } from './icons.js';
import {
  channelAnchor,
  CHANNELS_PATH,
  countryField,
  helpLabel,
  pricesPath,
  providerPath,
  TYPES_PATH,
} from './labels.js';
import { lacksProvider, MissingChannels } from './missing-channels.js';
import { byCountryName, pricesSummary } from './prices-view.js';
import { ProviderList } from './provider-list.js';
import { Route } from './route-view.js';

interface ChannelsProps extends RecentActivity {
  readonly channels: readonly ChannelView[];
  readonly providers: readonly ProviderView[];
  readonly types: readonly ProviderType[];
  readonly prices: PricesView;
  readonly applications: readonly Application[];
  /** State of the form that adds a route for a country. */
  readonly form: FormState;
  /** Shown at the end of the page. */
  readonly children?: ComponentChildren;
}

interface StateProps {
  readonly state: ChannelState;
  readonly types: readonly ProviderType[];
  /** The activity of the channel's provider, on this channel. */
  readonly activity?: Activity | undefined;
}

export function StateBadge({ state, activity }: Pick<StateProps, 'state' | 'activity'>) {
  switch (state.kind) {
    case 'own':
    case 'waiting':
    case 'operator':
      return <ProviderBadge state={state.state} activity={activity} />;
    case 'devInbox':
      return <Badge kind="neutral">Not set up</Badge>;
    case 'unusable':
      return <Badge kind="bad">Off</Badge>;
    case 'off':
      return <Badge kind="neutral">Off</Badge>;
  }
}

const IN_INBOX = (
  <>
    If no other channel of a message has a provider, the message goes to the <InboxLink />, a test inbox on this server.
  </>
);

const STATE_TEXTS = {
  operator: "Messages are sent through the operator's providers.",
  devInbox: <>No messages are sent on this channel. {IN_INBOX}</>,
  unusable:
    "No messages are sent, because your providers for this channel are off or cannot be used. Turn one on, or remove them all to use the operator's providers.",
  off: 'No messages are sent.',
} as const;

function Waiting({ state }: { readonly state: Extract<ChannelState, { readonly kind: 'waiting' }> }) {
  const { through, inDevInbox } = state;
  return (
    <p>
      <strong>{through.name}</strong> is not verified, so messages are not sent. {inDevInbox && IN_INBOX}{' '}
      {useVisit().may('own') && <a href={providerPath(through.id)}>Send a test message, or correct its settings</a>}
    </p>
  );
}

function StateText({ state, types }: Omit<StateProps, 'activity'>) {
  if (state.kind !== 'own' && state.kind !== 'waiting') return <p class="quiet small">{STATE_TEXTS[state.kind]}</p>;
  const { through, state: shown } = state;
  const helpUrl = types.find(({ name }) => name === through.type)?.helpUrl;
  return (
    <>
      {state.kind === 'waiting' && <Waiting state={state} />}
      {shown.kind === 'failing' && (
        <p>
          <strong>{through.name}</strong> has been failing since <LocalTime ms={shown.since} /> because {shown.reason}.{' '}
          {helpUrl !== undefined && (
            <a href={helpUrl} rel="noreferrer">
              {helpLabel({ helpUrl })}
            </a>
          )}
        </p>
      )}
      {state.kind === 'own' && shown.kind === 'not verified' && (
        <p class="quiet small">
          <ProviderStateText state={shown} />
        </p>
      )}
    </>
  );
}

type ChannelCardProps = { readonly view: ChannelView } & Omit<
  ChannelsProps,
  'applications' | 'channels' | 'children' | 'since'
>;

/** A channel's prices, which apply only to the account's own providers; undefined if there is nothing to show. */
function pricesOf({ channel }: ChannelView, prices: PricesView, isOwner: boolean) {
  const own = prices.channels.find((candidate) => candidate.channel === channel)!;
  const hasPrices = Object.keys(own.prices).length > 0;
  const mayChange = isOwner && !own.readOnly;
  if (!hasPrices && !mayChange) return undefined;
  const action = !mayChange ? 'View the prices' : hasPrices ? 'Change the prices' : 'Set prices';
  return (
    <>
      {hasPrices && `${pricesSummary(own, prices.currency)} `}
      <a href={pricesPath(channel)} aria-label={`${action} for ${channelMessages(channel)}`}>
        {action}
      </a>
    </>
  );
}

/** When the channel's provider last worked, and the prices. */
function ChannelFacts({
  view,
  prices,
  activity,
}: Pick<ChannelCardProps, 'view' | 'prices'> & Pick<StateProps, 'activity'>) {
  const { state, routes } = view;
  const isOwner = useVisit().may('own');
  const success =
    state.kind === 'own' && state.state.kind === 'live' && lastSuccessOf({ state: state.state, activity });
  return (
    <Facts
      small
      facts={[
        ['Last worked', success && <LocalTime ms={success} />],
        ['Price', routes.length > 0 && pricesOf(view, prices, isOwner)],
      ]}
    />
  );
}

function ChannelCard({ view, providers, types, prices, activityOf, form }: ChannelCardProps) {
  const { channel, state, routes } = view;
  const activity = 'through' in state ? activityOf(state.through.name, channel) : undefined;
  const id = channelAnchor(channel);
  const mayChange = useVisit().may('own');
  return (
    <section class="card channel" aria-labelledby={id}>
      <div class="channel-head">
        <h2 id={id}>
          <ChannelIcon channel={channel} /> {CHANNEL_NAMES[channel]} <StateBadge state={state} activity={activity} />
        </h2>
        <ChannelFacts view={view} prices={prices} activity={activity} />
      </div>
      <StateText state={state} types={types} />
      {[...routes]
        .sort((a, b) => byCountryName(a.country, b.country))
        .map((route) => (
          <Route
            key={route.country}
            route={route}
            channel={channel}
            providers={providers}
            form={form}
            isOnly={routes.length === 1}
          />
        ))}
      {mayChange && <AddCountry channel={channel} providers={providers} form={form} />}
    </section>
  );
}

/** A form that adds a route for a country, with one provider. `form`: of any channel. */
function AddCountry({
  channel,
  providers,
  form: sent,
}: Pick<ChannelsProps, 'providers' | 'form'> & Pick<ChannelView, 'channel'>) {
  const choices = providers
    .filter(({ enabled, channels }) => enabled && channels.includes(channel))
    .map(({ id, name }) => ({ value: id, label: name }));
  if (choices.length < 2 || channel === 'EMAIL') return null;
  const name = countryField(channel);
  const form = name in sent.typed ? sent : EMPTY_FORM;
  return (
    <Disclosure label="Add a country" form={form} labels={{ [name]: 'Country' }}>
      <p class="lead">Messages to this country get their own route.</p>
      <Form action={`${CHANNELS_PATH}/countries`} noValidate>
        <input type="hidden" name="channel" value={channel} />
        <div class="columns">
          <CountryField form={form} name={name} label="Country" hint="For example, India." maxLength={60} />
          <Select
            form={form}
            name={`provider-${channel}`}
            label="First provider"
            hint="You can add other providers later."
            choices={choices}
          />
        </div>
        <Submit label="Add the country" />
      </Form>
    </Disclosure>
  );
}

export function ChannelsPage({ channels, applications, children, since, ...shown }: ChannelsProps) {
  const mayChange = useVisit().may('own');
  const lead = `Passbell tries the providers of a channel in this order, then the next phone channel.${mayChange ? '' : ' Only owners can change the providers and their order.'}`;
  return (
    <>
      <PageHead title="Channels" lead={lead}>
        {mayChange && (
          <a class="button" href={TYPES_PATH}>
            Add a provider
          </a>
        )}
      </PageHead>
      {channels
        .filter((view) => !lacksProvider(view))
        .map((view) => (
          <ChannelCard key={view.channel} view={view} {...shown} />
        ))}
      <ProviderList {...shown} channels={channels} since={since} />
      <MissingChannels channels={channels.filter(lacksProvider)} applications={applications} />
      {children}
    </>
  );
}
