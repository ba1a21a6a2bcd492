/** Converts between epoch milliseconds and the text of `datetime-local` fields (`2026-01-31T15:04`) in a time zone. */

const formats = new Map<string, Intl.DateTimeFormat>();

/** Creating a format takes much longer than using it. The zones must be known, so there are only a few hundred. */
function formatFor(zone: string): Intl.DateTimeFormat {
  // The Swedish format is almost ISO 8601: `2026-01-31 15:04`.
  const create = () => new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  const format = formats.get(zone) ?? create();
  formats.set(zone, format);
  return format;
}

export function localText(ms: number, zone = 'UTC'): string {
  return formatFor(zone).format(ms).replace(' ', 'T').padStart(16, '0');
}

/**
 * Returns epoch milliseconds, or undefined for invalid text. A time that daylight saving time skips is moved to a
 * nearby time.
 */
export function timestampOf(text: string, zone = 'UTC'): number | undefined {
  const asUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) ? Date.parse(`${text.slice(0, 16)}:00Z`) : NaN;
  if (Number.isNaN(asUtc)) return undefined;
  const offsetAt = (ms: number) => Date.parse(`${localText(ms, zone)}:00Z`) - ms;
  // Computes the offset twice, because the first result may be wrong close to a change to or from daylight saving time.
  return asUtc - offsetAt(asUtc - offsetAt(asUtc));
}
