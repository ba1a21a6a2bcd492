/** The numbers of the fraud guard under Advanced, in closed groups. */
import type { ComponentChildren } from 'preact';
import type { Application } from '../../modules/applications/application.js';
import { hasChallenge } from '../../modules/applications/challenge-settings.js';
import { appliedSettings } from '../../modules/fraud/fraud-application.js';
import {
  FRAUD_SETTINGS,
  FRAUD_THRESHOLDS,
  isScaled,
  thresholdsOf,
  type FraudSetting,
} from '../../modules/fraud/fraud-settings.js';
import { LISTED_FACTOR } from '../../modules/fraud/gauges.js';
import { isOff } from '../../modules/settings/bounded-setting.js';
import { settingsPath } from '../applications/parts.js';
import { Badge } from '../components/badge.js';
import { FixedNumber, looserText, SettingFields } from '../components/setting-fields.js';
import type { FormState } from '../form.js';
import { countText, percent } from '../usage/figures.js';
import { levelLabel, levelSettings, SERVED_LABEL, servedLimit } from './levels.js';

interface Group {
  readonly title: string;
  /** The settings in the closed group. */
  readonly summary: string;
  /** Whether the limits lead to a challenge instead of a pause. */
  readonly isChallenged?: boolean;
  readonly names: readonly FraudSetting[];
}

/** Shown above the limits if the application has a challenge. */
const CHALLENGE_LEAD = 'Where you have customers, Passbell requires your challenge instead of pausing messages.';

const GROUPS: readonly Group[] = [
  {
    title: 'People',
    summary: 'Trust, and unused codes in a row',
    names: ['exemptDays', 'codesInARow'],
  },
  {
    title: 'Countries',
    summary: 'Your own, served and other countries',
    isChallenged: true,
    names: ['homeUnverified', 'countryUnverified', 'newCountriesUnverified', 'newCountryNotifications'],
  },
  {
    title: 'Phone numbers and IP addresses',
    summary: 'Similar numbers, and one IP address',
    isChallenged: true,
    names: ['prefixUnverified', 'rangeUnverified', 'addressUnverified'],
  },
  {
    title: 'For experts',
    summary: 'Sudden attacks and usual traffic',
    names: ['burstUnverified', 'tolerance', 'establishedVerifications'],
  },
];

/** The settings under Advanced. */
export const NUMBERS = GROUPS.flatMap(({ names }) => names);

/** The texts of the form for an application's settings. Numbers that the owner did not change are empty. */
export function fraudTexts(application: Application): FormState['typed'] {
  const settings = appliedSettings(application);
  const isEmpty = (name: FraudSetting) => NUMBERS.includes(name) && application.settings.fraud[name] === undefined;
  return Object.fromEntries(FRAUD_SETTINGS.map((name) => [name, isEmpty(name) ? '' : String(settings[name])]));
}

/** A warning if rules are off, which no level turns on. */
export function RulesOff({ application }: { readonly application: Application }) {
  const settings = appliedSettings(application);
  const isRule = (name: FraudSetting) => name !== 'pauseHome';
  const off = FRAUD_SETTINGS.filter((name) => isRule(name) && isOff(FRAUD_THRESHOLDS[name], settings[name])).length;
  return off === 0 ? null : <Badge kind="warning">{off === 1 ? '1 rule is off' : `${off} rules are off`}</Badge>;
}

/** The limit of countries that the application serves, which follows from that of other countries. */
function ServedLimit({ application }: { readonly application: Application }) {
  const limit = servedLimit(appliedSettings(application));
  return (
    <FixedNumber
      label={SERVED_LABEL}
      hint={
        <>
          {limit === 0
            ? 'This limit is the same as for other countries.'
            : `This limit is ${percent(LISTED_FACTOR - 1)} higher than the limit for other countries.`}{' '}
          <a href={settingsPath(application, 'countries')}>Choose countries</a>
        </>
      }
      value={limit === 0 ? 'No limit' : countText(limit)}
      unit={limit === 0 ? '' : FRAUD_THRESHOLDS.countryUnverified.unit}
    />
  );
}

interface GroupProps {
  readonly group: Group;
  readonly form: FormState;
  readonly application: Application;
}

/** The number fields of a group. While the group is closed, its summary shows the changed numbers. */
function NumberGroup({ group, form, application }: GroupProps) {
  const { title, summary, isChallenged, names } = group;
  const stored = fraudTexts(application);
  const table = thresholdsOf(Number(stored.strictness));
  const own = names.filter((name) => stored[name] !== '');
  const changes = own.map((name) => looserText(table[name], Number(stored[name]), table[name].default));
  const isOpen = own.length > 0 || names.some((name) => form.typed[name] !== stored[name]);
  const usual = levelSettings(stored.strictness!, application);
  const source = (name: FraudSetting) => (isScaled(name) ? levelLabel(application) : 'Default');
  const after: Readonly<Record<string, ComponentChildren>> = {
    homeUnverified: <ServedLimit application={application} />,
  };
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
      {isChallenged && hasChallenge(application) && <p class="hint">{CHALLENGE_LEAD}</p>}
      <SettingFields
        form={form}
        table={table}
        names={names}
        bounds={application.ceilings.fraud}
        usualValue={(name) => [source(name as FraudSetting), usual[name as FraudSetting]]}
        after={after}
      />
    </details>
  );
}

/** The groups in two columns of about the same height, if there is enough space. */
export const NumberGroups = (props: Omit<GroupProps, 'group'>) => (
  <div class="guard-limits">
    {[GROUPS.slice(0, 2), GROUPS.slice(2)].map((groups) => (
      <div key={groups[0]!.title} class="limit-groups">
        {groups.map((group) => (
          <NumberGroup key={group.title} group={group} {...props} />
        ))}
      </div>
    ))}
  </div>
);
