/** A sorted bar chart of recipients by country or prefix, and a table with the same values. */
import { conversionText, shareText } from '../../modules/fraud/fraud-texts.js';
import type { ConversionView } from '../../modules/fraud/fraud-overview.js';
import { Badge } from '../components/badge.js';
import { Table } from '../components/table.js';
import { countText, total } from '../usage/figures.js';

interface ChartProps {
  readonly id: string;
  /** Chart title, such as `Countries`. */
  readonly title: string;
  readonly about: string;
  /** Title of the first column, such as `Country`. */
  readonly first: string;
  readonly rows: readonly ConversionView[];
  readonly nameOf: (key: string) => string;
}

const HEIGHT = 12;
/** The table has the other rows. */
const MAX_BARS = 6;

/** `most` is the number of recipients in the longest bar. */
function Bar({ sent, verified, most }: ConversionView & { most: number }) {
  const width = (count: number) => (1000 * count) / most;
  return (
    <svg viewBox={`0 0 1000 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect class="tint-plain" width={width(sent)} height={HEIGHT} />
      <rect class="tint-a" width={width(verified)} height={HEIGHT} />
    </svg>
  );
}

const StateBadge = ({ state }: ConversionView) =>
  state ? <Badge kind={state === 'allowed' ? 'good' : 'warning'}>{state}</Badge> : null;

export function ConversionChart({ id, title, about, first, rows, nameOf }: ChartProps) {
  const sent = total(rows.map((row) => row.sent));
  const verified = total(rows.map((row) => row.verified));
  const hasStates = rows.some(({ state }) => state);
  const most = Math.max(1, ...rows.map((row) => row.sent));
  return (
    <section class="card chart" aria-labelledby={`${id}-heading`}>
      <div>
        <h2 id={`${id}-heading`}>
          {title}:{' '}
          {sent === 0
            ? 'no codes were counted'
            : `${shareText(verified, sent)} of ${countText(sent)} recipients entered a code`}
        </h2>
        <p class="quiet small">{about}</p>
      </div>
      {rows.length > 0 && (
        <>
          <ul class="legend">
            <li>
              <span class="swatch tint-a" />
              Verified
            </li>
            <li>
              <span class="swatch tint-plain" />
              Not verified
            </li>
          </ul>
          <ol class="bars">
            {rows.slice(0, MAX_BARS).map((row) => (
              <li key={row.key}>
                <span>
                  {nameOf(row.key)} <StateBadge {...row} />
                </span>
                <Bar {...row} most={most} />
                <span class="quiet small">{conversionText(row)}</span>
              </li>
            ))}
          </ol>
          <details>
            <summary>Show as a table</summary>
            <div class="figures-table" tabIndex={0} role="region" aria-label={`${title}, as a table`}>
              <Table
                caption={`${title}: ${about}`}
                rows={rows}
                keyOf={({ key }) => key}
                columns={[
                  { title: first, cell: ({ key }) => nameOf(key) },
                  ...(hasStates ? [{ title: 'State', cell: (row: ConversionView) => <StateBadge {...row} /> }] : []),
                  { title: 'Recipients', number: true, cell: (row) => countText(row.sent) },
                  { title: 'Verified', number: true, cell: (row) => countText(row.verified) },
                  { title: 'Share', number: true, cell: (row) => shareText(row.verified, row.sent) },
                ]}
              />
            </div>
          </details>
        </>
      )}
    </section>
  );
}
