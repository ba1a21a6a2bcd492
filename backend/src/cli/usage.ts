import type { Command } from 'commander';
import type { Application } from '../modules/applications/application.js';
import type { DataOf } from '../modules/manage/operations.js';
import { chargeOf, unitsOf } from '../modules/usage/usage.js';
import { addAction, withExamples, type Context } from './context.js';
import { addOptions, parametersOf, perform } from './operation.js';
import { formatTable } from './output.js';

type Usage = DataOf<'getUsage'>['usage'][number];

const COLUMN_TITLES = 'Day,Channel,Sent,Delivered,Failed,Verified,Cost'.split(',');

const LEGEND =
  'Delivered: number of delivered messages, out of those with a delivery report.\nVerified: number of verified codes, out of those that were sent.';

const share = (part: number, of: number): string => (of === 0 ? '' : `${part} of ${of}`);

function usageRow(usage: Usage): string[] {
  const { day, channel, country, sent, delivered, undelivered, failed, codes, verified, cost, currency } = usage;
  const shares = { delivered: share(delivered, delivered + undelivered), verified: share(verified, codes) };
  const counts = [String(sent), shares.delivered, String(failed), shares.verified];
  return [day, `${channel} ${country}`.trim(), ...counts, `${cost} ${currency}`];
}

/** Formats a table for each application, so that the tables fit into a terminal with 80 columns. */
function usageText(usages: readonly Usage[], applications: readonly Application[]): string {
  const tables = applications.flatMap(({ name, appKey }) => {
    const own = usages.filter((usage) => usage.appKey === appKey);
    return own.length === 0 ? [] : [`${name} (${appKey})\n${formatTable(COLUMN_TITLES, own.map(usageRow), '')}`];
  });
  return [...tables, LEGEND, `Total: ${totals(usages)}`].join('\n\n');
}

function totals(usages: readonly Usage[]): string {
  const sums = new Map<string, bigint>();
  for (const { currency, cost } of usages) sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(unitsOf(cost)));
  return [...sums].map(([currency, cost]) => `${chargeOf(cost)} ${currency}`).join(', ');
}

export function complete(usage: Command, context: Context): void {
  const examples = ['', 'APP_KEY --from 2026-01-01 --to 2026-01-31', '--json'];
  withExamples(usage, examples).argument('[APP_KEY]', 'App Key of the application (default: all applications)');
  const days = addOptions(usage, 'getUsage', ['app']);
  addAction(usage, context, async (app: string | undefined, options: object) => {
    const parameters = { ...parametersOf(days, { ...options }), ...(app === undefined ? {} : { app }) };
    const { usage: data } = await perform(context, 'getUsage', parameters);
    if (data.length === 0) return { data, text: 'No messages were sent in this period.' };
    const { applications } = await context.core();
    return { data, text: usageText(data, await applications.service.list()) };
  });
}
