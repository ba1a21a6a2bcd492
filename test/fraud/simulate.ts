/** `npm run simulate:fraud [seed] [people an hour during the attacks]`: prints the tables and writes docs/fraud.svg. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ATTACKS } from './attacks.js';
import { attackTable, honestTable, svg } from './report.js';
import { attackRow, honestRow } from './runs.js';
import { HONEST } from './scenarios.js';

const [seed = 1, perHour = 60] = process.argv.slice(2).map(Number);
const progress = (name: string) => process.stderr.write(`${name}\n`);

const honest = HONEST.map((scenario) => {
  progress(scenario.name);
  return honestRow(scenario, seed);
});
const attacks = ATTACKS.map((scenario) => {
  progress(scenario.name);
  return attackRow(scenario, perHour, seed);
});

console.log(`Seed ${seed}\n\n${honestTable(honest)}\n\n${perHour} people an hour, 70 %\n\n${attackTable(attacks)}`);
writeFileSync(fileURLToPath(new URL('../../docs/fraud.svg', import.meta.url)), svg(honest, attacks));
