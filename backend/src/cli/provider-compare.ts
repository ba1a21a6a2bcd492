import type { Command } from 'commander';
import { OPERATOR } from '../modules/access/actor.js';
import { RATES, STATISTICS_DAYS } from '../modules/providers/provider-statistics.js';
import { accountIdOf, withAccount } from './account-option.js';
import { addAction, addCommand, type Context } from './context.js';
import { formatTable } from './output.js';

const COLUMN_TITLES = ['Channel', 'Country', 'Provider', 'Sent', 'Codes entered', 'Delivered'];

const percent = (rate: number | undefined): string => (rate === undefined ? '' : `${Math.round(rate * 100)}%`);

const MEASURES = { conversion: ['codes', 'entered'], delivery: ['messages', 'delivered'] } as const;

/** Adds the command that compares providers by country. */
export function addCompare(provider: Command, context: Context): void {
  const description = `compare the providers by country in the last ${STATISTICS_DAYS} days, and propose a better order`;
  const compare = withAccount(addCommand(provider, 'compare', description, ['', '--json']));
  addAction(compare, context, async ({ account }: { account: string }) => {
    const core = await context.core();
    const accountId = await accountIdOf(core, account);
    const { statistics, proposals } = await core.compareProviders(OPERATOR, accountId);
    const providers = await core.providerAccounts.list(OPERATOR, accountId);
    const nameOf = (id: string): string => providers.find((candidate) => candidate.id === id)?.name ?? id;
    const rows = statistics.map((one) => [
      ...[one.channel, one.country, nameOf(one.provider), String(one.sent)],
      ...[percent(RATES.conversion(one, 1)), percent(RATES.delivery(one, 1))],
    ]);
    const notes = proposals.map(({ channel, country, provider, better: betterId, measure, rate, betterRate }) => {
      const [worse, better, [what, result]] = [nameOf(provider), nameOf(betterId), MEASURES[measure]];
      const rates = `${percent(rate)} of the ${what} sent through ${worse} were ${result}, but ${percent(betterRate)} of those sent through ${better}`;
      return `${channel} ${country}: ${rates}. Consider moving ${better} before ${worse} with "route set".\n`;
    });
    const table = formatTable(COLUMN_TITLES, rows, 'No messages were sent by these providers.');
    return { data: { statistics, proposals }, text: [table, ...notes].join('\n').trimEnd() };
  });
}
