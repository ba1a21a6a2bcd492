/** The rules of the fraud guard about prefixes, addresses and countries. */
import { allowByPerson } from '../../backend/src/modules/fraud/pause-state.js';
import type { Decision } from '../../backend/src/modules/fraud/fraud.js';
import { explain } from '../../backend/src/modules/fraud/fraud-texts.js';
import { DAY, HOUR, MINUTE, SECOND } from '../../backend/src/platform/clock.js';
import { createShop, inPrefix, inRange, inTurn, NOON, numberIn, twoWeeks, waitOf } from '../fraud/shop.js';

describe('prefixes', () => {
  it('a prefix of 10,000 numbers is paused for an hour after 10 unverified recipients', () => {
    const shop = createShop();
    expect(shop.askUntilRefused(inPrefix)).toBe(10);
    const decision = shop.decide(inPrefix(20));
    expect(decision).toMatchObject({ refusal: { rule: 'prefix', key: '+491511234' } });
    expect(waitOf(decision, NOON)).toBe(HOUR);
    expect(shop.ask()).toBe('allowed');
  });

  it('a prefix of a million numbers is paused after 25 unverified recipients', () => {
    const shop = createShop();
    expect(shop.askUntilRefused(inRange)).toBe(25);
    expect(shop.decide(inRange(30))).toMatchObject({ refusal: { rule: 'prefix', key: '+4915122' } });
  });

  it("a range must cause half of its country's excess", () => {
    const half = createShop();
    half.askTimes(25);
    expect(half.askUntilRefused(inRange)).toBe(25);
    const less = createShop();
    less.askTimes(40);
    expect(less.askUntilRefused(inRange)).toBe(40);
  });

  it('a small prefix need not cause half of the excess', () => {
    const shop = createShop();
    shop.askTimes(60);
    expect(shop.askUntilRefused(inPrefix)).toBe(10);
  });

  it('a range of a country that a person allowed is judged on its own', () => {
    const shop = createShop();
    shop.askTimes(60);
    shop.replay.setState(allowByPerson(undefined, { scope: 'country', key: 'DE' }, NOON));
    expect(shop.askUntilRefused(inRange)).toBe(25);
  });

  it('an hour takes half a recipient from a small prefix, and one from a range', () => {
    const shop = createShop();
    for (let i = 0; i < 10; i++) shop.ask(inPrefix(i));
    shop.wait(2 * HOUR);
    shop.ask(inPrefix(10));
    expect([shop.excess('prefix', '+491511234'), shop.excess('prefix', '+4915112')]).toEqual([10, 9]);
  });

  it('each pause lowers the limits of the other prefixes in the country by a quarter, down to 3 and 8', () => {
    const shop = createShop();
    const counts = Array.from({ length: 6 }, (_, n) =>
      shop.askUntilRefused((index) => ({ number: `+4915${n}77777${100 + index}0` })),
    );
    // 10, 7.5, 5.625, 4.2, 3.2 and 3
    expect(counts).toEqual([10, 7, 5, 4, 3, 3]);
    expect(shop.askUntilRefused((index) => ({ number: `+4917812${10 + index}0000` }))).toBe(7);
    expect(shop.askUntilRefused((index) => ({ country: 'UZ', number: `+99890777${100 + index}` }))).toBe(10);
  });

  it('two hours without a pause take the effect of one pause away', () => {
    const shop = createShop();
    shop.askUntilRefused(inPrefix);
    shop.wait(2 * HOUR);
    expect(shop.askUntilRefused((index) => ({ number: `+49160777${1000 + index}` }))).toBe(10);
  });

  it("a paused prefix's recipients are taken out of the home country, and not out of other countries", () => {
    const shop = createShop();
    shop.ask();
    shop.askUntilRefused(inPrefix);
    expect(shop.excess('country', 'DE')).toBe(1);
    shop.ask({ country: 'UZ' });
    shop.askUntilRefused((index) => ({ country: 'UZ', number: `+99890777${1000 + index}` }));
    expect([shop.excess('country', 'UZ'), shop.excess('newCountries')]).toEqual([11, 11]);
  });

  it('only the excess is taken out, not the counts, and what time has taken away before', () => {
    const shop = createShop();
    shop.askTimes(10);
    for (let i = 0; i < 10; i++) shop.ask(inPrefix(i));
    shop.wait(HOUR);
    expect(shop.ask(inPrefix(10))).toBe('refused prefix');
    expect(shop.replay.excessOf({ scope: 'country', key: 'DE' })).toMatchObject({ excess: 9.5, sent: 20, verified: 0 });
  });

  it('after a pause, few recipients are enough for a longer one', () => {
    const shop = createShop();
    shop.askUntilRefused(inPrefix);
    shop.wait(HOUR);
    const endOfPause = shop.now();
    shop.wait(MINUTE);
    expect(shop.askUntilRefused((index) => inPrefix(100 + index))).toBe(1);
    const second = shop.decide(inPrefix(200));
    expect(waitOf(second, shop.now())).toBe(4 * HOUR);
    expect(second).toMatchObject({ refusal: { evidence: { from: endOfPause, sent: 1, verified: 0 } } });
    const paused = shop.replay.stateOf({ scope: 'prefix', key: '+491511234' })!;
    expect(explain(paused, shop.now(), paused.level > 1)).toBe(
      'In 1 minute, 1 of 1 recipients whose numbers start with +491511234 did not enter their code; up to 0 would be normal.' +
        ' Soon after a pause, a smaller number is enough for the next pause.',
    );
  });

  it('0 switches a limit off', () => {
    expect(createShop({ settings: { prefixUnverified: 0, rangeUnverified: 0 } }).askUntilRefused(inPrefix)).toBe(120);
    const shop = createShop({ settings: { prefixUnverified: 0 } });
    expect(shop.askUntilRefused(inPrefix)).toBe(25);
    expect(shop.replay.excessOf({ scope: 'prefix', key: '+491511234' })).toBeUndefined();
  });
});

