/** The levels of the fraud guard. */
import type { Application } from '../../modules/applications/application.js';
import { fraudSettingsOf, type FraudSettings } from '../../modules/fraud/fraud-settings.js';
import { LISTED_FACTOR } from '../../modules/fraud/gauges.js';
import { appliedSettings } from '../../modules/fraud/fraud-application.js';
import type { Preset } from '../components/form.js';
import { peopleText } from '../messages/reasons.js';

export const LEVELS = [
  { value: '1', label: 'Relaxed', hint: 'Pauses the fewest customers.' },
  { value: '2', label: 'Normal', hint: 'Recommended for most shops.' },
  { value: '3', label: 'Strict', hint: 'Stops attacks soonest.' },
] as const;

/** The number of people at which a level acts. */
const LimitRow = ({ name, value }: Readonly<Record<'name' | 'value', string>>) => (
  <span class="limit-row">
    {name} <strong>{value}</strong>
  </span>
);

/** A number at the chosen level, which the style sheet selects, even before the level is saved. */
export const AtChosenLevel = ({ textAt }: { readonly textAt: (level: string) => string }) => (
  <span class="at-level">
    {LEVELS.map(({ value }) => (
      <span key={value} data-level={value}>
        {textAt(value)}
      </span>
    ))}
  </span>
);

/** The settings of an application at a level. Limits that the owner set apply at every level. */
export const settingsAt = (level: string, { settings, ceilings }: Application): FraudSettings =>
  fraudSettingsOf({ ...settings.fraud, strictness: Number(level) }, ceilings.fraud);

/** The levels with their limits of countries. */
export const levelChoices = (application: Application): readonly Preset[] =>
  LEVELS.map(({ value, label, hint }) => {
    const { countryUnverified: limit } = settingsAt(value, application);
    const textOf = (people: number) => (people === 0 ? 'Off' : peopleText(people));
    const effect = (
      <>
        <LimitRow name="Served countries" value={textOf(Math.floor(limit * LISTED_FACTOR))} />{' '}
        <LimitRow name="Other countries" value={textOf(limit)} />
      </>
    );
    return {
      value,
      label,
      hint: (
        <>
          {hint} {effect}
        </>
      ),
    };
  });

/** The name of an application's level. */
export const levelLabel = (application: Application): string =>
  LEVELS.find(({ value }) => Number(value) === appliedSettings(application).strictness)!.label;

/** The default settings of a level, within the bounds of the account. */
export const levelDefaults = (level: string, { ceilings }: Application): FraudSettings =>
  fraudSettingsOf({ strictness: Number(level) }, ceilings.fraud);
