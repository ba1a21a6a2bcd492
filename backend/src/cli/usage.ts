/** `passbell usage`: how many messages went out, and what they cost. */
import type { Command } from 'commander';
import { chargeOf } from '../modules/messages/price.js';
import type { Usage } from '../modules/usage/usage-store.js';
import { withExamples, type Context } from './context.js';
import { answer, JSON_OPTION, table, time, type OutputOptions } from './output.js';
import { day } from './parse.js';

interface UsageOptions extends OutputOptions {
  readonly from?: string;
  readonly to?: string;
}

const today = (context: Context): string => time(context.now()).slice(0, 10);

const HEAD = [
  'App Key',
  'Day',
  'Channel',
  'Country',
  'Sent',
  'Delivered',
  'Undelivered',
  'Failed',
  'Codes',
  'Verified',
  'Cost',
];

function usageJson({ applicationId, cost, ...usage }: Usage, appKeys: ReadonlyMap<number, string>) {
  return { appKey: appKeys.get(applicationId) ?? null, ...usage, cost: chargeOf(cost) };
}

function usageRow(usage: ReturnType<typeof usageJson>): string[] {
  const { sent, delivered, undelivered, failed, codes, verified } = usage;
  const counts = [sent, delivered, undelivered, failed, codes, verified].map(String);
  return [usage.appKey ?? '', usage.day, usage.channel, usage.country, ...counts, `${usage.cost} ${usage.currency}`];
}

/** The sum of each currency that there is. */
function totals(usages: readonly Usage[]): string {
  const sums = new Map<string, bigint>();
  for (const { currency, cost } of usages) sums.set(currency, (sums.get(currency) ?? 0n) + cost);
  return [...sums].map(([currency, cost]) => `${chargeOf(cost)} ${currency}`).join(', ');
}

export function addUsageCommand(program: Command, context: Context): void {
  const usage = program
    .command('usage')
    .description('messages sent and what they cost, by day (UTC), channel and country')
    .argument('[APP_KEY]', 'only those of this application')
    .option('--from <DATE>', 'first day; without it the first of the month of --to', day)
    .option('--to <DATE>', 'last day; without it today', day)
    .option(...JSON_OPTION)
    .action(async (appKey: string | undefined, { from, to = today(context), ...output }: UsageOptions) => {
      const { applications, messages } = await context.service();
      const only = appKey === undefined ? {} : { applicationId: (await applications.existing(appKey)).id };
      const appKeys = new Map((await applications.list()).map((application) => [application.id, application.appKey]));
      const found = await messages.usage({ from: from ?? `${to.slice(0, 7)}-01`, to, ...only });
      const all = found.map((one) => usageJson(one, appKeys));
      const text = `${table(HEAD, all.map(usageRow))}\nTotal: ${totals(found)}`;
      answer(context, output, all, all.length > 0 ? text : 'Nothing was sent in these days.');
    });
  withExamples(usage, ['', 'APP_KEY --from 2026-01-01 --to 2026-01-31', '--json']);
}
