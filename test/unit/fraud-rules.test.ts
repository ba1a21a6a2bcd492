/** The rules of the fraud guard about single messages, and what people allow and pause. */
import { allowByPerson, pauseByPerson } from '../../backend/src/modules/fraud/pause-state.js';
import type { ScopeRef } from '../../backend/src/modules/fraud/fraud.js';
import { DAY, HOUR, MINUTE } from '../../backend/src/platform/clock.js';
import { createShop, inPrefix, inTurn, NOON, numberIn, SAME, twoWeeks, waitOf } from '../fraud/shop.js';

const CHALLENGE = { hasChallenge: true };

describe('codes in a row', () => {
  /** Requests codes for one recipient, far enough apart to count each. */
  function askApart(shop: ReturnType<typeof createShop>, count: number, isChallengeSolved = false): string[] {
    return Array.from({ length: count }, () => {
      shop.wait(16 * MINUTE);
      return shop.ask({ number: SAME, isChallengeSolved });
    });
  }

  it('a recipient who left five codes unentered gets one code a day', () => {
    const shop = createShop();
    expect(askApart(shop, 6)).toEqual([...Array<string>(5).fill('allowed'), 'refused recipient']);
    const refused = shop.decide({ number: SAME });
    expect(refused).toMatchObject({ refusal: { scope: 'application', key: '' } });
    expect(waitOf(refused, shop.now())).toBe(DAY - 16 * MINUTE);
    shop.wait(DAY - 16 * MINUTE - 1);
    expect(shop.ask({ number: SAME })).toBe('refused recipient');
    shop.wait(1);
    expect(shop.askTimes(2, { number: SAME })).toEqual(['allowed', 'refused recipient']);
  });

  it.each([
    [95, 4],
    [80, 5],
    [30, 20],
  ])('where %d%% enter their codes, a recipient may leave %d unentered', (percent, codes) => {
    const shop = createShop({ history: twoWeeks('DE', 10_000, 100 * percent) });
    expect(shop.askUntilRefused({ number: SAME })).toBe(codes);
  });

  it('requests in quick succession count as well', () => {
    const shop = createShop();
    expect(shop.askUntilRefused({ number: SAME })).toBe(5);
  });

  it('an entered code ends the row', () => {
    const shop = createShop();
    askApart(shop, 4);
    shop.enter(SAME);
    expect(shop.askUntilRefused({ number: SAME })).toBe(5);
  });

  it('a code that was not delivered does not count', () => {
    const shop = createShop();
    askApart(shop, 4);
    shop.loseCode(SAME);
    expect(shop.askUntilRefused({ number: SAME })).toBe(2);
    for (let i = 0; i < 5; i++) shop.loseCode(SAME);
    expect(shop.askUntilRefused({ number: SAME })).toBe(5);
  });

  it('a code that was not delivered to a recipient without a row changes nothing', () => {
    const shop = createShop();
    shop.loseCode(SAME);
    expect(shop.askUntilRefused({ number: SAME })).toBe(5);
  });

  it('applies to verified recipients, who count again from the last code of the row', () => {
    const shop = createShop();
    shop.ask({ number: SAME });
    shop.enter(SAME);
    askApart(shop, 4);
    expect(shop.excess('country', 'DE')).toBe(0);
    shop.ask({ number: SAME, address: 'one' });
    expect([shop.excess('country', 'DE'), shop.excess('address', 'one')]).toEqual([1, 1]);
    expect(shop.ask({ number: SAME })).toBe('refused recipient');
  });

  it('with a challenge, asks for one, and also allows only one code a day after twice as many requests', () => {
    const shop = createShop({ application: CHALLENGE });
    askApart(shop, 5);
    const challenged = shop.decide({ number: SAME });
    expect([challenged.outcome, waitOf(challenged, shop.now())]).toEqual(['challenged', undefined]);
    // The request without a solution counted, too.
    expect(askApart(shop, 5, true)).toEqual([...Array<string>(4).fill('allowed'), 'refused recipient']);
    shop.wait(DAY);
    expect(shop.ask({ number: SAME })).toBe('challenged recipient');
    expect(shop.ask({ number: SAME, isChallengeSolved: true })).toBe('allowed');
  });

  it('does not apply to notifications', () => {
    const shop = createShop();
    expect(shop.askUntilRefused({ number: SAME })).toBe(5);
    expect(shop.askUntilRefused({ number: SAME, kind: 'notification' })).toBe(Infinity);
  });

  it('three codes may always be left unentered', () => {
    const shop = createShop({ settings: { codesInARow: 1 }, history: twoWeeks('DE', 10_000, 9990) });
    expect(shop.askUntilRefused({ number: SAME })).toBe(3);
  });

  it('ends the exemption of verified recipients', () => {
    const shop = createShop({ history: [...twoWeeks('DE', 100, 80), ...twoWeeks('FR', 20, 16)] });
    const number = numberIn('FR', 400);
    const same = { country: 'FR', number };
    shop.ask(same);
    shop.enter(number, 'FR');
    expect(shop.askUntilRefused(same)).toBe(5);
    shop.wait(DAY);
    shop.askUntilRefused({ country: 'FR' });
    expect(shop.ask(same)).toBe('refused country');
  });

  it('0 switches it off', () => {
    expect(createShop({ settings: { codesInARow: 0 } }).askUntilRefused({ number: SAME })).toBe(Infinity);
  });
});

