/** Draws the results as an SVG bar chart on a logarithmic scale, for light and dark pages. */
import { claimLevel, noiseOf, pointOf } from './summary.mjs';

const WIDTH = 860;
const LABELS_WIDTH = 190;
const RIGHT_MARGIN = 150;
const BAR_HEIGHT = 22;
const BAR_GAP = 8;

const COLORS = { passbell: 'own', 'better-auth': 'other', express: 'floor', http: 'floor', sql: 'floor' };
const colorOf = (name) => Object.entries(COLORS).find(([prefix]) => name.startsWith(prefix))[1];

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-size: 16px; font-weight: 600; }
  .small { font-size: 12px; fill: #59636e; }
  .grid { stroke: #d1d9e0; stroke-width: 1; }
  .noise { stroke: #1f2328; stroke-width: 1.5; }
  .own { fill: #0969da; } .other { fill: #bc4c00; } .floor { fill: #8c959f; }
  .page { fill: #ffffff; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; }
    .small { fill: #9198a1; }
    .grid { stroke: #3d444d; }
    .noise { stroke: #f0f6fc; }
    .own { fill: #4493f8; } .other { fill: #f0883e; } .floor { fill: #656c76; }
    .page { fill: #0d1117; }
  }`;

const escape = (content) => content.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const round = (number) => Number(number.toFixed(1));
const text = (x, y, content, { css = '', anchor = 'start' } = {}) =>
  `<text x="${round(x)}" y="${round(y)}" class="${css}" text-anchor="${anchor}">${escape(content)}</text>`;
const line = (x1, y1, x2, y2, css) =>
  `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" class="${css}"/>`;

/** A logarithmic scale whose ends are the powers of ten below the minimum and above the maximum. */
function scaleOf(values) {
  const low = Math.floor(Math.log10(Math.min(...values) * 0.999));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  const width = WIDTH - LABELS_WIDTH - RIGHT_MARGIN;
  return {
    x: (value) => LABELS_WIDTH + ((Math.log10(value) - low) / (high - low)) * width,
    ticks: Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i)),
  };
}

const short = (value) => (value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(2))));

/** Draws bars, each with a name, a median with minimum and maximum, and a note. Returns the SVG and its bottom edge. */
function panel(top, title, subtitle, bars) {
  const scale = scaleOf(bars.flatMap(({ value }) => [value.min, value.max]));
  const first = top + 56;
  const bottom = first + bars.length * (BAR_HEIGHT + BAR_GAP);
  const parts = [text(16, top + 20, title, { css: 'title' }), text(16, top + 40, subtitle, { css: 'small' })];
  for (const tick of scale.ticks) {
    parts.push(line(scale.x(tick), first - 4, scale.x(tick), bottom, 'grid'));
    parts.push(text(scale.x(tick), bottom + 16, short(tick), { css: 'small', anchor: 'middle' }));
  }
  bars.forEach(({ name, value, note }, i) => {
    const y = first + i * (BAR_HEIGHT + BAR_GAP);
    const middle = y + BAR_HEIGHT / 2;
    const end = scale.x(value.median);
    const from = scale.x(value.min);
    const to = scale.x(value.max);
    parts.push(text(LABELS_WIDTH - 10, middle + 4, name, { anchor: 'end' }));
    parts.push(
      `<rect x="${LABELS_WIDTH}" y="${y}" width="${Math.max(1, end - LABELS_WIDTH).toFixed(1)}" height="${BAR_HEIGHT}" class="${colorOf(name)}"/>`,
    );
    parts.push(
      line(from, middle, to, middle, 'noise'),
      line(from, y + 6, from, y + BAR_HEIGHT - 6, 'noise'),
      line(to, y + 6, to, y + BAR_HEIGHT - 6, 'noise'),
    );
    parts.push(text(Math.max(end, to) + 8, middle + 4, note));
  });
  return { drawing: parts.join('\n'), bottom: bottom + 34 };
}

export function plot(results) {
  const { options } = results;
  const inFlight = claimLevel(results);
  const points = options.only
    .map((name) => ({ name, point: pointOf(results, name, options.phases[0], inFlight) }))
    .filter(({ point }) => point);
  const what = options.phases[0] === 'cycle' ? 'Cycles' : `${options.phases[0]} only`;
  const panels = [];
  let top = 8;
  const add = (title, subtitle, bars) => {
    const shown = bars.filter(({ value }) => value && value.min > 0);
    if (shown.length === 0) return;
    const { drawing, bottom } = panel(top, title, subtitle, shown);
    panels.push(drawing);
    top = bottom + 14;
  };
  add(
    `${what} per second, ${inFlight} in flight`,
    'Longer is better. Logarithmic scale. Lines show the slowest and the fastest round.',
    points.map(({ name, point }) => ({ name, value: point.rate, note: short(point.rate.median) })),
  );
  add(
    'CPU time per cycle, in milliseconds',
    'Shorter is better. All processes of the server, its database and Redis, without the provider and the load tool.',
    points.map(({ name, point }) => ({
      name,
      value: point.cpuTotal,
      note: `${short(point.cpuTotal?.median ?? NaN)} ms`,
    })),
  );
  const { speed, others } = noiseOf(results);
  const note = `${options.runs} rounds of ${options.seconds} s. A fixed calculation took ${speed.min.toFixed(1)} to ${speed.max.toFixed(1)} ms; other processes used ${others ? others.median.toFixed(2) : '?'} cores.`;
  const height = top + 20;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img">
<title>Passbell compared with better-auth and bare Express</title>
<style>${STYLE}
</style>
<rect class="page" width="100%" height="100%"/>
${panels.join('\n')}
${text(16, top + 4, note, { css: 'small' })}
</svg>
`;
}
