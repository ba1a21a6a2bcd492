import type { PauseAction, ScopeView } from '../../modules/fraud/fraud-pauses.js';
import { MAX_ALLOWED_DAYS } from '../../modules/fraud/pause-state.js';
import { daysText, openEndText, placeName } from '../../modules/fraud/fraud-texts.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { CountryField } from '../components/country-fields.js';
import { Disclosure } from '../components/disclosure.js';
import { Form, Select, type Choice } from '../components/form.js';
import { Submit } from '../components/submit.js';
import { Time } from '../components/time.js';
import type { FormState } from '../form.js';

/** `at` is the page's path, to which the forms post. */
interface ScopesProps {
  readonly at: string;
  readonly scopes: readonly ScopeView[];
}

type ActionLabels = readonly (readonly [action: PauseAction, label: string])[];

/** The first action is the one that most people need. */
function actionsOf({ scope, state, rule }: ScopeView): ActionLabels {
  if (state === 'allowed') return [['resume', 'Stop allowing']];
  const allow: ActionLabels = [
    ['allow', 'Allow for 24 hours'],
    ...(scope === 'prefix' ? ([['allowForEver', 'Always allow these numbers']] as const) : []),
  ];
  const resume = ['resume', 'Resume'] as const;
  return rule === 'person' ? [resume, ...allow] : [...allow, resume];
}

function ScopeActions({ at, view }: { at: string; view: ScopeView }) {
  if (!useVisit().may('own')) return null;
  return (
    <div class="actions">
      {actionsOf(view).map(([action, label], place) => (
        <Form key={action} action={at} class="inline">
          <input type="hidden" name="action" value={action} />
          <input type="hidden" name="scope" value={view.scope} />
          <input type="hidden" name="key" value={view.key} />
          <button
            class={place === 0 ? 'button subtle small' : 'link-button'}
            aria-label={`${label}: ${placeName(view)}`}
          >
            {label}
          </button>
        </Form>
      ))}
    </div>
  );
}

const Duration = ({ view: { state, since, until } }: { view: ScopeView }) => (
  <span class="quiet small">
    {since !== undefined && (
      <>
        since <Time ms={since} />,{' '}
      </>
    )}
    {until === undefined ? (
      openEndText(state)
    ) : (
      <>
        until <Time ms={until} />
      </>
    )}
  </span>
);

/** Describes how a pause, a challenge or an exception affects messages. */
function effectOf({ state, rule }: ScopeView): string {
  if (state === 'allowed')
    return 'Messages are sent. Similar numbers can still be paused, and daily budgets still apply.';
  if (state === 'challenged')
    return 'Messages are sent if the request contains a solved challenge, or if the person recently entered a code.';
  return rule === 'person'
    ? 'Messages are refused for everyone.'
    : 'Messages are refused, except to people who recently entered a code.';
}

const ScopeList = ({ at, scopes }: ScopesProps) => (
  <ul class="scopes">
    {scopes.map((view) => (
      <li key={`${view.scope} ${view.key}`}>
        <div>
          <h3>{placeName(view)}</h3>
          <p class="scope-state">
            <Badge kind={view.state === 'allowed' ? 'good' : 'warning'}>{view.state}</Badge>
            <Duration view={view} />
          </p>
          <p>{effectOf(view)}</p>
          {view.reason && <p class="quiet small">{view.reason}</p>}
        </div>
        <ScopeActions at={at} view={view} />
      </li>
    ))}
  </ul>
);

const PAUSE_QUESTION =
  'Pause the whole application? Nobody gets SMS, WhatsApp messages or calls until you resume it, so people may be unable to sign in.';

const SCOPE_CHOICES: readonly Choice[] = [
  { value: 'country', label: 'A country, or similar numbers' },
  { value: 'application', label: 'The whole application' },
];

const PAUSE_CHOICES = SCOPE_CHOICES.map((choice) =>
  choice.value === 'application' ? { ...choice, confirm: PAUSE_QUESTION } : choice,
);

const KEY_LABEL = 'Country or first digits';
const KEY_HINT = 'Such as Germany, or a number without its last 4 or 6 digits, such as +491512345.';

/** A form that pauses messages to everyone until a person resumes them. */
const PauseForm = ({ at, form }: { at: string; form: FormState }) => (
  <Disclosure label="Pause messages" form={form} prevented="Nothing was paused.">
    <p class="lead">
      Nobody gets SMS, WhatsApp messages or calls until you resume them, not even people who have entered a code. Pause
      as little as possible.
    </p>
    <Form action={at} noValidate>
      <input type="hidden" name="action" value="pause" />
      <div class="columns">
        <Select form={form} name="scope" label="What to pause" choices={PAUSE_CHOICES} />
        <CountryField form={form} name="key" label={KEY_LABEL} hint={KEY_HINT} />
      </div>
      <Submit label="Pause now" />
    </Form>
  </Disclosure>
);

/** Names of the form's fields, which must differ from those of {@link PauseForm}. */
export const ALLOW_FIELDS = { scope: 'allow-scope', key: 'allow-key', days: 'allow-days' } as const;
export const FOREVER = 'forever';

const DAYS_CHOICES: readonly Choice[] = [
  ...[1, 2, 3, 7, 14, MAX_ALLOWED_DAYS].map((days) => ({ value: String(days), label: daysText(days) })),
  { value: FOREVER, label: 'Forever (first digits only)' },
];

/** A form that allows messages in advance, before the guard can mistake them for fraud. */
const AllowForm = ({ at, form }: { at: string; form: FormState }) => (
  <Disclosure label="Allow in advance" form={form} prevented="Nothing was allowed.">
    <p class="lead">
      Use this before a campaign or a launch in a new country, so that Passbell does not mistake many new customers for
      fraud. Daily budgets still apply.
    </p>
    <Form action={`${at}/allow`} noValidate>
      <div class="columns">
        <Select form={form} name={ALLOW_FIELDS.scope} label="What to allow" choices={SCOPE_CHOICES} />
        <CountryField form={form} name={ALLOW_FIELDS.key} label={KEY_LABEL} hint={KEY_HINT} />
        <Select form={form} name={ALLOW_FIELDS.days} label="For how long" choices={DAYS_CHOICES} />
      </div>
      <Submit label="Allow" />
    </Form>
  </Disclosure>
);

interface ScopesCardProps extends ScopesProps {
  readonly pauseForm: FormState;
  readonly allowForm: FormState;
}

/** The scopes that are paused, need a challenge, or are allowed, in this order, and forms for others. */
export function ScopesCard({ at, scopes, pauseForm, allowForm }: ScopesCardProps) {
  const sorted = (['paused', 'challenged', 'allowed'] as const).flatMap((state) =>
    scopes.filter((view) => view.state === state),
  );
  return (
    <Card id="scopes-title" title="Pauses and exceptions">
      {sorted.length > 0 ? (
        <ScopeList at={at} scopes={sorted} />
      ) : (
        <p class="quiet">
          Everyone gets messages. If too few people in a country, or with similar numbers, enter their codes, Passbell
          pauses messages to them.
        </p>
      )}
      {useVisit().may('own') && (
        <div class="disclosures">
          <PauseForm at={at} form={pauseForm} />
          <AllowForm at={at} form={allowForm} />
        </div>
      )}
    </Card>
  );
}
