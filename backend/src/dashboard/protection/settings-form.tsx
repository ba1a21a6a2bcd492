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
import { useVisit } from '../components/context.js';
import { ConfirmationBox, Form, FormProblems, Presets, type Preset } from '../components/form.js';
import { labelsOf, numberIn, SettingFields } from '../components/setting-fields.js';
import type { FormState } from '../form.js';
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
      ['codesInARow', 'A person can leave * codes in a row unused'],
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
      ['prefixUnverified', 'Similar numbers: * more people than usual'],
      ['countryUnverified', 'Another country: * more people than usual, 60% more if you serve it'],
      ['homeUnverified', 'Your own country: * more people than usual'],
    ],
  },
  {
    title: 'Usual traffic',
    lead: 'The latest codes are compared with those of the last 14 days.',
    names: ['tolerance', 'establishedVerifications', 'newCountryNotifications'],
    summary: [
      ['tolerance', 'Less than *% of the usual share of entered codes is suspicious'],
      ['establishedVerifications', 'A country is new until * codes were entered there'],
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
  const { countryUnverified } = thresholdsOf(strictness);
  return {
    value: String(strictness),
    label,
    hint: `${hint} Pauses a country above ${countryUnverified.default} people.`,
  };
};

const LEVELS: readonly Preset[] = [
  level(1, 'Relaxed', 'For shops whose customers often leave codes unused.'),
  level(2, 'Normal', 'Recommended for most shops.'),
  level(3, 'Strict', 'For small shops, and during an attack.'),
];

const LEVEL_LEAD =
  'If many more people than usual in a country, or with similar numbers, leave their codes unused, Passbell pauses messages to that country or to those numbers. The level sets how many.';

/** The name of an application's level. */
export const levelLabel = (application: Application): string =>
  LEVELS.find(({ value }) => value === fraudTexts(application).strictness)!.label;

/** The texts of the form for an application's settings. */
export function fraudTexts(application: Application): FormState['typed'] {
  const settings = appliedSettings(application);
  return Object.fromEntries(FRAUD_SETTINGS.map((name) => [name, String(settings[name])]));
}

interface GroupProps {
  readonly group: Group;
  readonly form: FormState;
  readonly application: Application;
}

/** A warning if rules are off, which no level turns on. */
export function RulesOff({ application }: Pick<GroupProps, 'application'>) {
  const settings = appliedSettings(application);
  const isRule = (name: FraudSetting) => name !== 'pauseHome';
  const off = FRAUD_SETTINGS.filter((name) => isRule(name) && isOff(FRAUD_THRESHOLDS[name], settings[name])).length;
  return off === 0 ? null : <Badge kind="warning">{off === 1 ? '1 rule is off' : `${off} rules are off`}</Badge>;
}

/** Names of the numbers that allow more messages than before. Excludes those that a bound forbids. */
export function looserNumbers(application: Application, change: Values): FraudSetting[] {
  const before = appliedSettings(application);
  const bounds: Partial<Values> = application.ceilings.fraud;
  return GROUPS.flatMap(({ names }) => names).filter((name) => {
    const isOver = (limit = change[name]!) => isLooser(FRAUD_THRESHOLDS[name], change[name]!, limit);
    return change[name] !== undefined && isOver(before[name]) && !isOver(bounds[name]);
  });
}

const summaryTexts = (summary: Group['summary'], form: FormState): string[] =>
  summary
    .filter(([name]) => numberIn(form, name) > 0)
    .map(([name, text]) => text.replace('*', countText(numberIn(form, name))));

/** Names of the numbers that replace those of the level. */
export const ownNumbers = ({ settings }: Application): FraudSetting[] =>
  GROUPS.flatMap(({ names }) => names).filter((name) => settings.fraud[name] !== undefined);

/** The application without the numbers that replace those of its level. */
export function withoutOwnNumbers(application: Application): Application {
  const own: readonly string[] = ownNumbers(application);
  const kept = Object.entries(application.settings.fraud).filter(([name]) => !own.includes(name));
  return { ...application, settings: { ...application.settings, fraud: Object.fromEntries(kept) } };
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

/** The number fields of a group. While the group is closed, its summary shows the main values. */
function NumberGroup({ group, form, application }: GroupProps) {
  const { title, lead, names } = group;
  const stored = fraudTexts(application);
  const own = ownNumbers(application);
  const changed = names.filter((name) => own.includes(name)).length;
  const isOpen = changed > 0 || names.some((name) => numberIn(form, name) !== Number(stored[name]));
  return (
    <details class="limit-group" open={isOpen}>
      <summary>
        {title}
        {changed > 0 && <span class="quiet">{changed} changed</span>}
        {summaryTexts(group.summary, form).map((text) => (
          <span key={text} class="quiet">
            {text}
          </span>
        ))}
      </summary>
      <p class="hint">{lead}</p>
      <SettingFields
        form={form}
        table={thresholdsOf(Number(stored.strictness))}
        names={names}
        bounds={application.ceilings.fraud}
        units={Object.fromEntries(names.map((name) => [name, UNITS[name] ?? 'people']))}
      />
    </details>
  );
}

const ResetButton = () => (
  <button
    class="button subtle"
    name={RESET}
    value="yes"
    data-confirm="Reset all numbers to those of the level? The numbers that you changed will be lost."
  >
    Reset to the level
  </button>
);

export function FraudSettingsForm({ action, application, form, confirmation }: FraudSettingsFormProps) {
  const isOwner = useVisit().may('own');
  const isCustom = ownNumbers(application).length > 0;
  return (
    <>
      <FormProblems form={form} labels={labelsOf(FRAUD_THRESHOLDS)} />
      <section class="card beside" aria-labelledby="strictness-title">
        <div>
          <h2 id="strictness-title">Protection level</h2>
          <p class="lead">{LEVEL_LEAD}</p>
        </div>
        <Form class="stack" action={action} stored={fraudTexts(application)} noValidate>
          <fieldset disabled={!isOwner}>
            <legend class="unseen">Protection level</legend>
            <Presets
              form={form}
              name="strictness"
              label={FRAUD_THRESHOLDS.strictness.label}
              hint="The number is 60% higher for countries that you serve. Your own country has its own number under Advanced."
              choices={LEVELS}
            />
            <RulesOff application={application} />
            <Presets
              form={form}
              name="pauseHome"
              label={FRAUD_THRESHOLDS.pauseHome.label}
              hint={
                <>
                  In the first week after the first entered code, suspicious messages always pause. If a{' '}
                  <a href={settingsPath(application, 'challenge')}>challenge</a> is on, suspicious visitors must solve
                  it instead, and this setting is not used.
                </>
              }
              choices={PAUSE_HOME}
            />
          </fieldset>
          <fieldset disabled={!isOwner}>
            <legend>Advanced {isCustom && <Badge kind="neutral">Custom</Badge>}</legend>
            <p class="hint">The saved level sets these numbers. Most shops never change them.</p>
            <div class="limit-groups">
              {GROUPS.map((group) => (
                <NumberGroup key={group.title} group={group} form={form} application={application} />
              ))}
            </div>
          </fieldset>
          <ConfirmationBox form={form} label={confirmation ?? ''} />
          {isOwner && (
            <div class="actions">
              <button class="button">Save</button>
              {isCustom && <ResetButton />}
            </div>
          )}
        </Form>
      </section>
    </>
  );
}