describe('addresses', () => {
  const address = 'one';

  it('an address is paused after 8 unverified recipients, and others are not', () => {
    const shop = createShop();
    expect(shop.askUntilRefused({ address })).toBe(8);
    expect(shop.ask({ address })).toBe('refused address');
    expect([shop.ask({ address: 'two' }), shop.ask()]).toEqual(['allowed', 'allowed']);
    expect(shop.askUntilRefused(inPrefix)).toBe(10);
  });

  it('an address need not cause half of the excess of its country', () => {
    const shop = createShop();
    shop.askTimes(60);
    expect(shop.askUntilRefused({ address })).toBe(8);
  });

  it('an hour takes one away', () => {
    const shop = createShop();
    shop.askTimes(8, { address });
    shop.wait(HOUR);
    expect(shop.askUntilRefused({ address })).toBe(1);
  });

  it('an address that is paused does not count for the home country', () => {
    const shop = createShop();
    const asked = Array.from({ length: 90 }, (_, index) => shop.ask({ address: `address ${Math.floor(index / 9)}` }));
    expect(asked.filter((outcome) => outcome === 'allowed')).toHaveLength(80);
    expect(shop.excess('country', 'DE')).toBe(0);
  });

  it('an attacker who changes the address on each refusal does not escape the limit of a country abroad', () => {
    const shop = createShop();
    const attack = (index: number) => ({ country: 'FR', address: `address ${Math.floor(index / 9)}` });
    const asked = Array.from({ length: 90 }, (_, index) => shop.ask(attack(index)));
    expect(asked.filter((outcome) => outcome === 'allowed')).toHaveLength(25);
    expect(asked.at(-1)).toBe('refused country');
  });

  it('an entered code takes more than one away from its address', () => {
    const shop = createShop();
    for (let i = 0; i < 8; i++) shop.ask({ address, number: numberIn('DE', 300 + i) });
    shop.enter(numberIn('DE', 300));
    shop.enter(numberIn('DE', 301));
    expect(shop.askUntilRefused({ address })).toBe(3);
  });

  it('0 switches the limit off', () => {
    expect(createShop({ settings: { addressUnverified: 0 } }).askUntilRefused({ address })).toBe(120);
  });
});

