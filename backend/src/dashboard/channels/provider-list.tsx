/** The list of providers, with their states and their figures of the last day. */
import type { ChannelView } from '../../modules/providers/channel-view.js';
import type { ProviderView } from '../../modules/providers/provider-view.js';
import type { ProviderType } from '../../providers/provider-type.js';
import { useVisit } from '../components/context.js';
import { Table, type Column } from '../components/table.js';
import type { Activity, RecentActivity } from './activity.js';
import { ACTIVITY, CoverageHint, ProviderBadge, ProviderStateText } from './activity-view.js';
import { channelList, providerPath } from './labels.js';

interface ProviderListProps extends RecentActivity {
  readonly providers: readonly ProviderView[];
  readonly types: readonly ProviderType[];
  readonly channels: readonly ChannelView[];
}

/** `isExplained`: whether the reason of the state is shown above the list. */
const stateOf = ({ enabled, channels, state }: ProviderView, activity: Activity | undefined, isExplained: boolean) => (
  <>
    <ProviderBadge state={state} activity={activity} />
    {enabled && channels.length === 0 && <span class="quiet small"> cannot be used</span>}
    {state.kind === 'failing' && !isExplained && (
      <div class="quiet small">
        <ProviderStateText state={state} />
      </div>
    )}
  </>
);

/** The channels whose first provider is failing show the reason. */
const isExplained = ({ id }: ProviderView, channels: readonly ChannelView[]): boolean =>
  channels.some(({ state }) => (state.kind === 'own' || state.kind === 'waiting') && state.through.id === id);

const providerColumns = (
  { types, activityOf, channels }: Pick<ProviderListProps, 'types' | 'activityOf' | 'channels'>,
  mayChange: boolean,
): readonly Column<ProviderView>[] => [
  {
    title: 'Provider',
    cell: ({ id, name, type, readOnly }) => {
      const title = types.find((one) => one.name === type)?.title ?? type;
      return (
        <>
          {mayChange ? (
            <a class="strong" href={providerPath(id)}>
              {name}
            </a>
          ) : (
            name
          )}
          {title !== name && <div class="quiet small">{title}</div>}
          {readOnly && <div class="quiet small nowrap">Set up on the server</div>}
        </>
      );
    },
  },
  { title: 'Channels', cell: ({ channels }) => channelList(channels) || <span class="quiet">None</span> },
  { title: 'State', cell: (provider) => stateOf(provider, activityOf(provider.name), isExplained(provider, channels)) },
  ...ACTIVITY.map(([title, cell, number = false]) => ({
    title,
    number,
    cell: ({ name, state }: ProviderView) =>
      cell({ state, activity: activityOf(name) }) || <span class="quiet none">–</span>,
  })),
];

export function ProviderList({ providers, types, channels, activityOf, since }: ProviderListProps) {
  const mayChange = useVisit().may('own');
  if (providers.length === 0) return null;
  return (
    <div class="stack provider-list">
      <div>
        <h2>Providers</h2>
        <CoverageHint since={since} />
      </div>
      <Table
        caption="Providers"
        columns={providerColumns({ types, activityOf, channels }, mayChange)}
        rows={providers}
        keyOf={({ id }) => id}
      />
    </div>
  );
}
