/** Days with unusually many messages, and their reasons, on Home. */
import { concernsOf } from '../../backend/src/dashboard/home/attention.js';
import type { AccountState, ApplicationState } from '../../backend/src/dashboard/home/concern.js';
import type { Outage } from '../../backend/src/dashboard/home/outages.js';
import type { Message } from '../../backend/src/modules/messages/message.js';
import {
  causeText,
  comparisonOf,
  explainedMark,
  trafficMarkOf,
  valueWithoutNamed,
  withoutText,
  type Figure,
} from '../../backend/src/dashboard/home/today-figures.js';
import { conversionRate, countText, moneyText, percent, type Sum } from '../../backend/src/dashboard/usage/figures.js';
import { HOUR } from '../../backend/src/platform/clock.js';
import { account, budgets, quiet, servedIn, sum, unusualIn } from '../support/account-state.js';

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
  [135, "Yesterday's total was 60. Mostly customers: 90% of codes entered."],
  [18, "Yesterday's total was 60. Only 12% of codes entered: check for a loop in your application, and for bots."],
])('compares the entered codes of a day with more messages than usual: %s', (verified, expected) => {
  const today = sum({ sent: 160, codes: 150, verified });
  const usual = sum({ codes: 500, verified: 450 });
  expect(concernsOf(account({ today, usual, sentBefore: [90, 100, 80, 70, 60] }))[0]!.text).toBe(expected);
});

it.each([
  [
    'that the unusual countries explain',
    62,
    "0 of 23 codes entered in France and 0 of 25 in Bangladesh · 48 of today's 110 messages",
    undefined,
  ],
  [
    'besides that to unusual countries',
    112,
    '0 of 23 codes entered in France and 0 of 25 in Bangladesh',
    'Mostly customers: 89% of other codes entered.',
  ],
])('high traffic %s', (_name, others, figures, expected) => {
  const todayByCountry = new Map([
    ['BD', sum({ sent: 25, codes: 25 })],
    ['FR', sum({ sent: 23, codes: 23 })],
    ['US', sum({ sent: others, codes: others, verified: others - 12 })],
  ]);
  const refusals = { allowed: [], parts: [], unusual: [unusualIn('FR', 23), unusualIn('BD', 25)] };
  const [first, second] = concernsOf(
    account({
      applications: [{ ...quiet, refusals }],
      today: sum({ sent: 48 + others, codes: 48 + others, verified: others - 12 }),
      todayByCountry,
      usual: sum({ codes: 500, verified: 450 }),
      sentBefore: [50, 50, 50, 50, 50],
    }),
  );
  expect(first!.figures).toBe(figures);
  expect(second?.text.replace(/^.* was 50\. /, '')).toBe(expected);
});

it('fraud that has ended ranks below high traffic of customers, which ranks below everything else that is not resolved', () => {
  const now = Date.parse('2027-01-16T08:00Z');
  const refusals = { allowed: [], parts: [], unusual: [unusualIn('FR', 23)] };
  const latest = { inLastHour: 0, at: now - 2 * HOUR, delivered: 0, undelivered: 0 };
  const unusual = new Map([['FR', { latest, cost: 0, refused: 0, refusedUntil: 0 }]]);
  const failing = { webhookId: 'wh_1', url: 'https://shop.example/x', failures: 3, restsUntil: 0, calls: [] };
  const webhooks = [failing as unknown as ApplicationState['webhooks'][number]];
  const today = sum({ sent: 160, codes: 150, verified: 135 });
  const usual = sum({ codes: 500, verified: 450 });
  const applications = [{ ...quiet, refusals, unusual, webhooks }];
  expect(titles({ applications, now, today, usual, sentBefore: [90, 100, 80, 70, 60] })).toEqual([
    'Webhook failing',
    '160 messages today, usually 80',
    'Likely fraud: France, ended 06:00',
  ]);
});

