/**
 * A stacked bar chart, and a table with its values. The labels are outside of the SVG, so that their font size is the
 * same on every screen.
 */
import { scaleBand, scaleLinear } from 'd3-scale';
import { stack } from 'd3-shape';
import type { ComponentChildren } from 'preact';
import { Table } from '../components/table.js';
import { countText, isHigh, moneyText, shortMoney, total, usualOf } from './figures.js';
import { shortDay, type Bar, type Period } from './period.js';

export interface Series {
  readonly name: string;
  /** Suffix of the CSS class that sets the color. */
  readonly tint: string;
  readonly values: readonly number[];
}

export interface Chart {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly note?: ComponentChildren;
  readonly series: readonly Series[];
  /** Set if the values are amounts, in ten-thousandths of this currency's unit. If undefined, the values are counts. */
  readonly currency?: string;
  readonly more?: { readonly title: string; readonly of: (bar: number) => string };
}

/** `url`: the page that a bar links to. */
type ChartProps = Chart & { readonly period: Period; readonly url: (bar: Bar) => string };

/** Size of the SVG's coordinate system. The SVG is stretched to the available space. */
const WIDTH = 1000;
const HEIGHT = 240;
const GRID_LINES = 4;
/** A few bars would otherwise fill the chart. */
const MAX_BAR_WIDTH = 64;

/** A bar stands out if the median is this many times as high. */
const LOW_FACTOR = 3;

interface Outliers {
  readonly high: readonly number[];
  readonly low: readonly number[];
  readonly usual: number;
}

/**
 * Returns the numbers of the bars that are unusually high or low, and the usual height. `isWhole` is false for bars that
 * are lower because they cover less time. Bars before the first message are not low.
 */
export function outliersOf(heights: readonly number[], isWhole: (bar: number) => boolean): Outliers {
  const usual = usualOf(heights);
  if (usual === undefined) return { high: [], low: [], usual: 0 };
  const first = heights.findIndex((height) => height > 0);
  const bars = [...heights.keys()];
  return {
    high: bars.filter((n) => isHigh(heights[n]!, usual)),
    low: bars.filter((n) => n > first && isWhole(n) && LOW_FACTOR * heights[n]! <= usual),
    usual,
  };
}

const formatValue = (value: number, currency: string | undefined): string =>
  currency ? moneyText(value, currency) : countText(value);

