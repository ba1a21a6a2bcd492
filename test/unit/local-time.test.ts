/** Local times in form fields. */
import { localDay, startOfLocalDay } from '../../backend/src/platform/local-day.js';
import { latestDue } from '../../backend/src/modules/people/weekly-emails.js';
import { localText, timestampOf } from '../../backend/src/platform/local-time.js';

const ms = (iso: string) => Date.parse(iso);

it.each([
  ['2026-01-31T15:04', 'UTC', '2026-01-31T15:04Z'],
  ['2026-01-31T15:04', 'Europe/Berlin', '2026-01-31T14:04Z'],
  ['2026-07-31T15:04', 'Europe/Berlin', '2026-07-31T13:04Z'],
  ['2026-01-31T00:30', 'Asia/Kolkata', '2026-01-30T19:00Z'],
  ['2026-01-31T23:30', 'America/Los_Angeles', '2026-02-01T07:30Z'],
  // An hour before and after the changes to and from daylight saving time.
  ['2026-03-29T01:30', 'Europe/Berlin', '2026-03-29T00:30Z'],
  ['2026-03-29T03:30', 'Europe/Berlin', '2026-03-29T01:30Z'],
  ['2026-10-25T01:30', 'Europe/Berlin', '2026-10-24T23:30Z'],
  ['2026-10-25T03:30', 'Europe/Berlin', '2026-10-25T02:30Z'],
])('converts %s in %s to %s and back', (text, zone, iso) => {
  expect(timestampOf(text, zone)).toBe(ms(iso));
  expect(localText(ms(iso), zone)).toBe(text);
});

it('converts a time that daylight saving skips to a nearby time', () => {
  const moment = timestampOf('2026-03-29T02:30', 'Europe/Berlin')!;
  expect(Math.abs(moment - ms('2026-03-29T01:00Z'))).toBeLessThanOrEqual(3_600_000);
});

it.each(['', 'soon', '2026-01-31', '2026-13-01T00:00', '31.01.2026 15:04'])('rejects "%s"', (text) => {
  expect(timestampOf(text)).toBeUndefined();
});

it.each([
  ['2026-01-31', 'UTC', '2026-01-31T00:00Z'],
  ['2026-01-31', 'Asia/Kathmandu', '2026-01-30T18:15Z'],
  // Daylight saving time skips midnight.
  ['2026-09-06', 'America/Santiago', '2026-09-06T04:00Z'],
  // Midnight happens twice.
  ['2026-11-01', 'America/Havana', '2026-11-01T04:00Z'],
])('the day %s starts in %s at %s', (day, zone, iso) => {
  const start = startOfLocalDay(day, zone);
  expect(start).toBe(ms(iso));
  expect([localDay(start, zone), localDay(start - 1, zone) < day]).toEqual([day, true]);
});

it.each([
  ['on a Wednesday', '2027-01-13T12:00Z', 'Europe/Berlin', '2027-01-11T07:00Z'],
  ['on a Monday, too early', '2027-01-11T06:59Z', 'Europe/Berlin', '2027-01-04T07:00Z'],
  ['on a Monday, in time', '2027-01-11T07:00Z', 'Europe/Berlin', '2027-01-11T07:00Z'],
  ['on a Monday that is still Sunday in UTC', '2027-01-10T19:30Z', 'Pacific/Auckland', '2027-01-10T19:00Z'],
])('weekly emails are due on Mondays at eight: %s', (_name, now, zone, due) => {
  expect(latestDue(ms(now), zone)).toBe(ms(due));
});
