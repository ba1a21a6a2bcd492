/** The lower budget that the dashboard suggests if an automatic one is far above a typical day. Costs are in ten-thousandths. */
import { highBudget } from '../../backend/src/dashboard/protection/budget-times.js';

const budget = { limit: 5_000_000, used: 62_800, usedElsewhere: 0, isAutomatic: true };

it.each([
  ['ten typical days, rounded up', budget, 24_400, '25 USD'],
  ['twice the cost of a busy day', { ...budget, used: 1_000_000 }, 24_400, '200 USD'],
  ['a high amount', { ...budget, limit: 50_000_000 }, 1_234_000, '1,300 USD'],
  ['the lowest budget', { ...budget, used: 0 }, 100, '1 USD'],
])('suggests %s', (_, view, usualCost, amount) => {
  const high = highBudget(view, usualCost, 'usd');
  expect(high).toMatchObject({ amount, times: view.limit / usualCost });
});

it.each([
  ['an own budget', { ...budget, isAutomatic: false }, 24_400],
  ['a budget of ten typical days', { ...budget, limit: 244_000 }, 24_400],
  ['an unknown typical day', budget, undefined],
  ['a day that uses up more than half of the budget', { ...budget, used: 2_600_000 }, 24_400],
])('suggests nothing for %s', (_, view, usualCost) => expect(highBudget(view, usualCost, 'usd')).toBeUndefined());
