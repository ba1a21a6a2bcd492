/** Days with unusually many messages, and their reasons, on Home. */
import { concernsOf } from '../../backend/src/dashboard/home/attention.js';
import type { AccountState, ApplicationState } from '../../backend/src/dashboard/home/concern.js';
import { HOUR } from '../../backend/src/platform/clock.js';
import { account, budgets, quiet, sum, unusualIn } from '../support/account-state.js';

const titles = (change: Partial<AccountState>) => concernsOf(account(change)).map(({ title }) => title);

it.each([
  ['twice as many as usual', 160, [90, 100, 80, 70, 60], 1],
  ['slightly fewer', 159, [90, 100, 80, 70, 60], 0],
  ['as many as on an earlier day', 160, [90, 160, 80, 70, 60], 0],
  ['few messages', 99, [9, 9, 9, 9, 9], 0],
  ['a new account', 160, [0, 90, 100, 80, 70], 0],
])('more messages than usual: %s', (_name, sent, sentBefore, expected) =>
  expect(titles({ today: sum({ sent }), sentBefore })).toHaveLength(expected),
);

it.each([
  [135, "Yesterday had 60. 90% of today's codes were entered, as usual, so these are probably customers."],
  [
    18,
    "Yesterday had 60. Only 12% of today's codes were entered, compared with 90% in the 12 days before yesterday. If you did not expect this, check for a loop in your application, and for bots.",
  ],
])('compares the entered codes of a day with more messages than usual: %s', (verified, expected) => {
  const today = sum({ sent: 160, codes: 150, verified });
  const usual = sum({ codes: 500, verified: 450 });
  expect(concernsOf(account({ today, usual, sentBefore: [90, 100, 80, 70, 60] }))[0]!.text).toBe(
    `The usual number is the median of the last 5 days. ${expected}`,
  );
});

it.each([
  [
    'that the unusual countries explain',
    62,
    "48 of today's 110 messages went to these countries. These messages",
    undefined,
  ],
  [
    'besides that to unusual countries',
    112,
    'These messages',
    "Without the codes to France and Bangladesh, 89% of today's codes were entered, as usual, so these are probably customers.",
  ],
])('high traffic %s', (_name, others, start, expected) => {
  const todayByCountry = new Map([
    ['BD', sum({ sent: 25, codes: 25 })],
    ['FR', sum({ sent: 23, codes: 23 })],
    ['US', sum({ sent: others, codes: others, verified: others - 12 })],
  ]);
  const refusals = { parts: [], unusual: [unusualIn('FR', 23), unusualIn('BD', 25)] };
  const [first, second] = concernsOf(
    account({
      applications: [{ ...quiet, refusals }],
      today: sum({ sent: 48 + others, codes: 48 + others, verified: others - 12 }),
      todayByCountry,
      usual: sum({ codes: 500, verified: 450 }),
      sentBefore: [50, 50, 50, 50, 50],
    }),
  );
  expect(first!.text.startsWith(start)).toBe(true);
  expect(second?.text.replace(/^.* had 50\. /, '')).toBe(expected);
});

it('quiet fraud ranks above high traffic of customers, which ranks below everything else that is not resolved', () => {
  const now = Date.parse('2027-01-16T08:00Z');
  const refusals = { parts: [], unusual: [unusualIn('FR', 23)] };
  const lastUnusual = [{ country: 'FR', at: now - 2 * HOUR }];
  const failing = { webhookId: 'wh_1', url: 'https://shop.example/x', failures: 3, restsUntil: 0, calls: [] };
  const webhooks = [failing as unknown as ApplicationState['webhooks'][number]];
  const today = sum({ sent: 160, codes: 150, verified: 135 });
  const usual = sum({ codes: 500, verified: 450 });
  const applications = [{ ...quiet, refusals, lastUnusual, webhooks }];
  expect(titles({ applications, now, today, usual, sentBefore: [90, 100, 80, 70, 60] })).toEqual([
    'The webhook to shop.example is failing',
    '0 of 23 codes were entered in France',
    '160 messages so far today, compared with 80 on a usual day',
  ]);
});

it.each([
  [
    true,
    /^These messages are still being sent\. If the recipients are your customers, .* try another provider\. If not, pause/,
  ],
  [false, /^These messages are still being sent\. If the recipients are not your customers, pause these messages\.$/],
])('advises what to do about codes that are not entered in a country that is served: %s', (isServed, expected) => {
  const refusals = { parts: [], unusual: [{ ...unusualIn('FR', 23), isServed }] };
  expect(concernsOf(account({ applications: [{ ...quiet, refusals }] }))[0]!.text).toMatch(expected);
});

it.each([
  ['most of the messages', 150, / Likely cause: twice the usual traffic, probably from customers\.$/],
  ['few of the messages', 40, / resets at 00:00 tomorrow\.$/],
])('names high traffic as the cause of a used budget of an application with %s', (_name, used, expected) => {
  const state = { ...quiet, budgets: { ...budgets(85), messages: { limit: 1000, used, isAutomatic: true } } };
  const today = sum({ sent: 160, codes: 150, verified: 135 });
  const usual = sum({ codes: 500, verified: 450 });
  const concerns = concernsOf(account({ applications: [state], today, usual, sentBefore: [90, 100, 80, 70, 60] }));
  expect(concerns.find(({ link }) => link.label === 'Change the budget')!.text).toMatch(expected);
});
