/** The charts of usage, each with what it says. */
import { CHANNELS, type ChannelName } from '../../providers/provider.js';
import type { UsageSum } from '../../modules/usage/usage-store.js';
import { CHANNEL_NAMES } from '../messages/words.js';
import { DayChart, type Series } from './day-chart.js';
import {
  arrived,
  changeOf,
  converted,
  count,
  money,
  moneyOf,
  percent,
  pointsOf,
  shareOf,
  shortMoney,
  type Sum,
} from './figures.js';
import type { Period } from './period.js';

export type DaySum = UsageSum<'day' | 'channel'>;

export interface ChartsProps {
  readonly period: Period;
  /** Of the period, and of the one before it. */
  readonly sums: readonly DaySum[];
  readonly now: Sum;
  readonly before: Sum;
  /** The service's own. */
  readonly currency: string;
}

const TINTS: Readonly<Record<ChannelName, string>> = { SMS: 'a', WHATSAPP: 'b', VOICE: 'c', EMAIL: 'd' };

/** `, 18% more than in the 30 days before`. */
const than = (change: string | undefined, { length }: Period): string =>
  change === undefined ? '' : `, ${change} in the ${length} days before`;

function byBar(
  { period, sums }: ChartsProps,
  valueOf: (sum: DaySum) => number,
  fits = (_sum: DaySum) => true,
): number[] {
  const values = period.bars.map(() => 0);
  for (const sum of sums)
    if (fits(sum)) {
      const bar = period.bars.filter(({ first }) => first <= sum.day).length - 1;
      values[bar] = (values[bar] ?? 0) + valueOf(sum);
    }
  return values;
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** A part for each channel that there is anything of. */
function channelSeries(
  props: ChartsProps,
  valueOf: (sum: DaySum) => number,
  format: (value: number) => string,
): Series[] {
  return CHANNELS.map((channel) => {
    const values = byBar(props, valueOf, (sum) => sum.channel === channel);
    return { name: CHANNEL_NAMES[channel], tint: TINTS[channel], values, sum: format(total(values)) };
  }).filter(({ values }) => total(values) > 0);
}

function Sends(props: ChartsProps) {
  const { period, now, before } = props;
  return (
    <DayChart
      id="sends"
      finding={`${count(now.sent)} ${now.sent === 1 ? 'message' : 'messages'} sent${than(changeOf(now.sent, before.sent), period)}`}
      about={`Messages that a provider accepted, by ${period.unit} and channel`}
      period={period}
      series={channelSeries(props, ({ sent }) => sent, count)}
      format={count}
      whole
    />
  );
}

function Deliveries(props: ChartsProps) {
  const { period, now } = props;
  const series = (
    [
      ['Delivered', 'good', ({ delivered }: DaySum) => delivered],
      [
        'Sent, no report',
        'plain',
        ({ sent, delivered, undelivered }: DaySum) => Math.max(0, sent - delivered - undelivered),
      ],
      ['Not delivered', 'warning', ({ undelivered }: DaySum) => undelivered],
      ['Failed', 'bad', ({ failed }: DaySum) => failed],
    ] as const
  ).map(([name, tint, valueOf]) => {
    const values = byBar(props, valueOf);
    return { name, tint, values, sum: count(total(values)) };
  });
  const share = arrived(now);
  const lost = now.undelivered + now.failed;
  const finding =
    share === undefined
      ? `${count(now.failed)} failed; no provider has reported a delivery yet`
      : `${percent(share)} arrived where the provider tells; ${count(lost)} ${lost === 1 ? 'was' : 'were'} lost`;
  return (
    <DayChart
      id="deliveries"
      finding={finding}
      about={`What became of messages, by the ${period.unit} they were sent or given up; mail and some networks report nothing`}
      period={period}
      series={series.filter(({ values }) => total(values) > 0)}
      format={count}
      whole
    />
  );
}

function Conversion(props: ChartsProps) {
  const { period, now, before } = props;
  const codes = byBar(props, (sum) => sum.codes);
  const verified = byBar(props, (sum) => sum.verified);
  const change = than(pointsOf(converted(now), converted(before)), period);
  return (
    <DayChart
      id="conversion"
      finding={
        now.codes === 0
          ? 'No code was sent'
          : `${percent(converted(now))} of ${count(now.codes)} codes were verified${change}`
      }
      about={`Codes that were sent, by ${period.unit}, and whether somebody entered them`}
      period={period}
      series={[
        { name: 'Verified', tint: 'a', values: verified, sum: count(now.verified) },
        {
          name: 'Not verified',
          tint: 'plain',
          values: codes.map((all, n) => Math.max(0, all - verified[n]!)),
          sum: count(now.codes - now.verified),
        },
      ]}
      format={count}
      whole
      more={{ title: 'Conversion', of: (n) => percent(shareOf(verified[n]!, codes[n]!)) }}
    />
  );
}

function Cost(props: ChartsProps) {
  const { period, now, before, currency } = props;
  // One chart has one currency: the one that most was paid in.
  const [main, units] = now.costs[0] ?? [currency, 0n];
  const paidBefore = before.costs.find(([own]) => own === main)?.[1] ?? 0n;
  const words = { more: 'more', less: 'less', same: 'as much as' };
  const change = than(changeOf(Number(units), Number(paidBefore), words), period);
  const each = now.sent > 0 && units > 0n ? `; ${money(Number(units) / now.sent, main)} a message` : '';
  return (
    <DayChart
      id="cost"
      finding={`${moneyOf(now, currency)} spent${change}${each}`}
      about={`Price of what was sent, in ${main.toUpperCase()}, by ${period.unit} and channel, as the price table has it`}
      period={period}
      series={channelSeries(
        props,
        (sum) => (sum.currency === main ? Number(sum.cost) : 0),
        (value) => money(value, main),
      )}
      format={(value) => money(value, main)}
      axis={(value) => shortMoney(value, main)}
    />
  );
}

export const Charts = (props: ChartsProps) => (
  <div class="charts">
    <Sends {...props} />
    <Deliveries {...props} />
    <Conversion {...props} />
    <Cost {...props} />
  </div>
);
