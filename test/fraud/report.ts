/** Formats the simulator's results as Markdown tables, and as an SVG for light and dark pages. */
import { pausesPer100Days, refusedPercent, type Row } from './runs.js';

const formatNumber = (value: number): string =>
  value === 0 ? '0' : value < 0.1 ? '< 0.1' : value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_cell, i) => (i === 0 ? '---' : '--:')), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

export const legitimateTable = (rows: readonly Row[]): string =>
  table(
    [
      'legitimate traffic',
      'days',
      'pauses per 100 days',
      'refused, %',
      "Authgear's rule: episodes per 100 days",
      'refused, %',
    ],
    rows.map((row) => [
      row.name,
      String(row.days),
      formatNumber(pausesPer100Days(row, row.passbell)),
      formatNumber(refusedPercent(row.passbell)),
      formatNumber(pausesPer100Days(row, row.authgear)),
      formatNumber(refusedPercent(row.authgear)),
    ]),
  );

export const attackTable = (rows: readonly Row[]): string =>
  table(
    ['attack', 'messages', 'paid', 'legitimate refused, %', "Authgear's rule: paid", 'legitimate refused, %'],
    rows.map((row) => [
      row.name,
      formatNumber(row.passbell.attempted),
      formatNumber(row.passbell.paid),
      formatNumber(refusedPercent(row.passbell)),
      formatNumber(row.authgear.paid),
      formatNumber(refusedPercent(row.authgear)),
    ]),
  );

const WIDTH = 900;
const LABEL_WIDTH = 380;
const RIGHT_MARGIN = 90;
const BAR_HEIGHT = 11;
const ROW_HEIGHT = 2 * BAR_HEIGHT + 12;

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-size: 16px; font-weight: 600; }
  .small { font-size: 12px; fill: #59636e; }
  .grid { stroke: #d1d9e0; stroke-width: 1; }
  .own { fill: #0969da; } .other { fill: #bc4c00; }
  .page { fill: #ffffff; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; } .small { fill: #9198a1; } .grid { stroke: #3d444d; }
    .own { fill: #4493f8; } .other { fill: #f0883e; } .page { fill: #0d1117; }
  }`;

const escape = (content: string): string => content.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const text = (x: number, y: number, content: string, css = '', anchor = 'start'): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" class="${css}" text-anchor="${anchor}">${escape(content)}</text>`;

interface Bars {
  readonly name: string;
  readonly values: readonly [passbell: number, authgear: number];
}

/** Draws pairs of bars. `scale` converts a value to a length, relative to the length for the highest value. */
function panel(top: number, title: string, bars: readonly Bars[], scale: (value: number) => number) {
  const space = WIDTH - LABEL_WIDTH - RIGHT_MARGIN;
  const highest = Math.max(...bars.flatMap(({ values }) => values.map(scale)), Number.MIN_VALUE);
  const parts = [text(16, top + 20, title, 'title')];
  bars.forEach(({ name, values }, i) => {
    const y = top + 38 + i * ROW_HEIGHT;
    parts.push(text(LABEL_WIDTH - 10, y + BAR_HEIGHT + 4, name, '', 'end'));
    values.forEach((value, n) => {
      const width = (scale(value) / highest) * space;
      const css = n === 0 ? 'own' : 'other';
      parts.push(
        `<rect x="${LABEL_WIDTH}" y="${y + n * BAR_HEIGHT}" width="${width.toFixed(1)}" height="${BAR_HEIGHT - 1}" class="${css}"/>`,
      );
      parts.push(text(LABEL_WIDTH + width + 6, y + n * BAR_HEIGHT + 9, formatNumber(value), 'small'));
    });
  });
  return { parts, bottom: top + 38 + bars.length * ROW_HEIGHT };
}

export function svg(legitimate: readonly Row[], attacks: readonly Row[]): string {
  const refused = panel(
    44,
    'Legitimate messages refused, percent',
    legitimate.map((row) => ({ name: row.name, values: [refusedPercent(row.passbell), refusedPercent(row.authgear)] })),
    (value) => value,
  );
  const paid = panel(
    refused.bottom + 16,
    'Paid messages to attackers, logarithmic',
    attacks.map((row) => ({ name: row.name, values: [row.passbell.paid, row.authgear.paid] })),
    (value) => Math.log10(value + 1),
  );
  const legend = [
    `<rect x="16" y="14" width="12" height="12" class="own"/>${text(34, 25, 'Passbell')}`,
    `<rect x="116" y="14" width="12" height="12" class="other"/>${text(134, 25, "Authgear's rule, on the same traffic")}`,
  ];
  const height = paid.bottom + 16;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Results of the fraud simulator">`,
    `<style>${STYLE}\n</style>`,
    `<rect width="${WIDTH}" height="${height}" class="page"/>`,
    ...legend,
    ...refused.parts,
    ...paid.parts,
    '</svg>\n',
  ].join('\n');
}
