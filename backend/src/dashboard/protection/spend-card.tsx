import type { FraudOverview } from '../../modules/fraud/fraud-overview.js';
import { spendText } from '../../modules/fraud/fraud-overview-texts.js';
import { SPEND_ALERTS } from '../../modules/fraud/fraud-spend.js';
import { Card } from '../components/card.js';
import { Notice } from '../components/notice.js';
import { moneyText } from '../usage/figures.js';

function tintOf(share: number): string {
  if (share >= 1) return 'bad';
  return share >= SPEND_ALERTS.at(-1)! ? 'warning' : 'good';
}

export function SpendCard({ spend, currency }: { spend: FraudOverview['spend']; currency: string }) {
  const share = spend.limit === undefined ? undefined : Math.min(1, spend.today / spend.limit);
  return (
    <Card
      id="spend-title"
      title="Today's cost"
      lead="At the automatic limit, messages stop if fewer people than usual enter their codes. If you set a daily budget, messages always stop there."
    >
      <p>{spendText(spend, (units) => moneyText(units, currency))}</p>
      {share !== undefined && (
        <svg class="spend-bar" viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true" focusable="false">
          <rect class="track" width={1000} height={12} />
          <rect class={`tint-${tintOf(share)}`} width={1000 * share} height={12} />
        </svg>
      )}
      {spend.stopped && (
        <Notice kind="warning">
          {spend.stopped} Until midnight (UTC), only people who recently entered a code get messages. If the daily
          budget was reached, nobody does.
        </Notice>
      )}
    </Card>
  );
}
