/** The levels of the fraud guard, and a table that compares them. */
import type { Application } from '../../modules/applications/application.js';
import { FRAUD_THRESHOLDS, fraudSettingsOf, type FraudSettings } from '../../modules/fraud/fraud-settings.js';
import { LISTED_FACTOR, PREFIX_PER_HOUR } from '../../modules/fraud/gauges.js';
import { appliedSettings } from '../../modules/fraud/fraud-application.js';
import { settingsPath } from '../applications/parts.js';
import { countText } from '../usage/figures.js';

export const LEVELS = [
  { value: '1', label: 'Relaxed', hint: 'For shops with many unused codes.' },
  { value: '2', label: 'Normal', hint: 'Recommended for most shops.' },
  { value: '3', label: 'Strict', hint: 'For small shops, and during an attack.' },
] as const;

/** The name of an application's level. */
export const levelLabel = (application: Application): string =>
  LEVELS.find(({ value }) => Number(value) === appliedSettings(application).strictness)!.label;

/** The settings of a level, within the bounds of the account. */
export const levelSettings = (level: string, { ceilings }: Application): FraudSettings =>
  fraudSettingsOf({ strictness: Number(level) }, ceilings.fraud);

export const SERVED_LABEL = 'Each served country';

/** The limit of a country that the application serves, and that is not its own. */
export const servedLimit = ({ countryUnverified }: FraudSettings): number =>
  Math.floor(LISTED_FACTOR * countryUnverified);

/** The main limits, as rows of the table. */
const ROWS: readonly (readonly [label: string, limitOf: (settings: FraudSettings) => number])[] = [
  [FRAUD_THRESHOLDS.homeUnverified.label, ({ homeUnverified }) => homeUnverified],
  [SERVED_LABEL, servedLimit],
  [FRAUD_THRESHOLDS.countryUnverified.label, ({ countryUnverified }) => countryUnverified],
  [FRAUD_THRESHOLDS.prefixUnverified.label, ({ prefixUnverified }) => prefixUnverified],
];

/** Compares the levels. The style sheet marks the column of the chosen level. */
export const LevelTable = ({ application }: { readonly application: Application }) => (
  <>
    <table class="levels">
      <caption>Limits of each level, in people</caption>
      <thead>
        <tr>
          <th scope="col">Messages to</th>
          {LEVELS.map(({ label }) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {ROWS.map(([label, limitOf]) => (
          <tr key={label}>
            <th scope="row">
              {label === SERVED_LABEL ? <a href={settingsPath(application, 'countries')}>{label}</a> : label}
            </th>
            {LEVELS.map(({ value }) => (
              <td key={value}>{countText(limitOf(levelSettings(value, application)))}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
    <p class="hint">
      Every hour, the count of people goes down by one; for similar numbers, every {1 / PREFIX_PER_HOUR[0]}&nbsp;hours.
    </p>
  </>
);
