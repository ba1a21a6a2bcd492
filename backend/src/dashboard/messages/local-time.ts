/** Times in a time zone, in the form of `datetime-local` input fields: `2026-01-31T15:04`. */

export function localText(ms: number, zone = 'UTC'): string {
  // Swedish dates and times have the order of ISO 8601.
  const format = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  return format.format(ms).replace(' ', 'T').padStart(16, '0');
}

/** Epoch milliseconds; undefined for invalid text. A time that daylight saving skips becomes a nearby time. */
export function timestampOf(text: string, zone = 'UTC'): number | undefined {
  const asUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) ? Date.parse(`${text.slice(0, 16)}:00Z`) : NaN;
  if (Number.isNaN(asUtc)) return undefined;
  const offsetAt = (ms: number) => Date.parse(`${localText(ms, zone)}:00Z`) - ms;
  // The offset at the first estimate may be wrong near a change to or from daylight saving time.
  return asUtc - offsetAt(asUtc - offsetAt(asUtc));
}
