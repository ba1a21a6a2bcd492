/** Values that the fraud guard derives from an application. */
import type { Application } from '../applications/application.js';
import { fraudSettingsOf, type FraudSettings } from './fraud-settings.js';

/** The first of `senderCountries` is the home country. The others count as listed by the application. */
export const countriesOf = ({ settings: { countries } }: Application, senderCountries: readonly string[]) => ({
  homeCountry: senderCountries[0],
  countries: [...countries, ...senderCountries.slice(1)],
});

const settingsByApplication = new WeakMap<Application, FraudSettings>();

/**
 * The application's fraud settings, within the bounds of its account. They are computed once per `Application` object,
 * which all sends share while it is cached.
 */
export function appliedSettings(application: Application): FraudSettings {
  const known = settingsByApplication.get(application);
  if (known) return known;
  const settings = fraudSettingsOf(application.settings.fraud, application.ceilings.fraud);
  settingsByApplication.set(application, settings);
  return settings;
}
