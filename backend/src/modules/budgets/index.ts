/** Daily budgets: bound what an application's messages cost, whoever gets them. */
import type { Base } from '../../platform/base.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import { createBackgroundWork } from '../../platform/background.js';
import { createCache } from '../../platform/cache.js';
import { DAY, MINUTE, utcDay } from '../../platform/clock.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import type { Budget } from '../../platform/rate-limit/rule.js';
import type { Application } from '../applications/application.js';
import { LIMITS } from '../applications/application-limits.js';
import { accountBudgetKey, type BudgetsOf } from '../messages/message-limits.js';
import type { Notices } from '../notices/index.js';
import type { Routing } from '../providers/routing.js';
import type { UsageRecorder } from '../usage/index.js';
import { unitsOf } from '../usage/usage.js';
import { createBudgetNotices, shareReached, type BudgetNotice } from './budget-notices.js';
import { budgetInForce, HISTORY_DAYS, LIMIT_OF } from './budgets.js';
import type { BudgetHistory, BudgetInForce, BudgetsView, BudgetUnit } from './budgets.js';

/** How long the history stays cached. It only contains days that have ended. */
const HISTORY_MS = 10 * MINUTE;
/** A limit that no sum reaches. Unlike `Infinity`, JSON can represent it. */
const NEVER = Number.MAX_SAFE_INTEGER;

const CODE = 'APPLICATION_DAILY_LIMIT';

interface Dependencies extends Pick<Base, 'clock' | 'log'> {
  readonly notices: Pick<Notices, 'save'>;
  readonly limiter: Pick<Limiter, 'take' | 'sumOf'>;
  readonly usage: Pick<UsageRecorder, 'sums'>;
  readonly routing: Pick<Routing, 'isPaid' | 'pricesFor' | 'currency'>;
}

const keyOf = (applicationId: number, name: string): string => `budget:${applicationId}:${name}`;

export function createBudgets({ notices, limiter, usage, routing, clock, log }: Dependencies) {
  const background = createBackgroundWork(log);
  const report = createBudgetNotices(notices, routing.currency);
  const histories = createCache(clock, HISTORY_MS, readHistory);

  async function readHistory(applicationId: number): Promise<BudgetHistory> {
    const today = clock.now();
    const range = {
      applicationIds: [applicationId],
      from: utcDay(today - HISTORY_DAYS * DAY),
      to: utcDay(today - DAY),
    };
    const days = new Map<string, { cost: number; messages: number }>();
    for (const { day, channel, currency, cost, sent } of await usage.sums(range, ['day', 'channel'])) {
      if (channel === 'EMAIL') continue;
      const sums = days.get(day) ?? { cost: 0, messages: 0 };
      sums.messages += sent;
      if (currency === routing.currency()) sums.cost += Number(cost);
      days.set(day, sums);
    }
    const prices = Object.values(routing.pricesFor({ applicationId }, 'SMS') ?? {}).map(unitsOf);
    const positive = prices.filter((price) => price > 0);
    return { days: [...days.values()], lowestPrice: positive.length > 0 ? Math.min(...positive) : 0 };
  }

  const inForce = (application: Application, unit: BudgetUnit): Promise<BudgetInForce> =>
    budgetInForce(unit, application, () => histories.get(application.id));

  /** Counts a message that a budget refused, for the Protection page. */
  const countHeldBack = (applicationId: number) =>
    limiter.take([{ key: keyOf(applicationId, 'refused'), code: CODE, perDay: NEVER, amount: 1 }]);

  /** Returns the rate limit of a budget, which also warns the owners. */
  function toLimit({ id }: Application, unit: BudgetUnit, budget: BudgetInForce, amount: number): Budget {
    const key = keyOf(id, unit);
    const reach = (used: number, share: BudgetNotice['share']) =>
      report({ applicationId: id, unit, budget, used }, share, clock.now());
    return {
      key,
      code: CODE,
      values: { setting: LIMITS[LIMIT_OF[unit]].label },
      perDay: budget.limit,
      amount,
      onCounted(sum) {
        const share = shareReached(sum, budget.limit);
        if (share !== undefined) background.run('budget notice', () => reach(sum, share));
      },
      onRejected() {
        background.run('budget', async () => {
          await countHeldBack(id);
          await reach(await limiter.sumOf(key), 1);
        });
      },
    };
  }

  /** A country without a price, where others have one, must not be free: it counts as much as the most expensive one. */
  function unpricedCost({ id }: Application, channel: ChannelName, country: string): number {
    const prices = routing.pricesFor({ applicationId: id }, channel);
    if (!prices || (prices[country] ?? prices['*']) !== undefined) return 0;
    return Math.max(0, ...Object.values(prices).map(unitsOf));
  }

  /**
   * Returns the budgets that a message counts toward: none if no vendor charges for it. There are none for the operator's
   * command, which cannot access the counts of a running server. An automatic message budget bounds only messages without a
   * price, because the others have a cost.
   */
  const limitsOf: BudgetsOf = async ({ application, plan, cost, byOperator = false }) => {
    const isPaid = plan.channels.some((channel) => routing.isPaid(application, channel));
    if (byOperator || plan.testCode !== undefined || !isPaid) return [];
    const reserved = Math.max(
      cost,
      ...plan.channels.map((channel) => unpricedCost(application, channel, plan.country)),
    );
    const messages = await inForce(application, 'messages');
    const isUnbounded = messages.isAutomatic && reserved > 0;
    const counted = toLimit(application, 'messages', isUnbounded ? { ...messages, limit: NEVER } : messages, 1);
    if (reserved === 0) return [counted];
    return [counted, toLimit(application, 'cost', await inForce(application, 'cost'), reserved)];
  };

  /** Returns the budgets in force, and what was used of them today. */
  async function overview(application: Application): Promise<BudgetsView> {
    const viewOf = async (unit: BudgetUnit) => {
      const used = await limiter.sumOf(keyOf(application.id, unit));
      const ofAccount = await limiter.sumOf(
        accountBudgetKey(application.accountId, unit === 'cost' ? 'spend' : 'messages'),
      );
      return { ...(await inForce(application, unit)), used, usedElsewhere: Math.max(0, ofAccount - used) };
    };
    const [cost, messages] = await Promise.all([viewOf('cost'), viewOf('messages')]);
    return { cost, messages, heldBack: await limiter.sumOf(keyOf(application.id, 'refused')) };
  }

  return { limitsOf, overview, stop: background.stop };
}
