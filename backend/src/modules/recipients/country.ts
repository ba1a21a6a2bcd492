const REGIONS = new Intl.DisplayNames('en', { type: 'region' });

/** `DE` → `Germany`; `No country` for "". */
export const countryName = (code: string): string => (code === '' ? 'No country' : (REGIONS.of(code) ?? code));
