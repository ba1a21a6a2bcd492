/** docs/fraud.md lists all of the fraud guard's settings with their defaults. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FRAUD_SETTINGS, FRAUD_THRESHOLDS } from '../../backend/src/modules/fraud/fraud-settings.js';
import { ATTACKS } from '../fraud/attacks.js';
import { LEGITIMATE } from '../fraud/scenarios.js';
import { root } from '../support/process.js';

const page = readFileSync(join(root, 'docs/fraud.md'), 'utf8');

it.each(FRAUD_SETTINGS)('lists the setting %s with its default', (name) => {
  const { default: value, text } = FRAUD_THRESHOLDS[name];
  expect(page).toContain(`| \`${name}\` | ${value.toLocaleString('en')} | ${text} |`);
});

it("contains the simulator's results and chart", () => {
  for (const { name } of [...LEGITIMATE, ...ATTACKS]) expect(page).toContain(`\n| ${name} | `);
  expect(existsSync(join(root, 'docs/fraud.svg'))).toBe(true);
});
