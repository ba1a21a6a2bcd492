import type { Command } from 'commander';
import { chargeOf, type Usage } from '../modules/usage/usage.js';
import { addAction, addCommand, type Context } from './context.js';
import { formatTable, isoTime } from './output.js';
import { day } from './parse.js';

const COLUMN_TITLES = 'App Key,Day,Channel,Country,Sent,Delivered,Undelivered,Failed,Codes,Verified,Cost'.split(',');

function usageJson({ applicationId, cost, ...usage }: Usage, appKeys: ReadonlyMap<number, string>) {
  return { appKey: appKeys.get(applicationId) ?? null, ...usage, cost: chargeOf(cost) };
}

function usageRow(usage: ReturnType<typeof usageJson>): string[] {
  const { sent, delivered, undelivered, failed, codes, verified } = usage;
  const counts = [sent, delivered, undelivered, failed, codes, verified].map(String);
  return [usage.appKey ?? '', usage.day, usage.channel, usage.country, ...counts, `${usage.cost} ${usage.currency}`];
}

function totals(usages: readonly Usage[]): string {
  const sums = new Map<string, bigint>();
  for (const { currency, cost } of usages) sums.set(currency, (sums.get(currency) ?? 0n) + cost);
  return [...sums].map(([currency, cost]) => `${chargeOf(cost)} ${currency}`).join(', ');
}

export function addUsageCommand(program: Command, context: Context): void {
  const description = 'sent messages and their costs, by day (UTC), channel and country';
  const examples = ['', 'APP_KEY --from 2026-01-01 --to 2026-01-31', '--json'];
  const command = addCommand(program, 'usage', description, examples)
    .argument('[APP_KEY]', 'only this application')
    .option('--from <DATE>', 'first day (default: the first day of the month of --to)', day)
    .option('--to <DATE>', 'last day (default: today)', day);
  addAction(command, context, async (appKey: string | undefined, options: { from?: string; to?: string }) => {
    const { to = isoTime(context.now()).slice(0, 10), from = `${to.slice(0, 7)}-01` } = options;
    const { applications, usage } = await context.core();
    const found = appKey === undefined ? await applications.list() : [await applications.load(appKey)];
    const appKeys = new Map(found.map((application) => [application.id, application.appKey]));
    const range = { applicationIds: [...appKeys.keys()], from, to };
    const sums = await usage.sums(range, ['day', 'applicationId', 'channel', 'country']);
    const data = sums.map((sum) => usageJson(sum, appKeys));
    if (data.length === 0) return { data, text: 'No messages were sent on these days.' };
    return { data, text: `${formatTable(COLUMN_TITLES, data.map(usageRow), '')}\nTotal: ${totals(sums)}` };
  });
}
