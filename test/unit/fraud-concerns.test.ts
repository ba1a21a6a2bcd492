/** Countries with few entered codes, as Home describes them: whether they are urgent, and what the guard refused. */
import { concernsOf } from '../../backend/src/dashboard/home/attention.js';
import type { ApplicationState } from '../../backend/src/dashboard/home/concern.js';
import type { Attempt, Webhook } from '../../backend/src/modules/webhooks/webhook.js';
import { DAY, HOUR, MINUTE } from '../../backend/src/platform/clock.js';
import { account, budgets, quiet, servedIn, unusualIn } from '../support/account-state.js';

const now = Date.parse('2027-01-16T08:00Z');
const concernsIn = (state: Partial<ApplicationState>) =>
  concernsOf(account({ now, applications: [{ ...quiet, ...state }] }));
const latest = { at: now - 2 * HOUR, inLastHour: 9, delivered: 0, undelivered: 0 };

it('calls fraud ended an hour after the last sent or refused message', () => {
  const refused = { rule: 'country', country: 'BD', messages: 20, people: 20, isServed: false } as const;
  const part = { isManual: false, pauses: '', reason: '', messages: 20, refused: '', since: undefined };
  const concernsWith = (messages: number, refusedUntil = now - HOUR - MINUTE) =>
    concernsIn({
      refusals: {
        allowed: [],
        parts: [{ ...part, refusals: [refused] }],
        unusual: [unusualIn('BD', 36), ...(messages > 0 ? [] : [unusualIn('FR', 22)])],
      },
      unusual: new Map([
        ['BD', { latest, cost: 27_180, refused: messages, refusedUntil }],
        ['FR', { latest, cost: 0, refused: 0, refusedUntil: 0 }],
      ]),
    });
  expect(concernsWith(432)).toMatchObject([
    {
      title: 'Likely fraud: Bangladesh, ended',
      lastingTitle: 'Likely fraud: Bangladesh',
      fact: '432 messages refused, 36 sent until 06:59 (about 2.72 USD). Not paused now.',
      endedAt: now - HOUR - MINUTE,
      isOver: true,
    },
  ]);
  expect(concernsWith(432, now - HOUR)).toMatchObject([
    {
      title: 'Likely fraud: Bangladesh, ongoing',
      fact: 'You have no known customers there: 0 of 36 codes entered; 432 messages refused; about 2.72 USD.',
      isOver: false,
    },
  ]);
  expect(concernsWith(0, 0)).toMatchObject([
    {
      title: 'Likely fraud: Bangladesh and France, ended 06:00',
      fact: '0 of 58 codes entered (about 2.72 USD). Not paused now.',
    },
  ]);
});

it.each([
  ['a slow and cheap case', 9, 9, false],
  ['many messages within an hour', 10, 9, true],
  ['a tenth of the daily budget', 9, 10, true],
])(
  'codes that customers may have requested are urgent only if they are fast or cost much: %s',
  (_name, inLastHour, cost, expected) => {
    const at = now - 30 * MINUTE;
    const unusual = new Map([
      ['FR', { latest: { ...latest, at, inLastHour, delivered: 23 }, cost, refused: 0, refusedUntil: 0 }],
    ]);
    const refusals = { allowed: [], parts: [], unusual: [servedIn('FR', 23)] };
    expect(concernsIn({ budgets: budgets(0), refusals, unusual })).toMatchObject([
      {
        title: 'Possible fraud: France, ongoing',
        fact: expect.stringMatching(
          /^0 of 23 codes entered; about 0\.00\d\d USD\. Are the recipients your customers\?$/,
        ),
        isUrgent: expected,
      },
    ]);
  },
);

it('calls fraud ongoing for an hour after the latest message to customers', () => {
  const titleAt = (minutesAgo: number) => {
    const at = now - minutesAgo * MINUTE;
    const unusual = new Map([
      ['FR', { latest: { ...latest, at, delivered: 23 }, cost: 0, refused: 0, refusedUntil: 0 }],
    ]);
    return concernsIn({ refusals: { allowed: [], parts: [], unusual: [servedIn('FR', 23)] }, unusual })[0]!.title;
  };
  expect([59, 61].map(titleAt)).toEqual(['Possible fraud: France, ongoing', 'Possible fraud: France, not paused']);
});

it.each([
  ['an unreachable server', 'The server could not be reached.', null, 3, 'since 07:00', 'could not be reached'],
  [
    'a slow server',
    'The server did not reply within 15 seconds.',
    null,
    3,
    'since 07:00',
    'did not reply within 15 seconds',
  ],
  ['a reply with an error', '', 500, 3, 'since 07:00', 'replied with 500'],
  ['older calls that are not stored', '', 500, 9, '', 'replied with 500'],
])('describes a failing webhook: %s', (_name, reply, status, failures, since, problem) => {
  const calls = [0, 30, 60].map((minutes) => ({ calledAt: now - minutes * MINUTE, status, reply }) as Attempt);
  const webhook = { url: 'https://shop.example/x', failures, restsUntil: 0, createdAt: now - 4 * DAY } as Webhook;
  expect(concernsIn({ webhooks: [{ ...webhook, calls, pending: 0 }] })).toMatchObject([
    {
      title: `Webhook failing ${since}`.trim(),
      lastingTitle: 'Webhook failing: shop.example',
      fact: `shop.example ${problem}. Events are retried for 24 hours, then dropped.`,
    },
  ]);
  const [unknown] = concernsIn({ webhooks: [{ ...webhook, calls: [], pending: 0 }] });
  expect(unknown!.fact).toMatch(/^shop\.example: the last \d requests failed\. /);
});

it.each([
  ['a new webhook', now - DAY, 2, 'Webhook never worked: 2 events waiting'],
  ['a new webhook with one event', now - DAY, 1, 'Webhook never worked: 1 event waiting'],
  ['a new webhook without a waiting event', now - DAY, 0, 'Webhook has never worked'],
  ['a webhook whose first calls may have been deleted', now - 4 * DAY, 0, 'Webhook failing since 07:00'],
])('says whether a webhook has ever worked: %s', (_name, createdAt, pending, title) => {
  const calls = [0, 30, 60].map((minutes) => ({ calledAt: now - minutes * MINUTE, status: 500, reply: '' }) as Attempt);
  const webhook = { url: 'https://shop.example/x', failures: 3, restsUntil: 0, createdAt } as Webhook;
  const end = pending > 0 ? 'Events expire after 24 hours.' : 'Events are retried for 24 hours, then dropped.';
  const fact = `shop.example replied with 500. ${end}`;
  expect(concernsIn({ webhooks: [{ ...webhook, calls, pending }] })).toMatchObject([{ title, fact }]);
  const worked = [...calls, { ...calls[0]!, status: 204 }];
  const [failing] = concernsIn({ webhooks: [{ ...webhook, calls: worked, pending }] });
  expect(failing).toMatchObject(
    pending > 0
      ? { title: title.replace('never worked', 'failing'), fact: `Since 07:00: ${fact}` }
      : { title: 'Webhook failing since 07:00' },
  );
});
