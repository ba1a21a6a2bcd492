/** Quiet hours in the time zones of the recipient's country. */
import { getCountries } from 'libphonenumber-js/max';
import { outsideQuietHours } from '../../backend/src/modules/recipients/quiet-hours.js';
import { timeZonesOf } from '../../backend/src/modules/recipients/time-zones.js';
import { HOUR } from '../../backend/src/platform/clock.js';
import { localText } from '../../backend/src/platform/local-time.js';

const NIGHT = '22:00-08:00';
const NOON = '12:00-14:00';

const at = (iso: string, country: string, hours = NIGHT): string =>
  new Date(outsideQuietHours(Date.parse(iso), country, hours)).toISOString().replace('.000Z', 'Z');

it.each([
  ['by day', 'DE', '2027-01-15T12:00:00Z', '2027-01-15T12:00:00Z'],
  ['by day, to the millisecond', 'DE', '2027-01-15T12:00:00.123Z', '2027-01-15T12:00:00.123Z'],
  ['just before the quiet hours', 'DE', '2027-01-15T20:59:59Z', '2027-01-15T20:59:59Z'],
  ['at the start of the quiet hours', 'DE', '2027-01-15T21:00:00Z', '2027-01-16T07:00:00Z'],
  ['after midnight', 'DE', '2027-01-15T23:30:00Z', '2027-01-16T07:00:00Z'],
  ['in the last minute', 'DE', '2027-01-16T06:59:59Z', '2027-01-16T07:00:00Z'],
  ['at the end of the quiet hours', 'DE', '2027-01-16T07:00:00Z', '2027-01-16T07:00:00Z'],
  // On 28 March 2027, clocks in Germany go from 02:00 to 03:00; on 31 October 2027, from 03:00 to 02:00.
  ['in the night to summer time', 'DE', '2027-03-27T21:30:00Z', '2027-03-28T06:00:00Z'],
  ['after the change to summer time', 'DE', '2027-03-28T01:00:00Z', '2027-03-28T06:00:00Z'],
  ['in the night to winter time', 'DE', '2027-10-30T20:30:00Z', '2027-10-31T07:00:00Z'],
  ['in the hour that happens twice', 'DE', '2027-10-31T00:30:00Z', '2027-10-31T07:00:00Z'],
  // The southern hemisphere changes the other way round: on 4 April and 26 September 2027 in New Zealand.
  ['in the night to winter time in the south', 'NZ', '2027-04-03T12:00:00Z', '2027-04-03T20:00:00Z'],
  ['in the night to summer time in the south', 'NZ', '2027-09-25T12:00:00Z', '2027-09-25T19:00:00Z'],
  ['half-hour offsets', 'IN', '2027-01-15T18:00:00Z', '2027-01-16T02:30:00Z'],
  // The zones of Kiribati are 12 to 14 hours ahead of UTC, on two sides of the meridian that is the date line.
  ['when it is day in Tarawa, but night in Kiritimati', 'KI', '2027-01-15T09:00:00Z', '2027-01-15T20:00:00Z'],
  ['when it is morning in Kiritimati, but still night in Tarawa', 'KI', '2027-01-15T18:00:00Z', '2027-01-15T20:00:00Z'],
  ['by day in all of Kiribati', 'KI', '2027-01-15T20:00:00Z', '2027-01-15T20:00:00Z'],
  ['on the new side of the date line', 'WS', '2027-01-15T10:00:00Z', '2027-01-15T19:00:00Z'],
  ['on the old side of the date line', 'AS', '2027-01-15T10:00:00Z', '2027-01-15T19:00:00Z'],
  // +1: 08:00 in Honolulu is 18:00 UTC, and 22:00 in New York is 03:00 UTC.
  ['in the morning of New York, but at night in Honolulu', 'US', '2027-01-15T15:00:00Z', '2027-01-15T18:00:00Z'],
  ['by day in all of the United States', 'US', '2027-01-15T18:00:00Z', '2027-01-15T18:00:00Z'],
  ['by day in Honolulu, but at night in New York', 'US', '2027-01-16T03:00:00Z', '2027-01-16T18:00:00Z'],
  ['in the summer of the United States', 'US', '2027-07-16T02:00:00Z', '2027-07-16T18:00:00Z'],
  // 08:00 in Vancouver is 16:00 UTC; 22:00 in St. John's is 01:30 UTC.
  ['in the morning of Toronto, but at night in Vancouver', 'CA', '2027-01-15T15:00:00Z', '2027-01-15T16:00:00Z'],
  ["by day in Vancouver, but at night in St. John's", 'CA', '2027-01-16T01:30:00Z', '2027-01-16T16:00:00Z'],
  ['at night in a +1 country with one zone', 'JM', '2027-01-15T12:00:00Z', '2027-01-15T13:00:00Z'],
  ['at night in Guam, which is +1 and west of the date line', 'GU', '2027-01-15T15:00:00Z', '2027-01-15T22:00:00Z'],
])('%s: %s %s → %s', (_what, country, from, expected) => expect(at(from, country)).toBe(expected));

it('skips the day that Samoa skipped when it moved across the date line', () => {
  // After Thursday, 29 December 2011, came Saturday, 31 December, at 10:00 UTC.
  expect(at('2011-12-30T09:00:00Z', 'WS')).toBe('2011-12-30T18:00:00Z');
});

it('knows quiet hours within one day', () => {
  expect(at('2027-01-15T11:30:00Z', 'DE', NOON)).toBe('2027-01-15T13:00:00Z');
  expect(at('2027-01-15T22:30:00Z', 'DE', NOON)).toBe('2027-01-15T22:30:00Z');
});

it('ends quiet hours within an hour of a time that daylight saving skips', () => {
  const end = Date.parse(at('2027-03-27T23:30:00Z', 'DE', '22:00-02:30'));
  expect(Math.abs(end - Date.parse('2027-03-28T01:00:00Z'))).toBeLessThanOrEqual(HOUR);
});

it.each(['', 'DE'])(
  'does not postpone email addresses, or applications without quiet hours (country "%s")',
  (country) => expect(at('2027-01-15T23:30:00Z', country, country === '' ? NIGHT : '')).toBe('2027-01-15T23:30:00Z'),
);

it.each(['20:00-08:00', '08:00-20:00', '00:00-12:00', '13:37-01:37'])(
  'finds a time for each country within two days, even if %s are quiet',
  (hours) => {
    const [from, to] = hours.split('-') as [string, string];
    const isQuiet = (time: string) => (from < to ? time >= from && time < to : time >= from || time < to);
    for (const start of ['2027-01-15T00:00:00Z', '2027-03-28T00:30:00Z', '2027-10-31T00:30:00Z'].map(Date.parse))
      for (const country of getCountries()) {
        const found = outsideQuietHours(start, country, hours);
        expect([country, found - start]).toEqual([country, expect.any(Number)]);
        expect(found - start).toBeLessThan(48 * HOUR);
        const quiet = timeZonesOf(country).filter((zone) => isQuiet(localText(found, zone).slice(11)));
        expect([country, quiet]).toEqual([country, []]);
      }
  },
);

it('knows time zones of each country of phone numbers', () => {
  for (const country of getCountries())
    expect([country, timeZonesOf(country)[0]]).toEqual([country, expect.any(String)]);
  expect(timeZonesOf('US').length).toBeGreaterThan(6);
});
