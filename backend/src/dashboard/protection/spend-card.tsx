import type { ComponentChildren } from 'preact';
import {
  BUDGET_ALERTS,
  isBudgetUrgent,
  isPriced,
  mostUsed,
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
import { budgetEnd, highBudget, usedText, usedUpTime } from './budget-times.js';

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
  readonly isUrgent: boolean;
  /** Shown below the bar. */
  readonly children?: ComponentChildren;
}

/** `6.05 of 500.00 USD used` and `1%` at the ends of a bar, and when it will be used up, unless an alert says so. */
const Used = ({ unit, budget, currency, zone, isUrgent, children }: UsedProps) => {
  const share = shareOf(budget);
  const usedUp = share < BUDGET_ALERTS[1] && usedUpTime(budget, useNow(), zone);
  return (
    <div class="budget-use">
      <p>
        <span>
          <strong>{unbroken(usedText(unit, budget, currency))}</strong> used
        </span>{' '}
        <span>{percent(share)}</span>
      </p>
      <UsedBar share={share} isUrgent={isUrgent} />
      {(budget.isAutomatic || children) && (
        <p class="quiet small">
          {budget.isAutomatic && 'Automatic budget. '}
          {children}
        </p>
      )}
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

export function SpendCard({ application, budgets, currency, usualCost, zone }: SpendProps) {
  const { now, may } = useVisit();
  const { cost, messages } = budgets;
  const hasPrices = isPriced(budgets);
  const high = highBudget(cost, usualCost, currency);
  const isUrgent = (budget: BudgetView) => isBudgetUrgent(budgets, now) && budget === mostUsed(budgets);
  const shared = { currency, zone };
  return (
    <Card
      id="spend-title"
      class="card ruled"
      title={hasPrices ? 'Daily budget' : 'Daily budgets'}
      lead={
        <>
          {hasPrices ? 'Paid messages' : 'Messages'} over budget are refused until {budgetEnd(now, zone)}.{' '}
          <a class="nowrap" href={settingsPath(application, 'limits')}>
            {hasPrices ? 'Change the budget' : 'Change the budgets'}
          </a>
        </>
      }
    >
      <Used unit="cost" budget={cost} isUrgent={isUrgent(cost)} {...shared}>
        {usualCost !== undefined && (
          <>
            {unbroken(usualCostText(usualCost, currency))}
            {high && may('own') && (
              <>
                {' '}
                To risk less,{' '}
                <a href={suggestedBudgetPath(application, 'budgetPerDay', high.value)}>
                  lower it to {unbroken(high.amount)}
                </a>
                .
              </>
            )}
          </>
        )}
      </Used>
      {!hasPrices && (
        <Used unit="messages" budget={messages} isUrgent={isUrgent(messages)} {...shared}>
          Counts SMS, WhatsApp and voice calls{messages.isAutomatic && ' that have no price'}.
        </Used>
      )}
    </Card>
  );
}
