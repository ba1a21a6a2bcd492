/** Routes: order by weight, validation, and comparison of providers. */
import {
  proposalsOf,
  statisticsOf,
  type CountedMessage,
} from '../../backend/src/modules/providers/provider-statistics.js';
import { orderFor, routeProblem } from '../../backend/src/modules/providers/route.js';
import { random } from '../../backend/src/platform/crypto.js';

const entry = (provider: string, weight?: number) => (weight === undefined ? { provider } : { provider, weight });
const idsOf = (entries: readonly { provider: string }[]) => entries.map(({ provider }) => provider).join();

it('a route without weights keeps its order', () => {
  expect(idsOf(orderFor([entry('a'), entry('b')], random.hex(16)))).toBe('a,b');
});

it('a route with weights distributes messages by weight, and always uses the same order for a message', () => {
  const entries = [entry('a', 70), entry('b', 30), entry('c')];
  const ids = Array.from({ length: 1000 }, (_, n) =>
    Math.floor(((n + 0.5) / 1000) * 2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  );
  const orders = ids.map((id) => idsOf(orderFor(entries, `${id}0000`)));
  expect(orders.filter((order) => order === 'a,b,c')).toHaveLength(700);
  expect(orders.filter((order) => order === 'b,a,c')).toHaveLength(300);
});

it.each([
  [{ channel: 'SMS', country: '*', entries: [entry('a')] }, undefined],
  [{ channel: 'SMS', country: 'IN', entries: [entry('a', 1), entry('b', 0)] }, undefined],
  [{ channel: 'SMS', country: 'India', entries: [entry('a')] }, 'the country must be an ISO code'],
  [{ channel: 'EMAIL', country: 'IN', entries: [entry('a')] }, 'emails have no country'],
  [{ channel: 'SMS', country: '*', entries: [] }, 'between one and 5 providers'],
  [{ channel: 'SMS', country: '*', entries: [entry('a'), entry('a')] }, 'only once'],
  [{ channel: 'SMS', country: '*', entries: [entry('a', 0)] }, 'at least one weight'],
  [{ channel: 'SMS', country: '*', entries: [entry('a', 1.5)] }, 'whole number'],
] as const)('validates the route %j', (route, problem) => {
  if (problem === undefined) expect(routeProblem(route)).toBeUndefined();
  else expect(routeProblem(route)).toContain(problem);
});

describe('the comparison of providers', () => {
  const messages = (provider: string, verified: number, all: number, country = 'US'): CountedMessage[] =>
    Array.from({ length: all }, (_, n) => ({
      ...({
        provider,
        channel: 'SMS',
        country,
        report: n % 2 === 0 ? 'delivered' : null,
        verified: n < verified,
      } as const),
    }));

  it('proposes a provider if another provider converts less than half as well', () => {
    const statistics = statisticsOf([
      ...messages('a', 10, 50),
      ...messages('b', 30, 60),
      ...messages('b', 60, 60, 'IN'),
    ]);
    expect(statistics).toContainEqual({
      ...{ provider: 'a', channel: 'SMS', country: 'US', sent: 50, codes: 50, verified: 10 },
      ...{ delivered: 25, undelivered: 0 },
    });
    expect(proposalsOf(statistics)).toEqual([
      { channel: 'SMS', country: 'US', provider: 'a', better: 'b', measure: 'conversion', rate: 0.2, betterRate: 0.5 },
    ]);
  });

  it.each([
    ['of fewer than 50 messages', messages('a', 0, 49), messages('b', 60, 60)],
    ['with a sibling that has sent fewer than 50', messages('a', 0, 60), messages('b', 49, 49)],
    ['that converts exactly half as well', messages('a', 25, 100), messages('b', 50, 100)],
    ['whose sibling sends to another country', messages('a', 0, 60), messages('b', 60, 60, 'IN')],
  ])('proposes nothing for a provider %s', (_what, one, other) => {
    expect(proposalsOf(statisticsOf([...one, ...other]))).toEqual([]);
  });

  it('compares delivery reports in the same way', () => {
    const reported = (provider: string, delivered: number): CountedMessage[] =>
      Array.from({ length: 50 }, (_, n) => ({
        ...({ provider, channel: 'SMS', country: 'US', verified: undefined } as const),
        report: n < delivered ? 'delivered' : 'undelivered',
      }));
    expect(proposalsOf(statisticsOf([...reported('a', 10), ...reported('b', 45)]))).toMatchObject([
      { provider: 'a', better: 'b', measure: 'delivery', rate: 0.2, betterRate: 0.9 },
    ]);
  });
});
