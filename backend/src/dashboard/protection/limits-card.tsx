/** The card with all limits of the fraud guard: the numbers of each level, and the owner's own numbers. */
import type { ComponentChildren } from 'preact';
import type { Application } from '../../modules/applications/application.js';
import { hasChallenge } from '../../modules/applications/challenge-settings.js';
import { FRAUD_THRESHOLDS, type FraudSetting, type FraudSettings } from '../../modules/fraud/fraud-settings.js';
import { LISTED_FACTOR, PREFIX_PER_HOUR } from '../../modules/fraud/gauges.js';
import { hintOf } from '../../modules/settings/bounded-setting.js';
import { settingsPath } from '../applications/parts.js';
import { Badge } from '../components/badge.js';
import { useVisit } from '../components/context.js';
import { FieldInput, FieldProblem, idOf } from '../components/form.js';
import { looserText, withNumbers } from '../components/setting-fields.js';
import type { FormState } from '../form.js';
import { countText } from '../usage/figures.js';
import { LEVELS, levelSettings, servedLimit } from './levels.js';
import { fraudTexts, GROUPS, NUMBERS } from './setting-groups.js';

interface LimitsProps {
  readonly form: FormState;
  readonly application: Application;
}

/** Formats names between backticks as code. */
const withCode = (text: string) =>
  text.split('`').map((part, n) => (n % 2 === 1 ? <code key={part}>{part}</code> : part));

/** The title of the column with the owner's own numbers. */
const OWN_TITLE = 'Custom';

/** An own number that cannot be changed here. */
const ShownNumber = ({ text, unit }: Readonly<Record<'text' | 'unit', string>>) => (
  <div class="with-unit">
    {text ? <strong>{text}</strong> : <span />}
    <span>{unit}</span>
  </div>
);

interface RowProps {
  readonly application: Application;
  readonly limitOf: (settings: FraudSettings) => number;
  /** Label and hint. */
  readonly title: ComponentChildren;
  /** Whether the owner's own number is in effect. */
  readonly isOwn?: boolean;
  /** The owner's own number. */
  readonly children: ComponentChildren;
}

/** A limit with the number of each level. */
function Row({ application, limitOf, title, isOwn, children }: RowProps) {
  return (
    <tr class={isOwn ? 'is-own' : undefined}>
      <th scope="row">{title}</th>
      {LEVELS.map(({ value }) => (
        <td key={value} data-level={value}>
          {countText(limitOf(levelSettings(value, application)))}
        </td>
      ))}
      <td class="own">{children}</td>
    </tr>
  );
}

/** A limit that owners can change. The style sheet marks the number in effect, also before it is saved. */
function LimitRow({ form, application, name }: LimitsProps & { readonly name: FraudSetting }) {
  const isOwner = useVisit().may('own');
  const { [name]: setting } = FRAUD_THRESHOLDS;
  const hint = withCode(hintOf(setting, application.ceilings.fraud[name]));
  const { typed } = withNumbers(form);
  const unit = 'unit' in setting ? setting.unit : '';
  const title = (
    <>
      {isOwner ? <label for={idOf(name)}>{setting.label}</label> : setting.label}
      <p class="hint" id={`${idOf(name)}-hint`}>
        {hint}
      </p>
    </>
  );
  return (
    <Row application={application} limitOf={({ [name]: limit }) => limit} title={title} isOwn={typed[name] !== ''}>
      {isOwner ? (
        <div class={form.errors[name] ? 'field wrong' : 'field'}>
          <FieldInput
            form={{ ...form, typed }}
            name={name}
            hint={hint}
            unit={unit}
            // The style sheet recognizes an empty field by it.
            placeholder=" "
            inputMode="numeric"
            autocomplete="off"
          />
          <FieldProblem form={form} name={name} />
        </div>
      ) : (
        <ShownNumber text={typed[name]!} unit={unit} />
      )}
    </Row>
  );
}

/** The limit of countries that the application serves, which follows from that of other countries. */
function ServedRow({ application }: Pick<LimitsProps, 'application'>) {
  const own = fraudTexts(application).countryUnverified!;
  const limit = servedLimit({ countryUnverified: Number(own) });
  const isOff = own !== '' && limit === 0;
  const isSame = own !== '' && limit === Number(own);
  const title = (
    <>
      Each served country
      <p class="hint">
        {isSame ? 'Same as the limit below.' : `About ${LISTED_FACTOR} times the limit below.`}{' '}
        <a href={settingsPath(application, 'countries')}>Choose countries</a>
      </p>
    </>
  );
  return (
    <Row application={application} limitOf={servedLimit} title={title} isOwn={own !== ''}>
      <ShownNumber
        text={isOff ? 'No limit' : own && countText(limit)}
        unit={isOff ? '' : FRAUD_THRESHOLDS.countryUnverified.unit}
      />
    </Row>
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
    {GROUPS.map(({ title, names }) => (
      <tbody key={title}>
        <tr class="band">
          <th scope="rowgroup">{title}</th>
          {LEVELS.map(({ value, label }) => (
            <td key={value} data-level={value} data-title={label} />
          ))}
          <td class="own" data-title={OWN_TITLE} />
        </tr>
        {names.flatMap((name) => [
          ...(name === 'countryUnverified' ? [<ServedRow key="served" application={application} />] : []),
          <LimitRow key={name} form={form} application={application} name={name} />,
        ])}
      </tbody>
    ))}
  </table>
);

/** Shows the fields for custom limits. It is not needed once one of them is filled in. */
const CustomSwitch = () => (
  <label class="choice">
    <input type="checkbox" id="custom-limits" aria-describedby="custom-limits-hint" />
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
          Passbell counts people who leave their code unused. Every hour, the count goes down by one; for similar
          numbers, every {1 / PREFIX_PER_HOUR[0]}&nbsp;hours.
          {hasChallenge(application) &&
            ' While your challenge is on, Passbell requires it instead of pausing messages, except in new countries.'}
        </p>
        {isOwner && (
          <>
            <CustomSwitch />
            <p class="hint custom">An empty field uses the level; 0 turns a limit off.</p>
          </>
        )}
        <LimitsTable form={form} application={application} />
      </details>
    </section>
  );
}
