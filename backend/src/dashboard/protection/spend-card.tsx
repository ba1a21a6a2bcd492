import { BUDGET_ALERTS, budgetTexts, usedShare, type BudgetsView } from '../../modules/budgets/budgets.js';
import { Card } from '../components/card.js';
import { Notice } from '../components/notice.js';
import { moneyText } from '../usage/figures.js';

function tintOf(share: number): string {
  if (share >= 1) return 'bad';
  return share >= BUDGET_ALERTS[1] ? 'warning' : 'good';
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

export function SpendCard({ budgets, currency, at }: { budgets: BudgetsView; currency: string; at: string }) {
  const { heldBack } = budgets;
  return (
    <Card
      id="spend-title"
      title="Today's cost"
      lead="When a daily budget is used up, all messages that cost money are refused until midnight UTC, even to verified recipients."
    >
      <p>{budgetTexts(budgets, (units) => moneyText(units, currency)).join(' ')}</p>
      <UsedBar share={usedShare(budgets)} />
      {heldBack > 0 && (
        <Notice kind="warning">
          A daily budget is used up. If you expect these messages, <a href={at}>raise it under Limits</a>. The change
          applies immediately.
        </Notice>
      )}
    </Card>
  );
}
