/** The limits that all services which send messages take, and the limits that they refund. */
import { ceilingsOf } from '../../backend/src/modules/applications/account-ceilings.js';
import { DEFAULT_LIMITS, NO_LIMITS } from '../../backend/src/modules/applications/application-limits.js';
import { DEFAULT_SETTINGS, type Application } from '../../backend/src/modules/applications/application.js';
import { messageLimits, requestLimits, sendWithinLimits } from '../../backend/src/modules/messages/message-limits.js';
import { isBudget, isRefundable, type Limit } from '../../backend/src/platform/rate-limit/rule.js';

const ceilings = ceilingsOf('owner@shop.example');
const { notificationsPer10Minutes, notificationsPerDay, phoneNotificationsPerDay } = DEFAULT_LIMITS;
const limits = { ...NO_LIMITS, notificationsPer10Minutes, notificationsPerDay, phoneNotificationsPerDay };
const application = { id: 3, accountId: 7, settings: { ...DEFAULT_SETTINGS, limits }, ceilings } as Application;
const phone = { address: '+14155550100', limitKey: '+14155550100', country: 'US', testCode: undefined };
const code = { application, plan: { ...phone, channels: ['SMS'] as const }, template: 'otp', cost: 75 };
const notification = { ...code, template: 'order_placed' };
const email = { ...notification, plan: { ...code.plan, channels: ['EMAIL'] as const } };
const testRecipient = { ...notification, plan: { ...code.plan, testCode: '123456' } };

const CODES_OF_BUDGETS = ['ACCOUNT_DAILY_LIMIT', 'ACCOUNT_DAILY_LIMIT'];
const codesOf = (limits: readonly Limit[]) => limits.map((limit) => limit.code);

it.each([
  ['a code', code, CODES_OF_BUDGETS],
  ['a notification', notification, [...Array.from({ length: 3 }, () => 'NOTIFICATION_LIMIT'), ...CODES_OF_BUDGETS]],
  ['an email', email, ['NOTIFICATION_LIMIT', 'NOTIFICATION_LIMIT', ...CODES_OF_BUDGETS]],
  ['a test of a template', { ...notification, isTest: true }, CODES_OF_BUDGETS],
  ['a test recipient', testRecipient, []],
])('returns budgets and refundable limits for %s', (_case, message, codes) => {
  const taken = messageLimits(message);
  expect(codesOf(taken)).toEqual(codes);
  expect(taken.filter((limit) => isBudget(limit) || isRefundable(limit))).toEqual(taken);
});

it('adds the limits of a request, which are not refundable', () => {
  const own = { key: 'own', code: 'COOLDOWN', windows: [] } as const;
  const taken = requestLimits(code, [own]);
  expect(codesOf(taken)).toEqual(['BURST_LIMIT', 'COOLDOWN', ...CODES_OF_BUDGETS, 'RECIPIENT_LIMIT']);
  expect(taken.filter(isRefundable)).toEqual([]);
  expect(codesOf(requestLimits(testRecipient, [own]))).toEqual(['BURST_LIMIT', 'COOLDOWN']);
});

it('omits budgets that are off', () => {
  const off = { ...application, ceilings: { ...ceilings, messagesPerDay: 0, spendPerDay: 0 } };
  expect(messageLimits({ ...code, application: off })).toEqual([]);
});

it.each([
  ['certainly not sent', true, messageLimits(notification).filter(isRefundable)],
  ['sent, or perhaps sent', false, undefined],
])('refunds a message that was %s accordingly', async (_case, isNotSent, expected) => {
  let refunded: readonly Limit[] | undefined;
  let isUncounted = false;
  const limiter = {
    takeWith: async () => ({
      rows: [],
      refund: async (chosen?: readonly Limit[]) => {
        refunded = chosen;
      },
    }),
  };
  const result = await sendWithinLimits(
    {
      suppressions: { errorFor: async () => undefined },
      limiter,
      budgetsOf: async () => [],
      guard: (_message, work) => work([], async () => void (isUncounted = true)),
    },
    notification,
    requestLimits(notification, []),
    { send: async () => 'result', wasNotSent: () => isNotSent },
  );
  expect([result, refunded, isUncounted]).toEqual(['result', expected, isNotSent]);
});
