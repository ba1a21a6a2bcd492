import type { Command } from 'commander';
import type { Application } from '../modules/applications/application.js';
import { utcDay } from '../platform/clock.js';
import { chargeOf, type Usage } from '../modules/usage/usage.js';
import { addAction, withExamples, type Context } from './context.js';
import { formatTable } from './output.js';
import { day } from './parse.js';

const COLUMN_TITLES = 'Day,Channel,Sent,Delivered,Failed,Verified,Cost'.split(',');

const LEGEND =
  'Delivered: delivered messages, of those with a delivery report.\nVerified: verified codes, of those that were sent.';

function usageJson({ applicationId, cost, ...usage }: Usage, appKeys: ReadonlyMap<number, string>) {
  return { appKey: appKeys.get(applicationId) ?? null, ...usage, cost: chargeOf(cost) };
}

const share = (part: number, of: number): string => (of === 0 ? '' : `${part} of ${of}`);

function usageRow(usage: Usage): string[] {
  const { day, channel, country, sent, delivered, undelivered, failed, codes, verified, cost, currency } = usage;
  const shares = { delivered: share(delivered, delivered + undelivered), verified: share(verified, codes) };
  const counts = [String(sent), shares.delivered, String(failed), shares.verified];
  return [day, `${channel} ${country}`.trim(), ...counts, `${chargeOf(cost)} ${currency}`];
}

/** Formats a table for each application, so that the tables fit into a terminal with 80 columns. */
function usageText(usages: readonly Usage[], applications: readonly Application[]): string {
  const tables = applications.flatMap(({ id, name, appKey }) => {
    const own = usages.filter(({ applicationId }) => applicationId === id);
    return own.length === 0 ? [] : [`${name} (${appKey})\n${formatTable(COLUMN_TITLES, own.map(usageRow), '')}`];
  });
  return [...tables, LEGEND, `Total: ${totals(usages)}`].join('\n\n');
}

function totals(usages: readonly Usage[]): string {
  const sums = new Map<string, bigint>();
  for (const { currency, cost } of usages) sums.set(currency, (sums.get(currency) ?? 0n) + cost);
  return [...sums].map(([currency, cost]) => `${chargeOf(cost)} ${currency}`).join(', ');
}

export function complete(usage: Command, context: Context): void {
  const examples = ['', 'APP_KEY --from 2026-01-01 --to 2026-01-31', '--json'];
  withExamples(usage, examples)
    .argument('[APP_KEY]', 'only this application')
    .option('--from <DATE>', 'first day (default: the first day of the month of --to)', day)
    .option('--to <DATE>', 'last day (default: today)', day);
  addAction(usage, context, async (appKey: string | undefined, options: { from?: string; to?: string }) => {
    const { to = utcDay(context.now()), from = `${to.slice(0, 7)}-01` } = options;
    const { applications, usage } = await context.core();
    const found = appKey === undefined ? await applications.service.list() : [await applications.service.load(appKey)];
    const appKeys = new Map(found.map((application) => [application.id, application.appKey]));
    const range = { applicationIds: [...appKeys.keys()], from, to };
    const sums = await usage.service.sums(range, ['day', 'applicationId', 'channel', 'country']);
    const data = sums.map((sum) => usageJson(sum, appKeys));
    if (data.length === 0) return { data, text: 'No messages were sent in this period.' };
    return { data, text: usageText(sums, found) };
  });
}
