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

/** A heading, and the cells below it. */
type Column = readonly [heading: string, cell: (result: Result) => string];

/** Returns a table of the scenarios that have results. `only`: the ids of the scenarios in a summary. */
function tableOf(
  scenarios: readonly Scenario[],
  results: Results,
  [heading, ...columns]: readonly [string, ...Column[]],
  only?: readonly string[],
): string {
  const rows = scenarios.flatMap(({ id, text }) => {
    const result = results[id];
    if (!result || only?.includes(id) === false) return [];
    return [[`**${id}** ${text}`, ...columns.map(([, cell]) => cell(result))]];
  });
  return table([heading, ...columns.map(([head]) => head)], rows);
}

const refused = ({ refused: count }: Figures) => count;
const challenged = ({ challenged: count }: Figures) => count;
const paid = ({ paid: count }: Figures) => count;
const cost = ({ cost: sum }: Figures) => sum;

const MESSAGES: Column = ['messages', ({ off }) => meanText(off, (run) => run.legitimate)];
const REFUSED: Column = ['refused, %', ({ off }) => percentText(off, refused)];
const EMAILS: Column = ['emails', ({ off }) => meanText(off, (run) => run.notices, 1)];
const REFUSED_ON: Column = ['with a challenge: refused, %', ({ on }) => percentText(on, refused)];
const CHALLENGED = ({ on }: Result) => percentText(on, challenged);

const ASKED: Column = ['asked', ({ off }) => meanText(off, (run) => run.asked)];
const PAID: Column = ['paid', ({ off }) => meanText(off, paid)];
const COST: Column = ['cost, USD', ({ off }) => meanText(off, cost)];
const LEGITIMATE_REFUSED: Column = ['legitimate refused, %', ({ off }) => percentText(off, refused)];
const ALERTED: Column = ['alerted after, min', ({ off }) => toldText(off)];
const PAID_ON: Column = ['with a challenge: paid', ({ on }) => meanText(on, paid)];
const COST_ON: Column = ['cost, USD', ({ on }) => meanText(on, cost)];
const LEGITIMATE_REFUSED_ON: Column = ['legitimate refused, %', ({ on }) => percentText(on, refused)];

export const legitimateTable = (results: Results): string =>
  tableOf(LEGITIMATE, results, [
    'legitimate traffic',
    MESSAGES,
    REFUSED,
    EMAILS,
    REFUSED_ON,
    ['challenged, %', CHALLENGED],
  ]);

export const attackTable = (results: Results): string =>
  tableOf(ATTACKS, results, [
    'attack',
    ASKED,
    PAID,
    COST,
    LEGITIMATE_REFUSED,
    ALERTED,
    PAID_ON,
    COST_ON,
    LEGITIMATE_REFUSED_ON,
    ['challenged, %', CHALLENGED],
  ]);

const summaryTables = (results: Results) => ({
  'legitimate traffic: summary': tableOf(
    LEGITIMATE,
    results,
    ['legitimate traffic', MESSAGES, REFUSED, ['with a challenge: challenged, %', CHALLENGED]],
    ['H1', 'H3', 'H3f', 'H5z', 'H6o', 'H8', 'H9'],
  ),
  'attacks: summary': tableOf(
    ATTACKS,
    results,
    ['attack', ASKED, PAID, COST, PAID_ON, COST_ON],
    ['A1', 'A3', 'A5', 'A5c', 'A7', 'A9', 'A12n', 'A13'],
  ),
});

/** Replaces the tables in docs/fraud-simulation.md. */
export function withTables(page: string, results: Results): string {
  const tables = {
    ...summaryTables(results),
    'legitimate traffic': legitimateTable(results),
    attacks: attackTable(results),
  };
  return Object.entries(tables).reduce(
    (text, [name, content]) =>
      text.replace(
        new RegExp(`(<!-- ${name} -->)[\\s\\S]*?(<!-- /${name} -->)`),
        (_all, start, end) => `${start}\n\n${content}\n\n${end}`,
      ),
    page,
  );
}
