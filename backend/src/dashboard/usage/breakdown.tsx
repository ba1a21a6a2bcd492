/** Usage by channel and by country, the most used first. */
import { CHANNELS } from '../../providers/provider.js';
import type { UsageSum } from '../../modules/usage/usage-store.js';
import { Table, type Column } from '../components/table.js';
import { CHANNEL_NAMES } from '../messages/words.js';
import { arrived, converted, count, moneyOf, percent, shareOf, sumOf, type Counts, type Sum } from './figures.js';

interface Row {
  readonly name: string;
  readonly sum: Sum;
}

/** Countries that have a line of their own. */
const COUNTRIES_SHOWN = 12;

const REGIONS = new Intl.DisplayNames('en', { type: 'region' });

const countryName = (code: string): string => (code === '' ? 'No country, such as mail' : (REGIONS.of(code) ?? code));

const isThere = ({ sum }: Row): boolean => sum.sent + sum.failed > 0;
const byUse = (a: Row, b: Row): number => b.sum.sent - a.sum.sent;

/** How much of the most used a row comes to. */
function Bar({ part }: { readonly part: number }) {
  return (
    <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect class="track" width={100} height={4} />
      <rect class="tint-a" width={100 * part} height={4} />
    </svg>
  );
}

function Breakdown({
  title,
  first,
  rows,
  currency,
}: {
  title: string;
  first: string;
  rows: readonly Row[];
  currency: string;
}) {
  const most = Math.max(1, ...rows.map(({ sum }) => sum.sent));
  const columns: readonly Column<Row>[] = [
    {
      title: first,
      cell: ({ name, sum }) => (
        <>
          <span class="strong">{name}</span>
          <Bar part={shareOf(sum.sent, most) ?? 0} />
        </>
      ),
    },
    { title: 'Sent', number: true, cell: ({ sum }) => count(sum.sent) },
    { title: 'Arrived', number: true, cell: ({ sum }) => percent(arrived(sum)) },
    { title: 'Failed', number: true, cell: ({ sum }) => count(sum.failed) },
    { title: 'Verified', number: true, cell: ({ sum }) => percent(converted(sum)) },
    { title: 'Cost', number: true, cell: ({ sum }) => moneyOf(sum, currency) },
  ];
  return (
    <section class="breakdown" aria-label={title}>
      <h2>{title}</h2>
      <Table caption={title} columns={columns} rows={rows} keyOf={({ name }) => name} />
    </section>
  );
}

interface ByChannelProps {
  readonly sums: readonly UsageSum<'channel'>[];
  readonly currency: string;
}

export function ByChannel({ sums, currency }: ByChannelProps) {
  const rows = CHANNELS.map((channel) => ({
    name: CHANNEL_NAMES[channel],
    sum: sumOf(sums.filter((sum) => sum.channel === channel)),
  }));
  return <Breakdown title="By channel" first="Channel" rows={rows.filter(isThere).sort(byUse)} currency={currency} />;
}

interface ByCountryProps {
  readonly sums: readonly UsageSum<'country'>[];
  readonly currency: string;
}

export function ByCountry({ sums, currency }: ByCountryProps) {
  const countries = new Map<string, Counts[]>();
  for (const sum of sums) countries.set(sum.country, [...(countries.get(sum.country) ?? []), sum]);
  const rows = [...countries]
    .map(([code, counts]) => ({ name: countryName(code), counts, sum: sumOf(counts) }))
    .filter(isThere)
    .sort(byUse);
  const rest = rows.slice(COUNTRIES_SHOWN);
  const others = { name: `${rest.length} more countries`, sum: sumOf(rest.flatMap(({ counts }) => counts)) };
  const shown: readonly Row[] = rest.length > 1 ? [...rows.slice(0, COUNTRIES_SHOWN), others] : rows;
  return <Breakdown title="By country" first="Country" rows={shown} currency={currency} />;
}
