/** The levels of the fraud guard. */
import type { Application } from '../../modules/applications/application.js';
import { fraudSettingsOf, type FraudSettings } from '../../modules/fraud/fraud-settings.js';
import { appliedSettings } from '../../modules/fraud/fraud-application.js';
import type { Preset } from '../components/form.js';
import { countText } from '../usage/figures.js';

export const LEVELS = [
  { value: '1', label: 'Relaxed', hint: 'For shops with many unused codes.' },
  { value: '2', label: 'Normal', hint: 'Recommended for most shops.' },
  { value: '3', label: 'Strict', hint: 'For small shops, and during an attack.' },
] as const;

/** The levels with an example of their limits, unless the owner set this limit. */
export const levelChoices = (application: Application): readonly Preset[] =>
  LEVELS.map(({ value, label, hint }) => {
    const { countryUnverified: limit } = levelSettings(value, application);
    const isOwn = application.settings.fraud.countryUnverified !== undefined;
    const example = (
      <span class="example">
        <strong>{countText(limit)} more people</strong> in a country that you do not serve
      </span>
    );
    return {
      value,
      label,
      hint: (
        <>
          {hint} {!isOwn && example}
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
