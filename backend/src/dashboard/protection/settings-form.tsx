/** The form for the fraud guard's settings, in groups. */
import type { Application } from '../../modules/applications/application.js';
import { appliedSettings } from '../../modules/fraud/fraud-application.js';
import {
  FRAUD_SETTINGS,
  FRAUD_THRESHOLDS,
  thresholdsOf,
  type FraudSetting,
} from '../../modules/fraud/fraud-settings.js';
import { isLooser, isOff, type Values } from '../../modules/settings/bounded-setting.js';
import { settingsPath } from '../applications/parts.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { ConfirmationBox, Form, FormProblems, Presets, type Preset } from '../components/form.js';
import { labelsOf, numberIn, SettingFields } from '../components/setting-fields.js';
import { Submit } from '../components/submit.js';
import { filledForm, type FormState } from '../form.js';
import { countText } from '../usage/figures.js';

interface Group {
  readonly title: string;
  readonly lead: string;
  readonly names: readonly FraudSetting[];
  /** Describes the closed group: texts about the numbers that are not off, in which `*` is the number. */
  readonly summary: readonly (readonly [name: FraudSetting, text: string])[];
}

const GROUPS: readonly Group[] = [
  {
    title: 'Your customers',
    lead: 'Most rules do not stop messages to people who entered a code before.',
    names: ['exemptDays', 'codesInARow'],
    summary: [
      ['exemptDays', 'Customers stay trusted for * days'],
      ['codesInARow', 'or until * unused codes in a row'],
    ],
  },
  {
    title: 'Unused codes',
    lead: 'How many more people than usual may leave their code unused before messages stop. Entered codes and time reduce the count. 0 turns a rule off.',
    names: [
      'prefixUnverified',
      'rangeUnverified',
      'addressUnverified',
      'countryUnverified',
      'newCountriesUnverified',
      'homeUnverified',
      'burstUnverified',
    ],
    summary: [
      ['prefixUnverified', 'Reacts when * more people than usual with similar numbers do not enter their codes'],
      ['countryUnverified', '* in another country'],
      ['homeUnverified', '* in yours'],
    ],
  },
  {
    title: 'Usual traffic',
    lead: 'The latest codes are compared with those of the last 14 days.',
    names: ['tolerance', 'establishedVerifications', 'newCountryNotifications'],
    summary: [
      ['tolerance', 'Reacts when the share of entered codes falls below *% of the usual share'],
      ['establishedVerifications', 'and a country is new until * codes were entered there'],
    ],
  },
];

/** Units of the values, next to the fields. */
const UNITS: Readonly<Partial<Record<FraudSetting, string>>> = {
  exemptDays: 'days',
  codesInARow: 'codes',
  tolerance: '% of usual',
  establishedVerifications: 'entered codes',
  newCountryNotifications: 'notifications',
};

const level = (strictness: number, label: string, hint: string): Preset => {
  const { homeUnverified } = thresholdsOf(strictness);
  return {
    value: String(strictness),
    label,
    hint: `${hint} In your country, it reacts at ${homeUnverified.default} more people than usual.`,
  };
};

const LEVELS: readonly Preset[] = [
  level(1, 'Relaxed', 'For shops whose customers often do not enter their codes.'),
  level(2, 'Normal', 'Recommended for most shops.'),
  level(3, 'Strict', 'For small shops, and during an attack.'),
];

const LEVEL_LEAD = 'How soon Passbell reacts when more people than usual do not enter their codes.';

/** The texts of the form for an application's settings. */
export function fraudTexts(application: Application): FormState['typed'] {
  const settings = appliedSettings(application);
  return Object.fromEntries(FRAUD_SETTINGS.map((name) => [name, String(settings[name])]));
}

interface LevelFieldProps {
  readonly form: FormState;
  readonly application: Application;
}

/** The level, and a warning if rules are off, which no level turns on. */
function LevelField({ form, application }: LevelFieldProps) {
  const settings = appliedSettings(application);
  const isRule = (name: FraudSetting) => name !== 'pauseHome';
  const off = FRAUD_SETTINGS.filter((name) => isRule(name) && isOff(FRAUD_THRESHOLDS[name], settings[name])).length;
  return (
    <>
      <Presets form={form} name="strictness" label={FRAUD_THRESHOLDS.strictness.label} choices={LEVELS} />
      {off > 0 && (
        <p>
          <Badge kind="warning">{off === 1 ? '1 rule is off' : `${off} rules are off`}</Badge>
        </p>
      )}
    </>
  );
}

/** Names of the numbers that allow more messages than before, and more than the level. Excludes those that a bound forbids. */
export function looserNumbers(application: Application, change: Values): FraudSetting[] {
  const before = appliedSettings(application);
  const bounds: Partial<Values> = application.ceilings.fraud;
  const table = thresholdsOf(change.strictness ?? before.strictness);
  return GROUPS.flatMap(({ names }) => names).filter((name) => {
    const isOver = (limit = change[name]!) => isLooser(table[name], change[name]!, limit);
    return change[name] !== undefined && isOver(before[name]) && isOver(table[name].default) && !isOver(bounds[name]);
  });
}

