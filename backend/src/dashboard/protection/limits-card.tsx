/** The card with all limits of the fraud guard: the numbers of each level, and the owner's own numbers. */
import type { Application } from '../../modules/applications/application.js';
import { hasChallenge } from '../../modules/applications/challenge-settings.js';
import { FRAUD_THRESHOLDS, type FraudSetting } from '../../modules/fraud/fraud-settings.js';
import { hintOf } from '../../modules/settings/bounded-setting.js';
import { settingsPath } from '../applications/parts.js';
import { Badge } from '../components/badge.js';
import { useVisit } from '../components/context.js';
import { FieldInput, FieldProblem, idOf } from '../components/form.js';
import { looserText, withNumbers } from '../components/setting-fields.js';
import type { FormState } from '../form.js';
import { countText } from '../usage/figures.js';
import { LEVELS, levelSettings } from './levels.js';
import { fraudTexts, GROUPS, NUMBERS } from './setting-groups.js';

interface LimitsProps {
  readonly form: FormState;
  readonly application: Application;
}

/** Formats names between backticks as code. */
const withCode = (text: string) =>
  text.split('`').map((part, n) => (n % 2 === 1 ? <code key={part}>{part}</code> : part));

interface RowProps extends LimitsProps {
  readonly name: FraudSetting;
  /** Whether all levels have the same number. */
  readonly isCommon: boolean;
}

/** A limit that owners can change. The style sheet marks the number in effect, even before it is saved. */
function Row({ form, application, name, isCommon }: RowProps) {
  const isOwner = useVisit().may('own');
  const { [name]: setting } = FRAUD_THRESHOLDS;
  const unit = 'unit' in setting ? setting.unit : '';
  const hint = withCode(hintOf(setting, application.ceilings.fraud[name]));
  const numbers = LEVELS.map(({ value }) => ({
    level: value,
    text: countText(levelSettings(value, application)[name]),
  }));
  const { typed } = withNumbers(form);
  return (
    <tr class={typed[name] === '' ? undefined : 'is-own'}>
      <th scope="row">
        {isOwner ? <label for={idOf(name)}>{setting.label}</label> : <span>{setting.label}</span>}
        <p class="hint" id={`${idOf(name)}-hint`}>
          {hint}
          {name === 'countryUnverified' && (
            <>
              {' '}
              <a href={settingsPath(application, 'countries')}>Choose countries</a>
            </>
          )}
        </p>
      </th>
      {isCommon ? (
        <td class="common" colSpan={LEVELS.length}>
          <strong>{numbers[0]!.text}</strong> {unit}
        </td>
      ) : (
        numbers.map(({ level, text }) => (
          <td key={level} data-level={level}>
            {text}
          </td>
        ))
      )}
      <td class="own">
        {isOwner ? (
          <div
            class={form.errors[name] ? 'field wrong' : 'field'}
            // The style sheet shows the number of the chosen level in an empty field.
            {...(isCommon ? {} : Object.fromEntries(numbers.map(({ level, text }) => [`data-level-${level}`, text])))}
          >
            <FieldInput
              form={{ ...form, typed }}
              name={name}
              hint={hint}
              unit={unit}
              placeholder={isCommon ? numbers[0]!.text : ' '}
              inputMode="numeric"
              autocomplete="off"
            />
            <FieldProblem form={form} name={name} />
          </div>
        ) : (
          typed[name] && (
            <div class="with-unit">
              <strong>{typed[name]}</strong>
              <span>{unit}</span>
            </div>
          )
        )}
      </td>
    </tr>
  );
}

const LimitsTable = ({ form, application }: LimitsProps) => (
  <table class="guard-limits">
    <caption class="unseen">The limits of each level, and custom limits</caption>
    <thead>
      <tr>
        <th scope="col">Limit</th>
        {LEVELS.map(({ value, label }) => (
          <th key={value} scope="col" data-level={value}>
            {label}
          </th>
        ))}
        <th scope="col" class="own">
          Custom
        </th>
      </tr>
    </thead>
    {GROUPS.map(({ title, names, isCommon = false }) => (
      <tbody key={title}>
        <tr class="band">
          <th scope="rowgroup">{title}</th>
          {isCommon ? (
            <td class="common" colSpan={LEVELS.length} />
          ) : (
            LEVELS.map(({ value, label }) => <td key={value} data-level={value} data-title={label} />)
          )}
          <td class="own" />
        </tr>
        {names.map((name) => (
          <Row key={name} form={form} application={application} name={name} isCommon={isCommon} />
        ))}
      </tbody>
    ))}
  </table>
);

/** Shows the fields for custom limits, which also stay visible while any of them is filled in. */
const CustomSwitch = ({ isOn }: { readonly isOn: boolean }) => (
  <label class="choice">
    <input type="checkbox" id="custom-limits" aria-describedby="custom-limits-hint" checked={isOn} />
    <span>
      Set custom limits
      <span class="hint" id="custom-limits-hint">
        Most shops need none.{' '}
        <span class="own">If a field is empty, the gray number applies. 0 turns most limits off.</span>
      </span>
    </span>
  </label>
);

/** Open if the owner has own numbers. While the card is closed, its summary shows them. */
export function LimitsCard({ form, application }: LimitsProps) {
  const isOwner = useVisit().may('own');
  const stored = fraudTexts(application);
  const own = NUMBERS.filter((name) => stored[name] !== '');
  const level = levelSettings(stored.strictness!, application);
  const changes = own.map((name) => looserText(FRAUD_THRESHOLDS[name], Number(stored[name]), level[name]));
  const isOpen = own.length > 0 || NUMBERS.some((name) => form.typed[name] !== stored[name]);
  return (
    <section class="card" aria-labelledby="limits-title">
      <details class="limits" open={isOpen}>
        <summary>
          <h2 id="limits-title">Protection limits {own.length > 0 && <Badge kind="neutral">Custom</Badge>}</h2>
          {(changes.length > 0 ? changes : ['Compare the levels, or set custom limits.']).map((text) => (
            <span key={text} class="quiet">
              {text}
            </span>
          ))}
        </summary>
        <p class="lead">
          The limits for countries, numbers and IP addresses set how many more people than usual may leave their code
          unused before Passbell acts.
          {hasChallenge(application) &&
            ' While your challenge is on, Passbell requires it instead of pausing codes, except in new countries.'}
        </p>
        {isOwner && <CustomSwitch isOn={NUMBERS.some((name) => form.typed[name] !== '')} />}
        <LimitsTable form={form} application={application} />
      </details>
    </section>
  );
}
