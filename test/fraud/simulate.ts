/** `npm run simulate:fraud`: simulates traffic through the rules of the fraud guard, or replays the traffic of a file. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { fraudSettingsOf } from '../../backend/src/modules/fraud/fraud-settings.js';
import { parseOptions, USAGE, type SimulatorOptions } from './options.js';
import { attackTable, legitimateTable, table, type Result } from './report.js';
import { SEEDS, writeResults } from './results.js';
import { SCENARIOS } from './scenarios.js';
import { simulate } from './simulation.js';
import { createTrafficReplay, TrafficError, type DecisionLine } from './traffic-file.js';

function printTables({ only, seeds = SEEDS, settings, write }: SimulatorOptions): void {
  const isComplete = only === undefined && settings === undefined && seeds.join() === SEEDS.join();
  if (write && !isComplete) throw new Error('--write needs all scenarios, with the default seeds and settings');
  const unknown = only?.find((id) => !SCENARIOS.some((scenario) => scenario.id === id));
  if (unknown !== undefined) throw new Error(`there is no scenario ${unknown}`);
  const entries = SCENARIOS.filter(({ id }) => only === undefined || only.includes(id)).map((scenario) => {
    process.stderr.write(`${scenario.id} `);
    const traffic = seeds.map((seed) => ({ seed, attempts: scenario.attempts(seed) }));
    const runs = (hasChallenge: boolean) =>
      traffic.map(({ seed, attempts }) => simulate(scenario, attempts, { seed, hasChallenge, settings }));
    return [scenario.id, { off: runs(false), on: runs(true) }] satisfies [string, Result];
  });
  const results = Object.fromEntries(entries);
  console.log(`\nMeans of the seeds ${seeds.join(', ')}\n\n${legitimateTable(results)}\n\n${attackTable(results)}`);
  if (write) writeResults(results);
}

/** Counts decisions by application, outcome and rule. */
function createSummary() {
  const rows = new Map<string, { readonly names: readonly string[]; count: number; price: number }>();
  return {
    add({ application, outcome, rule = '', price }: DecisionLine): void {
      const names = [application, outcome, rule];
      const row = rows.get(names.join()) ?? { names, count: 0, price: 0 };
      rows.set(names.join(), { names, count: row.count + 1, price: row.price + price });
    },
    text: (): string =>
      table(
        ['application', 'outcome', 'rule', 'messages', 'price'],
        [...rows.values()].map(({ names, count, price }) => [...names, String(count), price.toFixed(2)]),
      ),
  };
}

async function replayFile(file: string, { json, settings, applicationOf }: SimulatorOptions): Promise<void> {
  const replay = createTrafficReplay(applicationOf, settings ?? fraudSettingsOf());
  const summary = createSummary();
  const input = file === '-' ? process.stdin : createReadStream(file, 'utf8');
  for await (const text of createInterface({ input, crlfDelay: Infinity })) {
    const decision = replay(text);
    if (!decision) continue;
    if (json) process.stdout.write(`${JSON.stringify(decision)}\n`);
    else summary.add(decision);
  }
  if (!json) console.log(summary.text());
}

try {
  const options = parseOptions(process.argv.slice(2));
  if (options.traffic === undefined) printTables(options);
  else await replayFile(options.traffic, options);
} catch (error) {
  console.error((error as Error).message);
  if (!(error instanceof TrafficError)) console.error(`\n${USAGE}`);
  process.exitCode = 1;
}
