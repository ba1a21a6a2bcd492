/** The form for the fraud guard's settings, in groups. */
import type { Application } from '../../modules/applications/application.js';
import { appliedSettings } from '../../modules/fraud/fraud-application.js';
import {
  FRAUD_SETTINGS,
  FRAUD_THRESHOLDS,
  thresholdsOf,
  type FraudSetting,
} from '../../modules/fraud/fraud-settings.js';
import type { Values } from '../../modules/settings/bounded-setting.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { ConfirmationBox, Form, FormProblems, Presets, Select, type Choice } from '../components/form.js';
import { labelsOf, SettingFields } from '../components/setting-fields.js';
import { Submit } from '../components/submit.js';
import { filledForm, type FormState } from '../form.js';

interface Group {
  readonly id: string;
  readonly title: string;
  readonly lead: string;
  readonly names: readonly FraudSetting[];
}

const GROUPS: readonly Group[] = [
  {
    id: 'people',
    title: 'Your customers',
    lead: 'Most rules do not stop messages to people who entered a code before.',
    names: ['exemptDays', 'codesInARow'],
  },
  {
    id: 'places',
    title: 'Unused codes',
    lead: 'Messages stop when more people than usual leave their code unused, by the number that you enter here. Entered codes and time reduce the count. Enter 0 to turn a rule off.',
    names: [
      'prefixUnverified',
      'rangeUnverified',
      'addressUnverified',
      'countryUnverified',
      'newCountriesUnverified',
      'homeUnverified',
      'burstUnverified',
    ],
  },
  {
    id: 'usual',
    title: 'Usual traffic',
    lead: 'The latest codes are compared with those of the last 14 days.',
    names: ['tolerance', 'establishedVerifications', 'newCountryNotifications'],
  },
];

/** Units of the values, next to the fields. */
const UNITS: Readonly<Partial<Record<FraudSetting, string>>> = {
  exemptDays: 'days',
  codesInARow: 'codes',
  tolerance: '%',
  establishedVerifications: 'entered codes',
  newCountryNotifications: 'notifications',
};

const unitOf = (name: FraudSetting): string => UNITS[name] ?? 'people';

interface FraudSettingsFormProps {
  readonly action: string;
  readonly bounds: Values;
  readonly stored: FormState['typed'];
  readonly form: FormState;
}

const LEVELS = [
  {
    value: '1',
    label: 'Relaxed',
    hint: 'Stops messages later. For shops whose customers often request codes and do not use them.',
  },
  { value: '2', label: 'Normal', hint: 'Recommended for most shops.' },
  { value: '3', label: 'Strict', hint: 'Stops messages sooner. For small shops, and during an attack.' },
] as const;

const LEVEL_LEAD = 'Controls how soon messages stop if people request codes and do not enter them.';

/** The texts of the form for an application's settings. */
export function fraudTexts(application: Application): FormState['typed'] {
  const settings = appliedSettings(application);
  return Object.fromEntries(FRAUD_SETTINGS.map((name) => [name, String(settings[name])]));
}

const LevelField = ({ form }: { readonly form: FormState }) => (
  <Presets form={form} name="strictness" label={FRAUD_THRESHOLDS.strictness.label} isTitled choices={LEVELS} />
);

/** A form that only changes the level. */
export function LevelCard({ action, application }: { readonly action: string; readonly application: Application }) {
  const stored = fraudTexts(application);
  const isOwner = useVisit().may('own');
  return (
    <Card beside id="level-title" title="Protection level" lead={LEVEL_LEAD}>
      <Form action={action} stored={stored}>
        <fieldset disabled={!isOwner}>
          <legend class="unseen">Protection level</legend>
          <LevelField form={filledForm(stored)} />
        </fieldset>
        {isOwner && <Submit label="Save" />}
      </Form>
      {isOwner && <a href={action}>Advanced settings</a>}
    </Card>
  );
}

const PAUSE_HOME: readonly Choice[] = [
  { value: '0', label: 'Email the owners. Only the daily budget limits the cost' },
  { value: '1', label: 'Pause messages to your country, including to new customers' },
];

export function FraudSettingsForm({ action, bounds, stored, form }: FraudSettingsFormProps) {
  const { may } = useVisit();
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
          <LevelField form={form} />
          <Select
            form={form}
            name="pauseHome"
            label={FRAUD_THRESHOLDS.pauseHome.label}
            hint="If you set up a challenge under Settings → Security, Passbell uses it instead."
            choices={PAUSE_HOME}
          />
        </fieldset>
      </section>
      <details open={Object.keys(form.errors).length > 0}>
        <summary>Advanced</summary>

        <div class="stack">
          <p class="lead">You rarely need to change these numbers: the level sets most of them.</p>
          {GROUPS.map((group) => (
            <section key={group.id} class="card beside" aria-labelledby={`${group.id}-title`}>
              <div>
                <h2 id={`${group.id}-title`}>{group.title}</h2>
                <p class="lead">{group.lead}</p>
              </div>
              <fieldset disabled={!may('own')}>
                <legend class="unseen">{group.title}</legend>
                <SettingFields
                  form={form}
                  table={thresholdsOf(Number(stored.strictness))}
                  names={group.names}
                  bounds={bounds}
                  units={Object.fromEntries(group.names.map((name) => [name, unitOf(name)]))}
                />
              </fieldset>
            </section>
          ))}
        </div>
      </details>
      <ConfirmationBox form={form} label="Turn these rules off" />
      {may('own') && <Submit label="Save" />}
    </Form>
  );
}
