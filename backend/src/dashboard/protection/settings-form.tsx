/** The form for the fraud guard's settings, grouped by rule. */
import { FRAUD_SETTINGS, FRAUD_THRESHOLDS } from '../../modules/fraud/fraud-settings.js';
import type { Values } from '../../modules/settings/bounded-setting.js';
import { useVisit } from '../components/context.js';
import { Form, FormProblems } from '../components/form.js';
import { SettingFields } from '../components/setting-fields.js';
import { Submit } from '../components/submit.js';
import type { FormState } from '../form.js';

interface Group {
  /** The first word of its settings' texts. */
  readonly rule: string;
  readonly title: string;
  readonly lead: string;
}

const GROUPS: readonly Group[] = [
  {
    rule: 'R0',
    title: 'R0: verified recipients',
    lead: 'Messages to people who recently entered a code are refused only because of their number class (R1), the daily budget, or a pause that a person started.',
  },
  {
    rule: 'R2',
    title: 'R2: new countries',
    lead: 'Limits for countries that you have not listed, and in which hardly anyone has entered a code so far.',
  },
  {
    rule: 'R3',
    title: 'R3: prefixes',
    lead: 'Pauses similar numbers when unusually few of their recipients enter codes.',
  },
  {
    rule: 'R4',
    title: 'R4: countries',
    lead: 'Pauses a country when unusually few of its recipients enter codes.',
  },
  {
    rule: 'R5',
    title: "R5: end users' IP addresses",
    lead: 'Refuses requests from an IP address (your clientIp parameter) when few of the codes requested from it are entered.',
  },
  {
    rule: 'R6',
    title: 'R6: daily cost',
    lead: 'Above the automatic limit, if fewer people than usual enter their codes, only people who recently entered a code get messages until midnight UTC. Above the daily budget, nobody does.',
  },
  {
    rule: 'Days',
    title: 'First days',
    lead: 'At first, R3 to R5 only record the messages that they would refuse.',
  },
];

const namesOf = ({ rule }: Group) => FRAUD_SETTINGS.filter((name) => FRAUD_THRESHOLDS[name].text.startsWith(rule));

interface FraudSettingsFormProps {
  readonly action: string;
  readonly bounds: Values;
  readonly stored: FormState['typed'];
  readonly form: FormState;
}

export function FraudSettingsForm({ action, bounds, stored, form }: FraudSettingsFormProps) {
  const { may } = useVisit();
  return (
    <Form action={action} stored={stored} noValidate>
      <FormProblems form={form} />
      {GROUPS.map((group) => (
        <section key={group.rule} class="card beside" aria-labelledby={`${group.rule}-title`}>
          <div>
            <h2 id={`${group.rule}-title`}>{group.title}</h2>
            <p class="lead">{group.lead}</p>
          </div>
          <fieldset disabled={!may('own')}>
            <legend class="unseen">{group.title}</legend>
            <SettingFields form={form} table={FRAUD_THRESHOLDS} names={namesOf(group)} bounds={bounds} />
          </fieldset>
        </section>
      ))}
      {may('own') && <Submit label="Save" />}
    </Form>
  );
}
