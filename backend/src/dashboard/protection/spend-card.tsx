import { BUDGET_ALERTS, isPriced, shareOf, type BudgetsView, type BudgetView } from '../../modules/budgets/budgets.js';
import { Card } from '../components/card.js';
import { useNow } from '../components/context.js';
import { countText, moneyText, percent } from '../usage/figures.js';
import { budgetReset, budgetStart, usedUpTime } from './budget-times.js';

/** An automatic message budget does not limit messages with a price. */
export const messageBudgetText = ({ isAutomatic }: BudgetView): string =>
  isAutomatic
    ? 'The automatic message budget applies only to messages without a price.'
    : 'The daily message budget limits the number of SMS, WhatsApp messages and voice calls, whatever they cost.';

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
}

/** `6.05 USD of 500.00 USD`, a bar, and when it will be used up. */
const Used = ({ budget, text, unit = '', zone }: UsedProps) => {
  const usedUp = usedUpTime(budget, useNow(), zone);
  return (
    <div>
      <p>
        <strong>{text(budget.used)}</strong> of {text(budget.limit)}
        {unit} ({percent(shareOf(budget))}){budget.isAutomatic && <span class="quiet"> · automatic budget</span>}
      </p>
      <UsedBar share={shareOf(budget)} />
      {usedUp && <p class="quiet small">At today&apos;s rate, it will be used up {usedUp}.</p>}
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

/** The budgets while no concern describes them. */
export function SpendCard({ budgets, currency, at, zone }: SpendProps) {
  const now = useNow();
  const { cost, messages } = budgets;
  return (
    <Card
      id="spend-title"
      title="Daily budget"
      lead={`Counted since ${budgetStart(now, zone)}. When the budget is used up, all messages that cost money are refused until it resets ${budgetReset(now, zone)}.`}
    >
      <Used zone={zone} budget={cost} text={(units) => moneyText(units, currency)} />
      {!isPriced(budgets) && (
        <>
          <Used zone={zone} budget={messages} text={countText} unit=" messages" />
          <p class="quiet small">{messageBudgetText(messages)}</p>
        </>
      )}
      <div class="actions">
        <a class="button subtle" href={at}>
          Change the budget
        </a>
      </div>
    </Card>
  );
}
