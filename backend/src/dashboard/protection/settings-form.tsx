/** The form for the fraud guard's settings, in groups. */
import type { Application } from '../../modules/applications/application.js';
import { appliedSettings } from '../../modules/fraud/fraud-application.js';
import {
  FRAUD_SETTINGS,
  FRAUD_THRESHOLDS,
  fraudSettingsOf,
  thresholdsOf,
  type FraudSetting,
  type FraudSettings,
} from '../../modules/fraud/fraud-settings.js';
import { LISTED_FACTOR } from '../../modules/fraud/gauges.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import { isLooser, isOff, type Values } from '../../modules/settings/bounded-setting.js';
import { settingsPath } from '../applications/parts.js';
import { Badge } from '../components/badge.js';
import { useVisit } from '../components/context.js';
import { ConfirmationBox, Form, FormProblems, Presets, type Preset } from '../components/form.js';
import { labelsOf, looserText, numberIn, SettingFields } from '../components/setting-fields.js';
import type { FormState } from '../form.js';
import { countText } from '../usage/figures.js';

interface Group {
  readonly title: string;
  readonly lead: string;
  readonly names: readonly FraudSetting[];
  /** Describes the closed group while no number is changed. */
  readonly summary: string;
}

const GROUPS: readonly Group[] = [
  {
    title: 'Your customers',
    lead: 'Most rules do not stop messages to people who entered a code before.',
    names: ['exemptDays', 'codesInARow'],
    summary: 'Recommended numbers',
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
    summary: 'Set by the level',
  },
  {
    title: 'Usual traffic',
    lead: 'The latest codes are compared with those of the last 14 days.',
    names: ['tolerance', 'establishedVerifications', 'newCountryNotifications'],
    summary: 'Recommended numbers',
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

const LEVELS = [
  { value: '1', label: 'Relaxed', hint: 'For shops with many unused codes.' },
  { value: '2', label: 'Normal', hint: 'Recommended for most shops.' },
  { value: '3', label: 'Strict', hint: 'For small shops, and during an attack.' },
] as const;

/** The main numbers of a level within the bounds of an account. */
function LevelNumbers({
  strictness,
  bounds,
}: {
  readonly strictness: number;
  readonly bounds: Partial<FraudSettings>;
}) {
  const { prefixUnverified, countryUnverified, homeUnverified } = fraudSettingsOf({ strictness }, bounds);
  const numbers = [
    ['Similar numbers', prefixUnverified],
    ['Other countries', countryUnverified],
    ['Countries you serve', Math.floor(LISTED_FACTOR * countryUnverified)],
    ['Your own country', homeUnverified],
  ] as const;
  return (
    <span class="level-numbers">
      {numbers.map(([label, number]) => (
        <>
          <span>{label}</span> <span class="number">{countText(number)}</span>
        </>
      ))}
    </span>
  );
}

const LEVEL_LEAD =
  'If many more people than usual leave their codes unused, Passbell pauses messages to their country, or to similar numbers. The numbers of a level say how many more.';

/** Names the home country, and explains how it is determined. */
function HomeCountry({ application, home }: { readonly application: Application; readonly home: string | undefined }) {
  const served = <a href={settingsPath(application, 'countries')}>countries that you serve</a>;
  return home === undefined ? (
    <>Your own country is that of your sender number, and you have none. Add your country to the {served}.</>
  ) : (
    <>
      Your own country is {countryInSentence(home)}, the country of your sender number. You choose the {served}.
    </>
  );
}

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
  { value: '1', label: 'Pause messages', hint: 'New customers get no messages until the pause ends.' },
];

interface FraudSettingsFormProps {
  readonly action: string;
  readonly application: Application;
  readonly form: FormState;
  /** The country of the account's sender number; undefined without one. */
  readonly home: string | undefined;
  /** Label of the checkbox that confirms the submitted changes. */
  readonly confirmation?: string | undefined;
}

/** The button that removes the numbers which replace those of the level. */
export const RESET = 'reset';

/** The number fields of a group. While the group is closed, its summary shows the changed numbers. */
function NumberGroup({ group, form, application }: GroupProps) {
  const { title, lead, names, summary } = group;
  const stored = fraudTexts(application);
  const table = thresholdsOf(Number(stored.strictness));
  const own = ownNumbers(application).filter((name) => names.includes(name));
  const changes = own.map((name) => looserText(table[name], Number(stored[name]), table[name].default));
  const isOpen = own.length > 0 || names.some((name) => numberIn(form, name) !== Number(stored[name]));
  return (
    <details class="limit-group" open={isOpen}>
      <summary>
        {title}
        {(changes.length > 0 ? changes : [summary]).map((text) => (
          <span key={text} class="quiet">
            {text}
          </span>
        ))}
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

export function FraudSettingsForm({ action, application, form, home, confirmation }: FraudSettingsFormProps) {
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
              hint={<HomeCountry application={application} home={home} />}
              choices={LEVELS.map(({ hint, ...choice }) => ({
                ...choice,
                hint: (
                  <>
                    {hint}
                    <LevelNumbers strictness={Number(choice.value)} bounds={application.ceilings.fraud} />
                  </>
                ),
              }))}
            />
            <RulesOff application={application} />
            <Presets
              form={form}
              name="pauseHome"
              label={FRAUD_THRESHOLDS.pauseHome.label}
              hint={
                <>
                  If a <a href={settingsPath(application, 'challenge')}>challenge</a> is on, it replaces this choice. In
                  the first week after the first entered code, messages always pause.
                </>
              }
              choices={PAUSE_HOME}
            />
          </fieldset>
          <fieldset disabled={!isOwner}>
            <legend>Advanced {isCustom && <Badge kind="neutral">Custom</Badge>}</legend>
            <p class="hint">Most shops never change these numbers.</p>
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
