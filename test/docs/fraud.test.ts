/**
 * docs/fraud-settings.md lists the fraud guard's settings, docs/fraud-rules.md its rules, and docs/fraud-simulation.md the
 * simulator's results.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FRAUD_SETTINGS, FRAUD_THRESHOLDS } from '../../backend/src/modules/fraud/fraud-settings.js';
import { documentedResults, isPageCurrent } from '../fraud/results.js';
import { SCENARIOS } from '../fraud/scenarios.js';
import { root } from '../support/process.js';

const read = (page: string) => readFileSync(join(root, 'docs', page), 'utf8');

it.each(FRAUD_SETTINGS)('lists the setting %s with its default', (name) => {
  const { default: value, text } = FRAUD_THRESHOLDS[name];
  expect(read('fraud-settings.md')).toContain(`| \`${name}\` | ${value.toLocaleString('en')} | ${text} |`);
});

it('summarizes all rules in a table, and links each one to its description', () => {
  const page = read('fraud-rules.md');
  const descriptions = [...page.matchAll(/^### (.+) \(`(\w+)`\)$/gm)].map(([, title, rule]) => {
    const name = title!.toLowerCase().replaceAll(' ', '-');
    return `[${title}](#${name}-${rule!.toLowerCase()})`;
  });
  expect(descriptions).toHaveLength(10);
  expect([...page.matchAll(/^\| (\[.+?\]\(#.+?\)) \|/gm)].map(([, link]) => link)).toEqual(descriptions);
});

it("contains the simulator's results", () => {
  expect(Object.keys(documentedResults())).toEqual(SCENARIOS.map(({ id }) => id));
  expect(isPageCurrent()).toBe(true);
});
