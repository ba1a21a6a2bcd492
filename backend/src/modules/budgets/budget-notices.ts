/** Stores a notice for the owners when a budget reaches a share. The `people` module emails it. */
import { utcDay } from '../../platform/clock.js';
import type { Notices } from '../notices/index.js';
import { chargeOf, COST_SCALE } from '../usage/usage.js';
import { BUDGET_ALERTS, SCALES, type BudgetInForce, type BudgetUnit } from './budgets.js';

/** Amounts are decimal numbers, such as `5.0000`. The previous version of Passbell emails the notice as well. */
export interface BudgetNotice {
  readonly share: (typeof BUDGET_ALERTS)[number];
  readonly unit: BudgetUnit;
  readonly isAutomatic: boolean;
  readonly isBudget: true;
  readonly spend: string;
  readonly limit: string;
  /** The currency of a cost; `messages` for messages. */
  readonly currency: string;
}

interface Reached {
  readonly applicationId: number;
  readonly unit: BudgetUnit;
  readonly budget: BudgetInForce;
  readonly used: number;
}

/** Returns the highest share that is reached; undefined below the first. */
export const shareReached = (used: number, limit: number) =>
  [...BUDGET_ALERTS].reverse().find((share) => used >= share * limit);

export function createBudgetNotices(notices: Pick<Notices, 'save'>, currency: () => string) {
  /** The last notice that this process has stored for each budget, so that it does not store it for each message. */
  const last = new Map<string, string>();

  const isStored = (budget: string, key: string): boolean => last.get(budget) === key;

  return async function report(
    { applicationId, unit, budget, used }: Reached,
    share: BudgetNotice['share'],
    now: number,
  ): Promise<void> {
    const { limit, isAutomatic } = budget;
    const name = `${applicationId} ${unit}`;
    // Contains the limit, so that the owners are warned again after they have raised it.
    const key = `budget ${unit} ${limit} ${share} ${utcDay(now)}`;
    if (isStored(name, key)) return;
    const amountText = (amount: number): string => chargeOf(BigInt(Math.round((amount * COST_SCALE) / SCALES[unit])));
    const notice: BudgetNotice = {
      share,
      unit,
      isAutomatic,
      isBudget: true,
      spend: amountText(used),
      limit: amountText(limit),
      currency: unit === 'cost' ? currency() : unit,
    };
    await notices.save({ applicationId, key, kind: 'spend', body: JSON.stringify(notice), mailed: true }, now);
    last.set(name, key);
  };
}
