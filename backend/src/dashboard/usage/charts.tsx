import { NAMED_COUNTRIES } from '../../modules/fraud/fraud-texts.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import { LIST } from '../../platform/list.js';
import type { UsageSum } from '../../modules/usage/usage.js';
import { CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import { DayChart, outliersOf, type Chart, type Series } from './day-chart.js';
import {
  compareCosts,
  compareCounts,
  compareRates,
  conversionRate,
  costText,
  countText,
  deliveryRate,
  mainCost,
  messagesText,
  partText,
  percent,
  rate,
  total,
  unbroken,
  type Sum,
} from './figures.js';
import type { Bar, Period } from './period.js';

type DaySum = UsageSum<'day' | 'channel'>;
type ValueOf = (sum: DaySum) => number;

/** `now` contains the sums for the selected period, and `before` the sums for the previous period. */
interface FiguresProps {
  readonly now: Sum;
  readonly before: Sum;
  readonly currency: string;
  readonly hasPrice: boolean;
  /** The previous period, such as `Jan 3–9`. */
  readonly daysBefore: string;
}

interface ChartsProps extends Pick<FiguresProps, 'now' | 'currency'> {
  readonly url: (bar: Bar) => string;
  readonly period: Period;
  readonly sums: readonly DaySum[];
  /** The sums by country, to explain days with unusually many messages. */
  readonly places?: readonly UsageSum<'day' | 'channel' | 'country'>[];
}

/** Compares each figure with the days before, if there were messages. */
export function Figures({ now, before, currency, hasPrice, daysBefore: days }: FiguresProps) {
  const isCompared = before.sent + before.failed + before.codes > 0;
  const reports = now.delivered + now.undelivered;
  const figures = [
    ['Sent', countText(now.sent), '', compareCounts(now.sent, before.sent, days)],
    [
      'Delivered',
      percent(deliveryRate(now)),
      reports > 0 && partText(now.delivered, reports, 'report'),
      compareRates(deliveryRate(now), deliveryRate(before), days, 'No delivery reports'),
    ],
    [
      'Codes entered',
      percent(conversionRate(now)),
      now.codes > 0 && partText(now.verified, now.codes, 'code'),
      compareRates(conversionRate(now), conversionRate(before), days, 'No codes'),
    ],
    ['Failed', countText(now.failed), '', compareCounts(now.failed, before.failed, days)],
    ['Cost', unbroken(costText(now, currency, hasPrice)), '', compareCosts(now, before, currency, days)],
  ] as const;
  return (
    <dl class="figures">
      {figures.map(([name, text, part, comparison]) => (
        <div key={name} class="card">
          <dt>{name}</dt>
          <dd>
            <span class="value">{text}</span>
            {part && <p class="detail">{part}</p>}
            {isCompared && <p class="detail">{comparison}</p>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const CHANNEL_TINTS: Readonly<Record<ChannelName, string>> = { SMS: 'a', WHATSAPP: 'b', VOICE: 'c', EMAIL: 'd' };

function valuesByBar({ bars }: Pick<Period, 'bars'>, sums: readonly DaySum[], valueOf: ValueOf): number[] {
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

const sendsChart = (props: ChartsProps): Chart => ({
  id: 'sends',
  title: 'Messages sent',
  about: `By ${props.period.unit} and channel`,
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
    about: `By ${period.unit}. Undelivered: reported as not delivered. Failed: not accepted by a provider, or the outcome is unknown; the number of sent messages does not include them. Mail servers and some networks send no reports.`,
    series: series.filter(({ values }) => total(values) > 0),
  };
}

function conversionChart({ period, sums }: ChartsProps): Chart {
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

const CHARTS = { sends: sendsChart, deliveries: deliveriesChart, conversion: conversionChart, cost: costChart };

interface SelectedChartsProps extends ChartsProps {
  readonly only?: readonly (keyof typeof CHARTS)[];
}

/** `, including 48 to Bangladesh and France`: the countries that explain half of the messages above the usual number; "" if a few do not. */
function placesText(
  n: number,
  excess: number,
  bars: readonly Bar[],
  places: NonNullable<ChartsProps['places']>,
): string {
  const countries = new Set(places.flatMap(({ country }) => country || []));
  const increases = [...countries].map((country) => {
    const own = places.filter((sum) => sum.country === country);
    const counts = valuesByBar({ bars }, own, (sum) => sum.sent);
    const sent = counts[n]!;
    return { country, sent, above: sent - (total(counts) - sent) / (bars.length - 1) };
  });
  const largest = increases.sort((a, b) => b.above - a.above).slice(0, NAMED_COUNTRIES);
  let explained = 0;
  const named = largest.filter(({ above }) => {
    const isNeeded = explained < excess / 2;
    explained += Math.max(0, above);
    return isNeeded;
  });
  if (countries.size < 2 || explained < excess / 2) return '';
  const names = LIST.format(named.map(({ country }) => countryInSentence(country)));
  return `, including ${countText(total(named.map(({ sent }) => sent)))} to ${names}`;
}

/** States how many messages are usual, if a bar stands out. The hours of a day differ as usual. The overview compares today in its figures. */
function UsualLine({ period: { bars, unit }, places = [], ...props }: ChartsProps) {
  const sent = valuesByBar({ bars }, props.sums, (sum) => sum.sent);
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
              <a href={props.url(bars[n]!)}>{bars[n]!.isUnfinished ? 'today so far' : bars[n]!.name}</a> (
              {countText(sent[n]!)}
              {kind === 'high' && placesText(n, sent[n]! - usual, bars, places)})
            </>
          ))}
          .
        </>
      ))}
    </p>
  );
}

export const Charts = ({ only, ...props }: SelectedChartsProps) => (
  <>
    {!only && <UsualLine {...props} />}
    <div class="charts">
      {(only?.map((name) => CHARTS[name]) ?? Object.values(CHARTS)).map((chart) => (
        <DayChart key={chart.name} period={props.period} url={props.url} {...chart(props)} />
      ))}
    </div>
  </>
);
