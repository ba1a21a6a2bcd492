/** The form for the fraud guard's settings, in groups. */
import type { Application } from '../../modules/applications/application.js';
import { appliedSettings } from '../../modules/fraud/fraud-application.js';
import {
  FRAUD_SETTINGS,
  FRAUD_THRESHOLDS,
  thresholdsOf,
  type FraudSetting,
} from '../../modules/fraud/fraud-settings.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { ConfirmationBox, Form, FormProblems, Presets, Select, type Choice } from '../components/form.js';
import { labelsOf, SettingFields } from '../components/setting-fields.js';
import { Submit } from '../components/submit.js';
import { filledForm, type FormState } from '../form.js';

interface Group {
  readonly title: string;
  readonly lead: string;
  readonly names: readonly FraudSetting[];
}

const GROUPS: readonly Group[] = [
  {
    title: 'Your customers',
    lead: 'Most rules do not stop messages to people who entered a code before.',
    names: ['exemptDays', 'codesInARow'],
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
  },
  {
    title: 'Usual traffic',
    lead: 'The latest codes are compared with those of the last 14 days.',
    names: ['tolerance', 'establishedVerifications', 'newCountryNotifications'],
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

const unitOf = (name: FraudSetting): string => UNITS[name] ?? 'people';

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
  { value: '0', label: 'Email the owners: only the daily budget limits the cost' },
  { value: '1', label: 'Pause messages to your country, including to new customers' },
];

interface FraudSettingsFormProps {
  readonly action: string;
  readonly application: Application;
  readonly form: FormState;
}

export function FraudSettingsForm({ action, application, form }: FraudSettingsFormProps) {
  const { may } = useVisit();
  const { settings, ceilings } = application;
  const stored = fraudTexts(application);
  const changed = GROUPS.flatMap(({ names }) => names).filter((name) => settings.fraud[name] !== undefined).length;
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
      <section class="card beside" aria-labelledby="numbers-title">
        <div>
          <h2 id="numbers-title">Advanced {changed > 0 && <Badge kind="neutral">Custom</Badge>}</h2>
          <p class="lead">The level sets these numbers. Most shops never change them.</p>
        </div>
        <fieldset disabled={!may('own')}>
          <legend class="unseen">Advanced</legend>
          {GROUPS.map(({ title, lead, names }) => {
            const own = names.filter((name) => settings.fraud[name] !== undefined).length;
            return (
              <details
                key={title}
                class="limit-group"
                open={own > 0 || names.some((name) => form.errors[name] !== undefined)}
              >
                <summary>
                  {title} {own > 0 && <span class="quiet">{`${own} changed`}</span>}
                </summary>
                <p class="hint">{lead}</p>
                <SettingFields
                  form={form}
                  table={thresholdsOf(Number(stored.strictness))}
                  names={names}
                  bounds={ceilings.fraud}
                  units={Object.fromEntries(names.map((name) => [name, unitOf(name)]))}
                />
              </details>
            );
          })}
        </fieldset>
      </section>
      <ConfirmationBox form={form} label="Turn these rules off" />
      {may('own') && <Submit label="Save" />}
    </Form>
  );
}
