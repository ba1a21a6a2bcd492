/** Forms that pause and allow places that the Protection page does not list. */
import { MAX_ALLOWED_DAYS } from '../../modules/fraud/pause-state.js';
import { daysText } from '../../modules/fraud/fraud-texts.js';
import { CountryField } from '../components/country-fields.js';
import { Disclosure } from '../components/disclosure.js';
import { Form, Select, type Choice } from '../components/form.js';
import { Submit } from '../components/submit.js';
import type { FormState } from '../form.js';

const PAUSE_QUESTION =
  'Pause the whole application? Nobody gets SMS, WhatsApp messages or voice calls until you resume it, so people may be unable to sign in.';

const SCOPE_CHOICES: readonly Choice[] = [
  { value: 'country', label: 'A country or similar numbers' },
  { value: 'application', label: 'The whole application' },
];

const PAUSE_CHOICES = SCOPE_CHOICES.map((choice) =>
  choice.value === 'application' ? { ...choice, confirm: PAUSE_QUESTION } : choice,
);

const KEY_LABEL = 'Country or first digits';
const DAYS_LABEL = 'For how long';
const KEY_HINT =
  'Enter a country, such as Germany, or the first digits of similar numbers, such as +491512345: a number without its last 4 digits (10,000 numbers) or 6 digits (1,000,000 numbers).';

/** A form that pauses messages to everyone until a person resumes them. */
export const PauseForm = ({ at, form }: { at: string; form: FormState }) => (
  <Disclosure label="Pause messages" form={form} labels={{ key: KEY_LABEL }} prevented="Nothing was paused.">
    <p class="lead">
      No SMS, WhatsApp messages or voice calls are sent until you resume them, not even to people who entered a code.
      Pause only what you need to.
    </p>
    <Form action={at} noValidate>
      <input type="hidden" name="action" value="pause" />
      <div class="columns">
        <Select form={form} name="scope" label="What to pause" choices={PAUSE_CHOICES} />
        <CountryField form={form} name="key" label={KEY_LABEL} hint={KEY_HINT} />
      </div>
      <Submit label="Pause" />
    </Form>
  </Disclosure>
);

/** Names of the form's fields, which must differ from those of {@link PauseForm}. */
export const ALLOW_FIELDS = { scope: 'allow-scope', key: 'allow-key', days: 'allow-days' } as const;
export const FOREVER = 'forever';

const DAYS_CHOICES: readonly Choice[] = [
  ...[1, 2, 3, 7, 14, MAX_ALLOWED_DAYS].map((days) => ({ value: String(days), label: daysText(days) })),
  { value: FOREVER, label: 'Forever (only for similar numbers)' },
];

/** A form that allows messages in advance, before the guard can mistake them for fraud. */
export const AllowForm = ({ at, form }: { at: string; form: FormState }) => (
  <Disclosure
    label="Allow messages"
    form={form}
    labels={{ [ALLOW_FIELDS.key]: KEY_LABEL, [ALLOW_FIELDS.days]: DAYS_LABEL }}
    prevented="Nothing was allowed."
  >
    <p class="lead">
      Use this before a campaign or a launch in a new country, so that Passbell does not mistake many new customers for
      fraud. Daily budgets still apply.
    </p>
    <Form action={`${at}/allow`} noValidate>
      <div class="columns">
        <Select form={form} name={ALLOW_FIELDS.scope} label="What to allow" choices={SCOPE_CHOICES} />
        <CountryField form={form} name={ALLOW_FIELDS.key} label={KEY_LABEL} hint={KEY_HINT} />
        <Select form={form} name={ALLOW_FIELDS.days} label={DAYS_LABEL} choices={DAYS_CHOICES} />
      </div>
      <Submit label="Allow" />
    </Form>
  </Disclosure>
);
