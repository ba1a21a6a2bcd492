/** The charts of the usage page and of an application's overview. */
import type { UsageSum } from '../../modules/usage/usage.js';
import { CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import { DayChart, outliersOf, type Chart, type Series } from './day-chart.js';
import { countText, mainCost, messagesText, percent, rate, total, type Sum } from './figures.js';
import type { Bar, Period } from './period.js';

type DaySum = UsageSum<'day' | 'channel'>;
type ValueOf = (sum: DaySum) => number;

export interface ChartsProps {
  /** The sum of the selected period. */
  readonly now: Sum;
  readonly currency: string;
  readonly period: Period;
  readonly sums: readonly DaySum[];
  /** Returns the page that a bar links to. */
  readonly url: (bar: Bar) => string;
}

const CHANNEL_TINTS: Readonly<Record<ChannelName, string>> = { SMS: 'a', WHATSAPP: 'b', VOICE: 'c', EMAIL: 'd' };

function valuesByBar<Of extends Pick<DaySum, 'day'>>(
  { bars }: Pick<Period, 'bars'>,
  sums: readonly Of[],
  valueOf: (sum: Of) => number,
): number[] {
  const values = bars.map(() => 0);
  for (const sum of sums) {
    const bar = bars.filter(({ first }) => first <= sum.day).length - 1;
    values[bar] = (values[bar] ?? 0) + valueOf(sum);
  }
  return values;
}

const channelSeries = ({ period, sums }: ChartsProps, valueOf: ValueOf): Series[] =>
  CHANNELS.map((channel) => {
    const ofChannel = sums.filter((sum) => sum.channel === channel);
    return {
      name: CHANNEL_NAMES[channel],
      tint: CHANNEL_TINTS[channel],
      values: valuesByBar(period, ofChannel, valueOf),
    };
  }).filter(({ values }) => total(values) > 0);

/** States how many messages are usual, if a bar stands out. The hours of a day differ as usual. */
function UsualLine({ period: { bars, unit }, sums, url }: ChartsProps) {
  const sent = valuesByBar({ bars }, sums, (sum) => sum.sent);
  const { usual, ...outliers } = outliersOf(sent, (n) => bars[n]!.isWhole);
  const marked = (['high', 'low'] as const).filter((kind) => outliers[kind].length > 0);
  if (unit === 'hour' || marked.length === 0) return null;
  return (
    <p class="small">
      A typical {unit} in this period has {messagesText(usual)}.
      {marked.map((kind) => (
        <>
          {' '}
          Unusually {kind}:{' '}
          {outliers[kind].map((n, place) => (
            <>
              {place > 0 && ', '}
              <a href={url(bars[n]!)}>{bars[n]!.isUnfinished ? 'today so far' : bars[n]!.name}</a> (
              {countText(sent[n]!)})
            </>
          ))}
          .
        </>
      ))}
    </p>
  );
}

const sendsChart = (props: ChartsProps): Chart => ({
  id: 'sends',
  title: 'Messages sent',
  about: `By ${props.period.unit} and channel`,
  note: <UsualLine {...props} />,
  series: channelSeries(props, ({ sent }) => sent),
});

const OUTCOMES: readonly (readonly [name: string, tint: string, valueOf: ValueOf])[] = [
  ['Delivered', 'a', ({ delivered }) => delivered],
  ['Sent, no report', 'plain', ({ sent, delivered, undelivered }) => Math.max(0, sent - delivered - undelivered)],
  ['Undelivered', 'warning', ({ undelivered }) => undelivered],
  ['Failed', 'bad', ({ failed }) => failed],
];

function deliveriesChart({ period, sums }: ChartsProps): Chart {
  const series = OUTCOMES.map(([name, tint, valueOf]) => ({ name, tint, values: valuesByBar(period, sums, valueOf) }));
  return {
    id: 'deliveries',
    title: 'Delivery',
    about: `By ${period.unit}. Mail servers and some networks send no delivery reports.`,
    series: series.filter(({ values }) => total(values) > 0),
  };
}

type ConversionProps = Pick<ChartsProps, 'period'> & {
  readonly sums: readonly Pick<DaySum, 'day' | 'codes' | 'verified'>[];
};

export function conversionChart({ period, sums }: ConversionProps): Chart {
  const codes = valuesByBar(period, sums, (sum) => sum.codes);
  const verified = valuesByBar(period, sums, (sum) => sum.verified);
  return {
    id: 'conversion',
    title: 'Codes entered',
    about: `By the ${period.unit} the codes were sent`,
    series: [
      { name: 'Entered', tint: 'a', values: verified },
      { name: 'Not entered', tint: 'plain', values: codes.map((all, n) => Math.max(0, all - verified[n]!)) },
    ],
    more: { title: 'Codes entered', of: (n) => percent(rate(verified[n]!, codes[n]!)) },
  };
}

const failuresChart = (props: ChartsProps): Chart => ({
  id: 'failures',
  title: 'Failed messages',
  about: `By ${props.period.unit} and channel. Not accepted by a provider, or outcome unknown; not counted as sent.`,
  series: channelSeries(props, ({ failed }) => failed),
});

/** Returns the cost chart. Shows only the currency with the highest costs. */
function costChart(props: ChartsProps): Chart {
  const [currency] = mainCost(props.now, props.currency);
  return {
    id: 'cost',
    title: 'Cost',
    about: `In ${currency.toUpperCase()}, rounded, by ${props.period.unit} and channel`,
    series: channelSeries(props, (sum) => (sum.currency === currency ? Number(sum.cost) : 0)),
    currency,
  };
}

const CHARTS = {
  sends: sendsChart,
  deliveries: deliveriesChart,
  conversion: conversionChart,
  failures: failuresChart,
  cost: costChart,
};

export type ChartName = keyof typeof CHARTS;

export const Charts = ({ only, ...props }: ChartsProps & { readonly only: readonly ChartName[] }) =>
  only.map((name) => <DayChart key={name} period={props.period} url={props.url} {...CHARTS[name](props)} />);
