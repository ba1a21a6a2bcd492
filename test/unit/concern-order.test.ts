/** The order of the facts that need attention on Home: what stops all messages soonest comes first. */
import { concernsOf, sortConcerns } from '../../backend/src/dashboard/home/attention.js';
import { HOUR, MINUTE } from '../../backend/src/platform/clock.js';
import { account, budgets, quiet, servedIn, unusualIn } from '../support/account-state.js';

it('lists countries in different situations separately: traffic is past after an hour without a message', () => {
  const unusual = { allowed: [], parts: [], unusual: [unusualIn('FR', 23), unusualIn('BD', 9), unusualIn('CU', 8)] };
  const now = Date.parse('2027-01-16T08:00Z');
  const concernsAfter = (minutes: number) => {
    const sentAt = (at: number) => ({
      latest: { inLastHour: 0, at, delivered: 0, undelivered: 0 },
      cost: 0,
      refused: 0,
      refusedUntil: 0,
    });
    const messages = new Map([
      ['BD', sentAt(now - minutes * MINUTE)],
      ['FR', sentAt(now - 5 * HOUR)],
      ['CU', sentAt(now - 6 * HOUR)],
    ]);
    const applications = [
      { ...quiet, refusals: unusual, unusual: messages },
      { ...quiet, budgets: budgets(81) },
    ];
    return concernsOf(account({ applications, now }));
  };
  const budget = { title: 'Daily budget: paid messages stop around 09:55', application: 'Shop' };
  expect(concernsAfter(59)).toMatchObject([
    budget,
    {
      title: 'Likely fraud: Bangladesh, ongoing',
      application: 'Shop',
      isUrgent: true,
      times: [['latest message:', now - 59 * MINUTE]],
    },
    {
      title: 'Likely fraud: France and Cuba, ended 03:00',
      application: 'Shop',
      isQuiet: true,
      pause: { countries: ['FR', 'CU'] },
      isOver: true,
    },
  ]);
  expect(concernsAfter(61)).toMatchObject([
    budget,
    {
      title: 'Likely fraud: France, Bangladesh and Cuba, ended 06:59',
      application: 'Shop',
      figures: '0 of 23 codes entered in France, 0 of 9 in Bangladesh and 0 of 8 in Cuba · latest message: 06:59',
      text: 'Pause these countries if you have no customers there.',
      isQuiet: true,
      isOver: true,
    },
  ]);
});

it('offers to pause at most the three countries that it names', () => {
  const unusual = ['FR', 'BD', 'CU', 'BR', 'IN'].map((key, n) => unusualIn(key, 23 - n));
  const [concern] = concernsOf(
    account({ applications: [{ ...quiet, refusals: { allowed: [], parts: [], unusual } }] }),
  );
  expect(concern).toMatchObject({
    title: 'Likely fraud: France, Bangladesh and Cuba, among others, ongoing',
    pause: { countries: ['FR', 'BD', 'CU'] },
  });
});

it('leaves out fraud that ended more than a day ago, but not customers whose codes did not arrive', () => {
  const now = Date.parse('2027-01-16T08:00Z');
  const titlesAfter = (hours: number) => {
    const messages = {
      latest: { inLastHour: 0, at: now - hours * HOUR, delivered: 0, undelivered: 0 },
      cost: 0,
      refused: 0,
      refusedUntil: 0,
    };
    const refusals = { allowed: [], parts: [], unusual: [unusualIn('BD', 9), servedIn('FR', 9)] };
    const unusual = new Map([
      ['BD', messages],
      ['FR', messages],
    ]);
    return concernsOf(account({ applications: [{ ...quiet, refusals, unusual }], now })).map(({ title }) => title);
  };
  const customers = 'Codes not entered: France';
  expect(titlesAfter(23)).toEqual([customers, 'Likely fraud: Bangladesh, ended 09:00 yesterday']);
  expect(titlesAfter(25)).toEqual([customers]);
});

it('lists urgent problems first, but not a budget that lasts for hours', () => {
  const refusals = { allowed: [], parts: [], unusual: [unusualIn('FR', 23)] };
  const now = Date.parse('2027-01-16T09:00Z');
  const of = (used: number) =>
    concernsOf(account({ applications: [{ ...quiet, refusals, budgets: budgets(used) }], now })).map(
      ({ title, isUrgent }) => [title, isUrgent],
    );
  expect(of(81)).toEqual([
    ['Likely fraud: France, ongoing', true],
    ['Daily budget: paid messages stop around 11:05', false],
  ]);
  expect(of(90)).toEqual([
    ['Daily budget: paid messages stop around 10:00', true],
    ['Likely fraud: France, ongoing', true],
  ]);
});

it('lists a used budget without a forecast below messages that may be fraud', () => {
  const refusals = { allowed: [], parts: [], unusual: [unusualIn('FR', 23)] };
  const now = Date.parse('2027-01-16T23:30Z');
  const applications = [{ ...quiet, refusals, budgets: budgets(81) }];
  expect(concernsOf(account({ applications, now })).map(({ title }) => title)).toEqual([
    'Likely fraud: France, ongoing',
    'Daily budget 81% used',
  ]);
});

it('lists resolved problems last, the newest first', () => {
  const link = { href: '', label: '' };
  const resolved = { text: '', link, isOver: true };
  const concerns = [
    { ...resolved, title: 'earlier', endedAt: 1, stopsAt: 0 },
    { ...resolved, title: 'later', endedAt: 2 },
    { title: 'ongoing', text: '', link },
  ];
  expect(sortConcerns(concerns, 3).map(({ title }) => title)).toEqual(['ongoing', 'later', 'earlier']);
});

it.each([
  [['SMS'], 'Daily budget: SMS stops around 11:05'],
  [['SMS', 'VOICE'], 'Daily budget: SMS and voice calls stop around 11:05'],
  [['SMS', 'WHATSAPP', 'VOICE'], 'Daily budget: paid messages stop around 11:05'],
] as const)('names the channels that a budget stops, and links to a sufficient budget: %j', (cost, title) => {
  const now = Date.parse('2027-01-16T09:00Z');
  const applications = [{ ...quiet, budgets: budgets(81), budgetChannels: { cost, messages: [] } }];
  expect(concernsOf(account({ applications, now }))).toMatchObject([
    {
      title,
      fact: '0.0081 of 0.01 USD used, 0.02 USD expected by 00:00 tomorrow.',
      link: {
        href: '/dashboard/applications/pk_1/settings/limits?budgetPerDay=1#limits',
        label: 'Raise budget to 1 USD a day',
      },
    },
  ]);
});
