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

/** The levels with their limits of countries. Limits that the owner set apply at every level. */
export const levelChoices = ({ settings, ceilings }: Application): readonly Preset[] =>
  LEVELS.map(({ value, label, hint }) => {
    const changes = { ...settings.fraud, strictness: Number(value) };
    const { countryUnverified: limit } = fraudSettingsOf(changes, ceilings.fraud);
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

/** The settings of a level, within the bounds of the account. */
export const levelSettings = (level: string, { ceilings }: Application): FraudSettings =>
  fraudSettingsOf({ strictness: Number(level) }, ceilings.fraud);