describe('countries', () => {
  const france = { country: 'FR' };

  it('another country is paused after 25 unverified recipients, a listed one after 40', () => {
    expect(createShop().askUntilRefused(france)).toBe(25);
    expect(
      createShop({ application: { countries: ['FR'] }, settings: { newCountriesUnverified: 0 } }).askUntilRefused(
        france,
      ),
    ).toBe(40);
  });

  it('a pause states its reason', () => {
    const shop = createShop();
    shop.askTimes(24, france);
    const number = numberIn('FR', 400);
    shop.ask({ number, ...france });
    shop.wait(MINUTE);
    shop.enter(number, 'FR');
    shop.askUntilRefused(france);
    const decision = shop.decide(france);
    expect(decision).toMatchObject({
      outcome: 'refused',
      refusal: {
        rule: 'country',
        scope: 'country',
        key: 'FR',
        evidence: { from: NOON, sent: 27, verified: 1, limit: 25 },
      },
    });
    const { evidence } = (decision as Extract<Decision, { refusal: unknown }>).refusal;
    expect(evidence!.expected).toBeCloseTo(0.405, 3);
    expect(shop.ask({ country: 'AT' })).toBe('allowed');
    shop.wait(HOUR);
    expect(shop.askUntilRefused(france)).toBe(7);
    expect(shop.decide(france)).toMatchObject({ refusal: { evidence: { sent: 7, verified: 0 } } });
  });

  it('an entered code takes back more than one', () => {
    const shop = createShop();
    const numbers = Array.from({ length: 25 }, (_, i) => numberIn('FR', 300 + i));
    for (const number of numbers) shop.ask({ ...france, number });
    shop.enter(numbers[0]!, 'FR');
    shop.enter(numbers[1]!, 'FR');
    // With a lowest normal conversion of 59.5%, each takes back 1.68.
    expect(shop.askUntilRefused(france)).toBe(3);
  });

  it('a code is entered once', () => {
    const shop = createShop();
    const number = numberIn('FR', 300);
    shop.ask({ ...france, number });
    shop.askTimes(10, france);
    shop.enter(number, 'FR');
    const after = shop.excess('country', 'FR');
    shop.enter(number, 'FR');
    expect(shop.excess('country', 'FR')).toBe(after);
  });

  it('a code that was not delivered takes back exactly one', () => {
    const shop = createShop({ history: [...twoWeeks('DE', 100, 80), ...twoWeeks('FR', 20, 16)] });
    const number = numberIn('FR', 300);
    shop.ask({ ...france, number });
    shop.askTimes(24, france);
    shop.loseCode(number, 'FR');
    shop.loseCode(number, 'FR');
    expect(shop.replay.excessOf({ scope: 'country', key: 'FR' })).toMatchObject({ excess: 24, sent: 24, verified: 0 });
    expect(shop.askUntilRefused(france)).toBe(1);
  });

  it('reports that codes were not delivered do not lift the limit of a new country, nor the streak of its numbers', () => {
    const shop = createShop();
    const outcomes = Array.from({ length: 60 }, (_, index) => {
      const number = numberIn('UZ', 300 + index);
      const outcome = shop.ask({ country: 'UZ', number });
      shop.loseCode(number, 'UZ');
      return outcome;
    });
    expect(outcomes.filter((outcome) => outcome === 'allowed')).toHaveLength(25);
  });

  it('an entered code is taken out of everything that it was added to', () => {
    const shop = createShop();
    const number = '+33612345678';
    shop.ask({ ...france, number, address: 'one' });
    const excesses = () => [
      shop.excess('prefix', '+3361234'),
      shop.excess('prefix', '+33612'),
      shop.excess('address', 'one'),
      shop.excess('country', 'FR'),
      shop.excess('newCountries'),
      shop.excess('burst'),
    ];
    expect(excesses()).toEqual([1, 1, 1, 1, 1, 1]);
    shop.enter(number, 'FR');
    expect(excesses()).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('a code that was not delivered is taken out of everything that it was added to at home', () => {
    const shop = createShop();
    const number = '+4915112345678';
    shop.ask({ number, address: 'one' });
    const excesses = () => [
      shop.excess('prefix', '+491511234'),
      shop.excess('prefix', '+4915112'),
      shop.excess('address', 'one'),
      shop.excess('country', 'DE'),
      shop.excess('burst'),
    ];
    expect(excesses()).toEqual([1, 1, 1, 1, 1]);
    shop.loseCode(number);
    expect(excesses()).toEqual([0, 0, 0, 0, 0]);
  });

  it('an hour takes one away', () => {
    const shop = createShop();
    shop.askTimes(25, france);
    shop.wait(HOUR - SECOND);
    expect(shop.askUntilRefused(france)).toBe(0);
    const later = createShop();
    later.askTimes(25, france);
    later.wait(HOUR);
    expect(later.askUntilRefused(france)).toBe(1);
  });

  it('a recipient who counts already may ask again when the limit is reached', () => {
    const shop = createShop();
    const number = numberIn('FR', 300);
    shop.ask({ ...france, number });
    shop.askTimes(24, france);
    expect(shop.ask({ ...france, number })).toBe('allowed');
    expect(shop.ask(france)).toBe('refused country');
  });

  it('a recipient who asks again counts again after a quarter of an hour', () => {
    const shop = createShop();
    const counts = [0, 15 * MINUTE - SECOND, SECOND].map((ms) => {
      shop.wait(ms);
      shop.ask({ ...france, number: numberIn('FR', 300) });
      return Math.round(shop.excess('country', 'FR'));
    });
    expect(counts).toEqual([1, 1, 2]);
  });

  it('all new countries are paused together after 40 unverified recipients', () => {
    const shop = createShop();
    expect(shop.askUntilRefused(inTurn)).toBe(40);
    expect([shop.ask(france), shop.ask()]).toEqual(['refused newCountries', 'allowed']);
    expect(createShop({ settings: { newCountriesUnverified: 0 } }).askUntilRefused(inTurn)).toBe(100);
    const later = createShop();
    for (let i = 0; i < 40; i++) later.ask(inTurn(i));
    later.wait(2 * HOUR);
    expect(later.askUntilRefused(inTurn)).toBe(2);
  });

  it('an established country is not judged with the new ones', () => {
    const shop = createShop({ history: [...twoWeeks('DE', 100, 80), ...twoWeeks('FR', 20, 16)] });
    const number = numberIn('FR', 300);
    shop.ask({ ...france, number });
    expect(shop.excess('newCountries')).toBe(0);
    shop.askTimes(10, { country: 'AT' });
    shop.enter(number, 'FR');
    expect(shop.excess('newCountries')).toBe(10);
  });

  it("a paused country's recipients are taken out of all new countries, which are not paused for it", () => {
    const shop = createShop();
    shop.askTimes(30, france);
    expect(shop.excess('newCountries')).toBe(0);
    expect(shop.askTimes(20, { country: 'AT' })).not.toContain('refused newCountries');
  });

  /** Requests codes again as soon as each pause ends. Returns the hours of the pauses. */
  function pauseHours(shop: ReturnType<typeof createShop>, count: number, country: string): number[] {
    return Array.from({ length: count }, () => {
      shop.askUntilRefused({ country });
      const ms = waitOf(shop.decide({ country }), shop.now())!;
      shop.wait(ms);
      return ms / HOUR;
    });
  }

  it('pauses of a country last 1 hour, 4 hours, 24 hours and 7 days', () => {
    expect(pauseHours(createShop(), 4, 'FR')).toEqual([1, 4, 24, 168]);
  });

  it('a country in which people entered codes yesterday is paused for 4 hours at most', () => {
    const earlier = twoWeeks('FR', 20, 16).slice(1);
    const history = (yesterday: number) => [
      ...twoWeeks('DE', 100, 80),
      ...earlier,
      ...twoWeeks('FR', 20, yesterday).slice(0, 1),
    ];
    expect(pauseHours(createShop({ history: history(1) }), 3, 'FR')).toEqual([1, 4, 4]);
    expect(pauseHours(createShop({ history: history(0) }), 3, 'FR')).toEqual([1, 4, 24]);
  });

  it('in the first week of an application, pauses of such a country also get longer', () => {
    const shop = createShop({ history: twoWeeks('DE', 100, 80).slice(0, 5) });
    expect(pauseHours(shop, 3, 'DE')).toEqual([1, 4, 24]);
  });

  it('the excess does not drop during a pause, and starts again at 70% of the limit', () => {
    const shop = createShop();
    shop.askUntilRefused(france);
    shop.wait(HOUR);
    // 17.5 of 25
    expect(shop.askUntilRefused(france)).toBe(7);
  });

  it('verified recipients are exempt for a number of days', () => {
    const shop = createShop({ settings: { exemptDays: 2 } });
    const number = numberIn('FR', 300);
    shop.ask({ ...france, number });
    shop.enter(number, 'FR');
    shop.askUntilRefused(france);
    expect(shop.ask({ ...france, number })).toBe('allowed');
    shop.wait(2 * DAY - SECOND);
    shop.askTimes(30, france);
    expect(shop.ask({ ...france, number })).toBe('allowed');
    shop.wait(SECOND);
    expect(shop.ask({ ...france, number })).toBe('refused country');
  });

  it('0 switches the limit off', () => {
    const shop = createShop({ settings: { countryUnverified: 0, newCountriesUnverified: 0 } });
    expect(shop.askUntilRefused(france)).toBe(120);
  });
});

describe('the home country without a challenge', () => {
  const YOUNG = twoWeeks('DE', 100, 80).slice(0, 6);

  it('is not paused, but the owners are told from a fifth of the limit', () => {
    const shop = createShop();
    const alerts = Array.from({ length: 100 }, () => {
      const decision = shop.decide();
      return decision.outcome === 'allowed' ? decision.alert : decision;
    });
    expect(alerts.findIndex((alert) => alert !== undefined)).toBe(13);
    expect(alerts[13]).toMatchObject({
      rule: 'country',
      scope: 'country',
      key: 'DE',
      evidence: { sent: 13, verified: 0 },
    });
  });

  it('the owners are told later if few people enter their codes, because the excess varies more', () => {
    const shop = createShop({ history: twoWeeks('DE', 100, 30) });
    const isTold = (decision: Decision) => decision.outcome === 'allowed' && decision.alert !== undefined;
    expect(Array.from({ length: 100 }, () => isTold(shop.decide())).indexOf(true)).toBe(31);
  });

  it('of an application without a week of verifications is paused after 65 unverified recipients', () => {
    const shop = createShop({ history: YOUNG });
    expect(shop.askUntilRefused()).toBe(65);
    expect(shop.ask()).toBe('refused country');
  });

  it('0 switches the limit off', () => {
    const shop = createShop({ history: YOUNG, settings: { homeUnverified: 0 } });
    expect(shop.askUntilRefused()).toBe(120);
  });
});
