/** The settings page “Limits” of an application. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import type { CeilingsChange } from '../../backend/src/modules/applications/account-ceilings.js';
import { DEFAULT_LIMITS } from '../../backend/src/modules/applications/application-limits.js';
import { sufficientBudget } from '../../backend/src/modules/budgets/budgets.js';
import { DAY, HOUR, MINUTE, startOfDay } from '../../backend/src/platform/clock.js';
import { signIn, type Visitor } from '../support/dashboard.js';
import { startService, type TestService } from '../support/service.js';

let passbell: TestService;
let owner: Visitor;
let path: string;
beforeAll(async () => {
  passbell = await startService();
  owner = await signIn(passbell);
  path = `/applications/${passbell.keys.appKey}`;
});
afterAll(() => passbell.stop());

const storedApplication = () => passbell.core.applications.service.load(passbell.keys.appKey);
const save = (section: string, fields: Record<string, string>) =>
  owner.submit(`${path}/settings/${section}`, `${path}/settings/${section}`, fields);
const ALL_LIMITS = Object.fromEntries(Object.entries(DEFAULT_LIMITS).map(([name, value]) => [name, String(value)]));

it('shows the limits in words, with the use of the budgets today', async () => {
  await save('limits', { budgetPerDay: '', messageBudgetPerDay: '4,000' });
  await save('rates', { ...ALL_LIMITS, sendsPerDay: '', confirmed: 'yes' });
  const { html } = await owner.get(`${path}/settings/limits`);
  expect(html).toContain('0.00 of 500.00 USD used since 00:00 (0%).');
  expect(html).toContain('0 of 4,000 messages used since 00:00 (0%).');
  expect(html).toContain(
    'Automatic: 500.00 USD today; it grows with your traffic. To risk less, enter a lower budget.',
  );
  expect(html).toContain(
    'Once this budget is used up, SMS, WhatsApp messages and voice calls with a price are refused until 00:00 tomorrow (midnight UTC).',
  );
  expect(html).toMatch(
    /Codes to one recipient <span[^>]*>30\u00a0seconds between two codes, 5\u00a0codes in 10\u00a0minutes, any number of codes in 24\u00a0hours</,
  );
  expect(html).toContain('<strong>1 of 14 limits is off.</strong> One phone can receive many codes, at your cost.');
  expect(html).toMatch(/voice calls, counted from [\d:]+( yesterday)? like the budgets\./);
  expect(html).toMatch(
    />Seconds between two codes<\/label>[^]*>Codes in 24 hours<\/label>[^]{0,350}Recommended: 10\.</,
  );
  expect(html).toMatch(
    /Whole application <span[^>]*>20\u00a0messages per second, 100\u00a0messages per minute, 5,000\u00a0notifications to phones per day</,
  );
  expect(html).toMatch(/name="budgetPerDay"[^>]* value\/>/);
  expect(html).toMatch(/name="messageBudgetPerDay"[^>]* value="4,000"/);
  expect(html).toMatch(/placeholder="No limit"[^>]*name="sendsPerDay"/);
});

it('fills in the recommended limits for those that are off, with one button', async () => {
  await save('rates', {
    ...ALL_LIMITS,
    sendsPer10Minutes: '4',
    sendsPerDay: '',
    burstPerMinute: '',
    confirmed: 'yes',
  });
  const filled = await owner.submit(`${path}/settings/limits`, `${path}/settings/rates#rates`);
  expect(filled.status).toBe(303);
  const { limits } = (await storedApplication()).settings;
  expect(limits).toMatchObject({ sendsPer10Minutes: 4, sendsPerDay: 10, burstPerMinute: 100 });
  expect((await owner.get(`${path}/settings/limits`)).html).not.toContain('Use recommended limits');
});

it('shows no share of the message budget if the cost budget limits them', async () => {
  const { id } = await storedApplication();
  await save('limits', { budgetPerDay: '', messageBudgetPerDay: '', confirmed: 'yes' });
  for (const [unit, amount] of Object.entries({ cost: 70_000, messages: 7 })) {
    const key = `budget:${id}:${unit}`;
    await passbell.core.limiter.take([{ key, code: 'APPLICATION_DAILY_LIMIT', perDay: 1e9, amount }]);
  }
  const { html } = await owner.get(`${path}/settings/limits`);
  expect(html).toContain('7.00 of 500.00 USD used since 00:00 (1%).');
  expect(html).toContain(
    '<details class="limit-group"><summary>Daily message budget <span class="quiet">Automatic: 6,000 messages today. Only limits messages that have no price.<',
  );
  expect(html).not.toContain('messages used');
});

it('shows the submitted limits of a closed group after an error', async () => {
  const { html } = await save('rates', { ...ALL_LIMITS, sendsPer10Minutes: '3', widgetCallsPerMinute: 'many' });
  expect(html).toMatch(
    /Codes to one recipient <span[^>]*>30\u00a0seconds between two codes, 3\u00a0codes in 10\u00a0minutes/,
  );
});

it('suggests a budget that lasts for the whole day, unless the account does not allow it', async () => {
  const { id } = await storedApplication();
  await save('limits', { budgetPerDay: '20', messageBudgetPerDay: '10', confirmed: 'yes' });
  const { clock } = passbell;
  // 7:10 hours after the start of the next UTC day.
  clock.advance(startOfDay(clock.now()) + DAY + 7 * HOUR + 10 * MINUTE - clock.now());
  owner = await signIn(passbell);
  const use = (unit: string, amount: number) =>
    passbell.core.limiter.take([{ key: `budget:${id}:${unit}`, code: 'APPLICATION_DAILY_LIMIT', perDay: 1e9, amount }]);
  const limitsPage = async () => (await owner.get(`${path}/settings/limits`)).html;
  const textOf = (html: string) => html.replace(/(<[^>]+>|\s)+/g, ' ').replace(/&#39;/g, "'");
  await use('messages', 2);
  // Too little is used for an alert on Home.
  await use('cost', 150_000);
  expect(textOf(await limitsPage())).toContain(
    "At today's rate, this budget will be used up around 09:35 To send all of today's messages, raise the daily budget to 55 USD or more. Raise budget to 55 USD a day Daily budget",
  );
  await use('cost', 20_000);
  const html = await limitsPage();
  // In the words and the color of Home.
  expect(html).toMatch(
    /class="notice bad marked" role="alert"><p><svg[^]{0,600}Urgent: <\/span><strong>Daily budget: paid messages stop around 08:25/,
  );
  expect(textOf(html)).toContain(
    'around 08:25 17 of 20 USD used, 57 USD expected by 00:00 tomorrow. Raise budget to 60 USD a day Daily budget',
  );
  expect(html).not.toMatch(/raise the daily budget to \d+ messages/);
  const [link] = /[^"]*\?budgetPerDay=60#limits/.exec(html)!;
  const shown = async (query: string) => (await owner.get(`${path}/settings/limits?${query}`)).html;
  const filledIn = await shown('budgetPerDay=60');
  expect(link).toBe(`/dashboard${path}/settings/limits?budgetPerDay=60#limits`);
  expect(filledIn).toContain(' data-unsaved=');
  expect(filledIn).toMatch(/name="budgetPerDay"[^>]* value="60"/);
  expect(filledIn).toContain('Save the changes to raise the budget to 60\u00a0USD a day.');
  expect((await storedApplication()).settings.limits.budgetPerDay).toBe(20);
  const ignored = ['20', '0', '-1', '60.5', '1e3', '9999999999', '%3Cb%3E', '60&budgetPerDay=70', ''];
  for (const text of ignored) expect(await shown(`budgetPerDay=${text}`)).not.toContain('data-unsaved');
  const advice = async () =>
    (await owner.get(`${path}/protection`)).html.includes('raise the daily budget to 60 USD or more.');
  expect(await advice()).toBe(true);
  const { accountId } = await storedApplication();
  const setCeilings = (change: CeilingsChange) =>
    passbell.core.applications.service.setCeilings(OPERATOR, accountId, change);
  await setCeilings({ spendPerDay: 59 });
  expect(await advice()).toBe(false);
  await setCeilings({ spendPerDay: 60, limits: { budgetPerDay: 59 } });
  expect(await shown('budgetPerDay=60')).not.toContain('data-unsaved');
  expect(await advice()).toBe(false);
  await setCeilings({ limits: { budgetPerDay: 60 } });
  expect(await advice()).toBe(true);
  // Another application has used 1 USD, which is 3.35 USD a day.
  const key = `account:${accountId}:spend`;
  await passbell.core.limiter.take([{ key, code: 'ACCOUNT_DAILY_LIMIT', perDay: 1e9, amount: 180_000 }]);
  expect(await advice()).toBe(false);
  await setCeilings({ spendPerDay: 64 });
  expect(await advice()).toBe(true);
});

it('warns that an automatic budget is far above a typical day, until a lower one is filled in', async () => {
  const { id } = await storedApplication();
  await save('limits', { budgetPerDay: '', messageBudgetPerDay: '', confirmed: 'yes' });
  const { clock } = passbell;
  clock.advance(DAY);
  owner = await signIn(passbell);
  const counts = { sent: 300, delivered: 300, undelivered: 0, failed: 0, codes: 300, verified: 290, cost: 24_400 };
  const day = (ago: number) => new Date(clock.now() - ago * DAY).toISOString().slice(0, 10);
  const db = passbell.openDatabase();
  await db('usage_counts').insert(
    [2, 3, 4, 5, 6, 7, 8].map((ago) => ({
      application_id: id,
      day: day(ago),
      channel: 'SMS',
      country: 'US',
      currency: 'usd',
      ...counts,
    })),
  );
  await db.destroy();
  const notice = async (query = '') => {
    const { html } = await owner.get(`${path}/settings/limits${query}`);
    const [, kind, text] = /class="notice (\w+)[^>]*>((?:(?!class="notice)[^])*?automatic budget is[^]*?)<\/p>/.exec(
      html,
    )!;
    return `${kind}: ${text!.replace(/(<[^>]+>|\s)+/g, ' ').trim()}`.replace(/\d+ times/, 'N times');
  };
  expect(await notice()).toBe(
    'warning: The automatic budget is about N times the cost of a typical day. An attack could cost that much in a day.',
  );
  expect(await notice('?budgetPerDay=25')).toBe(
    'info: The automatic budget is about N times the cost of a typical day. Save the changes to lower the budget to 25 USD.',
  );
});

it.each([
  ['cost', 170_000, 60],
  ['cost', 1_234_500, 450],
  ['cost', 2_000, 1],
  ['messages', 2150, 7500],
] as const)('suggests for a day that has used %s %d so far: %d', (unit, used, expected) => {
  const budget = { used, usedElsewhere: 0, limit: 1, isAutomatic: false };
  expect(sufficientBudget(unit, budget, 7 * HOUR + 10 * MINUTE)).toBe(expected);
});
