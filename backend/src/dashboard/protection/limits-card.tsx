/** The card with all limits of the fraud guard: the numbers of each level, and the owner's own numbers. */
import type { ComponentChildren } from 'preact';
import type { Application } from '../../modules/applications/application.js';
import { hasChallenge } from '../../modules/applications/challenge-settings.js';
import { FRAUD_THRESHOLDS, type FraudSetting } from '../../modules/fraud/fraud-settings.js';
import { PREFIX_PER_HOUR } from '../../modules/fraud/gauges.js';
import { hintOf, type BoundedSetting } from '../../modules/settings/bounded-setting.js';
import { settingsPath } from '../applications/parts.js';
import { Badge } from '../components/badge.js';
import { useVisit } from '../components/context.js';
import { FieldInput, FieldProblem, idOf } from '../components/form.js';
import { looserText, withNumbers } from '../components/setting-fields.js';
import type { FormState } from '../form.js';
import { countText } from '../usage/figures.js';
import { LEVELS, levelSettings } from './levels.js';
import { COMMON_GROUP, fraudTexts, LEVEL_GROUPS, NUMBERS } from './setting-groups.js';

interface LimitsProps {
  readonly form: FormState;
  readonly application: Application;
}

/** Formats names between backticks as code. */
const withCode = (text: string) =>
  text.split('`').map((part, n) => (n % 2 === 1 ? <code key={part}>{part}</code> : part));

/** The title of the column with the owner's own numbers. */
const OWN_TITLE = 'Custom';

interface RowProps extends LimitsProps {
  readonly name: FraudSetting;
  readonly children: ComponentChildren;
}

/**
 * A limit that owners can change. The style sheet marks the number in effect, also before it is saved. `children`: the
 * cells with the numbers of the levels.
 */
function Row({ form, application, name, children }: RowProps) {
  const isOwner = useVisit().may('own');
  const { [name]: setting } = FRAUD_THRESHOLDS;
  const hint = withCode(hintOf(setting, application.ceilings.fraud[name]));
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
      {children}
      <td class="own">
        {isOwner ? (
          <div class={form.errors[name] ? 'field wrong' : 'field'}>
            <FieldInput
              form={{ ...form, typed }}
              name={name}
              hint={hint}
              // The style sheet recognizes an empty field by it.
              placeholder=" "
              inputMode="numeric"
              autocomplete="off"
            />
            <FieldProblem form={form} name={name} />
          </div>
        ) : (
          <strong>{typed[name]}</strong>
        )}
      </td>
    </tr>
  );
}

const unitOf = (setting: BoundedSetting): string => setting.unit ?? '';

/** The limits that do not depend on the level. */
function CommonLimits({ form, application }: LimitsProps) {
  const numbers = levelSettings(LEVELS[0].value, application);
  return (
    <tbody>
      <tr class="band">
        <th scope="rowgroup">{COMMON_GROUP.title}</th>
        <td class="common" colSpan={LEVELS.length} />
        <td class="own" data-title={OWN_TITLE} />
      </tr>
      {COMMON_GROUP.names.map((name) => (
        <Row key={name} form={form} application={application} name={name}>
          <td class="common" colSpan={LEVELS.length}>
            <strong>{countText(numbers[name])}</strong> {unitOf(FRAUD_THRESHOLDS[name])}
          </td>
        </Row>
      ))}
    </tbody>
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
          {OWN_TITLE}
        </th>
      </tr>
    </thead>
    {LEVEL_GROUPS.map(({ title, names }) => (
      <tbody key={title}>
        <tr class="band">
          <th scope="rowgroup">{title}</th>
          {LEVELS.map(({ value, label }) => (
            <td key={value} data-level={value} data-title={label} />
          ))}
          <td class="own" data-title={OWN_TITLE} />
        </tr>
        {names.map((name) => (
          <Row key={name} form={form} application={application} name={name}>
            {LEVELS.map(({ value }) => (
              <td key={value} data-level={value}>
                {countText(levelSettings(value, application)[name])}
              </td>
            ))}
          </Row>
        ))}
      </tbody>
    ))}
    <CommonLimits form={form} application={application} />
  </table>
);

/** Shows the fields for custom limits. Fields that are filled in are always shown. */
const CustomSwitch = ({ isOn }: { readonly isOn: boolean }) => (
  <label class="choice">
    <input type="checkbox" id="custom-limits" aria-describedby="custom-limits-hint" checked={isOn} />
    <span>
      Set custom limits
      <span class="hint" id="custom-limits-hint">
        Most shops need none.
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
          For each level, the table shows how many more people than usual may leave their code unused before Passbell
          acts. Every hour, each count goes down by one; for similar numbers, every {1 / PREFIX_PER_HOUR[0]}&nbsp;hours.
          {hasChallenge(application) &&
            ' While your challenge is on, Passbell requires it instead of pausing messages, except in new countries.'}
        </p>
        {isOwner && (
          <>
            <CustomSwitch isOn={own.length > 0} />
            <p class="hint custom">An empty field uses the level; 0 turns a limit off.</p>
          </>
        )}
        <LimitsTable form={form} application={application} />
      </details>
    </section>
  );
}
