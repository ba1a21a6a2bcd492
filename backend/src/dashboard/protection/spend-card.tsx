import type { ComponentChildren } from 'preact';
import {
  BUDGET_ALERTS,
  isPriced,
  shareOf,
  type BudgetsView,
  type BudgetUnit,
  type BudgetView,
} from '../../modules/budgets/budgets.js';
import type { Application } from '../../modules/applications/application.js';
import { settingsPath, suggestedBudgetPath } from '../applications/parts.js';
import { Card } from '../components/card.js';
import { useNow, useVisit } from '../components/context.js';
import { percent, unbroken, usualCostText } from '../usage/figures.js';
import { budgetReset, highBudget, usedText, usedUpTime } from './budget-times.js';

/** An automatic message budget does not limit messages with a price. */
export const messageBudgetText = ({ isAutomatic }: BudgetView): string =>
  isAutomatic
    ? 'This budget limits the number of SMS, WhatsApp messages and voice calls that have no price.'
    : 'This budget limits the number of SMS, WhatsApp messages and voice calls, whatever they cost.';

function tintOf(share: number): string {
  if (share >= 1) return 'bad';
  return share >= BUDGET_ALERTS[1] ? 'warning' : 'a';
}

/** A bar that shows the used share of a budget. `isUrgent`: whether it has the color of an urgent alert. */
export function UsedBar({ share, isUrgent = false }: { readonly share: number; readonly isUrgent?: boolean }) {
  const shown = Math.min(1, share);
  return (
    <svg class="spend-bar" viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect class="track" width={1000} height={12} />
      <rect class={`tint-${isUrgent ? 'bad' : tintOf(shown)}`} width={1000 * shown} height={12} />
    </svg>
  );
}

interface UsedProps {
  readonly unit: BudgetUnit;
  readonly budget: BudgetView;
  readonly currency: string;
  readonly zone: string;
  /** Shown below the bar. */
  readonly children?: ComponentChildren;
}

/** `6.05 of 500.00 USD used` and `1%` at the ends of a bar, and when it will be used up. */
const Used = ({ unit, budget, currency, zone, children }: UsedProps) => {
  const usedUp = usedUpTime(budget, useNow(), zone);
  return (
    <div class="budget-use">
      <p>
        <span>
          <strong>{unbroken(usedText(unit, budget, currency))}</strong> used
          {budget.isAutomatic && <span class="quiet"> · automatic budget</span>}
        </span>{' '}
        <span>{percent(shareOf(budget))}</span>
      </p>
      <UsedBar share={shareOf(budget)} />
      {children}
      {usedUp && <p class="quiet small">At today&apos;s rate, it will be used up {usedUp}.</p>}
    </div>
  );
};

interface SpendProps {
  readonly application: Application;
  readonly budgets: BudgetsView;
  readonly currency: string;
  /** The cost of a typical day; undefined if it is unknown. */
  readonly usualCost: number | undefined;
  readonly zone: string;
}

/** The budgets while no concern describes them. */
export function SpendCard({ application, budgets, currency, usualCost, zone }: SpendProps) {
  const { now, may } = useVisit();
  const { cost, messages } = budgets;
  const hasPrices = isPriced(budgets);
  const high = highBudget(cost, usualCost, currency);
  return (
    <Card
      id="spend-title"
      class="card ruled"
      title={hasPrices ? 'Daily budget' : 'Daily budgets'}
      lead={`Resets ${budgetReset(now, zone)}. Once ${hasPrices ? 'it is used up, messages that cost money' : 'a budget is used up, the messages that it limits'} are refused.`}
    >
      <Used unit="cost" budget={cost} currency={currency} zone={zone}>
        {usualCost !== undefined && (
          <p class="quiet small">
            {unbroken(usualCostText(usualCost, currency))}
            {high && may('own') && (
              <>
                {' '}
                To risk less,{' '}
                <a href={suggestedBudgetPath(application, 'budgetPerDay', high.value)}>
                  lower the budget to {unbroken(high.amount)}
                </a>
                .
              </>
            )}
          </p>
        )}
      </Used>
      {!hasPrices && (
        <Used unit="messages" budget={messages} currency={currency} zone={zone}>
          <p class="quiet small">{messageBudgetText(messages)}</p>
        </Used>
      )}
      <div class="actions">
        <a class="button subtle small" href={settingsPath(application, 'limits')}>
          {hasPrices ? 'Change the budget' : 'Change the budgets'}
        </a>
      </div>
    </Card>
  );
}
