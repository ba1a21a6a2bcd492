/** The form for the fraud guard's settings, in groups. */
import type { Application } from '../../modules/applications/application.js';
import { hasChallenge } from '../../modules/applications/challenge-settings.js';
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
import { Submit } from '../components/submit.js';
import type { FormState } from '../form.js';
import { countText, percent } from '../usage/figures.js';

interface Group {
  readonly title: string;
  readonly lead?: string;
  readonly names: readonly FraudSetting[];
  /** Whether the level sets the values of empty fields. */
  readonly isOfLevel: boolean;
}

const GROUPS: readonly Group[] = [
  {
    title: 'Your customers',
    names: ['exemptDays', 'codesInARow'],
    isOfLevel: false,
  },
  {
    title: 'Unused codes',
    lead: 'How many more people than usual may leave their code unused, and what happens above that. 0 turns a rule off.',
    names: [
      'homeUnverified',
      'countryUnverified',
      'newCountriesUnverified',
      'prefixUnverified',
      'rangeUnverified',
      'addressUnverified',
      'burstUnverified',
    ],
    isOfLevel: true,
  },
  {
    title: 'Usual traffic',
    lead: 'The latest codes are compared with those of the last 14 days.',
    names: ['tolerance', 'establishedVerifications', 'newCountryNotifications'],
    isOfLevel: false,
  },
];

/** The settings under Advanced. */
export const NUMBERS = GROUPS.flatMap(({ names }) => names);

const LEVELS = [
  { value: '1', label: 'Relaxed', hint: 'For shops with many unused codes.' },
  { value: '2', label: 'Normal', hint: 'Recommended for most shops.' },
  { value: '3', label: 'Strict', hint: 'For small shops, and during an attack.' },
] as const;

/** The limit of a country that the application serves, and that is not its own. */
const servedLimit = ({ countryUnverified }: FraudSettings): number => Math.floor(LISTED_FACTOR * countryUnverified);

/** The settings of a level, within the bounds of the account. */
const levelSettings = (level: string, { ceilings }: Application): FraudSettings =>
  fraudSettingsOf({ strictness: Number(level) }, ceilings.fraud);

/** The main limits, as rows of the table of levels. */
const LEVEL_ROWS: readonly (readonly [label: string, limitOf: (settings: FraudSettings) => number])[] = [
  ['Your own country', ({ homeUnverified }) => homeUnverified],
  ['Countries that you serve', servedLimit],
  ['All other countries', ({ countryUnverified }) => countryUnverified],
  ['Similar numbers', ({ prefixUnverified }) => prefixUnverified],
];

/** Compares the levels. The style sheet marks the column of the chosen level. */
const LevelTable = ({ application }: { readonly application: Application }) => (
  <table class="levels">
    <caption>
      Limits of each level
      <span class="hint">
        People with an unused code, beyond the usual number. Above the limit, messages are paused; for your own country,
        the choice below applies.
      </span>
    </caption>
    <thead>
      <tr>
        <th scope="col">Messages to</th>
        {LEVELS.map(({ label }) => (
          <th key={label} scope="col">
            {label}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {LEVEL_ROWS.map(([label, limitOf]) => (
        <tr key={label}>
          <th scope="row">{label}</th>
          {LEVELS.map(({ value }) => (
            <td key={value}>{countText(limitOf(levelSettings(value, application)))}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

const LEVEL_LEAD =
  'Some people never enter their code, and Passbell learns how many that usually is. The level sets how soon Passbell pauses messages when there are many more.';

/** Names the home country, and explains how it is determined. */
function HomeCountry({ application, home }: { readonly application: Application; readonly home: string | undefined }) {
  return home === undefined ? (
    <>
      Passbell cannot tell which country is yours, because you have no sender number. Add your country to the{' '}
      <a href={settingsPath(application, 'countries')}>countries that you serve</a>.
    </>
  ) : (
    <>
      Your own country is {countryInSentence(home)}, the country of your first sender number under{' '}
      <a href="/dashboard/channels">Channels</a>.
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
  { value: '1', label: 'Pause messages', hint: 'New customers get no codes until the pause ends.' },
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

/** The number fields of a group. While the group is closed, its summary shows the changed numbers. */
function NumberGroup({ group, form, application }: GroupProps) {
  const { title, lead, names, isOfLevel } = group;
  const stored = fraudTexts(application);
  const table = thresholdsOf(Number(stored.strictness));
  const own = names.filter((name) => stored[name] !== '');
  const changes = own.map((name) => looserText(table[name], Number(stored[name]), table[name].default));
  const isOpen = own.length > 0 || names.some((name) => form.typed[name] !== stored[name]);
  const level = levelLabel(application);
  const usual = levelSettings(stored.strictness!, application);
  const source = isOfLevel ? `Set by the level (${level})` : 'Default values';
  const served = `Countries that you serve can have ${percent(LISTED_FACTOR - 1)} more.`;
  const countryUnverified = { ...table.countryUnverified, hint: `${table.countryUnverified.hint} ${served}` };
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
      {lead && <p class="hint">{lead}</p>}
      <SettingFields
        form={form}
        table={{ ...table, countryUnverified }}
        names={names}
        bounds={application.ceilings.fraud}
        emptyValue={(name) => `${isOfLevel ? level : 'Default'}: ${countText(usual[name as FraudSetting])}`}
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
              label={<span class="unseen">{FRAUD_THRESHOLDS.strictness.label}</span>}
              choices={LEVELS}
            />
            <LevelTable application={application} />
            <p class="hint">
              You can also change the <a href={settingsPath(application, 'countries')}>countries that you serve</a>.
            </p>
            <RulesOff application={application} />
          </fieldset>
        </section>
        <section class="card beside" aria-labelledby="home-title">
          <div>
            <h2 id="home-title">{FRAUD_THRESHOLDS.pauseHome.label}</h2>
            <p class="lead">
              <HomeCountry application={application} home={home} />
            </p>
            {!hasChallenge(application) && (
              <p class="lead">
                In the first week after the first entered code, messages above the limit are always paused. Then your
                choice applies.
              </p>
            )}
          </div>
          <fieldset disabled={!isOwner}>
            <legend class="unseen">{FRAUD_THRESHOLDS.pauseHome.label}</legend>
            <Presets
              form={form}
              name="pauseHome"
              label={<span class="unseen">Above the limit</span>}
              choices={PAUSE_HOME}
            />
            <p class="hint">
              {hasChallenge(application) ? (
                <>
                  While your <a href={settingsPath(application, 'challenge')}>challenge</a> is on, neither of these
                  happens: people above the limit must solve the challenge before they get a code.
                </>
              ) : (
                <>
                  There is a third way: a <a href={settingsPath(application, 'challenge')}>challenge</a> that people
                  above the limit must solve before they get a code.
                </>
              )}
            </p>
          </fieldset>
        </section>
        <section class="card beside" aria-labelledby="advanced-title">
          <div>
            <h2 id="advanced-title">Advanced {isCustom && <Badge kind="neutral">Custom</Badge>}</h2>
            <p class="lead">
              Most shops need no changes here. If you leave a field empty, the number shown in gray applies: the level's
              number or the default.
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
          {isOwner && <Submit label="Save" kind="saved-by-bar" />}
        </section>
      </Form>
    </>
  );
}
