/** The form for the fraud guard's settings, grouped by rule. */
import type { FraudSettingView } from '../../modules/fraud/fraud-settings-service.js';
import { canBeOff, FRAUD_THRESHOLDS, type FraudSetting } from '../../modules/fraud/fraud-settings.js';
import { useVisit } from '../components/context.js';
import { Field, Form, FormProblems } from '../components/form.js';
import { Submit } from '../components/submit.js';
import type { FormState } from '../form.js';

export const FRAUD_LABELS: Readonly<Record<FraudSetting, string>> = {
  exemptDays: 'Days after a verification',
  newCountryVerifications: 'Verifications in 14 days that end the caps',
  newCountryPerHour: 'Recipients without a verified code in an hour, for each country',
  newCountryPerDay: 'Recipients without a verified code in 24 hours, for each country',
  newCountriesPerHour: 'Recipients without a verified code in an hour, for all these countries',
  prefixUnverified: 'Recipients without a verified code before a prefix is judged',
  prefixOutstanding: 'Recipients in an hour that pause a prefix at once',
  prefixTolerance: 'Lowest normal share of entered codes',
  prefixCoincidence: 'How unlikely it must be, one in',
  countryUnverified: 'Recipients without a verified code before a country is judged',
  countryTolerance: 'Lowest normal share of entered codes',
  countryCoincidence: 'How unlikely it must be, one in',
  establishedVerifications: 'Verifications in 14 days of an established country',
  establishedExcess: 'Unexpected recipients in an hour that pause an established country',
  sourceUnverified: 'Recipients without a verified code before an address is judged',
  sourceTolerance: 'Lowest normal share of entered codes',
  sourceCoincidence: 'How unlikely it must be, one in',
  sourceCountries: 'Countries of one address in 24 hours',
  spendFloor: 'Cost that a day can always reach',
  spendFactor: 'Multiple of the most expensive day of the last 14',
  spendBudget: 'Fixed limit for the cost of any day',
  observeDays: 'Days in which the guard only watches',
};

const HINTS: Partial<Readonly<Record<FraudSetting, string>>> = {
  exemptDays: 'In this time, the guard refuses nothing to the recipient.',
  newCountriesPerHour: 'Together, to stop attacks that spread over many countries.',
  prefixOutstanding: 'However recent their codes are, while hardly anyone has entered one.',
  prefixTolerance: 'In percent of what is usual in the country.',
  prefixCoincidence: 'A higher number means fewer pauses.',
  countryTolerance: 'In percent of what is usual in the country.',
  countryCoincidence: 'A higher number means fewer pauses.',
  establishedVerifications: 'Other countries are also judged together.',
  establishedExcess: 'More than usual. The home country counts as established.',
  sourceTolerance: 'In percent of what is usual in the country.',
  sourceCoincidence: 'A higher number means fewer refusals.',
  sourceCountries: 'In which nobody has entered a code. Each verified recipient adds one.',
  spendFloor: 'In whole units of your currency.',
  spendFactor: 'Stops only days on which fewer people than usual enter their codes.',
  spendBudget: 'In whole units of your currency, however many people enter their codes.',
};

interface Group {
  readonly title: string;
  readonly lead: string;
  readonly names: readonly FraudSetting[];
}

const GROUPS: readonly Group[] = [
  {
    title: 'R0: people you know',
    lead: 'Recipients who were verified in this application are never refused.',
    names: ['exemptDays'],
  },
  {
    title: 'R2: countries without a history',
    lead: 'Caps for countries that you have not listed and in which hardly anyone was verified so far.',
    names: ['newCountryVerifications', 'newCountryPerHour', 'newCountryPerDay', 'newCountriesPerHour'],
  },
  {
    title: 'R3: prefixes',
    lead: 'Pauses similar numbers when unusually few of their owners enter codes.',
    names: ['prefixUnverified', 'prefixOutstanding', 'prefixTolerance', 'prefixCoincidence'],
  },
  {
    title: 'R4: countries',
    lead: 'Pauses a country when unusually few of its people enter codes.',
    names: [
      ...(['countryUnverified', 'countryTolerance', 'countryCoincidence'] as const),
      ...(['establishedVerifications', 'establishedExcess'] as const),
    ],
  },
  {
    title: 'R5: addresses of end users',
    lead: 'Refuses an address that you pass as clientIp when few of its codes are entered.',
    names: ['sourceUnverified', 'sourceTolerance', 'sourceCoincidence', 'sourceCountries'],
  },
  {
    title: 'R6: cost of a day',
    lead: 'Above its limit, only people who were verified before get messages until the UTC day ends.',
    names: ['spendFloor', 'spendFactor', 'spendBudget'],
  },
  {
    title: 'First days',
    lead: 'R3 to R5 first record what they would refuse.',
    names: ['observeDays'],
  },
];

/** What 0 does, for settings where this is not the smallest count. */
function zeroText(name: FraudSetting): string {
  if (canBeOff(name)) return '0 turns it off.';
  return FRAUD_THRESHOLDS[name].min === 0 ? '0 is the strictest.' : '';
}

function hintOf({ name, default: usual, bound }: FraudSettingView): string {
  const allowed = bound === 'any' ? '' : `Your account allows ${bound}.`;
  return [HINTS[name], `Default ${usual.toLocaleString('en')}.`, allowed, zeroText(name)].filter(Boolean).join(' ');
}

interface FraudSettingsFormProps {
  readonly action: string;
  readonly settings: readonly FraudSettingView[];
  readonly stored: FormState['typed'];
  readonly form: FormState;
}

export function FraudSettingsForm({ action, settings, stored, form }: FraudSettingsFormProps) {
  const { may } = useVisit();
  const views = new Map(settings.map((view) => [view.name, view]));
  return (
    <Form action={action} stored={stored} noValidate>
      <FormProblems form={form} />
      {GROUPS.map(({ title, lead, names }) => (
        <section key={title} class="card beside" aria-labelledby={`${names[0]}-title`}>
          <div>
            <h2 id={`${names[0]}-title`}>{title}</h2>
            <p class="lead">{lead}</p>
          </div>
          <fieldset disabled={!may('own')}>
            <legend class="unseen">{title}</legend>
            <div class="columns">
              {names.map((name) => (
                <Field
                  key={name}
                  {...{ form, name, label: FRAUD_LABELS[name], hint: hintOf(views.get(name)!) }}
                  inputMode="numeric"
                  autocomplete="off"
                />
              ))}
            </div>
          </fieldset>
        </section>
      ))}
      {may('own') && <Submit label="Save" />}
    </Form>
  );
}
