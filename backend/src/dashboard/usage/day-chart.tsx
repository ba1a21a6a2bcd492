/**
 * A chart of days or weeks, drawn here: bars of one or more parts. Its title says what it shows, its table has the same figures, and
 * its labels are no part of the drawing, so that they keep their size on every screen.
 */
import { scaleBand, scaleLinear } from 'd3-scale';
import { stack } from 'd3-shape';
import { Table } from '../components/table.js';
import { shortDay, type Bar, type Period } from './period.js';

/** One part of the bars. */
export interface Series {
  readonly name: string;
  /** Names its colour. */
  readonly tint: string;
  /** One a bar. */
  readonly values: readonly number[];
  /** What it comes to, for the legend. */
  readonly sum: string;
}

export interface DayChartProps {
  readonly id: string;
  /** What the figures say. */
  readonly finding: string;
  /** What they are. */
  readonly about: string;
  readonly period: Period;
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** For the axis, where that is another form. */
  readonly axis?: (value: number) => string;
  /** Counted things, of which there is no half. */
  readonly whole?: boolean;
  /** Figures of a bar that do not follow from its parts, such as a share. */
  readonly more?: { readonly title: string; readonly of: (bar: number) => string };
}

/** The drawing is stretched to whatever room there is. */
const WIDTH = 1000;
const HEIGHT = 240;
/** Lines across, besides the base. */
const LINES = 4;

type Point = Readonly<Record<string, number>>;

function Bars({
  id,
  finding,
  about,
  period: { bars },
  series,
  format,
  top,
  lines,
}: DayChartProps & { top: number; lines: number[] }) {
  const x = scaleBand<number>()
    .domain(bars.map((_, n) => n))
    .range([0, WIDTH])
    .paddingInner(0.3)
    .paddingOuter(0.15);
  const y = scaleLinear().domain([0, top]).range([HEIGHT, 0]);
  const points: Point[] = bars.map((_, n) => Object.fromEntries(series.map(({ name, values }) => [name, values[n]!])));
  const stacked = stack<Point>().keys(series.map(({ name }) => name))(points);
  const told = (n: number) => series.map(({ name, values }) => `${name} ${format(values[n]!)}`).join(', ');
  return (
    <svg
      role="img"
      aria-labelledby={`${id}-title ${id}-about`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      <title id={`${id}-title`}>{finding}</title>
      <desc id={`${id}-about`}>{about}</desc>
      {lines.map((value) => (
        <line key={value} class="grid" x1={0} x2={WIDTH} y1={y(value)} y2={y(value)} />
      ))}
      {bars.map(({ first, name }, n) => (
        <g key={first} class="day">
          <title>{`${name}: ${told(n)}`}</title>
          <rect class="hit" x={n * x.step()} y={0} width={x.step()} height={HEIGHT} />
          {stacked.map((part, index) => {
            const [low, high] = part[n]!;
            return (
              high > low && (
                <rect
                  key={part.key}
                  class={`tint-${series[index]!.tint}`}
                  x={x(n)}
                  y={y(high)}
                  width={x.bandwidth()}
                  height={y(low) - y(high)}
                />
              )
            );
          })}
        </g>
      ))}
    </svg>
  );
}

/** The first, the last and those between, as many as a narrow screen has room for. */
function marksOf(bars: readonly Bar[]): string[] {
  const marks = bars.length > 7 ? 4 : bars.length;
  return Array.from({ length: marks }, (_, n) =>
    shortDay(bars[Math.round((n * (bars.length - 1)) / (marks - 1))]!.first),
  );
}

function Figures({ about, period: { bars, unit }, series, format, more }: DayChartProps) {
  const rows = bars.map(({ name }, n) => ({ name, n })).reverse();
  return (
    <details>
      <summary>The same as a table</summary>
      <div class="figures-table" tabIndex={0} role="region" aria-label={`${about}, as a table`}>
        <Table
          caption={about}
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            { title: unit === 'day' ? 'Day' : 'Week', cell: ({ name }) => name },
            ...series.map(({ name, values }) => ({
              title: name,
              number: true,
              cell: ({ n }: { n: number }) => format(values[n]!),
            })),
            ...(more ? [{ title: more.title, number: true, cell: ({ n }: { n: number }) => more.of(n) }] : []),
          ]}
        />
      </div>
    </details>
  );
}

export function DayChart(props: DayChartProps) {
  const { id, finding, about, period, series, format, axis = format, whole = false } = props;
  const highest = Math.max(...period.bars.map((_, n) => series.reduce((sum, { values }) => sum + values[n]!, 0)));
  const steps = whole ? Math.min(LINES, Math.max(1, highest)) : LINES;
  const scale = scaleLinear()
    .domain([0, highest > 0 ? highest : 1])
    .nice(steps);
  const lines = scale.ticks(steps);
  return (
    <section class="card chart" aria-labelledby={`${id}-heading`}>
      <div>
        <h2 id={`${id}-heading`}>{finding}</h2>
        <p class="quiet small">{about}</p>
      </div>
      {highest > 0 && (
        <>
          <ul class="legend">
            {series.map(({ name, tint, sum }) => (
              <li key={name}>
                <span class={`swatch tint-${tint}`} />
                {name} <strong>{sum}</strong>
              </li>
            ))}
          </ul>
          <div class="plot">
            <div class="y-axis" aria-hidden="true">
              {[...lines].reverse().map((value) => (
                <span key={value}>{axis(value)}</span>
              ))}
            </div>
            <Bars {...props} top={scale.domain()[1]!} lines={lines} />
            <div class="x-axis" aria-hidden="true">
              {marksOf(period.bars).map((mark) => (
                <span key={mark}>{mark}</span>
              ))}
            </div>
          </div>
          <Figures {...props} />
        </>
      )}
    </section>
  );
}
