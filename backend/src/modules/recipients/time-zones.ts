/** The time zones of countries, from the Unicode data in Node.js. */

/** `timeZones` is the older form of `getTimeZones`. The types of TypeScript contain neither. */
interface LocaleWithZones {
  getTimeZones?(): readonly string[] | undefined;
  readonly timeZones?: readonly string[];
}

/** Countries of phone numbers that have no entry in the Unicode data. */
const OTHER_ZONES: Readonly<Record<string, string>> = {
  AC: 'Atlantic/St_Helena',
  TA: 'Atlantic/St_Helena',
  XK: 'Europe/Belgrade',
};

const cache = new Map<string, readonly string[]>();

function readZones(country: string): readonly string[] {
  const other = OTHER_ZONES[country];
  if (other !== undefined) return [other];
  const locale = new Intl.Locale('und', { region: country }) as Intl.Locale & LocaleWithZones;
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

/** Returns the time zones of a country: `PT` → Azores, Lisbon and Madeira. Empty for "", the country of email addresses. */
export function timeZonesOf(country: string): readonly string[] {
  if (country === '') return [];
  const zones = cache.get(country) ?? readZones(country);
  cache.set(country, zones);
  return zones;
}
