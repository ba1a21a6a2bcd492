/** The totals of a period, each with a chart. */
import { Badge } from '../components/badge.js';
import { Charts, type ChartName, type ChartsProps } from './charts.js';
import {
  compareCosts,
  compareCounts,
  compareRates,
  conversionRate,
  costText,
  countText,
  deliveryRate,
  JUDGED_CODES,
  NOTABLE_FAILURES,
  partText,
  percent,
  unbroken,
  type Comparison,
  type Sum,
} from './figures.js';

interface Total {
  readonly chart: ChartName;
  readonly name: string;
  readonly value: string;
  /** The counts of a share: `54 of 60 reports`. */
  readonly part?: string | undefined;
  readonly comparison: Comparison;
  /** Which values are better; undefined if none are, or if the counts are too low to judge. */
  readonly better?: 'higher' | 'lower' | undefined;
}

interface TotalsProps {
  readonly now: Sum;
  /** The sum of the previous period. */
  readonly before: Sum;
  readonly currency: string;
  readonly hasPrice: boolean;
  /** The previous period, such as `Jan 3–9`. */
  readonly daysBefore: string;
}

const reportsOf = ({ delivered, undelivered }: Sum): number => delivered + undelivered;

function totalsOf({ now, before, currency, hasPrice, daysBefore: days }: TotalsProps): readonly Total[] {
  const isAtLeast = (least: number, countOf: (sum: Sum) => number) => countOf(now) >= least && countOf(before) >= least;
  const hasManyFailures = Math.max(now.failed, before.failed) >= NOTABLE_FAILURES;
  return [
    {
      chart: 'sends',
      name: 'Sent',
      value: countText(now.sent),
      comparison: compareCounts(now.sent, before.sent, days),
    },
    {
      chart: 'deliveries',
      name: 'Delivered',
      value: percent(deliveryRate(now)),
      part: reportsOf(now) > 0 ? partText(now.delivered, reportsOf(now), 'report') : undefined,
      comparison: compareRates(deliveryRate(now), deliveryRate(before), days, 'No delivery reports'),
      better: isAtLeast(JUDGED_CODES, reportsOf) ? 'higher' : undefined,
    },
    {
      chart: 'conversion',
      name: 'Codes entered',
      value: percent(conversionRate(now)),
      part: now.codes > 0 ? partText(now.verified, now.codes, 'code') : undefined,
      comparison: compareRates(conversionRate(now), conversionRate(before), days, 'No codes'),
      better: isAtLeast(JUDGED_CODES, ({ codes }) => codes) ? 'higher' : undefined,
    },
    {
      chart: 'failures',
      name: 'Failed',
      value: countText(now.failed),
      comparison: compareCounts(now.failed, before.failed, days),
      better: hasManyFailures ? 'lower' : undefined,
    },
    {
      chart: 'cost',
      name: 'Cost',
      value: unbroken(costText(now, currency, hasPrice)),
      comparison: compareCosts(now, before, currency, days),
    },
  ];
}

/** `+18% vs Jan 3–9`, with a color if the change is good or bad. */
function Change({ comparison: { change, text, isIncrease }, better }: Total) {
  if (isIncrease === undefined || better === undefined)
    return (
      <p class="detail">
        {change} {text}
      </p>
    );
  const isGood = isIncrease === (better === 'higher');
  return (
    <p class="detail">
      <Badge kind={isGood ? 'good' : 'bad'}>
        <span class="unseen">{isGood ? 'Better: ' : 'Worse: '}</span>
        {change}
      </Badge>{' '}
      {text}
    </p>
  );
}

const ALL_CHARTS: readonly ChartName[] = ['sends', 'deliveries', 'conversion', 'failures', 'cost'];
/** The hours of entered codes and costs are not known. */
const HOURLY_CHARTS: readonly ChartName[] = ['sends', 'deliveries', 'failures'];

interface TotalsAndChartsProps extends TotalsProps {
  /** Undefined if the period cannot be charted. */
  readonly charts: ChartsProps | undefined;
}

/** Each total with a chart is a radio button that shows it. Without messages in the previous period, nothing is compared. */
export function TotalsAndCharts({ charts, ...props }: TotalsAndChartsProps) {
  const { before } = props;
  const isCompared = before.sent + before.failed + before.codes > 0;
  const chartNames = charts?.period.unit === 'hour' ? HOURLY_CHARTS : ALL_CHARTS;
  const hasChart = (name: ChartName) => charts !== undefined && chartNames.includes(name);
  return (
    <div class="card totals">
      <div {...(charts && { role: 'radiogroup', 'aria-label': 'Chart' })}>
        <dl class="metrics">
          {totalsOf(props).map((total) => {
            const { chart, name, value, part } = total;
            return (
              <div key={chart}>
                <dt>
                  {hasChart(chart) ? (
                    <label>
                      <input class="unseen" type="radio" name="chart" value={chart} checked={chart === chartNames[0]} />
                      {name}
                    </label>
                  ) : (
                    name
                  )}
                </dt>
                <dd>
                  <span class="value">{value}</span>
                  {isCompared && <Change {...total} />}
                  {part && <p class="detail">{part}</p>}
                </dd>
              </div>
            );
          })}
        </dl>
      </div>
      {charts && <Charts {...charts} only={chartNames} />}
    </div>
  );
}
