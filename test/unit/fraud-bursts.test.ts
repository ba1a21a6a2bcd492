/** Bursts: many codes within minutes that nobody enters. */
import { MINUTE, SECOND } from '../../backend/src/platform/clock.js';
import { createShop, NOON, twoWeeks, waitOf } from '../fraud/shop.js';

describe('bursts', () => {
  it('all codes are stopped for ten minutes after 120 unverified recipients at once', () => {
    const shop = createShop();
    expect(shop.askUntilRefused()).toBe(120);
    expect(waitOf(shop.decide(), NOON)).toBe(10 * MINUTE);
    expect(shop.ask({ country: 'FR' })).toBe('refused burst');
    shop.wait(10 * MINUTE);
    expect(shop.askUntilRefused()).toBe(120);
  });

  it('ten recipients a minute are no burst', () => {
    const full = createShop();
    full.askTimes(120);
    full.wait(MINUTE);
    expect(full.askUntilRefused()).toBe(10);
    const shop = createShop();
    const outcomes = Array.from({ length: 300 }, () => {
      shop.wait(6 * SECOND);
      return shop.ask();
    });
    expect(new Set(outcomes)).toEqual(new Set(['allowed']));
  });

  it('a busy application may send a twentieth of the verifications of a day at once', () => {
    const shop = createShop({ history: twoWeeks('DE', 10_000, 8000) });
    expect(shop.askUntilRefused()).toBe(400);
  });

  it('a burst does not reduce what its countries have', () => {
    const shop = createShop();
    shop.askUntilRefused();
    expect(shop.excess('country', 'DE')).toBe(120);
    const abroad = createShop();
    abroad.askTimes(10, { country: 'FR' });
    abroad.askUntilRefused();
    expect(abroad.excess('newCountries')).toBe(10);
  });

  it('0 switches the limit off', () => {
    expect(createShop({ settings: { burstUnverified: 0 } }).askUntilRefused()).toBe(Infinity);
  });
});
