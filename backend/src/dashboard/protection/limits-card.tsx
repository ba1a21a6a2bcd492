/** The card with all limits of the fraud guard: the number in effect, and a field for a custom value. */
import type { Application } from '../../modules/applications/application.js';
import { hasChallenge } from '../../modules/applications/challenge-settings.js';
import { appliedSettings } from '../../modules/fraud/fraud-application.js';
import { FRAUD_THRESHOLDS, isScaled, type FraudSetting } from '../../modules/fraud/fraud-settings.js';
import { boundText, hintOf, isOff, type BoundedSetting } from '../../modules/settings/bounded-setting.js';
import { settingsPath } from '../applications/parts.js';
import { Badge } from '../components/badge.js';
import { useVisit } from '../components/context.js';
import { Field, idOf } from '../components/form.js';
import { looserText, withNumbers } from '../components/setting-fields.js';
import { withoutSeparators } from '../fields.js';
import type { FormState } from '../form.js';
import { countText, nounFor } from '../usage/figures.js';
import { withUnit } from '../with-unit.js';
import { AtChosenLevel, LEVELS, levelDefaults } from './levels.js';
import { fraudTexts, GROUPS, NUMBERS } from './setting-groups.js';

interface LimitsProps {
  readonly form: FormState;
  readonly application: Application;
}

interface LimitProps extends LimitsProps {
  readonly name: FraudSetting;
}

/** For numbers that are the same at all levels. */
const ANY_LEVEL = LEVELS[0].value;

/** Formats names between backticks as code. */
const withCode = (text: string) =>
  text.split('`').map((part, n) => (n % 2 === 1 ? <code key={part}>{part}</code> : part));

/** `25 people`, `Off` */
const limitText = (setting: BoundedSetting, value: number): string =>
  isOff(setting, value) ? 'Off' : withUnit(countText(value), setting.unit!);

/** The default of a limit at the chosen level. */
function DefaultNow({ application, name }: Omit<LimitProps, 'form'>) {
  const textAt = (level: string) => limitText(FRAUD_THRESHOLDS[name], levelDefaults(level, application)[name]);
  return isScaled(name) ? <AtChosenLevel textAt={textAt} /> : <>{textAt(ANY_LEVEL)}</>;
}

/** The number at the chosen level. While it has an unsaved change, a script shows the number in effect and the new one. */
function LimitInEffect({ application, name }: Omit<LimitProps, 'form'>) {
  const setting: BoundedSetting = FRAUD_THRESHOLDS[name];
  const own = fraudTexts(application)[name]!;
  const defaultNow = <DefaultNow application={application} name={name} />;
  return (
    <>
      <span class="limit-number">
        {own === '' ? (
          defaultNow
        ) : (
          <strong class={isOff(setting, Number(own)) ? 'off' : undefined}>{limitText(setting, Number(own))}</strong>
        )}
      </span>
      <span class="limit-instead">
        {own !== '' && (
          <span class="limit-custom">
            <Badge kind="neutral">Custom</Badge> <span class="limit-default">Default: {defaultNow}</span>
          </span>
        )}
        {useVisit().may('own') && (
          <span class="limit-unsaved" hidden>
            <span class="quiet">{limitText(setting, appliedSettings(application)[name])}</span> →{' '}
            <strong
              data-unsaved-for={idOf(name)}
              data-0={limitText(setting, 0)}
              data-1={limitText(setting, 1)}
              data-many={withUnit('#', setting.unit!)}
            />
            <strong>{defaultNow} (default)</strong> <Badge kind="warning">Not saved</Badge>
          </span>
        )}
      </span>
    </>
  );
}

/** `Default: 16 (Relaxed), 8 (Normal) or 4 (Strict).`; `Default: 90 days.` if it is the same at every level. */
function Defaults({ application, name }: Omit<LimitProps, 'form'>) {
  if (!isScaled(name))
    return (
      <>
        Default: <DefaultNow application={application} name={name} />.
      </>
    );
  const [relaxed, normal, strict] = LEVELS.map(({ value, label }) => (
    <span key={value} data-level={value}>
      {countText(levelDefaults(value, application)[name])} ({label})
    </span>
  ));
  return (
    <>
      Default: {relaxed}, {normal} or {strict}.
    </>
  );
}

