/** The form for the fraud guard's settings, in groups. */
import { FRAUD_THRESHOLDS, thresholdsOf, type FraudSetting } from '../../modules/fraud/fraud-settings.js';
import type { Values } from '../../modules/settings/bounded-setting.js';
import { useVisit } from '../components/context.js';
import { Form, FormProblems, Select, type Choice } from '../components/form.js';
import { SettingFields } from '../components/setting-fields.js';
import { Submit } from '../components/submit.js';
import type { FormState } from '../form.js';

interface Group {
  readonly id: string;
  readonly title: string;
  readonly lead: string;
  readonly names: readonly FraudSetting[];
}

const GROUPS: readonly Group[] = [
  {
    id: 'people',
    title: 'People',
    lead: 'People who entered a code before are exempt from most rules, until they leave several codes in a row unentered.',
    names: ['exemptDays', 'codesInARow'],
  },
  {
    id: 'places',
    title: 'Unverified recipients',
    lead: 'How many recipients may leave their code unentered, above the usual number, before the guard acts. 0 turns a rule off.',
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
    title: 'What is usual',
    lead: 'What the guard compares with.',
    names: ['tolerance', 'establishedVerifications', 'newCountryNotifications'],
  },
];

interface FraudSettingsFormProps {
  readonly action: string;
  readonly bounds: Values;
  readonly stored: FormState['typed'];
  readonly form: FormState;
}

const STRICTNESS: readonly Choice[] = [
  { value: '1', label: 'Relaxed: acts later, for shops whose customers often leave codes unentered' },
  { value: '2', label: 'Normal: fits most shops' },
  { value: '3', label: 'Strict: acts earlier, for small shops and during an attack' },
];

const PAUSE_HOME: readonly Choice[] = [
  { value: '0', label: 'Tell the owners; only the daily budget bounds the cost' },
  { value: '1', label: 'Pause the home country, also for new customers' },
];

export function FraudSettingsForm({ action, bounds, stored, form }: FraudSettingsFormProps) {
  const { may } = useVisit();
  return (
    <Form action={action} stored={stored} noValidate>
      <FormProblems form={form} />
      <section class="card beside" aria-labelledby="strictness-title">
        <div>
          <h2 id="strictness-title">Protection</h2>
          <p class="lead">How many people may leave their codes unentered before the guard acts.</p>
        </div>
        <fieldset disabled={!may('own')}>
          <legend class="unseen">Protection</legend>
          <Select form={form} name="strictness" label={FRAUD_THRESHOLDS.strictness.label} choices={STRICTNESS} />
          <Select form={form} name="pauseHome" label={FRAUD_THRESHOLDS.pauseHome.label} choices={PAUSE_HOME} />
        </fieldset>
      </section>
      <details open={Object.keys(form.errors).length > 0}>
        <summary>Advanced</summary>
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
              />
            </fieldset>
          </section>
        ))}
      </details>
      {may('own') && <Submit label="Save" />}
    </Form>
  );
}
