/** The form for the fraud guard's settings, grouped by rule. */
import type { FraudSettingView } from '../../modules/fraud/fraud-settings-service.js';
import { canBeOff, FRAUD_THRESHOLDS, type FraudSetting } from '../../modules/fraud/fraud-settings.js';
import { useVisit } from '../components/context.js';
import { Field, Form, FormProblems } from '../components/form.js';
import { Submit } from '../components/submit.js';
import type { FormState } from '../form.js';

export const FRAUD_LABELS: Readonly<Record<FraudSetting, string>> = {
  exemptDays: 'Days of exemption after a verification',
  newCountryVerifications: 'Verifications in 14 days after which a country is no longer limited',
  newCountryPerHour: 'Unverified recipients in an hour, for each country',
  newCountryPerDay: 'Unverified recipients in 24 hours, for each country',
  newCountriesPerHour: 'Unverified recipients in an hour, for all new countries together',
  prefixUnverified: 'Unverified recipients before a prefix is evaluated',
  prefixOutstanding: 'Unverified recipients in an hour that pause a prefix immediately',
  prefixTolerance: 'Suspicious below this percentage of the usual conversion',
  prefixCoincidence: 'Required certainty: 1 in',
  countryUnverified: 'Unverified recipients before a country is evaluated',
  countryTolerance: 'Suspicious below this percentage of the usual conversion',
  countryCoincidence: 'Required certainty: 1 in',
  establishedVerifications: 'Verifications in the 14 days before today that make a country established',
  homeExcess: 'Unverified recipients in an hour, above the usual number, that pause the home country',
  sourceUnverified: 'Unverified recipients before an IP address is evaluated',
  sourceTolerance: 'Suspicious below this percentage of the usual conversion',
  sourceCoincidence: 'Required certainty: 1 in',
  sourceRepeated: 'Unverified recipients in 24 hours, for an IP address that was refused in the last 14 days',
  sourceCountries: 'Countries without a verified code for one IP address in 24 hours',
  spendFloor: 'Lowest automatic limit for the daily cost',
  spendFactor: 'Automatic limit, as a multiple of the most expensive day of the last 14',
  spendBudget: 'Daily budget',
  observeDays: 'Days during which the guard only records',
};

const TOLERANCE_HINT =
  'The conversion is the share of recipients who enter their code. It is compared with the usual conversion of the country.';
const CERTAINTY_HINT = 'Acts only if a conversion this low would occur by chance less than once in this many cases.';

const HINTS: Partial<Readonly<Record<FraudSetting, string>>> = {
  exemptDays: 'During this time, R2 to R6 and their pauses do not apply to the recipient. The daily budget does.',
  newCountriesPerHour: 'Stops attacks that spread over many countries.',
  prefixOutstanding:
    'Applies even to codes sent a moment ago, if fewer than 10% of the recipients have entered theirs.',
  prefixTolerance: TOLERANCE_HINT,
  prefixCoincidence: `${CERTAINTY_HINT} A higher number means fewer pauses.`,
  countryTolerance: TOLERANCE_HINT,
  countryCoincidence: `${CERTAINTY_HINT} A higher number means fewer pauses.`,
  establishedVerifications: 'All other countries are also evaluated together.',
  homeExcess: 'Smaller numbers are only recorded, because a pause would affect many legitimate users.',
  sourceTolerance: TOLERANCE_HINT,
  sourceCoincidence: `${CERTAINTY_HINT} A higher number means fewer refusals.`,
  sourceRepeated: 'Each verified recipient raises this limit by one.',
  sourceCountries: 'Each verified recipient raises this limit by one.',
  spendFloor: 'In whole units of your currency.',
  spendFactor: 'Applies only on days with at least 20 recipients, if fewer people than usual enter their codes.',
  spendBudget: 'In whole units of your currency. Applies no matter how many people enter their codes.',
};

interface Group {
  readonly title: string;
  readonly lead: string;
  readonly names: readonly FraudSetting[];
}

const GROUPS: readonly Group[] = [
  {
    title: 'R0: verified recipients',
    lead: 'Messages to people who recently entered a code are refused only because of their number class (R1), the daily budget, or a pause that a person started.',
    names: ['exemptDays'],
  },
  {
    title: 'R2: new countries',
    lead: 'Limits for countries that you have not listed, and in which hardly anyone has entered a code so far.',
    names: ['newCountryVerifications', 'newCountryPerHour', 'newCountryPerDay', 'newCountriesPerHour'],
  },
  {
    title: 'R3: prefixes',
    lead: 'Pauses similar numbers when unusually few of their recipients enter codes.',
    names: ['prefixUnverified', 'prefixOutstanding', 'prefixTolerance', 'prefixCoincidence'],
  },
  {
    title: 'R4: countries',
    lead: 'Pauses a country when unusually few of its recipients enter codes.',
    names: [
      ...(['countryUnverified', 'countryTolerance', 'countryCoincidence'] as const),
      ...(['establishedVerifications', 'homeExcess'] as const),
    ],
  },
  {
    title: "R5: end users' IP addresses",
    lead: 'Refuses requests from an IP address (your clientIp parameter) when few of the codes requested from it are entered.',
    names: ['sourceUnverified', 'sourceTolerance', 'sourceCoincidence', 'sourceRepeated', 'sourceCountries'],
  },
  {
    title: 'R6: daily cost',
    lead: 'Above the automatic limit, if fewer people than usual enter their codes, only people who recently entered a code get messages until midnight UTC. Above the daily budget, nobody does.',
    names: ['spendFloor', 'spendFactor', 'spendBudget'],
  },
  {
    title: 'First days',
    lead: 'At first, R3 to R5 only record the messages that they would refuse.',
    names: ['observeDays'],
  },
];

/** Explains the value 0, which has a special meaning in some settings. */
function zeroText(name: FraudSetting): string {
  if (canBeOff(name)) return '0 turns it off.';
  return FRAUD_THRESHOLDS[name].min === 0 ? '0 is the strictest value.' : '';
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
                  form={form}
                  name={name}
                  label={FRAUD_LABELS[name]}
                  hint={hintOf(views.get(name)!)}
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
