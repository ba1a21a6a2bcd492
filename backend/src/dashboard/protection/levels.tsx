/** The levels of the fraud guard. */
import type { Application } from '../../modules/applications/application.js';
import { hasChallenge } from '../../modules/applications/challenge-settings.js';
import { fraudSettingsOf, type FraudSettings } from '../../modules/fraud/fraud-settings.js';
import { LISTED_FACTOR } from '../../modules/fraud/gauges.js';
import { appliedSettings } from '../../modules/fraud/fraud-application.js';
import type { Preset } from '../components/form.js';
import { countText } from '../usage/figures.js';

export const LEVELS = [
  { value: '1', label: 'Relaxed', hint: 'Pauses the fewest customers.' },
  { value: '2', label: 'Normal', hint: 'Recommended for most shops.' },
  { value: '3', label: 'Strict', hint: 'Stops attacks soonest.' },
] as const;

const settingsAt = (level: string, { settings, ceilings }: Application): FraudSettings =>
  fraudSettingsOf({ ...settings.fraud, strictness: Number(level) }, ceilings.fraud);

/** The levels with their limits of countries. Limits that the owner set apply at every level. */
export const levelChoices = (application: Application): readonly Preset[] =>
  LEVELS.map(({ value, label, hint }) => {
    const { countryUnverified: limit } = settingsAt(value, application);
    const effect = (
      <span class="effect">
        {hasChallenge(application) ? 'Pauses or challenges' : 'Pauses'} another country when{' '}
        <strong>{countText(limit)}</strong> more people than usual leave their code unused (
        <strong>{countText(Math.floor(limit * LISTED_FACTOR))}</strong> if you serve it).
      </span>
    );
    return {
      value,
      label,
      hint: (
        <>
          {hint} {limit > 0 && effect}
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
