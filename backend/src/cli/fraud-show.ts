/** `passbell fraud show`, which prints the same data as the Protection page. */
import { budgetTexts, type BudgetsView } from '../modules/budgets/budgets.js';
import { countryName } from '../modules/recipients/country.js';
import type { Command } from 'commander';
import { phaseText, placeName, ruleText, shareText } from '../modules/fraud/fraud-texts.js';
import type { ConversionView, FraudOverview } from '../modules/fraud/fraud-overview.js';
import { addAction, addCommand, type Context } from './context.js';
import { chargeOf } from '../modules/usage/usage.js';
import { formatTable } from './output.js';

const charge = (units: number): string => chargeOf(BigInt(units));
const moneyFormatter = (currency: string) => (units: number) => `${charge(units)} ${currency.toUpperCase()}`;

const conversionTable = (title: string, sums: readonly ConversionView[], nameOf: (key: string) => string): string =>
  formatTable(
    [title, 'Recipients', 'Verified', 'Codes entered', 'State'],
    sums.map(({ key, sent, verified, state = '' }) => {
      const shown = sent === 0 && state === 'allowed' ? 'allowed, not counted' : state;
      return [nameOf(key), String(sent), String(verified), shareText(verified, sent), shown];
    }),
    `${title}: no codes were counted.`,
  );

function overviewText(overview: FraudOverview, budgets: BudgetsView, currency: string): string {
  const { state, phase, scopes, refusals, conversion } = overview;
  const pauses = scopes.filter(({ reason }) => reason !== '').map((view) => `  ${placeName(view)}: ${view.reason}`);
  return [
    [state, ...pauses].join('\n'),
    phaseText(phase),
    budgetTexts(budgets, moneyFormatter(currency)).join('\n'),
    formatTable(
      ['Country', 'Reason', 'Messages', 'Numbers'],
      refusals.map(({ country, rule, messages, people }) => [
        countryName(country),
        ruleText(rule),
        String(messages),
        String(people),
      ]),
      'Nothing was refused in the last 7 days.',
    ),
    conversionTable('Countries, 14 days', conversion.countries, countryName),
    conversionTable('Prefixes', conversion.prefixes, (prefix) => prefix),
  ].join('\n\n');
}

const overviewJson = (overview: FraudOverview, budgets: BudgetsView, currency: string) => ({
  ...overview,
  spend: {
    today: charge(budgets.cost.used),
    limit: charge(budgets.cost.limit),
    isAutomatic: budgets.cost.isAutomatic,
    currency,
    messages: budgets.messages,
    heldBack: budgets.heldBack,
  },
});

export function addFraudShow(group: Command, context: Context): void {
  const show = addCommand(
    group,
    'show',
    'show pauses, daily budgets, refused messages, and the share of codes that were entered',
    ['APP_KEY', 'APP_KEY --json'],
  );
  show.argument('<APP_KEY>', 'App Key of the application');
  addAction(show, context, async (appKey: string) => {
    const { applications, budgets, fraud, providers } = await context.core();
    const application = await applications.service.load(appKey);
    const overview = await fraud.overview(application);
    const spent = await budgets.overview(application);
    const currency = providers.routing.currency();
    return { data: overviewJson(overview, spent, currency), text: overviewText(overview, spent, currency) };
  });
}
