/** Formats the simulator's figures as Markdown tables. */
import { ATTACKS, LEGITIMATE, type Scenario } from './scenarios.js';
import type { Figures } from './simulation.js';

/** The figures of one scenario, for each seed. */
export interface Result {
  readonly off: readonly Figures[];
  /** With a challenge. */
  readonly on: readonly Figures[];
}

/** Results by the scenarios' ids. */
export type Results = Readonly<Record<string, Result>>;

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_cell, i) => (i === 0 ? '---' : '--:')), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

const formatNumber = (value: number, digits: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: digits });

export const meanOf = (runs: readonly Figures[], value: (run: Figures) => number): number =>
  runs.reduce((sum, run) => sum + value(run), 0) / runs.length;

/** Returns the percentage of legitimate messages; `value` counts them. */
export const percentOf = (runs: readonly Figures[], value: (run: Figures) => number): number =>
  (100 * meanOf(runs, value)) /
  Math.max(
    1,
    meanOf(runs, ({ legitimate }) => legitimate),
  );

/** Returns the minutes until the owners are alerted; undefined if they are not alerted in each run. */
export function toldAfter(runs: readonly Figures[]): number | undefined {
  return runs.some((run) => run.toldAfter === null) ? undefined : meanOf(runs, (run) => run.toldAfter!);
}

function percentText(runs: readonly Figures[], value: (run: Figures) => number): string {
  const percent = percentOf(runs, value);
  return percent > 0 && percent < 0.01 ? '< 0.01' : formatNumber(percent, percent < 1 ? 2 : 1);
}

const meanText = (runs: readonly Figures[], value: (run: Figures) => number, digits = 0): string =>
  formatNumber(meanOf(runs, value), digits);

function toldText(runs: readonly Figures[]): string {
  const minutes = toldAfter(runs);
  return minutes === undefined ? '–' : formatNumber(minutes, 0);
}

const rowsOf = (
  scenarios: readonly Scenario[],
  results: Results,
  cells: (result: Result) => readonly string[],
): string[][] =>
  scenarios.flatMap(({ id, text }) => {
    const result = results[id];
    return result ? [[`**${id}** ${text}`, ...cells(result)]] : [];
  });

const refused = ({ refused: count }: Figures) => count;
const challenged = ({ challenged: count }: Figures) => count;
const paid = ({ paid: count }: Figures) => count;
const cost = ({ cost: sum }: Figures) => sum;

const LEGITIMATE_HEAD = [
  'legitimate traffic',
  'messages',
  'refused, %',
  'emails',
  'with a challenge: refused, %',
  'challenged, %',
];

export const legitimateTable = (results: Results): string =>
  table(
    LEGITIMATE_HEAD,
    rowsOf(LEGITIMATE, results, ({ off, on }) => [
      meanText(off, (run) => run.legitimate),
      percentText(off, refused),
      meanText(off, (run) => run.notices, 1),
      percentText(on, refused),
      percentText(on, challenged),
    ]),
  );

const ATTACK_HEAD = [
  'attack',
  'asked',
  'paid',
  'cost, USD',
  'legitimate refused, %',
  'alerted after, min',
  'with a challenge: paid',
  'cost, USD',
  'legitimate refused, %',
  'challenged, %',
];

export const attackTable = (results: Results): string =>
  table(
    ATTACK_HEAD,
    rowsOf(ATTACKS, results, ({ off, on }) => [
      meanText(off, (run) => run.asked),
      meanText(off, paid),
      meanText(off, cost),
      percentText(off, refused),
      toldText(off),
      meanText(on, paid),
      meanText(on, cost),
      percentText(on, refused),
      percentText(on, challenged),
    ]),
  );

/** Replaces the tables in docs/fraud.md. */
export function withTables(page: string, results: Results): string {
  const tables = { 'legitimate traffic': legitimateTable(results), attacks: attackTable(results) };
  return Object.entries(tables).reduce(
    (text, [name, content]) =>
      text.replace(
        new RegExp(`(<!-- ${name} -->)[\\s\\S]*?(<!-- /${name} -->)`),
        (_all, start, end) => `${start}\n\n${content}\n\n${end}`,
      ),
    page,
  );
}
