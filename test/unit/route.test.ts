/** Routes: order by weight, and validation. */
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
  [{ channel: 'SMS', country: '*', entries: [{ provider: 'a', price: 0.01 }] }, 'only an automatic route has prices'],
  [{ channel: 'SMS', country: '*', mode: 'automatic', entries: [{ provider: 'a', price: 0.01 }] }, undefined],
  [{ channel: 'SMS', country: '*', mode: 'automatic', entries: [{ provider: 'a', price: NaN }] }, 'a price must be'],
  [{ channel: 'SMS', country: '*', mode: 'automatic', entries: [entry('a', 1)] }, 'cannot have weights'],
] as const)('validates the route %j', (route, problem) => {
  if (problem === undefined) expect(routeProblem({ mode: 'ordered', ...route })).toBeUndefined();
  else expect(routeProblem({ mode: 'ordered', ...route })).toContain(problem);
});