const summaryTexts = (summary: Group['summary'], form: FormState): string[] =>
  summary
    .filter(([name]) => numberIn(form, name) > 0)
    .map(([name, text]) => text.replace('*', countText(numberIn(form, name))));

/** Names of the numbers that replace those of the level. */
export const ownNumbers = ({ settings }: Application): FraudSetting[] =>
  GROUPS.flatMap(({ names }) => names).filter((name) => settings.fraud[name] !== undefined);

/** A form that only changes the level. */
export function LevelCard({ action, application }: { readonly action: string; readonly application: Application }) {
  const stored = fraudTexts(application);
  const isOwner = useVisit().may('own');
  return (
    <Card beside id="level-title" title="Protection level" lead={LEVEL_LEAD}>
      <Form action={action} stored={stored}>
        <fieldset disabled={!isOwner}>
          <legend class="unseen">Protection level</legend>
          <LevelField form={filledForm(stored)} application={application} />
        </fieldset>
        {isOwner && <Submit label="Save" />}
      </Form>
      {isOwner && <a href={action}>Advanced settings</a>}
    </Card>
  );
}

const PAUSE_HOME: readonly Preset[] = [
  { value: '0', label: 'Email the owners', hint: 'Messages continue. The daily budget limits the cost.' },
  { value: '1', label: 'Pause messages', hint: 'New customers in your country get no messages until the pause ends.' },
];

interface FraudSettingsFormProps {
  readonly action: string;
  readonly application: Application;
  readonly form: FormState;
  /** Label of the checkbox that confirms the submitted changes. */
  readonly confirmation?: string | undefined;
}

/** The button that removes the numbers which replace those of the level. */
export const RESET = 'reset';

export function FraudSettingsForm({ action, application, form, confirmation }: FraudSettingsFormProps) {
  const { may } = useVisit();
  const stored = fraudTexts(application);
  const table = thresholdsOf(Number(stored.strictness));
  const own = ownNumbers(application);
  return (
    <Form action={action} stored={stored} noValidate>
      <FormProblems form={form} labels={labelsOf(FRAUD_THRESHOLDS)} />
      <section class="card beside" aria-labelledby="strictness-title">
        <div>
          <h2 id="strictness-title">Protection level</h2>
          <p class="lead">{LEVEL_LEAD}</p>
        </div>
        <fieldset disabled={!may('own')}>
          <legend class="unseen">Protection level</legend>
          <LevelField form={form} application={application} />
          <Presets
            form={form}
            name="pauseHome"
            label={FRAUD_THRESHOLDS.pauseHome.label}
            hint={
              <>
                If a <a href={settingsPath(application, 'challenge')}>challenge</a> is on, suspicious visitors must
                solve it, and neither choice applies.
              </>
            }
            choices={PAUSE_HOME}
          />
        </fieldset>
      </section>
      <section class="card beside" aria-labelledby="numbers-title">
        <div>
          <h2 id="numbers-title">Advanced {own.length > 0 && <Badge kind="neutral">Custom</Badge>}</h2>
          <p class="lead">The level sets these numbers. Most shops never change them.</p>
        </div>
        <fieldset disabled={!may('own')}>
          <legend class="unseen">Advanced</legend>
          <div class="limit-groups">
            {GROUPS.map(({ title, lead, names, summary }) => {
              const changed = names.filter((name) => own.includes(name)).length;
              const isOpen = changed > 0 || names.some((name) => numberIn(form, name) !== Number(stored[name]));
              return (
                <details key={title} class="limit-group" open={isOpen}>
                  <summary>
                    {title}{' '}
                    <span class="quiet">
                      {changed > 0 && `${changed} changed. `}
                      {summaryTexts(summary, form).join(', ')}
                    </span>
                  </summary>
                  <p class="hint">{lead}</p>
                  <SettingFields
                    form={form}
                    table={table}
                    names={names}
                    bounds={application.ceilings.fraud}
                    units={Object.fromEntries(names.map((name) => [name, UNITS[name] ?? 'people']))}
                  />
                </details>
              );
            })}
          </div>
        </fieldset>
      </section>
      <ConfirmationBox form={form} label={confirmation ?? ''} />
      {may('own') && <Submit label="Save" />}
      {may('own') && own.length > 0 && (
        <div class="actions">
          <button
            class="button subtle"
            name={RESET}
            value="yes"
            data-confirm="Reset all numbers to those of the level? The numbers that you changed will be lost."
          >
            Reset to the level
          </button>
        </div>
      )}
    </Form>
  );
}
