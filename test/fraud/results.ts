/** The documented results of the simulator: `figures.json`, from which the tables of docs/fraud-simulation.md are made. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { withTables, type Results } from './report.js';

/** The seeds of the documented results. */
export const SEEDS = [1, 2, 3];

const FIGURES = fileURLToPath(new URL('figures.json', import.meta.url));
const PAGE = fileURLToPath(new URL('../../docs/fraud-simulation.md', import.meta.url));

export const documentedResults = (): Results => JSON.parse(readFileSync(FIGURES, 'utf8')) as Results;

export const isPageCurrent = (): boolean => {
  const page = readFileSync(PAGE, 'utf8');
  return page === withTables(page, documentedResults());
};

/** Stores the results, with one line for each run, and writes the tables of docs/fraud-simulation.md. */
export function writeResults(results: Results): void {
  const rows = Object.entries(results).map(([id, { off, on }]) => {
    const lines = (runs: Results[string]['on']) => runs.map((run) => `      ${JSON.stringify(run)}`).join(',\n');
    return `  "${id}": {\n    "off": [\n${lines(off)}\n    ],\n    "on": [\n${lines(on)}\n    ]\n  }`;
  });
  writeFileSync(FIGURES, `{\n${rows.join(',\n')}\n}\n`);
  writeFileSync(PAGE, withTables(readFileSync(PAGE, 'utf8'), results));
}
