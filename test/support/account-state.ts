/** States of an account, in which the facts for Home are found. */
import type { AccountState, ApplicationState, Failure } from '../../backend/src/dashboard/home/concern.js';
import { sumOf, type Sum } from '../../backend/src/dashboard/usage/figures.js';
import { ceilingsOf } from '../../backend/src/modules/applications/account-ceilings.js';
import { OPERATOR_ACCOUNT, type Application } from '../../backend/src/modules/applications/application.js';
import type { BudgetsView } from '../../backend/src/modules/budgets/budgets.js';

export const sum = (counts: Partial<Sum>): Sum => ({ ...sumOf([]), ...counts });
const budget = (used: number) => ({ limit: 100, used, usedElsewhere: 0, isAutomatic: false });
export const budgets = (cost: number, heldBack = 0): BudgetsView => ({
  cost: budget(cost),
  messages: budget(0),
  heldBack,
});
export const application = { name: 'Shop', appKey: 'pk_1', ceilings: ceilingsOf(OPERATOR_ACCOUNT) } as Application;
export const quiet: ApplicationState = {
  application,
  webhooks: [],
  budgets: budgets(0),
  budgetChannels: { cost: [], messages: [] },
  refusals: undefined,
  lastRefused: undefined,
  unusual: new Map(),
};
export const account = (change: Partial<AccountState>): AccountState => ({
  channels: [],
  domains: [],
  applications: [quiet],
  failures: [],
  lastSent: new Map(),
  overdue: { messages: 0, dueAt: 0 },
  upkeep: undefined,
  enteredLater: 0,
  rescued: [],
  lastThrough: new Map(),
  currency: 'usd',
  timeZone: 'UTC',
  now: 0,
  today: sum({}),
  latelyByCountry: new Map(),
  todayByCountry: new Map(),
  usual: sum({}),
  sentBefore: [],
  ...change,
});
const UNUSUAL = { isHome: false, verified: 0, usual: undefined, normal: 0.33, unusedLimit: 25, isUnusual: true };
/** A country that is not served, and in which nobody has entered a code before. */
export const unusualIn = (key: string, sent: number) => ({ ...UNUSUAL, key, sent, isServed: false, isNew: true });
export const servedIn = (key: string, sent: number) => ({ ...unusualIn(key, sent), isServed: true, isNew: false });
/** A code that failed on SMS, without its times and attempt. */
export const FAILURE = {
  id: 'm1',
  channel: 'SMS',
  state: 'failed',
  template: 'otp',
  recipient: '',
  reasonKey: 'down',
  hasWrongRecipient: false,
} as unknown as Failure;
