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
import { isOff } from '../../modules/settings/bounded-setting.js';
import { settingsPath } from '../applications/parts.js';
import { Badge } from '../components/badge.js';
import { useVisit } from '../components/context.js';
import { ConfirmationBox, Form, FormProblems, Presets, type Preset } from '../components/form.js';
import { labelsOf, looserText, SettingFields } from '../components/setting-fields.js';
import type { FormState } from '../form.js';
import { countText } from '../usage/figures.js';

interface Group {
  readonly title: string;
  readonly lead: string;
  readonly names: readonly FraudSetting[];
  /** Describes the closed group while its fields are empty. */
  readonly source: 'Set by the level' | 'Recommended values';
}

const GROUPS: readonly Group[] = [
  {
    title: 'Your customers',
    lead: 'Most rules do not stop messages to people who entered a code before.',
    names: ['exemptDays', 'codesInARow'],
    source: 'Recommended values',
  },
  {
    title: 'Unused codes',
    lead: 'How many more people than usual may leave their code unused before messages stop. Entered codes and time reduce the count. 0 turns a rule off.',
    names: [
      'homeUnverified',
      'countryUnverified',
      'newCountriesUnverified',
      'prefixUnverified',
      'rangeUnverified',
      'addressUnverified',
      'burstUnverified',
    ],
    source: 'Set by the level',
  },
  {
    title: 'Usual traffic',
    lead: 'The latest codes are compared with those of the last 14 days.',
    names: ['tolerance', 'establishedVerifications', 'newCountryNotifications'],
    source: 'Recommended values',
  },
];

/** The settings under Advanced. */
export const NUMBERS = GROUPS.flatMap(({ names }) => names);

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

/** The settings of a level, within the bounds of the account. */
const levelSettings = (level: string, { ceilings }: Application): FraudSettings =>
  fraudSettingsOf({ strictness: Number(level) }, ceilings.fraud);

/** The main numbers of a level. */
function LevelNumbers({ prefixUnverified, countryUnverified, homeUnverified }: FraudSettings) {
  const numbers = [
    ['Your own country', homeUnverified],
    ['Countries that you serve', Math.floor(LISTED_FACTOR * countryUnverified)],
    ['All other countries', countryUnverified],
    ['Similar numbers', prefixUnverified],
  ] as const;
  return (
    <span class="level-numbers">
      <span>More people than usual who leave codes unused:</span>
      {numbers.map(([label, number]) => (
        <>
          <span>{label}</span> <span class="number">{countText(number)}</span>
        </>
      ))}
    </span>
  );
}

const LEVEL_LEAD =
  'If many more people than usual leave their codes unused, Passbell pauses messages to their country, or to similar numbers. Each level shows how many more people that takes. For your own country, you choose below what happens.';

/** Names the home country, and explains how it is determined. */
function HomeCountry({ application, home }: { readonly application: Application; readonly home: string | undefined }) {
  const served = <a href={settingsPath(application, 'countries')}>countries that you serve</a>;
  return home === undefined ? (
    <>
      Passbell cannot tell which country is yours, because you have no sender number. Add your country to the {served}.
    </>
  ) : (
    <>
      Your own country is {countryInSentence(home)}, the country of your sender number. You choose the {served}.
    </>
  );
}

/** The name of an application's level. */
export const levelLabel = (application: Application): string =>
  LEVELS.find(({ value }) => value === fraudTexts(application).strictness)!.label;

/** The texts of the form for an application's settings. Numbers that the owner did not change are empty. */
export function fraudTexts(application: Application): FormState['typed'] {
  const settings = appliedSettings(application);
  const isEmpty = (name: FraudSetting) => NUMBERS.includes(name) && application.settings.fraud[name] === undefined;
  return Object.fromEntries(FRAUD_SETTINGS.map((name) => [name, isEmpty(name) ? '' : String(settings[name])]));
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

/** `20 (Relaxed), 10 (Normal), 5 (Strict)` */
const ofLevels = (name: FraudSetting, application: Application): string =>
  LEVELS.map(({ value, label }) => `${countText(levelSettings(value, application)[name])} (${label})`).join(', ');

/** The number fields of a group. While the group is closed, its summary shows the changed numbers. */
function NumberGroup({ group, form, application }: GroupProps) {
  const { title, lead, names, source } = group;
  const stored = fraudTexts(application);
  const table = thresholdsOf(Number(stored.strictness));
  const own = names.filter((name) => stored[name] !== '');
  const changes = own.map((name) => looserText(table[name], Number(stored[name]), table[name].default));
  const isOpen = own.length > 0 || names.some((name) => form.typed[name] !== stored[name]);
  const shown = names.map((name) => {
    const recommended = ofLevels(name, application);
    return [name, source === 'Set by the level' ? { ...table[name], recommended } : table[name]];
  });
  return (
    <details class="limit-group" open={isOpen}>
      <summary>
        {title}
        {(changes.length > 0 ? changes : [source]).map((text) => (
          <span key={text} class="quiet">
            {text}
          </span>
        ))}
      </summary>
      <p class="hint">{lead}</p>
      <SettingFields
        form={form}
        table={Object.fromEntries(shown)}
        names={names}
        bounds={application.ceilings.fraud}
        units={Object.fromEntries(names.map((name) => [name, UNITS[name] ?? 'people']))}
        emptyValue={(name) => countText(levelSettings(stored.strictness!, application)[name as FraudSetting])}
      />
    </details>
  );
}

export function FraudSettingsForm({ action, application, form, home, confirmation }: FraudSettingsFormProps) {
  const isOwner = useVisit().may('own');
  const stored = fraudTexts(application);
  const isCustom = NUMBERS.some((name) => stored[name] !== '');
  return (
    <>
      <FormProblems form={form} labels={labelsOf(FRAUD_THRESHOLDS)} />
      <Form class="stack" action={action} stored={stored} noValidate>
        <section class="card beside" aria-labelledby="strictness-title">
          <div>
            <h2 id="strictness-title">Protection level</h2>
            <p class="lead">{LEVEL_LEAD}</p>
          </div>
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
                    <LevelNumbers {...levelSettings(choice.value, application)} />
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
                  If a <a href={settingsPath(application, 'challenge')}>challenge</a> is on, visitors must solve it
                  instead. Without one, messages are always paused if this happens in the first week after the first
                  entered code.
                </>
              }
              choices={PAUSE_HOME}
            />
          </fieldset>
        </section>
        <section class="card beside" aria-labelledby="advanced-title">
          <div>
            <h2 id="advanced-title">Advanced {isCustom && <Badge kind="neutral">Custom</Badge>}</h2>
            <p class="lead">
              Most shops leave these fields empty. Then the values of the level apply, or the recommended values.
            </p>
          </div>
          <fieldset disabled={!isOwner}>
            <legend class="unseen">Advanced</legend>
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
            </div>
          )}
        </section>
      </Form>
    </>
  );
}