it.each([
  [
    servedIn('FR', 23),
    'Codes not entered: France',
    'You serve France, so check whether these messages were delivered. If the recipients are not your customers, pause France.',
    '/dashboard/messages?application=pk_1&country=FR&from=-86400000&zone=UTC',
  ],
  [
    { ...servedIn('FR', 23), isServed: false },
    'Codes not entered: France',
    'Many people in France have entered codes before, so check whether these messages were delivered. If the recipients are not your customers, pause France.',
    '/dashboard/messages?application=pk_1&country=FR&from=-86400000&zone=UTC',
  ],
  [
    unusualIn('FR', 23),
    'Likely fraud: France, ongoing',
    'You do not serve France. Pause France if you have no customers there.',
    '/dashboard/applications/pk_1/protection',
  ],
])('calls codes that are not entered fraud only without evidence of customers (%#)', (view, title, advice, href) => {
  const refusals = { allowed: [], parts: [], unusual: [view] };
  const [concern] = concernsOf(account({ applications: [{ ...quiet, refusals }] }));
  expect(concern).toMatchObject({
    title,
    text: advice,
    figures: '0 of 23 codes entered',
    lastingText: `${/^You (?:do not )?serve France/.exec(advice)?.[0].concat(': ') ?? ''}0 of 23 codes entered since Dec 31, 1969, 00:00.`,
    link: { href },
    pause: {
      at: '/dashboard/applications/pk_1/protection',
      countries: ['FR'],
      isFirst: title.startsWith('Likely'),
      isDoubtful: !title.startsWith('Likely'),
    },
  });
});

it.each([
  [
    'delivered',
    { delivered: 21, undelivered: 2 },
    'Possible fraud: France, ongoing',
    'Not paused yet: 23 unused codes; the limit is 25. You serve France. If the recipients are not your customers, this is probably fraud: pause France.',
    '0 of 23 codes entered · 21 delivered · latest message: 00:00',
    true,
  ],
  [
    'all delivered',
    { delivered: 23, undelivered: 0 },
    'Possible fraud: France, ongoing',
    'Not paused yet: 23 unused codes; the limit is 25. You serve France. If the recipients are not your customers, this is probably fraud: pause France.',
    '0 of 23 codes entered · all delivered · latest message: 00:00',
    true,
  ],
  [
    'undelivered',
    { delivered: 2, undelivered: 19 },
    'Codes not arriving: France',
    'You serve France, so choose “Show messages” to see why they were not delivered. If the recipients are not your customers, pause France.',
    '0 of 23 codes entered · 19 undelivered · latest message: 00:00',
    false,
  ],
  [
    'few reports',
    { delivered: 4, undelivered: 0 },
    'Codes not entered: France',
    'You serve France, so check whether these messages were delivered. If the recipients are not your customers, pause France.',
    '0 of 23 codes entered · latest message: 00:00',
    false,
  ],
])('judges codes to customers by their delivery reports: %s', (_name, reports, title, text, figures, isFirst) => {
  const unusual = new Map([
    ['FR', { latest: { inLastHour: 0, at: 0, ...reports }, cost: 0, refused: 0, refusedUntil: 0 }],
  ]);
  const refusals = { allowed: [], parts: [], unusual: [servedIn('FR', 23)] };
  expect(concernsOf(account({ applications: [{ ...quiet, refusals, unusual }] }))).toMatchObject([
    {
      title,
      figures,
      text,
      lastingText: expect.stringMatching(/^You serve France: 0 of 23 codes entered since Dec 31, 1969, 00:00[.,]/),
      link: { href: expect.stringMatching(isFirst ? /\/protection$/ : /^\/dashboard\/messages\?/) },
      pause: { countries: ['FR'], isFirst, isDoubtful: true },
    },
  ]);
});

it('pauses each of several countries that look like fraud', () => {
  const refusals = { allowed: [], parts: [], unusual: [unusualIn('FR', 23), unusualIn('BD', 25)] };
  const [concern] = concernsOf(account({ applications: [{ ...quiet, refusals }] }));
  expect(concern!.pause).toMatchObject({ countries: ['FR', 'BD'], isFirst: true, isDoubtful: false });
});

