/** Shows provider statistics by channel and country, and proposes better routes. */
import {
  RATES,
  STATISTICS_DAYS,
  type ProviderComparison,
  type ProviderStatistics,
  type RouteProposal,
} from '../../modules/providers/provider-statistics.js';
import type { ProviderView } from '../../modules/providers/provider-view.js';
import { CHANNELS } from '../../platform/contract/channels.js';
import { Notice } from '../components/notice.js';
import { Table, type Column } from '../components/table.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import { channelAnchor, countryName } from './labels.js';

interface ComparisonProps {
  readonly comparison: ProviderComparison;
  readonly providers: readonly ProviderView[];
}

const percent = (rate: number | undefined) =>
  rate === undefined ? <span class="quiet">–</span> : `${Math.round(rate * 100)}%`;

const scopeTitle = ({ channel, country }: Pick<ProviderStatistics, 'channel' | 'country'>): string =>
  country === '' ? CHANNEL_NAMES[channel] : `${CHANNEL_NAMES[channel]} to ${countryName(country)}`;

const providerName = (providers: readonly ProviderView[], id: string): string =>
  providers.find((provider) => provider.id === id)?.name ?? id;

const MEASURES = { conversion: ['codes', 'entered'], delivery: ['messages', 'delivered'] } as const;

function Proposal({ proposal, providers }: { readonly proposal: RouteProposal } & Pick<ComparisonProps, 'providers'>) {
  const { channel, provider, better, measure, rate, betterRate } = proposal;
  const [worse, best] = [providerName(providers, provider), providerName(providers, better)];
  const [what, result] = MEASURES[measure];
  return (
    <Notice kind="warning">
      <strong>{scopeTitle(proposal)}:</strong> {percent(rate)} of the {what} sent through {worse} were {result}, but{' '}
      {percent(betterRate)} of those sent through {best}. Consider{' '}
      <a href={`#${channelAnchor(channel)}`}>
        moving {best} before {worse}
      </a>
      .
    </Notice>
  );
}

const columnsFor = (providers: readonly ProviderView[]): readonly Column<ProviderStatistics>[] => [
  { title: 'Messages', cell: (row) => scopeTitle(row) },
  { title: 'Provider', cell: ({ provider }) => providerName(providers, provider) },
  { title: 'Sent', number: true, cell: ({ sent }) => sent },
  { title: 'Codes entered', number: true, cell: (row) => percent(RATES.conversion(row, 1)) },
  { title: 'Delivered', number: true, cell: (row) => percent(RATES.delivery(row, 1)) },
];

const byScope = (a: ProviderStatistics, b: ProviderStatistics): number =>
  CHANNELS.indexOf(a.channel) - CHANNELS.indexOf(b.channel) || (a.country < b.country ? -1 : 1) || b.sent - a.sent;

export function Comparison({ comparison: { statistics, proposals }, providers }: ComparisonProps) {
  if (statistics.length === 0) return null;
  return (
    <>
      <div class="stack">
        <h2 id="comparison">Results of the last {STATISTICS_DAYS} days</h2>
        <p class="quiet">
          The share of codes that people entered, and of messages that the provider reported as delivered. With many
          messages, only the newest ones are counted.
        </p>
        {proposals.map((proposal) => (
          <Proposal key={Object.values(proposal).join()} proposal={proposal} providers={providers} />
        ))}
      </div>
      <Table
        caption="Results by channel, country and provider"
        columns={columnsFor(providers)}
        rows={[...statistics].sort(byScope)}
        keyOf={({ provider, channel, country }) => `${channel} ${country} ${provider}`}
      />
    </>
  );
}
