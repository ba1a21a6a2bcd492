/** Values that the fraud guard derives from an application. */
import type { ChannelName } from '../../platform/contract/channels.js';
import { hasChallenge } from '../applications/challenge-settings.js';
import type { Application } from '../applications/application.js';
import type { GuardedApplication } from './fraud.js';
import { fraudSettingsOf, type FraudSettings } from './fraud-settings.js';

/**
 * Returns the countries of an account's sender numbers. The first is the home country; the others are treated as
 * countries that the application lists.
 */
export type SenderCountries = (accountId: number) => readonly string[];

/** Whether a vendor may charge an account for messages on the channel. An application stands for its account. */
export type IsPaid = (
  sender: { readonly accountId: number } | { readonly applicationId: number },
  channel: ChannelName,
) => boolean;

/** Returns what the rules need to know about an application. */
export function guardedApplication(application: Application, senderCountries: SenderCountries): GuardedApplication {
  const { verifiedElsewhere } = application.settings;
  return { ...countriesOf(application, senderCountries), hasChallenge: hasChallenge(application), verifiedElsewhere };
}

function countriesOf({ accountId, settings }: Application, senderCountries: SenderCountries) {
  const [homeCountry, ...others] = senderCountries(accountId);
  return { homeCountry, countries: [...settings.countries, ...settings.servedCountries, ...others] };
}

/** Whether the owner serves the country. */
export function isListed(application: Application, senderCountries: SenderCountries, country: string): boolean {
  const { homeCountry, countries } = countriesOf(application, senderCountries);
  return country === homeCountry || countries.includes(country);
}

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