function Bars({ top, lines, ...chart }: ChartProps & { top: number; lines: number[] }) {
  const { id, title, about, period, series } = chart;
  const numbers = [...period.bars.keys()];
  const x = scaleBand<number>().domain(numbers).range([0, WIDTH]).paddingInner(0.3).paddingOuter(0.15);
  const width = Math.min(MAX_BAR_WIDTH, x.bandwidth());
  const y = scaleLinear().domain([0, top]).range([HEIGHT, 0]);
  const stacked = stack<unknown, number, Series>()
    .keys(series)
    .value((n, { values }) => values[n]!)(numbers);
  return (
    <svg
      role="img"
      aria-labelledby={`${id}-title ${id}-about`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-about`}>{about}</desc>
      {lines.map((value) => (
        <line key={value} class="grid" x1={0} x2={WIDTH} y1={y(value)} y2={y(value)} />
      ))}
      {numbers.map((n) =>
        stacked.map((part) => {
          const [low, high] = part[n]!;
          const shape = { x: x(n)! + (x.bandwidth() - width) / 2, y: y(high), width, height: y(low) - y(high) };
          const tint = `tint-${part.key.tint}${period.bars[n]!.isUnfinished ? ' unfinished' : ''}`;
          return high > low && <rect key={part.key.name} class={tint} {...shape} />;
        }),
      )}
    </svg>
  );
}

/** A link over each bar, with a card that appears while the link has the pointer or the focus. */
function BarLinks({ period, series, currency, more, title, url }: ChartProps) {
  return (
    <ol class="bar-links" aria-label={title}>
      {period.bars.map((bar, n) => (
        <li key={bar.first} class={2 * n < period.bars.length ? undefined : 'late'}>
          <a href={url(bar)}>
            <span class="hover-card">
              <strong>{bar.name}</strong>
              {series.map(({ name, tint, values }) => (
                <span key={name}>
                  <span class={`swatch tint-${tint}`} />
                  {name} <b>{formatValue(values[n]!, currency)}</b>
                </span>
              ))}
              {more && (
                <span>
                  {more.title} <b>{more.of(n)}</b>
                </span>
              )}
            </span>
          </a>
        </li>
      ))}
    </ol>
  );
}

/** Up to this many bars all have a label. With more bars, only the last one and three before it have one. */
const MAX_LABELS = 8;
const HOURS_PER_LABEL = 6;

/** The label below a bar: `06:00` or `Jan 15`. On a narrow screen, the month is left out if the previous label names the same month. */
function AxisLabel({ period: { bars, unit }, n }: { readonly period: Period; readonly n: number }) {
  if (unit === 'hour') return <span>{n % HOURS_PER_LABEL === 0 && bars[n]!.name.slice(0, 5)}</span>;
  const isDense = bars.length <= MAX_LABELS;
  const last = bars.length - 1;
  const isShown = isDense || (last - n) % Math.floor(last / 3) === 0;
  if (!isShown) return <span />;
  if (bars[n]!.isUnfinished) return <span>Today</span>;
  const [month, day] = shortDay(bars[n]!.first).split(' ');
  const isRepeated = isDense && n > 0 && shortDay(bars[n - 1]!.first).startsWith(`${month} `);
  return (
    <span>
      <span class={isRepeated ? 'repeated' : undefined}>{month} </span>
      {day}
    </span>
  );
}

const UNIT_TITLES = { hour: 'Hour', day: 'Day', week: 'Week' } as const;

function FiguresTable({ title, period: { bars, unit }, series, currency, more }: ChartProps) {
  const numberColumn = (title: string, of: (bar: number) => string) => ({
    title,
    number: true,
    cell: ({ n }: { n: number }) => of(n),
  });
  return (
    <details>
      <summary>Show as a table</summary>
      <div class="figures-table" tabIndex={0} role="region" aria-label={`${title}, as a table`}>
        <Table
          caption={title}
          rows={bars.map(({ name }, n) => ({ name, n })).reverse()}
          keyOf={({ name }) => name}
          columns={[
            { title: UNIT_TITLES[unit], cell: ({ name }) => name },
            ...series.map(({ name, values }) => numberColumn(name, (n) => formatValue(values[n]!, currency))),
            ...(more ? [numberColumn(more.title, more.of)] : []),
          ]}
        />
      </div>
    </details>
  );
}

export function DayChart(props: ChartProps) {
  const { id, title, about, note, period, series, currency } = props;
  const heights = period.bars.map((_, n) => total(series.map(({ values }) => values[n]!)));
  const highest = Math.max(...heights);
  // Today's bar may be outside of the period.
  const isCounted = (_: number, n: number) => !period.bars[n]!.isUnfinished || period.bars[n]!.last <= period.to;
  // Limits the number of grid lines, because an axis for counts has only whole numbers.
  const steps = currency ? GRID_LINES : Math.min(GRID_LINES, Math.max(1, highest));
  const scale = scaleLinear()
    .domain([0, highest || 1])
    .nice(steps);
  const lines = scale.ticks(steps);
  return (
    <section id={`${id}-chart`} class="card chart" aria-labelledby={`${id}-heading`}>
      <div>
        <h2 id={`${id}-heading`}>{title}</h2>
        <p class="quiet small">{about}</p>
        {note}
      </div>
      {highest === 0 ? (
        <p class="quiet">There is nothing to show in this period.</p>
      ) : (
        <>
          <ul class="legend">
            {series.map(({ name, tint, values }) => (
              <li key={name}>
                <span class={`swatch tint-${tint}`} />
                {name} <strong>{formatValue(total(values.filter(isCounted)), currency)}</strong>
              </li>
            ))}
          </ul>
          <div class="plot">
            <div class="y-axis" aria-hidden="true">
              {[...lines].reverse().map((value) => (
                <span key={value}>{currency ? shortMoney(value, currency) : countText(value)}</span>
              ))}
            </div>
            <Bars {...props} top={scale.domain()[1]!} lines={lines} />
            <BarLinks {...props} />
            <div class="x-axis" aria-hidden="true">
              {period.bars.map(({ first }, n) => (
                <AxisLabel key={first} period={period} n={n} />
              ))}
            </div>
          </div>
          <FiguresTable {...props} />
        </>
      )}
    </section>
  );
}
