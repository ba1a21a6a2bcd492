/** Formats the values of settings with their units. */

/** The unit of the value 1. Exported for a test that checks that every unit is listed. */
export const SINGULAR_UNITS: ReadonlyMap<string, string> = new Map([
  ['codes', 'code'],
  ['days', 'day'],
  ['messages', 'message'],
  ['notifications', 'notification'],
  ['people', 'person'],
  ['% of usual', '% of usual'],
  ['requests', 'request'],
  ['seconds', 'second'],
  ['users', 'user'],
  ['wrong codes', 'wrong code'],
]);

/** `30 seconds`, `1 code`, `75% of usual` */
export function withUnit(value: string, unit: string): string {
  const text = (value === '1' && SINGULAR_UNITS.get(unit)) || unit;
  return text.startsWith('%') ? `${value}${text}` : `${value} ${text}`;
}