it.each([
  [
    'most of the messages',
    { used: 150, verified: 135 },
    /· 160 messages since midnight, usually 80 a day; .* or more\. 90% of the codes were entered, so the recipients are probably customers\.$/,
    0,
  ],
  [
    'most of the messages, of which few codes are entered',
    { used: 150, verified: 18 },
    /· 160 messages since midnight, usually 80 a day; Only 12% of the codes were entered, .* check for a loop in your application, and for bots\.$/,
    0,
  ],
  ['few of the messages', { used: 40, verified: 135 }, / resets at 00:00 tomorrow; .* or more\.$/, 1],
])(
  'describes high traffic once, with the used budget of an application with %s',
  (_name, { used, verified }, expected, entries) => {
    const state = {
      ...quiet,
      budgets: { ...budgets(85), messages: { limit: 1000, used, usedElsewhere: 0, isAutomatic: true } },
    };
    const today = sum({ sent: 160, codes: 150, verified });
    const usual = sum({ codes: 500, verified: 450 });
    const now = Date.parse('2027-01-16T07:10Z');
    const concerns = concernsOf(
      account({ now, applications: [state], today, usual, sentBefore: [90, 100, 80, 70, 60] }),
    );
    const { text, figures } = concerns.find(({ link }) => link.label?.includes('budget'))!;
    expect(`${figures}; ${text}`).toMatch(expected);
    expect(concerns.filter(({ title }) => title === '160 messages today, usually 80')).toHaveLength(entries);
  },
);

it('compares each figure of today with full days, and explains it by the countries that a concern names, unless the others are unusual, too', () => {
  const before = Array.from({ length: 6 }, () => sum({ sent: 50, codes: 50, verified: 45, costs: [['usd', 500n]] }));
  const cost = ({ costs }: Sum) => Number(costs[0]?.[1] ?? 0n);
  const entered = { name: 'Codes entered', valueOf: conversionRate, format: percent, isShare: true };
  const spent = { name: 'Cost', valueOf: cost, format: (value: number) => moneyText(value, 'usd') };
  const failed = { name: 'Failed', valueOf: (one: Sum) => one.failed, format: countText };
  const today = sum({ sent: 2150, failed: 4, codes: 100, verified: 20, costs: [['usd', 1050n]] });
  const isJudged = ({ codes }: Sum) => codes !== 12;
  const compared = (figure: typeof entered | typeof spent | typeof failed) =>
    comparisonOf({ ...figure, isJudged }, today, before);
  expect(compared(entered)).toEqual({ text: 'typical day: 90%', isUnusual: true });
  expect(compared(spent)).toEqual({ text: 'typical day: 0.05 USD', factor: '2.1×', isUnusual: true });
  expect(compared(failed)).toEqual({ text: 'typical day: 0', isUnusual: true });
  expect(comparisonOf({ ...spent, isJudged }, sum({ costs: [['usd', 600n]] }), before)).toEqual({
    text: 'typical day: 0.05 USD',
    isUnusual: false,
  });
  expect(comparisonOf({ ...failed, isJudged }, sum({}), before)).toEqual({ text: 'typical day: 0', isUnusual: false });
  expect(comparisonOf({ ...failed, isJudged }, sum({}), [])).toBeUndefined();
  // A single day with failures does not show what is usual, unless other days have none.
  const oneBad = [...before, sum({ sent: 50, failed: 4 })];
  expect(comparisonOf({ ...failed, isJudged }, sum({}), oneBad)).toBeUndefined();
  expect(comparisonOf({ ...failed, isJudged, isRare: true }, sum({}), oneBad)?.text).toBe('typical day: 0');
  const reasonOf = (figure: typeof entered | typeof spent, others: Partial<Sum>, named = ['BD', 'FR']) =>
    valueWithoutNamed({ ...figure, isJudged }, today, before, { named, others: sum(others) });
  expect(reasonOf(entered, { codes: 60, verified: 54 })).toBe('90%');
  expect(reasonOf(entered, { codes: 60, verified: 6 })).toBeUndefined();
  expect(reasonOf(entered, { codes: 12, verified: 0 })).toBeUndefined();
  expect(reasonOf(entered, { codes: 60, verified: 54 }, [])).toBeUndefined();
  expect(reasonOf(spent, { costs: [['usd', 600n]] }, ['BD', 'FR', 'CU', 'BR'])).toBe('0.06 USD');
  expect(reasonOf(spent, { sent: 2126, costs: [['usd', 600n]] })).toBeUndefined();
  const whileDown = (count: number) => {
    const outage = { name: 'Twilio', first: 0, failures: Array.from({ length: count }) } as unknown as Outage;
    return causeText({ ...failed, isJudged }, today, before, 0, { named: [], others: sum({}), outage });
  };
  expect([1, 2].map(whileDown)).toEqual([undefined, '2 during the Twilio outage']);
  // Even a small share of codes to other countries can show that they are as usual.
  expect(reasonOf(entered, { codes: 12, verified: 11 })).toBe('92%');
  const mistyped = (count: number) => {
    const message = {
      state: 'failed',
      createdAt: 1,
      history: [],
      attempts: [{ message: 'this is not a valid phone number' }],
    };
    const failures = Array.from({ length: count }, () => message) as unknown as Message[];
    return causeText({ ...failed, isJudged }, today, before, 0, {
      named: [],
      others: sum({}),
      outage: undefined,
      failures,
    });
  };
  expect([1, 2].map(mistyped)).toEqual([undefined, '2 to invalid recipients']);
});

