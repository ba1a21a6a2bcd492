/** The overview of an application: its queries during an attack in many countries, and its totals. */
import type { Application } from '../../backend/src/modules/applications/application.js';
import type { CountedRefusal, RuleName, ScopeRef } from '../../backend/src/modules/fraud/fraud.js';
import { createFraudOverview } from '../../backend/src/modules/fraud/fraud-overview.js';

/** Codes from `AA` to `JJ`, of which some are countries. */
const COUNTRIES = Array.from({ length: 100 }, (_, n) => String.fromCharCode(65 + Math.floor(n / 10), 65 + (n % 10)));

it.each<[string, RuleName, readonly ScopeRef[], number]>([
  ['one pause of the whole application', 'person', [{ scope: 'application', key: '' }], 1],
  [
    'two pauses at the same time',
    'person',
    [
      { scope: 'application', key: '' },
      { scope: 'burst', key: '' },
    ],
    3,
  ],
  ['a pause of each country', 'country', COUNTRIES.map((key) => ({ scope: 'country', key })), 100],
])(
  'reads the refusals of many countries once for each pause, and once for pauses together: %s',
  async (_, rule, paused, queries) => {
    const refused = (messages: number): CountedRefusal[] =>
      COUNTRIES.map((country) => ({ rule, country, messages, people: 1, isServed: false }));
    let calls = 0;
    const { overview } = createFraudOverview({
      excesses: { days: async () => [], highest: async () => [] },
      pauses: {
        ended: async () => [],
        list: async () =>
          paused.map((scope) => ({ ...scope, state: 'paused', rule, from: 0, until: undefined, reason: '' })),
      },
      refusals: {
        between: async () => [],
        today: async () => [],
        shown: async () => refused(3),
        during: async () => {
          calls++;
          return refused(2);
        },
      },
      senderCountries: () => [],
      clock: { now: () => 0 } as never,
    });
    const application = {
      id: 1,
      settings: { countries: [], servedCountries: [], fraud: {}, challenge: { kind: 'off' } },
      ceilings: { fraud: {} },
    } as unknown as Application;
    expect((await overview(application)).otherRefusals).toEqual(refused(1));
    expect(calls).toBe(queries);
  },
);

it('lists at most twelve countries', async () => {
  const DAY = 24 * 3_600_000;
  const today = Date.parse('2027-01-16T00:00Z');
  const countries = ['BD', 'BR', 'CA', 'CU', 'DE', 'ES', 'FR', 'GB', 'IN', 'IT', 'MX', 'PL', 'US'];
  const counted = { sent: 4, verified: 3 };
  const { overview } = createFraudOverview({
    excesses: {
      days: async () => [
        ...countries.map((country) => ({ country, day: today, ...counted })),
        { country: 'US', day: today - DAY, ...counted },
        { country: 'US', day: today - 2 * DAY, ...counted },
      ],
      highest: async () => [],
    },
    pauses: { ended: async () => [], list: async () => [] },
    refusals: { between: async () => [], today: async () => [], shown: async () => [], during: async () => [] },
    senderCountries: () => [],
    clock: { now: () => today + DAY / 2 } as never,
  } as never);
  const application = {
    id: 1,
    settings: { countries: [], servedCountries: [], fraud: {}, challenge: { kind: 'off' } },
    ceilings: { fraud: {} },
  } as unknown as Application;
  const { lately } = await overview(application);
  expect(lately).toHaveLength(12);
});
