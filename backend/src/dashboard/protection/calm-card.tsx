/** The state of Protection while nothing is unusual: what protects the application, and the figures that matter. */
import type { Application } from '../../modules/applications/application.js';
import { mostUsed, shareOf, type BudgetsView } from '../../modules/budgets/budgets.js';
import { appliedSettings } from '../../modules/fraud/fraud-application.js';
import { messagesOf, type FraudOverview } from '../../modules/fraud/fraud-overview.js';
import { listOf, NAMED_COUNTRIES, placeName } from '../../modules/fraud/fraud-texts.js';
import { Card } from '../components/card.js';
import { Facts } from '../components/facts.js';
import { Mark } from '../home/concerns-view.js';
import { countText, messagesText, moneyText, percent, unbroken } from '../usage/figures.js';

export interface CalmProps {
  readonly application: Application;
  readonly overview: FraudOverview;
  readonly budgets: BudgetsView;
  readonly currency: string;
  /** Estimated cost of the refused messages; undefined if no price is set. */
  readonly saved: string | undefined;
}

/** `Passbell pauses a country after 25 more unused codes than usual, and similar numbers after 10.`; "" if one of these rules is off. */
function rulesText(application: Application): string {
  const { countryUnverified, prefixUnverified } = appliedSettings(application);
  if (countryUnverified === 0 || prefixUnverified === 0) return '';
  return `Passbell pauses a country that you do not serve if ${countText(countryUnverified)} more codes than usual stay unused, and similar numbers at ${countText(prefixUnverified)}. `;
}

/** `Brazil`, `Nothing` */
function pausedText({ scopes }: FraudOverview): string {
  const paused = scopes.filter(({ state }) => state !== 'allowed').map(placeName);
  return paused.length === 0 ? 'Nothing' : listOf(paused.slice(0, NAMED_COUNTRIES), paused.length);
}

export function CalmCard({ application, overview, budgets, currency, saved }: CalmProps) {
  const refused = messagesOf(overview.refusals);
  const budget = mostUsed(budgets);
  const limitText = budget === budgets.cost ? moneyText(budget.limit, currency) : messagesText(budget.limit);
  return (
    <Card
      id="calm"
      title={
        <>
          <Mark kind="good" /> Nothing unusual
        </>
      }
      lead={`${rulesText(application)}The daily budget limits what an attack can cost.`}
    >
      <Facts
        strip
        facts={[
          ['Paused now', pausedText(overview)],
          ['Budget used today', `${percent(shareOf(budget))} of ${limitText}`],
          [
            'Refused in the last 7 days',
            refused === 0 ? 'No messages' : `${messagesText(refused)}${saved ? ` (about ${unbroken(saved)})` : ''}`,
          ],
        ]}
      />
    </Card>
  );
}