describe('voice calls', () => {
  const call = { voice: true, country: 'FR' };

  it('a call to a new country that is not listed is refused', () => {
    const decision = createShop().decide(call);
    expect(decision).toMatchObject({ outcome: 'refused', refusal: { rule: 'voice', scope: 'country', key: 'FR' } });
    expect(createShop().ask({ ...call, kind: 'notification' })).toBe('refused voice');
  });

  it('a call to a listed country, the home country or a country with many users is allowed', () => {
    expect(createShop({ application: { countries: ['FR'] } }).ask(call)).toBe('allowed');
    expect(createShop().ask({ voice: true })).toBe('allowed');
    expect(createShop({ history: [...twoWeeks('DE', 100, 80), ...twoWeeks('FR', 20, 20)] }).ask(call)).toBe('allowed');
  });

  it('a country has many users with 150 verifications before today', () => {
    const history = (verified: number) => [...twoWeeks('DE', 100, 80), { ...twoWeeks('FR', 200, verified)[0]! }];
    expect(createShop({ history: history(150) }).ask(call)).toBe('allowed');
    expect(createShop({ history: history(149) }).ask(call)).toBe('refused voice');
  });

  it('a call to a verified recipient is allowed', () => {
    const shop = createShop();
    const number = numberIn('FR', 400);
    shop.ask({ number, country: 'FR' });
    shop.enter(number, 'FR');
    expect(shop.ask({ ...call, number })).toBe('allowed');
  });

  it('a call to a country that a person allowed is allowed', () => {
    const shop = createShop();
    shop.replay.setState(allowByPerson(undefined, { scope: 'country', key: 'FR' }, NOON));
    expect(shop.ask(call)).toBe('allowed');
  });
});

describe('notifications', () => {
  const notify = { kind: 'notification', country: 'FR' } as const;

  it('20 go to unverified recipients in a new country, and then two an hour', () => {
    const shop = createShop();
    expect(shop.askUntilRefused(notify)).toBe(20);
    const decision = shop.decide(notify);
    expect(decision).toMatchObject({
      outcome: 'refused',
      refusal: { rule: 'notifications', scope: 'notified', key: 'FR' },
    });
    expect(waitOf(decision, NOON)).toBe(HOUR / 2);
    shop.wait(HOUR / 2 - 1);
    expect(shop.askUntilRefused(notify)).toBe(0);
    shop.wait(HOUR / 2 + 1);
    expect(shop.askUntilRefused(notify)).toBe(2);
  });

  it('twice as many go to all new countries together', () => {
    const shop = createShop();
    expect(shop.askUntilRefused((index) => ({ ...notify, ...inTurn(index) }))).toBe(40);
    const decision = shop.decide(notify);
    expect(decision).toMatchObject({ refusal: { scope: 'notified', key: '' } });
    expect(waitOf(decision, NOON)).toBe(HOUR / 2);
  });

  it.each([
    ['the home country', {}, { kind: 'notification' } as const],
    ['a listed country', { application: { countries: ['FR'] } }, notify],
    ['an established country', { history: [...twoWeeks('DE', 100, 80), ...twoWeeks('FR', 20, 16)] }, notify],
  ])('are not limited in %s', (_place, options, request) => {
    expect(createShop(options).askUntilRefused(request)).toBe(Infinity);
  });

  it('are not limited for verified recipients, nor in a country that a person allowed', () => {
    const shop = createShop();
    const number = numberIn('FR', 300);
    shop.ask({ country: 'FR', number });
    shop.enter(number, 'FR');
    shop.askUntilRefused(notify);
    expect(shop.ask({ ...notify, number })).toBe('allowed');
    shop.replay.setState(allowByPerson(undefined, { scope: 'country', key: 'FR' }, NOON));
    expect(shop.askUntilRefused(notify)).toBe(Infinity);
  });

  it('are not refused while codes are, and are no evidence against codes', () => {
    const shop = createShop();
    shop.askTimes(130);
    expect(shop.ask({ kind: 'notification' })).toBe('allowed');
    const other = createShop();
    other.askTimes(200, { kind: 'notification' });
    expect([other.excess('country', 'DE'), other.excess('burst')]).toEqual([0, 0]);
    expect(other.decide({ kind: 'notification' })).toMatchObject({ isCounted: false, record: undefined });
    expect(createShop({ history: [] }).decide(notify)).toMatchObject({ isCounted: false, record: undefined });
  });

  it('0 switches the limit off, but not the refusal of calls', () => {
    const shop = createShop({ settings: { newCountryNotifications: 0 } });
    expect(shop.askUntilRefused(notify)).toBe(Infinity);
    expect(shop.ask({ ...notify, voice: true })).toBe('refused voice');
  });
});

