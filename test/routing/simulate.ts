/** `npm run simulate:routing -- [seed=1]`: prints the table of `docs/decisions/providers.md`. */
import { table } from '../fraud/report.js';
import { SCENARIOS } from './scenarios.js';
import { LEARNED_AFTER, reactionTo, shareOf, simulate } from './simulation.js';

const { seed = '1' } = Object.fromEntries(process.argv.slice(2).map((parameter) => parameter.split('=')));
const percent = (share: number): string => (100 * share).toFixed(1);

const rows = SCENARIOS.map((scenario) => {
  const [ordered, automatic, best] = (['ordered', 'automatic', 'best'] as const).map((policy) =>
    simulate(scenario, policy, Number(seed)),
  );
  const { outage } = scenario;
  const learned = [automatic!, best!].map(({ entered }) => shareOf(entered, LEARNED_AFTER));
  return [
    scenario.name,
    ...[ordered!, automatic!, best!].map(({ entered }) => percent(shareOf(entered))),
    percent(learned[0]! / learned[1]!),
    outage ? String(reactionTo(automatic!.first, outage.provider, outage.start)) : '',
    `${percent(automatic!.cost / ordered!.cost)}`,
  ];
});
const head = [
  'scenario',
  'ordered, %',
  'automatic, %',
  'best, %',
  'automatic of best after 2,000, %',
  'reaction, messages',
  'cost of ordered, %',
];
console.log(`Seed ${seed}\n\n${table(head, rows)}`);
