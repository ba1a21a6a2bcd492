import type { UsageGroup, UsageKey, UsageSum } from '../../modules/usage/usage.js';
import { countryName } from '../../modules/recipients/country.js';
import { CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import { pricesPath } from '../channels/labels.js';
import { Badge } from '../components/badge.js';
import { Table, type Column } from '../components/table.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import {
  conversionRate,
  costText,
  countText,
  deliveryRate,
  percent,
  sumOf,
  total,
  type Counts,
  type HasPrice,
  type Sum,
} from './figures.js';

/** Returns the URL of the page with these changes of its days and filters. */
export type UsageUrl = (changes: Readonly<Record<string, string | number | undefined>>) => string;

/**
 * `href`: the page with this row only; undefined for rows that are no filter. `unpriced`: a channel of the row if none of
 * its messages have a price.
 */
type Row = {
  readonly name: string;
  readonly sum: Sum;
  readonly href?: string | undefined;
  readonly unpriced: ChannelName | undefined;
};

/** Maximum number of countries to list. An additional row contains the sum of all other countries. */
const MAX_COUNTRIES = 12;

const mostUsed = <R extends Row>(rows: readonly R[]): R[] =>
  rows.filter(({ sum }) => sum.sent + sum.failed > 0).sort((a, b) => b.sum.sent - a.sum.sent);

/** A shorter bar would not be visible. */
const MIN_BAR = 0.02;

/** The bar below a name. `part` is its length from 0 to 1, relative to all messages. */
const Bar = ({ part }: { readonly part: number }) => (
  <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" focusable="false">
    <rect width={100 * Math.max(MIN_BAR, part)} height={1} />
  </svg>
);

/** A figure that says nothing. Phones leave it out. */
const NoFigure = ({ children }: { readonly children: string }) => <span class="quiet none">{children}</span>;

const orNone = (text: string, isNone: boolean) => (isNone ? <NoFigure>{text}</NoFigure> : text);

type Codes = Pick<Sum, 'codes' | 'verified'>;

/** The share of fewer codes is not meaningful. */
const MIN_CODES = 5;

/** The share of codes that were entered. It stands out if it is at most half of the share of all rows. */
function Entered({ sum, all }: { readonly sum: Codes; readonly all: Codes }) {
  const share = conversionRate(sum);
  if (share === undefined) return <NoFigure>{percent(share)}</NoFigure>;
  const isLow = sum.codes >= MIN_CODES && 2 * share <= conversionRate(all)!;
  return isLow ? <Badge kind="bad">{`Low: ${percent(share)}`}</Badge> : <>{percent(share)}</>;
}

/** Returns the sums of all rows. */
const addCodes = (rows: readonly Row[]): Codes => ({
  codes: total(rows.map(({ sum }) => sum.codes)),
  verified: total(rows.map(({ sum }) => sum.verified)),
});

/** The cost of a row, or a link to the prices of its channel if they are missing. */
function Cost({ sum, unpriced, currency }: Row & Pick<BreakdownProps, 'currency'>) {
  const text = costText(sum, currency, unpriced === undefined);
  if (unpriced === undefined || sum.costs.length > 0) return <>{text}</>;
  return <a href={pricesPath(unpriced)}>{text}</a>;
}

type BreakdownProps = { title: string; first: string; rows: readonly Row[]; currency: string };

function Breakdown({ title, first, rows, currency }: BreakdownProps) {
  const sent = Math.max(1, total(rows.map(({ sum }) => sum.sent)));
  const all = addCodes(rows);
  const columns: readonly Column<Row>[] = [
    {
      title: first,
      cell: ({ name, sum, href }) => (
        <>
          {href === undefined ? (
            <span class="strong">{name}</span>
          ) : (
            <a class="strong" href={href}>
              {name}
            </a>
          )}
          {sum.sent > 0 && <Bar part={sum.sent / sent} />}
        </>
      ),
    },
    { title: 'Sent', number: true, cell: ({ sum }) => countText(sum.sent) },
    {
      title: 'Delivered',
      number: true,
      cell: ({ sum }) => orNone(percent(deliveryRate(sum)), deliveryRate(sum) === undefined),
    },
    { title: 'Failed', number: true, cell: ({ sum }) => orNone(countText(sum.failed), sum.failed === 0) },
    { title: 'Codes entered', number: true, cell: ({ sum }) => <Entered sum={sum} all={all} /> },
    {
      title: 'Cost',
      number: true,
      cell: (row) => <Cost {...row} currency={currency} />,
    },
  ];
  return (
    <section id={`by-${first.toLowerCase()}`} class="breakdown" aria-label={title}>
      <h2>{title}</h2>
      <Table caption={title} columns={columns} rows={rows} keyOf={({ name }) => name} />
    </section>
  );
}

type SumsProps<Group extends UsageGroup> = {
  sums: readonly UsageSum<Group>[];
  currency: string;
  url: UsageUrl;
  hasPrice: HasPrice;
};

export function ByChannel({ sums, currency, url, hasPrice }: SumsProps<'channel'>) {
  const rows = CHANNELS.map((channel) => ({
    name: CHANNEL_NAMES[channel],
    href: url({ channel }),
    sum: sumOf(sums.filter((sum) => sum.channel === channel)),
    unpriced: hasPrice(channel) ? undefined : channel,
  }));
  return <Breakdown title="By channel" first="Channel" rows={mostUsed(rows)} currency={currency} />;
}

export function ByCountry({ sums, currency, url, hasPrice }: SumsProps<'country' | 'channel'>) {
  const countries = new Map<string, (Counts & Pick<UsageKey, 'channel'>)[]>();
  for (const sum of sums) countries.set(sum.country, [...(countries.get(sum.country) ?? []), sum]);
  const rows = mostUsed(
    [...countries].map(([code, counts]) => ({
      name: code === '' ? 'No country, such as email' : countryName(code),
      href: code === '' ? undefined : url({ country: code }),
      counts,
      sum: sumOf(counts),
      unpriced: counts.some(({ channel }) => hasPrice(channel, code || undefined)) ? undefined : counts[0]!.channel,
    })),
  );
  const rest = rows.slice(MAX_COUNTRIES);
  const others = {
    name: `${rest.length} more countries`,
    sum: sumOf(rest.flatMap(({ counts }) => counts)),
    unpriced: rest.some(({ unpriced }) => unpriced === undefined) ? undefined : rest[0]?.unpriced,
  };
  const listedRows: readonly Row[] = rest.length > 1 ? [...rows.slice(0, MAX_COUNTRIES), others] : rows;
  return <Breakdown title="By country" first="Country" rows={listedRows} currency={currency} />;
}
