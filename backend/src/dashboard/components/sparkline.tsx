/** A small chart of the last days. */
interface Bar {
  readonly name: string;
  readonly value: number | undefined;
}

interface SparklineProps {
  /** A day without a value is left out. */
  readonly bars: readonly Bar[];
  /** Whether the values are shares from 0 to 1, which are shown as a line. */
  readonly isShare?: boolean;
  /** The value of a typical day, shown as a pale bar behind the last one: its day has not ended. */
  readonly typical?: number | undefined;
}

/** One bar or point for each day. Screen readers get the same numbers on the Usage page. */
export function Sparkline({ bars, isShare = false, typical = 0 }: SparklineProps) {
  const top = isShare ? 1 : Math.max(...bars.map(({ value = 0 }) => value), 1e-9);
  // The line starts and ends where the first and the last bar of other charts do.
  const step = (bars.length * 4 - 1) / Math.max(1, bars.length - 1);
  const points = bars.flatMap(({ value }, n) =>
    value === undefined ? [] : [`${(n * step).toFixed(2)} ${(22 - 20 * value).toFixed(2)}`],
  );
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${bars.length * 4} 24`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {isShare && points.length > 0 && (
        <>
          <path class="area" d={`M${points[0]!.split(' ')[0]} 24L${points.join('L')}V24`} />
          <path class="line" d={`M${points.join('L')}`} />
          {/* A line without a length is a dot. */}
          <path class="line today" d={`M${points.at(-1)}h0`} />
        </>
      )}
      {bars.map(({ name, value = 0 }, n) => {
        const isLast = n === bars.length - 1;
        const bar = (tint: string, size: number) => {
          const height = Math.max(1, (24 * size) / top);
          return <rect class={tint} x={n * 4} y={24 - height} width={3} height={height} />;
        };
        return (
          <g key={name}>
            <title>{name}</title>
            <rect class="hit" x={n * 4} width={4} height={24} />
            {!isShare && isLast && typical > value && bar('typical', typical)}
            {!isShare && bar(isLast ? 'tint-a' : 'tint-plain', value)}
          </g>
        );
      })}
    </svg>
  );
}