/** ` 0 turns this limit off.`; "" if the account does not allow that. */
function offText(name: FraudSetting, application: Application): string {
  const setting: BoundedSetting = FRAUD_THRESHOLDS[name];
  const canBeOff = isOff(setting, 0) && boundText(setting, application.ceilings.fraud[name]) === 'any';
  return canBeOff ? ' 0\u00a0turns this limit off.' : '';
}

/** The custom value of a limit. A script shows the button, which empties the field. */
function CustomValue({ form, application, name }: LimitProps) {
  const { label, unit }: BoundedSetting = FRAUD_THRESHOLDS[name];
  const own = fraudTexts(application)[name]!;
  return (
    <Field
      form={withNumbers(form)}
      name={name}
      label={
        <>
          Custom value
          <span class="unseen">: {label}</span>
        </>
      }
      hint={
        <>
          <noscript>Leave empty for the default. </noscript>
          <Defaults application={application} name={name} />
          {offText(name, application)}
        </>
      }
      unit={unit}
      after={
        <button type="button" class="link-button" data-empties={idOf(name)} hidden>
          Use default
          <span class="unseen">: {label}</span>
        </button>
      }
      placeholder="Default"
      data-stored={own && countText(Number(own))}
      inputMode="numeric"
      autocomplete="off"
    />
  );
}

/** Whether the form has another number than the stored one. */
const isEdited = ({ typed }: FormState, application: Application, name: FraudSetting): boolean =>
  withoutSeparators(typed[name] ?? '') !== fraudTexts(application)[name];

/** The summary of the closed card for owners, if there are no custom values. */
const CLOSED = 'View or change the limits. Most shops can keep the defaults.';

/** A limit. Opening it shows its explanation and its field. */
function Limit({ form, application, name }: LimitProps) {
  const isOwner = useVisit().may('own');
  const setting: BoundedSetting = FRAUD_THRESHOLDS[name];
  return (
    <details
      class={isOwner ? 'limit editable' : 'limit'}
      open={isEdited(form, application, name) || form.errors[name] !== undefined}
    >
      <summary>
        <span class="limit-name">
          <span>{setting.label}</span>
          <span class="hint">{setting.about}</span>
        </span>
        <LimitInEffect application={application} name={name} />
        <span class="opens">{isOwner ? 'Edit' : 'Details'}</span>
        <span class="closes">Close</span>
      </summary>
      <div>
        <p>
          {withCode(hintOf(setting, application.ceilings.fraud[name]))}
          {name === 'countryUnverified' && (
            <>
              {' '}
              <a href={settingsPath(application, 'countries')}>Countries that you serve</a>
            </>
          )}
        </p>
        {isOwner ? (
          <CustomValue form={form} application={application} name={name} />
        ) : (
          <p class="hint">
            <Defaults application={application} name={name} />
            {offText(name, application)}
          </p>
        )}
      </div>
    </details>
  );
}

/** For limits whose defaults depend on the level. */
const ScaledLead = ({ application }: Pick<LimitsProps, 'application'>) => (
  <>
    {hasChallenge(application) &&
      ' While your challenge is on, Passbell requires it instead of pausing codes, except in new countries.'}{' '}
    <a href="/docs/fraud-rules#unused-codes">How unused codes are counted</a>
  </>
);

/** Open if the owner has own numbers. While the card is closed, its summary shows them. */
export function LimitsCard({ form, application }: LimitsProps) {
  const isOwner = useVisit().may('own');
  const stored = fraudTexts(application);
  const own = NUMBERS.filter((name) => stored[name] !== '');
  const level = levelDefaults(stored.strictness!, application);
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
        {GROUPS.map(({ title, lead, names }) => (
          <div key={title}>
            <h3>{title}</h3>
            <p class="lead">
              {lead}
              {names.some(isScaled) && <ScaledLead application={application} />}
            </p>
            {names.map((name) => (
              <Limit key={name} form={form} application={application} name={name} />
            ))}
          </div>
        ))}
      </details>
    </section>
  );
}
