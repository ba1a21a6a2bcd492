/** Daily budgets hold over all processes. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { NO_LIMITS } from '../../backend/src/modules/applications/application-limits.js';
import { numbers, startGuardedService, type GuardedService } from '../support/guarded-service.js';
import type { Body } from '../support/service.js';

let service: GuardedService;
afterEach(() => service.close());

async function start(prices: Record<string, string> | undefined, limits: object): Promise<void> {
  service = await startGuardedService({}, prices);
  const { passbell, keys } = service;
  const change = { limits: { ...NO_LIMITS, ...limits }, settings: { countries: ['US'] } };
  await passbell.core.applications.service.update(OPERATOR, keys.appKey, change);
  passbell.clock.advance(2000);
}

/** Sends 50 codes and 50 order notifications at the same time. The processes get every second call. */
function sendAtOnce(): Promise<Body[]> {
  const { passbell, keys } = service;
  return Promise.all([
    ...numbers('+1415555', 50, 1010).map((to) => service.send(to)),
    ...numbers('+1415555', 50, 2010).map((to) => {
      const order = { to, authWay: 'SMS', templateType: 'order_placed', variables: { orderId: 'A-1' } };
      return passbell.post('/notifications/order', order, { keys });
    }),
  ]);
}

it.each([
  ['a cost', { '*': '0.1' }, { budgetPerDay: 4 }],
  ['a number of messages', undefined, { messageBudgetPerDay: 40 }],
  ['a number of messages with prices', { '*': '0.01' }, { messageBudgetPerDay: 40 }],
])('100 parallel sends over two processes never exceed a budget of %s by one', async (_name, prices, limits) => {
  await start(prices, limits);
  const replies = await sendAtOnce();
  expect(replies.filter(({ success }) => success)).toHaveLength(40);
  expect(replies.filter(({ code }) => code === 'APPLICATION_DAILY_LIMIT')).toHaveLength(60);
  expect(service.twilio.requests).toHaveLength(40);
});
