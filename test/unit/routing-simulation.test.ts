/** Automatic routes, simulated with seeds, compared with a fixed order and with the best order. */
import { SCENARIOS } from '../routing/scenarios.js';
import { LEARNED_AFTER, reactionTo, shareOf, simulate } from '../routing/simulation.js';

const SEEDS = [1, 2, 3, 4, 5];
/** After a change that no report shows, the codes must expire before anything can be learned. */
const SILENT_CHANGES = ['outage without reports', 'the first suddenly becomes the best'];

describe.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))('%s', (name, scenario) => {
  const runs = SEEDS.map((seed) => ({
    ordered: simulate(scenario, 'ordered', seed),
    automatic: simulate(scenario, 'automatic', seed),
    best: simulate(scenario, 'best', seed),
  }));

  it('an automatic route never loses more than one percentage point compared with the fixed order', () => {
    for (const { ordered, automatic } of runs)
      expect(shareOf(automatic.entered)).toBeGreaterThan(shareOf(ordered.entered) - 0.01);
  });

  it('an automatic route reaches 97% of the best order after 2,000 messages', () => {
    const least = SILENT_CHANGES.includes(name) ? 0.9 : 0.97;
    for (const { automatic, best } of runs)
      expect(shareOf(automatic.entered, LEARNED_AFTER) / shareOf(best.entered, LEARNED_AFTER)).toBeGreaterThan(least);
  });

  const { outage } = scenario;
  if (outage)
    it('an automatic route avoids a provider within 50 messages of its outage', () => {
      for (const { automatic } of runs)
        expect(reactionTo(automatic.first, outage.provider, outage.start)).toBeLessThanOrEqual(50);
    });
});

it('an automatic route prefers the cheapest of equally good providers', () => {
  const scenario = SCENARIOS.find(({ name }) => name.startsWith('equally good'))!;
  for (const seed of SEEDS) {
    const [ordered, automatic] = (['ordered', 'automatic'] as const).map((policy) => simulate(scenario, policy, seed));
    expect(automatic!.cost).toBeLessThan(0.7 * ordered!.cost);
  }
});
