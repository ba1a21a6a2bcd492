/** The limits of the fraud guard, in groups. */
import type { Application } from '../../modules/applications/application.js';
import { appliedSettings } from '../../modules/fraud/fraud-application.js';
import { FRAUD_SETTINGS, FRAUD_THRESHOLDS, type FraudSetting } from '../../modules/fraud/fraud-settings.js';
import { isOff } from '../../modules/settings/bounded-setting.js';
import { Badge } from '../components/badge.js';
import type { FormState } from '../form.js';

interface Group {
  readonly title: string;
  readonly lead: string;
  readonly names: readonly FraudSetting[];
}

export const GROUPS: readonly Group[] = [
  {
    title: 'Unused codes',
    lead: 'How many more people than usual may leave their code unused before Passbell acts. The level sets these limits, unless you set your own.',
    names: [
      'homeUnverified',
      'countryUnverified',
      'newCountriesUnverified',
      'burstUnverified',
      'prefixUnverified',
      'rangeUnverified',
      'addressUnverified',
    ],
  },
  {
    title: 'Other settings',
    lead: 'The defaults are the same at every level.',
    names: ['exemptDays', 'codesInARow', 'newCountryNotifications', 'tolerance', 'establishedVerifications'],
  },
];

/** The settings under Protection limits. */
export const NUMBERS = GROUPS.flatMap(({ names }) => names);

/** The texts of the form for an application's settings. Numbers that the owner did not change are empty. */
export function fraudTexts(application: Application): FormState['typed'] {
  const settings = appliedSettings(application);
  const isEmpty = (name: FraudSetting) => NUMBERS.includes(name) && application.settings.fraud[name] === undefined;
  return Object.fromEntries(FRAUD_SETTINGS.map((name) => [name, isEmpty(name) ? '' : String(settings[name])]));
}

/** A warning if limits are off, which no level turns on. */
export function LimitsOff({ application }: { readonly application: Application }) {
  const settings = appliedSettings(application);
  const isLimit = (name: FraudSetting) => name !== 'pauseHome';
  const off = FRAUD_SETTINGS.filter((name) => isLimit(name) && isOff(FRAUD_THRESHOLDS[name], settings[name])).length;
  return off === 0 ? null : <Badge kind="warning">{off === 1 ? '1 limit is off' : `${off} limits are off`}</Badge>;
}
