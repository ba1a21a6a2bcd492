import {
  BUDGET_ALERTS,
  isBudgetUrgent,
  isPriced,
  shareOf,
  type BudgetsView,
  type BudgetView,
} from '../../modules/budgets/budgets.js';
import { Card } from '../components/card.js';
import { useNow } from '../components/context.js';
import { Notice } from '../components/notice.js';
import { countText, moneyText, percent } from '../usage/figures.js';
import { budgetReset, budgetStart, usedUpTime } from './budget-times.js';

function tintOf(share: number): string {
  if (share >= 1) return 'bad';
  return share >= BUDGET_ALERTS[1] ? 'warning' : 'a';
}

/** A bar that shows the used share of a budget. */
export function UsedBar({ share }: { readonly share: number }) {
  const shown = Math.min(1, share);
  return (
    <svg class="spend-bar" viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect class="track" width={1000} height={12} />
      <rect class={`tint-${tintOf(shown)}`} width={1000 * shown} height={12} />
    </svg>
  );
}

interface UsedProps {
  readonly budget: BudgetView;
  readonly text: (amount: number) => string;
  /** The unit of the amounts, if their texts do not contain it. */
  readonly unit?: string;
  readonly zone: string;
  readonly isUrgent: boolean;
}

/** `6.05 USD of 500.00 USD`, a bar, and when it will be used up. */
const Used = ({ budget, text, unit = '', zone, isUrgent }: UsedProps) => {
  const usedUp = usedUpTime(budget, useNow(), zone);
  return (
    <div>
      <p>
        <strong>{text(budget.used)}</strong> of {text(budget.limit)}
        {unit} ({percent(shareOf(budget))}){budget.isAutomatic && <span class="quiet"> · automatic budget</span>}
      </p>
      <UsedBar share={shareOf(budget)} />
      {usedUp && <p class={isUrgent ? 'strong' : 'quiet small'}>At this rate, it will be used up {usedUp}.</p>}
    </div>
  );
};

interface SpendProps {
  readonly budgets: BudgetsView;
  readonly currency: string;
  /** The page that changes the budgets. */
  readonly at: string;
  readonly zone: string;
}

export function SpendCard({ budgets, currency, at, zone }: SpendProps) {
  const now = useNow();
  const { cost, messages, heldBack } = budgets;
  const isUrgent = isBudgetUrgent(budgets, now);
  return (
    <Card
      id="spend-title"
      title="Daily budget"
      lead={`Counted since ${budgetStart(now, zone)}. When the budget is used up, all messages that cost money, even those to verified recipients, are refused until it resets ${budgetReset(now, zone)}.`}
    >
      <Used zone={zone} isUrgent={isUrgent} budget={cost} text={(units) => moneyText(units, currency)} />
      {!isPriced(budgets) && (
        <Used zone={zone} isUrgent={isUrgent} budget={messages} text={countText} unit=" messages" />
      )}
      {heldBack > 0 && (
        <Notice kind="warning">
          A daily budget is used up, and {countText(heldBack)} {heldBack === 1 ? 'message was' : 'messages were'}{' '}
          refused. If you expect these messages, raise the budget. The change applies immediately.
        </Notice>
      )}
      <div class="actions">
        <a class={isUrgent ? 'button' : 'button subtle'} href={at}>
          Change the budget
        </a>
      </div>
    </Card>
  );
}
