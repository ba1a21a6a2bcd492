/** The card with all limits of the fraud guard: the number in effect, and a field for a custom value. */
import type { Application } from '../../modules/applications/application.js';
import { hasChallenge } from '../../modules/applications/challenge-settings.js';
import { FRAUD_THRESHOLDS, type FraudSetting } from '../../modules/fraud/fraud-settings.js';
import { boundText, hintOf, isOff, type BoundedSetting } from '../../modules/settings/bounded-setting.js';
import { settingsPath } from '../applications/parts.js';
import { Badge } from '../components/badge.js';
import { useVisit } from '../components/context.js';
import { Field } from '../components/form.js';
import { looserText, withNumbers } from '../components/setting-fields.js';
import { withoutSeparators } from '../fields.js';
import type { FormState } from '../form.js';
import { countText, nounFor } from '../usage/figures.js';
import { withUnit } from '../with-unit.js';
import { LEVELS, levelSettings } from './levels.js';
import { fraudTexts, GROUPS, NUMBERS } from './setting-groups.js';

interface LimitsProps {
  readonly form: FormState;
  readonly application: Application;
}

interface LimitProps extends LimitsProps {
  readonly name: FraudSetting;
  /** Whether the default depends on the level. */
  readonly hasLevels: boolean;
}

/** For numbers that are the same at all levels. */
const ANY_LEVEL = LEVELS[0].value;

/** Formats names between backticks as code. */
const withCode = (text: string) =>
  text.split('`').map((part, n) => (n % 2 === 1 ? <code key={part}>{part}</code> : part));

/** `25 people`, `Off` */
const limitText = (setting: BoundedSetting, value: number): string =>
  isOff(setting, value) ? 'Off' : withUnit(countText(value), setting.unit!);

/** The number in effect. The style sheet shows the number of the chosen level, even before it is saved. */
function LimitInEffect({ application, name, hasLevels }: Omit<LimitProps, 'form'>) {
  const setting = FRAUD_THRESHOLDS[name];
  const own = fraudTexts(application)[name]!;
  const textAt = (level: string) => limitText(setting, levelSettings(level, application)[name]);
  const defaults = hasLevels
    ? LEVELS.map(({ value }) => (
        <span key={value} data-level={value}>
          {textAt(value)}
        </span>
      ))
    : textAt(ANY_LEVEL);
  return own === '' ? (
    <span class="limit-number">{defaults}</span>
  ) : (
    <>
      <strong class="limit-number">{limitText(setting, Number(own))}</strong>
      <span class="limit-instead">
        <Badge kind="neutral">Custom</Badge> Default: {defaults}
      </span>
    </>
  );
}

/** `Default if empty: 16 (Relaxed), 8 (Normal) or 4 (Strict). 0 turns this limit off.` */
function fieldHint({ application, name, hasLevels }: Omit<LimitProps, 'form'>): string {
  const setting = FRAUD_THRESHOLDS[name];
  const numbers = LEVELS.map(({ value, label }) => [countText(levelSettings(value, application)[name]), label]);
  const [relaxed, normal, strict] = numbers.map(([number, label]) => `${number} (${label})`);
  const text = hasLevels
    ? `${relaxed}, ${normal} or ${strict}`
    : limitText(setting, levelSettings(ANY_LEVEL, application)[name]);
  const canBeOff = isOff(setting, 0) && boundText(setting, application.ceilings.fraud[name]) === 'any';
  return `Default if empty: ${text}.${canBeOff ? ' 0\u00a0turns this limit off.' : ''}`;
}

/** Whether the form has another number than the stored one. */
const isEdited = ({ typed }: FormState, application: Application, name: FraudSetting): boolean =>
  withoutSeparators(typed[name] ?? '') !== fraudTexts(application)[name];

/** The summary of the closed card for owners, if there are no custom values. */
const CLOSED = 'View or change the limits. Most shops can keep the defaults.';

/** A limit. Opening it shows its explanation and its field. */
function Limit({ form, application, name, hasLevels }: LimitProps) {
  const isOwner = useVisit().may('own');
  const setting: BoundedSetting = FRAUD_THRESHOLDS[name];
  const limit = { application, name, hasLevels };
  return (
    <details class="limit" open={isEdited(form, application, name) || form.errors[name] !== undefined}>
      <summary>
        <span class="limit-name">
          <span>{setting.label}</span>
          <span class="hint">{setting.about}</span>
        </span>
        <LimitInEffect {...limit} />
        <span class="opens">{isOwner ? 'Edit' : 'Details'}</span>
        <span class="closes">Close</span>
      </summary>
      <div>
        <p>
          {withCode(hintOf(setting, application.ceilings.fraud[name]))}
          {name === 'countryUnverified' && (
            <>
              {' '}
              <a href={settingsPath(application, 'countries')}>Choose countries</a>
            </>
          )}
        </p>
        {isOwner ? (
          <Field
            form={withNumbers(form)}
            name={name}
            label={
              <>
                Custom value
                <span class="unseen">: {setting.label}</span>
              </>
            }
            hint={fieldHint(limit)}
            unit={setting.unit}
            placeholder="Default"
            inputMode="numeric"
            autocomplete="off"
          />
        ) : (
          <p class="hint">{fieldHint(limit)}</p>
        )}
      </div>
    </details>
  );
}

/** Open if the owner has own numbers. While the card is closed, its summary shows them. */
export function LimitsCard({ form, application }: LimitsProps) {
  const isOwner = useVisit().may('own');
  const stored = fraudTexts(application);
  const own = NUMBERS.filter((name) => stored[name] !== '');
  const level = levelSettings(stored.strictness!, application);
  const changes = own.map((name) => looserText(FRAUD_THRESHOLDS[name], Number(stored[name]), level[name]));
  const isOpen = own.length > 0 || NUMBERS.some((name) => isEdited(form, application, name));
  return (
    <section class="card" aria-labelledby="limits-title">
      <details class="limits" open={isOpen}>
        <summary>
          <h2 id="limits-title">
            Protection limits{' '}
            {own.length > 0 && (
              <Badge kind="neutral">
                {own.length} custom {nounFor(own.length, 'value')}
              </Badge>
            )}
          </h2>
          {(changes.length > 0 ? changes : [isOwner ? CLOSED : 'View the limits.']).map((text) => (
            <span key={text} class="quiet">
              {text}
            </span>
          ))}
        </summary>
        {GROUPS.map(({ title, lead, names, hasLevels }) => (
          <div key={title}>
            <h3>{title}</h3>
            <p class="lead">
              {lead}
              {hasLevels &&
                hasChallenge(application) &&
                ' While your challenge is on, Passbell requires it instead of pausing codes, except in new countries.'}{' '}
              {hasLevels && <a href="/docs/fraud-rules#unused-codes">How unused codes are counted</a>}
            </p>
            {names.map((name) => (
              <Limit key={name} form={form} application={application} name={name} hasLevels={hasLevels} />
            ))}
          </div>
        ))}
      </details>
    </section>
  );
}