describe('an application whose conversion means nothing', () => {
  const france = { country: 'FR' };

  it('codes are only limited in new countries until the first code is entered', () => {
    const shop = createShop({ history: [] });
    expect(shop.askUntilRefused()).toBe(Infinity);
    expect(shop.askUntilRefused({ number: SAME })).toBe(Infinity);
    expect(shop.askUntilRefused(france)).toBe(20);
  });

  it('codes are counted for the conversion, and toward the codes in a row', () => {
    const shop = createShop({ history: [] });
    expect(shop.decide()).toMatchObject({ outcome: 'allowed', isCounted: true });
    shop.ask({ number: SAME });
    expect(shop.decide({ number: SAME })).toMatchObject({ outcome: 'allowed', isCounted: false });
    shop.askTimes(4, { number: SAME });
    const other = numberIn('DE', 400);
    shop.ask({ number: other });
    shop.enter(other);
    // With a conversion of 57%, nine codes in a row are suspicious. A recipient counts once in 15 minutes.
    expect(shop.askUntilRefused({ number: SAME })).toBe(3);
  });

  it('is judged as soon as a code is entered', () => {
    const shop = createShop({ history: [] });
    shop.ask({ number: SAME, address: 'one' });
    shop.enter(SAME);
    expect(shop.askUntilRefused()).toBe(65);
  });

  it('a code that was not charged takes nothing away when it is entered later', () => {
    const shop = createShop({ history: [] });
    const other = numberIn('DE', 400);
    shop.ask({ number: SAME });
    shop.ask({ number: other });
    shop.enter(other);
    shop.askTimes(10);
    shop.enter(SAME);
    expect(shop.excess('country', 'DE')).toBe(10);
  });

  it('codes checked elsewhere are only limited in new countries unless a tenth is reported as entered', () => {
    const ofReported = (verified: number) =>
      createShop({ application: { verifiedElsewhere: true }, history: twoWeeks('DE', 100, verified) });
    expect(ofReported(10).askUntilRefused()).toBe(Infinity);
    expect(ofReported(10).askUntilRefused(france)).toBe(20);
    expect(ofReported(10).ask({ ...france, voice: true })).toBe('refused voice');
    expect(ofReported(11).askUntilRefused()).toBe(120);
  });
});

describe('pauses and exceptions by people', () => {
  const DE: ScopeRef = { scope: 'country', key: 'DE' };
  const PREFIX: ScopeRef = { scope: 'prefix', key: '+491511234' };
  const ALL: ScopeRef = { scope: 'application', key: '' };

  it('a country paused by a person refuses verified people, too, and notifications', () => {
    const shop = createShop();
    shop.ask({ number: SAME });
    shop.enter(SAME);
    shop.replay.setState(pauseByPerson(undefined, DE, NOON));
    const decision = shop.decide({ number: SAME });
    expect(decision).toMatchObject({ outcome: 'refused', refusal: { rule: 'person', ...DE } });
    expect(waitOf(decision, NOON)).toBeUndefined();
    expect(shop.ask({ kind: 'notification' })).toBe('refused person');
    expect(shop.ask({ country: 'FR' })).toBe('allowed');
  });

  it.each([PREFIX, { scope: 'prefix', key: '+4915112' } as const, ALL])('a person can pause %p', (ref) => {
    const shop = createShop();
    shop.replay.setState(pauseByPerson(undefined, ref, NOON));
    expect(shop.ask(inPrefix(0))).toBe('refused person');
  });

  it('a pause by a rule does not refuse verified people', () => {
    const shop = createShop();
    const { number } = inPrefix(0);
    shop.ask({ number });
    shop.enter(number);
    shop.askUntilRefused((index) => inPrefix(index + 1));
    expect([shop.ask(inPrefix(60)), shop.ask({ number })]).toEqual(['refused prefix', 'allowed']);
  });

  it.each([PREFIX, ALL])('numbers of an allowed scope are neither counted nor judged: %p', (ref) => {
    const shop = createShop();
    shop.replay.setState(allowByPerson(undefined, ref, NOON));
    expect(shop.askUntilRefused(inPrefix)).toBe(Infinity);
    expect(shop.askUntilRefused({ number: '+4915112345678' })).toBe(Infinity);
    expect([shop.excess('country', 'DE'), shop.excess('prefix', PREFIX.key), shop.excess('burst')]).toEqual([0, 0, 0]);
    expect(shop.decide(inPrefix(0))).toMatchObject({ isCounted: false, record: undefined });
  });

  it('an allowed country is not paused, but its prefixes are', () => {
    const shop = createShop({ settings: { burstUnverified: 0 } });
    shop.replay.setState(allowByPerson(undefined, { scope: 'country', key: 'FR' }, NOON));
    expect(shop.askUntilRefused({ country: 'FR' })).toBe(Infinity);
    expect([shop.excess('country', 'FR'), shop.excess('newCountries')]).toEqual([0, 0]);
    expect(shop.askUntilRefused((index) => ({ country: 'FR', number: `+33612345${100 + index}` }))).toBe(10);
  });
});
