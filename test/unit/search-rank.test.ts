/** The ranking of places in the search of the dashboard. */
import { rankPlaces } from '../../backend/src/dashboard/search/rank.js';

const SHOP = { group: 'Applications', label: 'Shop', words: 'pk_011f549c8fd2', about: '', href: '/' };

it('does not find an App Key that starts with a short part of an ID', () => {
  expect(rankPlaces('checkout-2027.01', [SHOP])).toEqual([]);
  expect(rankPlaces('011f549c', [SHOP])).toEqual([SHOP]);
});
