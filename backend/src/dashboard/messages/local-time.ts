/** Times of day as somebody enters them: `2026-01-31T15:04` in a time zone of their own. */

const FIELDS = ['year', 'month', 'day', 'hour', 'minute'] as const;

/** `2026-01-31T15:04`, as a field of type `datetime-local` has it; a zone is a name such as `Europe/Berlin`. */
export function localText(ms: number, zone = 'UTC'): string {
  const form = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const parts = Object.fromEntries(form.formatToParts(ms).map(({ type, value }) => [type, value]));
  const [year, month, day, hour, minute] = FIELDS.map((name) => parts[name]!);
  return `${year!.padStart(4, '0')}-${month}-${day}T${hour}:${minute}`;
}

/** Epoch milliseconds; undefined for what is no such text. A time that a change of the clocks leaves out is near it. */
export function momentOf(text: string, zone = 'UTC'): number | undefined {
  const asUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) ? Date.parse(`${text.slice(0, 16)}:00Z`) : NaN;
  if (Number.isNaN(asUtc)) return undefined;
  const offsetAt = (ms: number) => Date.parse(`${localText(ms, zone)}:00Z`) - ms;
  // The offset of the zone at that moment, which the first guess may miss by a change of the clocks.
  return asUtc - offsetAt(asUtc - offsetAt(asUtc));
}
