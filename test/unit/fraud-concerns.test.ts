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

it('calls fraud blocked only in countries with refused messages', () => {
  const refused = { rule: 'country', country: 'BD', messages: 20, people: 20, isServed: false } as const;
  const part = { isManual: false, pauses: '', reason: '', messages: 20, refused: '', since: undefined };
  const pausedUntil = now - HOUR;
  const concernsWith = (messages: number) =>
    concernsIn({
      refusals: {
        allowed: [],
        parts: [{ ...part, refusals: [refused] }],
        unusual: [unusualIn('BD', 36), unusualIn('FR', 22)],
      },
      unusual: new Map([
        ['BD', { latest, cost: 0, refused: messages, pausedUntil }],
        ['FR', { latest, cost: 0, refused: 0 }],
      ]),
    });
  const facts = concernsWith(432).map(({ title, fact, isOver }) => [title, fact, isOver]);
  expect(facts).toEqual([
    [
      'Likely fraud blocked: Bangladesh, until 06:00',
      '0 of 36 codes entered; 412 messages refused yesterday, 20 today. Not paused since 07:00.',
      true,
    ],
    ['Likely fraud: France, until 06:00', 'You do not serve France: 0 of 22 codes entered since yesterday.', true],
  ]);
  expect(concernsWith(20)[0]!.fact).toBe('0 of 36 codes entered; 20 messages refused today. Not paused since 07:00.');
});

it.each([
  ['a slow and cheap case', 9, 9, false],
  ['many messages within an hour', 10, 9, true],
  ['a tenth of the daily budget', 9, 10, true],
])(
  'codes that customers may have requested are urgent only if they are fast or cost much: %s',
  (_name, inLastHour, cost, expected) => {
    const at = now - 30 * MINUTE;
    const unusual = new Map([['FR', { latest: { ...latest, at, inLastHour, delivered: 23 }, cost, refused: 0 }]]);
    const refusals = { allowed: [], parts: [], unusual: [servedIn('FR', 23)] };
    expect(concernsIn({ budgets: budgets(0), refusals, unusual })).toMatchObject([
      {
        title: 'Possible fraud: France',
        fact: 'You serve France: 0 of 23 codes entered since yesterday, all delivered.',
        isUrgent: expected,
      },
    ]);
  },
);

it.each([
  ['no request ever succeeded', null, 1, 3, 'No request has ever succeeded.'],
  ['an old webhook does not reply', null, 4, 3, 'No reply since 07:00 (3 requests).'],
  ['a server rejects all requests', 500, 4, 3, 'Your server rejected all 3 requests since 07:00.'],
  ['older calls are not stored', 500, 4, 9, 'Your server rejected the last 9 requests.'],
])('describes a failing webhook: %s', (_name, status, days, failures, expected) => {
  const calls = [0, 30, 60].map((minutes) => ({ calledAt: now - minutes * MINUTE, status }) as Attempt);
  const webhook = { url: 'https://shop.example/x', failures, restsUntil: 0, createdAt: now - days * DAY } as Webhook;
  expect(concernsIn({ webhooks: [{ ...webhook, calls }] })[0]!.fact).toBe(
    `${expected} Events are retried for up to 24 hours.`,
  );
});
