/** Challenges of the fraud guard: who must solve one, and until when. */
import { HOUR, MINUTE, SECOND } from '../../backend/src/platform/clock.js';
import { createShop, inPrefix, NOON, numberIn, SAME, twoWeeks, waitOf } from '../fraud/shop.js';

const CHALLENGE = { hasChallenge: true };

describe('challenges', () => {
  it('the home country needs a challenge after 65 unverified recipients, and is not paused', () => {
    const shop = createShop({ application: CHALLENGE });
    expect(shop.askTimes(66).slice(-2)).toEqual(['allowed', 'challenged country']);
    const decision = shop.decide();
    expect(decision).toMatchObject({ outcome: 'challenged', refusal: { rule: 'country', key: 'DE' } });
    expect(waitOf(decision, NOON)).toBeUndefined();
    expect(shop.ask({ isChallengeSolved: true })).toBe('allowed');
  });

  it('a listed country needs a challenge, and a new country that is not listed is paused', () => {
    const listed = createShop({
      application: { ...CHALLENGE, countries: ['FR'] },
      settings: { newCountriesUnverified: 0 },
    });
    listed.askUntilRefused({ country: 'FR' });
    expect(listed.ask({ country: 'FR' })).toBe('challenged country');
    const attack = (index: number) => ({ country: 'FR', number: `+3361234${10_000 + index}` });
    const prefix = createShop({ application: { ...CHALLENGE, countries: ['FR'] } });
    prefix.askUntilRefused(attack);
    expect(prefix.ask(attack(50))).toBe('challenged prefix');
    const unlisted = createShop({ application: CHALLENGE });
    unlisted.askUntilRefused({ country: 'FR' });
    expect(unlisted.ask({ country: 'FR', isChallengeSolved: true })).toBe('refused country');
    expect(createShop({ application: CHALLENGE }).askUntilRefused((i) => ({ ...inPrefix(i), country: 'UZ' }))).toBe(10);
  });

  it('an established country needs a challenge', () => {
    const shop = createShop({
      application: CHALLENGE,
      history: [...twoWeeks('DE', 100, 80), ...twoWeeks('FR', 20, 16)],
    });
    shop.askUntilRefused({ country: 'FR' });
    expect(shop.ask({ country: 'FR' })).toBe('challenged country');
  });

  it('prefixes and addresses need a challenge where the application has customers', () => {
    const shop = createShop({ application: CHALLENGE });
    shop.askUntilRefused(inPrefix);
    expect(shop.ask(inPrefix(50))).toBe('challenged prefix');
    shop.askUntilRefused({ address: 'one' });
    expect(shop.ask({ address: 'one' })).toBe('challenged address');
    expect(shop.ask({ address: 'one', isChallengeSolved: true })).toBe('allowed');
    const abroad = createShop({ application: CHALLENGE });
    abroad.askUntilRefused({ country: 'FR', address: 'one' });
    expect(abroad.ask({ country: 'FR', address: 'one' })).toBe('refused address');
  });

  it('an attacker who solves a challenge for each request does not switch the guard off', () => {
    const attack = { country: 'FR', isChallengeSolved: true };
    const established = createShop({
      application: CHALLENGE,
      history: [...twoWeeks('DE', 100, 80), ...twoWeeks('FR', 20, 16)],
    });
    expect(established.askUntilRefused(attack)).toBe(65);
    expect(established.ask(attack)).toBe('refused solved');
  });

  it('requests without a solution cannot lock out a recipient who solves the challenge', () => {
    const shop = createShop({ application: CHALLENGE });
    shop.askTimes(66);
    shop.ask({ number: SAME, isChallengeSolved: true });
    for (let i = 0; i < 20; i++) shop.ask({ number: SAME });
    expect(shop.ask({ number: SAME, isChallengeSolved: true })).toBe('allowed');
  });

  it('a challenge of a prefix takes its recipients out of the country', () => {
    const shop = createShop({ application: CHALLENGE });
    shop.askUntilRefused(inPrefix);
    expect(shop.excess('country', 'DE')).toBe(0);
  });

  it('a solved challenge with the request that would need one is enough', () => {
    const shop = createShop({ application: CHALLENGE });
    shop.askTimes(65);
    expect(shop.ask({ isChallengeSolved: true })).toBe('allowed');
  });

  it('requests without a solved challenge raise the excess to the limit, and not above', () => {
    const shop = createShop({ application: CHALLENGE });
    shop.askTimes(66);
    expect(shop.excess('country', 'DE')).toBe(65);
    shop.wait(HOUR);
    // An hour takes 16.25 away.
    shop.ask();
    expect(shop.excess('country', 'DE')).toBe(49.75);
    shop.askTimes(50);
    expect(shop.excess('country', 'DE')).toBe(65);
    expect(shop.replay.excessOf({ scope: 'country', key: 'DE' })).toMatchObject({ sent: 65, verified: 0 });
    shop.ask({ isChallengeSolved: true });
    expect(shop.replay.excessOf({ scope: 'country', key: 'DE' })).toMatchObject({ sent: 66, verified: 0 });
  });

  it("a challenge ends when the excess has halved; each hour takes a quarter of a country's limit away", () => {
    const shop = createShop({ application: CHALLENGE });
    shop.askTimes(66);
    // From 65 to 32.5 at 16.25 an hour.
    shop.wait(2 * HOUR - SECOND);
    const almost = shop.decide();
    expect(almost.outcome).toBe('challenged');
    shop.wait(10 * MINUTE);
    expect(shop.ask()).toBe('allowed');
  });

  it('on the day after a challenge of a country, the next one starts at half of the limit', () => {
    const shop = createShop({ application: CHALLENGE });
    shop.askTimes(66);
    // At 16.25 an hour, nothing is left after four hours.
    shop.wait(6 * HOUR);
    // Half of the limit is 32.5.
    expect(shop.askUntilRefused()).toBe(33);
    // Then, an hour takes one away.
    shop.wait(40 * HOUR);
    expect(shop.askUntilRefused()).toBe(65);
  });

  it('a challenge of a prefix lasts until half of the excess is gone, at half a recipient an hour', () => {
    const shop = createShop({ application: CHALLENGE });
    shop.askUntilRefused(inPrefix);
    shop.wait(10 * HOUR - SECOND);
    expect(shop.ask(inPrefix(30))).toBe('challenged prefix');
    shop.wait(3 * HOUR);
    expect(shop.ask(inPrefix(31))).toBe('allowed');
  });

  it('codes that are entered after a solved challenge end it sooner', () => {
    const shop = createShop({ application: CHALLENGE });
    shop.askTimes(66);
    for (let i = 0; i < 25; i++) {
      const number = numberIn('DE', 300 + i);
      shop.ask({ number, isChallengeSolved: true });
      shop.enter(number);
    }
    expect(shop.ask()).toBe('allowed');
  });

  it('a request without a solved challenge counts toward the codes in a row', () => {
    const shop = createShop({ application: CHALLENGE });
    shop.askTimes(66);
    expect(shop.askTimes(11, { number: SAME })).toEqual([
      ...Array<string>(5).fill('challenged country'),
      ...Array<string>(5).fill('challenged recipient'),
      'challenged recipient',
    ]);
  });

  it('a solved challenge does not count twice toward the codes in a row', () => {
    const shop = createShop({ application: CHALLENGE });
    shop.askTimes(66);
    const outcomes = Array.from({ length: 5 }, () => [
      shop.ask({ number: SAME }),
      shop.ask({ number: SAME, isChallengeSolved: true }),
    ]).flat();
    expect(outcomes).toEqual(Array.from({ length: 5 }, () => ['challenged country', 'allowed']).flat());
  });

  it('an attacker who solves challenges for a listed country is refused after 65 unverified recipients', () => {
    const shop = createShop({
      application: { ...CHALLENGE, countries: ['FR'] },
      settings: { newCountriesUnverified: 0 },
    });
    shop.askUntilRefused({ country: 'FR' });
    const solved = { country: 'FR', isChallengeSolved: true };
    expect(shop.askUntilRefused(solved)).toBe(65);
    const decision = shop.decide(solved);
    expect(decision).toMatchObject({ outcome: 'refused', refusal: { rule: 'solved', scope: 'solved', key: 'FR' } });
    expect(waitOf(decision, NOON)).toBe(HOUR);
  });

  it('the owners are told when many codes at home are not entered after solved challenges', () => {
    const shop = createShop({ application: CHALLENGE });
    shop.askTimes(66);
    const alerts = Array.from({ length: 30 }, () => {
      const decision = shop.decide({ isChallengeSolved: true });
      return decision.outcome === 'allowed' && decision.alert !== undefined;
    });
    expect(alerts.indexOf(true)).toBe(13);
  });

  it('codes that are entered after a solved challenge are no evidence', () => {
    const shop = createShop({ application: CHALLENGE });
    shop.askTimes(66);
    const number = numberIn('DE', 400);
    const excess = () => shop.replay.excessOf({ scope: 'solved', key: 'DE' })?.excess;
    shop.ask({ number, isChallengeSolved: true });
    expect(excess()).toBe(1);
    shop.enter(number);
    expect(excess()).toBe(0);
  });

  it('codes that were sent without a challenge take nothing away from those after one', () => {
    const shop = createShop({ application: CHALLENGE });
    const number = numberIn('DE', 400);
    shop.ask({ number });
    shop.ask({ isChallengeSolved: true });
    shop.enter(number);
    expect(shop.replay.excessOf({ scope: 'solved', key: 'DE' })?.excess).toBe(1);
  });
});
