/** The fraud guard is as good as docs/fraud-simulation.md says, and the documented figures reach the aims of its design. */
import { meanOf, percentOf, toldAfter, type Result } from '../fraud/report.js';
import { documentedResults } from '../fraud/results.js';
import { ATTACKS, LEGITIMATE, SCENARIOS } from '../fraud/scenarios.js';
import { simulate, type Figures } from '../fraud/simulation.js';

const DOCUMENTED = documentedResults();
/** `npm run simulate:fraud -- --write` runs all seeds, which takes minutes. */
const SEED = 1;
/** They run without a challenge only, which makes no difference to most of them. */
const LONG = ['H2', 'H4', 'H5', 'H5l', 'H10', 'H10b', 'A2', 'A2l', 'A7', 'A8d', 'A13', 'A15s'];

type Figure = keyof Omit<Figures, 'legitimate' | 'asked'>;
const FIGURES: readonly Figure[] = ['refused', 'challenged', 'paid', 'cost', 'notices', 'toldAfter'];

/** Returns the figures that are higher than the documented ones. */
const worse = (run: Figures, documented: Figures): string[] =>
  FIGURES.filter((name) => (run[name] ?? Infinity) > (documented[name] ?? Infinity)).map(
    (name) => `${name}: ${run[name]} instead of ${documented[name]}`,
  );

it.each(SCENARIOS.map((scenario) => [scenario.id, scenario] as const))(
  'is as good as documented: %s',
  (id, scenario) => {
    const attempts = scenario.attempts(SEED);
    const documented = DOCUMENTED[id]!;
    const off = simulate(scenario, attempts, { seed: SEED, hasChallenge: false });
    expect(worse(off, documented.off[SEED - 1]!)).toEqual([]);
    if (LONG.includes(id)) return;
    const on = simulate(scenario, attempts, { seed: SEED, hasChallenge: true });
    expect(worse(on, documented.on[SEED - 1]!)).toEqual([]);
  },
);

describe('the documented means', () => {
  const refused = (runs: readonly Figures[]): number => percentOf(runs, (run) => run.refused);
  const challenged = (runs: readonly Figures[]): number => percentOf(runs, (run) => run.challenged);
  const affected = (runs: readonly Figures[]): number => refused(runs) + challenged(runs);
  const paid = (runs: readonly Figures[]): number => meanOf(runs, (run) => run.paid);
  const cost = (runs: readonly Figures[]): number => meanOf(runs, (run) => run.cost);
  const both = ({ off, on }: Result) => [off, on];
  const resultOf = (id: string): Result => DOCUMENTED[id]!;

  const ORDINARY = LEGITIMATE.map(({ id }) => id).filter((id) => id !== 'H6o' && id !== 'H3l');
  it.each(ORDINARY)('at most 0.3%% of legitimate messages are refused or challenged: %s', (id) => {
    for (const runs of both(resultOf(id))) expect(affected(runs)).toBeLessThanOrEqual(0.3);
  });

  it('at most 10% of the first day of a new application with few conversions are refused', () => {
    for (const runs of both(resultOf('H3l'))) expect(affected(runs)).toBeLessThanOrEqual(10);
  });

  it.each(ATTACKS.map(({ id }) => id).filter((id) => id !== 'A14h'))(
    'at most 2%% of legitimate messages are refused during attack %s',
    (id) => {
      for (const runs of both(resultOf(id))) expect(refused(runs)).toBeLessThanOrEqual(2);
    },
  );

  it.each(['A1', 'A1l', 'A2', 'A2l', 'A4', 'A4l', 'A6', 'A7', 'A10', 'A15', 'A15s', 'A17', 'A18', 'A12p'])(
    'at most 120 messages abroad or to one range are paid, and 0.5%% of legitimate ones refused: %s',
    (id) => {
      for (const runs of both(resultOf(id))) {
        expect(paid(runs)).toBeLessThanOrEqual(120);
        expect(refused(runs)).toBeLessThanOrEqual(0.5);
      }
    },
  );

  it.each(['A5', 'A5b', 'A7h', 'A8', 'A8n', 'A8t', 'A6h', 'A10h'])(
    'with a challenge, at most 120 messages at home are paid, none refused, 35%% challenged: %s',
    (id) => {
      const { on } = resultOf(id);
      expect(paid(on)).toBeLessThanOrEqual(120);
      expect(refused(on)).toBe(0);
      expect(challenged(on)).toBeLessThanOrEqual(35);
    },
  );

  it.each(['A5', 'A5b', 'A7h'])('without a challenge, the owners are told within 15 minutes: %s', (id) => {
    expect(toldAfter(resultOf(id).off)).toBeLessThanOrEqual(15);
  });

  it('a new application pays for at most 100 messages abroad and 150 at home', () => {
    for (const runs of both(resultOf('A14'))) expect(paid(runs)).toBeLessThanOrEqual(100);
    for (const runs of both(resultOf('A14h'))) expect(paid(runs)).toBeLessThanOrEqual(150);
  });

  it.each([
    ['blocks of numbers', 'A3', 300, Infinity],
    ['the same numbers at home', 'A7h', Infinity, 150],
    ['notifications', 'A9', Infinity, 30],
    ['a burst', 'A12n', 150, Infinity],
    ['a farm of numbers', 'A13', Infinity, 400],
  ])('bound the loss by %s (%s) to %d messages and %d USD', (_attack, id, messages, dollars) => {
    for (const runs of both(resultOf(id))) {
      expect(paid(runs)).toBeLessThanOrEqual(messages);
      expect(cost(runs)).toBeLessThanOrEqual(dollars);
    }
  });
});
