/** The order of the facts that need attention on Home: what stops all messages soonest comes first. */
import { concernsOf } from '../../backend/src/dashboard/home/attention.js';
import { HOUR, MINUTE } from '../../backend/src/platform/clock.js';
import { account, budgets, quiet, unusualIn } from '../support/account-state.js';

it('describes unusual traffic as past after an hour without a message, below the other problems', () => {
  const unusual = { parts: [], unusual: [unusualIn('FR', 23), unusualIn('BD', 9)] };
  const now = Date.parse('2027-01-16T08:00Z');
  const concernsAfter = (minutes: number) => {
    const lastUnusual = [
      { country: 'BD', at: now - minutes * MINUTE },
      { country: 'FR', at: now - 5 * HOUR },
    ];
    const applications = [
      { ...quiet, refusals: unusual, lastUnusual },
      { ...quiet, budgets: budgets(81) },
    ];
    return concernsOf(account({ applications, now }));
  };
  const title = 'Shop: 0 of 23 codes were entered in France and 0 of 9 in Bangladesh';
  expect(concernsAfter(59)).toMatchObject([
    { title: 'Shop: all paid messages will stop at about 09:55' },
    {
      title,
      isQuiet: false,
      times: [
        ['latest message: Bangladesh,', now - 59 * MINUTE],
        ['France,', now - 5 * HOUR],
      ],
    },
  ]);
  expect(concernsAfter(61).at(-1)).toMatchObject({
    title,
    text: 'No message since 06:59. New messages to these countries will be sent. If the recipients are not your customers, pause these messages.',
    isQuiet: true,
  });
});

it('lists urgent problems first, but not a budget that lasts for hours', () => {
  const refusals = { parts: [], unusual: [unusualIn('FR', 23)] };
  const now = Date.parse('2027-01-16T09:00Z');
  const of = (used: number) =>
    concernsOf(account({ applications: [{ ...quiet, refusals, budgets: budgets(used) }], now })).map(
      ({ title, isUrgent }) => [title, isUrgent],
    );
  expect(of(81)).toEqual([
    ['0 of 23 codes were entered in France', true],
    ['All paid messages will stop at about 11:05', false],
  ]);
  expect(of(90)).toEqual([
    ['All paid messages will stop at about 10:00', true],
    ['0 of 23 codes were entered in France', true],
  ]);
});

it('lists a used budget without a forecast below messages that may be fraud', () => {
  const refusals = { parts: [], unusual: [unusualIn('FR', 23)] };
  const now = Date.parse('2027-01-16T23:30Z');
  const applications = [{ ...quiet, refusals, budgets: budgets(81) }];
  expect(concernsOf(account({ applications, now })).map(({ title }) => title)).toEqual([
    '0 of 23 codes were entered in France',
    '81% of the daily budget is used',
  ]);
});
