/** docs/fraud-rules.md lists the fraud guard's settings and rules, and docs/fraud-simulation.md the simulator's results. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FRAUD_SETTINGS, FRAUD_THRESHOLDS } from '../../backend/src/modules/fraud/fraud-settings.js';
import { documentedResults, isPageCurrent } from '../fraud/results.js';
import { SCENARIOS } from '../fraud/scenarios.js';
import { root } from '../support/process.js';

const page = readFileSync(join(root, 'docs/fraud-rules.md'), 'utf8');

it.each(FRAUD_SETTINGS)('lists the setting %s with its default', (name) => {
  const { default: value, text } = FRAUD_THRESHOLDS[name];
  expect(page).toContain(`| \`${name}\` | ${value.toLocaleString('en')} | ${text} |`);
});

it("contains the simulator's results", () => {
  expect(Object.keys(documentedResults())).toEqual(SCENARIOS.map(({ id }) => id));
  expect(isPageCurrent()).toBe(true);
});
