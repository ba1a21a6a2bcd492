/**
 * `npm run simulate:fraud -- [seed=1] [people=60] [only=TEXT] [SETTING=VALUE…]`: prints the tables, and writes
 * docs/fraud.svg if it runs all scenarios with the default settings. `people` is the number of legitimate users an hour
 * during attacks; `only` selects the scenarios whose names contain the text.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FRAUD_THRESHOLDS } from '../../backend/src/modules/fraud/fraud-settings.js';
import { checkChange } from '../../backend/src/modules/settings/bounded-setting.js';
import { ATTACKS } from './attacks.js';
import { attackTable, legitimateTable, svg } from './report.js';
import { attackRow, legitimateRow } from './runs.js';
import { LEGITIMATE } from './scenarios.js';

const parameters = Object.fromEntries(process.argv.slice(2).map((parameter) => parameter.split('=')));
const { seed = '1', people = '60', only = '', ...changes } = parameters as Record<string, string>;
const settings = Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, Number(value)]));
checkChange(FRAUD_THRESHOLDS, settings);

function rowsOf<Scenario extends { readonly name: string }, Row>(
  scenarios: readonly Scenario[],
  rowOf: (scenario: Scenario) => Row,
): Row[] {
  return scenarios
    .filter(({ name }) => name.includes(only))
    .map((scenario) => {
      process.stderr.write(`${scenario.name}\n`);
      return rowOf(scenario);
    });
}

const legitimate = rowsOf(LEGITIMATE, (scenario) => legitimateRow(scenario, Number(seed), settings));
const attacks = rowsOf(ATTACKS, (scenario) => attackRow(scenario, Number(people), Number(seed), settings));

console.log(
  `Seed ${seed}\n\n${legitimateTable(legitimate)}\n\n${people} people an hour, 70%\n\n${attackTable(attacks)}`,
);
if (only === '' && Object.keys(settings).length === 0)
  writeFileSync(fileURLToPath(new URL('../../docs/fraud.svg', import.meta.url)), svg(legitimate, attacks));
