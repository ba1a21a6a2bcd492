/** Local times in form fields. */
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