it('names the countries that explain unusual figures once, or counts them', () => {
  expect(withoutText(['BD', 'FR'], ['53 sent', '90% of codes entered'])).toBe(
    'Without Bangladesh and France: 53 sent, 90% of codes entered.',
  );
  expect(withoutText(['BD', 'FR', 'CU', 'BR'], ['53 sent'])).toBe('Without 4 countries: 53 sent.');
});

it('marks unusually many messages neutrally if their codes are entered as usual, or if they are notifications', () => {
  const before = Array.from({ length: 6 }, () => sum({ sent: 50, codes: 50, verified: 45 }));
  const markOf = (others: Partial<Sum>) => trafficMarkOf({ named: [], others: sum(others) }, before);
  expect(markOf({ codes: 100, verified: 90 })).toBe('neutral');
  expect(markOf({ codes: 100, verified: 20 })).toBe('warning');
  // Such as an application that only sends notifications.
  expect(markOf({ codes: 1, verified: 0 })).toBe('neutral');
});

it('marks failures neutrally only if those without a known cause are as usual', () => {
  const before = Array.from({ length: 6 }, () => sum({ sent: 50, failed: 4 }));
  const failed: Figure = {
    name: 'Failed',
    href: '',
    valueOf: (one) => one.failed,
    format: countText,
    isJudged: (one) => one.failed >= 3,
    mark: 'bad',
  };
  const outage = { name: 'Twilio', first: 0, failures: Array.from({ length: 58 }) } as unknown as Outage;
  const markOf = (count: number) =>
    explainedMark(failed, sum({ failed: count }), before, 0, { named: [], others: sum({}), outage });
  expect([61, 110].map(markOf)).toEqual(['warning', 'bad']);
});

it('suggests no higher budget if fraud or bots may use it up, and none in the first hour of the day', () => {
  const state = { ...quiet, budgets: budgets(85) };
  const now = Date.parse('2027-01-16T07:10Z');
  const link = (change: Partial<AccountState>) =>
    concernsOf(account({ now, applications: [state], sentBefore: [90, 100, 80, 70, 60], ...change })).find((concern) =>
      concern.link.label?.includes('budget'),
    )!.link.label;
  const usual = sum({ codes: 500, verified: 450 });
  expect(link({ usual, today: sum({ sent: 160, codes: 150, verified: 135 }) })).toBe('Raise budget to 1 USD a day');
  expect(link({ usual, today: sum({ sent: 160, codes: 150, verified: 18 }) })).toBe('Change budget');
  expect(link({ now: Date.parse('2027-01-16T00:59Z') })).toBe('Change budget');
  const refusals = { allowed: [], parts: [], unusual: [unusualIn('BD', 150)] };
  const todayByCountry = new Map([['BD', sum({ sent: 150, codes: 150 })]]);
  const today = sum({ sent: 160, codes: 160, verified: 9 });
  expect(link({ usual, today, todayByCountry, applications: [{ ...state, refusals }] })).toBe('Change budget');
});
