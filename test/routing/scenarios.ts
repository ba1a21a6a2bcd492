/** Providers as they behave in the field: good, bad, changing, failing and lying. */

interface Behavior {
  /** Share of messages that arrive. */
  readonly arrives: number;
  readonly reports: 'truth' | 'always delivered' | 'nothing';
}

export interface SimulatedProvider {
  readonly id: string;
  readonly price: number;
  /** The behavior at a message's number. */
  readonly at: (n: number) => Behavior;
}

export interface Scenario {
  readonly name: string;
  /** In the fixed order. */
  readonly providers: readonly SimulatedProvider[];
  readonly secondsBetween: number;
  /** Share of people whom any provider can reach. */
  readonly reachable: number;
  /** An outage that reports show: the reaction to it is measured. */
  readonly outage?: { readonly provider: string; readonly start: number };
}

type At = number | ((n: number) => number);

function provider(id: string, price: number, arrives: At, reports: Behavior['reports'] = 'nothing'): SimulatedProvider {
  return { id, price, at: (n) => ({ arrives: typeof arrives === 'number' ? arrives : arrives(n), reports }) };
}

/** Returns a share that is `during` from message `start` to `end`, and `usual` otherwise. */
const between = (start: number, end: number, usual: number, during: number) => (n: number) =>
  n >= start && n < end ? during : usual;

/** Returns a share that changes evenly from the first to the last message of a run of `messages`. */
const drift =
  (from: number, to: number, messages = 10_000) =>
  (n: number) =>
    from + ((to - from) * n) / messages;

const scenario = (name: string, providers: readonly SimulatedProvider[], more: Partial<Scenario> = {}): Scenario => ({
  name,
  providers,
  secondsBetween: 2,
  reachable: 0.95,
  ...more,
});

export const SCENARIOS: readonly Scenario[] = [
  scenario('the first provider is the best', [provider('a', 5, 0.9), provider('b', 4, 0.82), provider('c', 3, 0.7)]),
  scenario('the first provider is the worst', [provider('a', 3, 0.6), provider('b', 4, 0.8), provider('c', 5, 0.92)]),
  scenario('the first provider is far better', [provider('a', 3, 0.95), provider('b', 4, 0.1), provider('c', 5, 0.1)]),
  scenario('equally good, at different prices', [provider('a', 5, 0.9), provider('b', 4, 0.9), provider('c', 2, 0.9)]),
  scenario('all report truthfully', [
    provider('a', 3, 0.75, 'truth'),
    provider('b', 4, 0.85, 'truth'),
    provider('c', 5, 0.93, 'truth'),
  ]),
  scenario('the cheapest lies: “delivered”, but nothing arrives', [
    provider('a', 1, 0.05, 'always delivered'),
    provider('b', 4, 0.9, 'truth'),
    provider('c', 5, 0.85),
  ]),
  scenario('slow drift: the first gets worse, the last better', [
    provider('a', 4, drift(0.92, 0.6)),
    provider('b', 4, 0.75),
    provider('c', 4, drift(0.6, 0.92)),
  ]),
  scenario('the first suddenly becomes the best', [
    provider('a', 4, between(0, 3000, 0.95, 0.6)),
    provider('b', 4, 0.8),
    provider('c', 4, 0.7),
  ]),
  scenario(
    'outage of the best, reported as undelivered',
    [
      provider('a', 4, between(4000, 6000, 0.92, 0), 'truth'),
      provider('b', 4, 0.85, 'truth'),
      provider('c', 4, 0.8, 'truth'),
    ],
    { outage: { provider: 'a', start: 4000 } },
  ),
  scenario(
    'outage of the second, which is the best',
    [
      provider('a', 4, 0.8, 'truth'),
      provider('b', 4, between(3000, 5000, 0.93, 0.02), 'truth'),
      provider('c', 4, 0.7, 'nothing'),
    ],
    { outage: { provider: 'b', start: 3000 } },
  ),
  scenario('outage without reports', [
    provider('a', 4, between(4000, 6000, 0.92, 0)),
    provider('b', 4, 0.85),
    provider('c', 4, 0.8),
  ]),
  scenario('a message every 10 minutes', [provider('a', 3, 0.7), provider('b', 4, 0.9), provider('c', 5, 0.8)], {
    secondsBetween: 600,
  }),
  scenario('20 messages a second', [provider('a', 3, 0.9), provider('b', 4, 0.8), provider('c', 5, 0.6)], {
    secondsBetween: 0.05,
  }),
  scenario(
    'every third number cannot be reached',
    [provider('a', 3, 0.7), provider('b', 4, 0.92, 'truth'), provider('c', 5, 0.85, 'truth')],
    { reachable: 0.67 },
  ),
];
