import type { PauseAction, ScopeView } from '../../modules/fraud/fraud-pauses.js';
import { MAX_ALLOWED_DAYS } from '../../modules/fraud/pause-state.js';
import { daysText, openEndText, placeName } from '../../modules/fraud/fraud-texts.js';
import { PREFIX_RULE } from '../../modules/fraud/fraud-place.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { Field, Form, FormProblems, Select, type Choice } from '../components/form.js';
import { Submit } from '../components/submit.js';
import { Time } from '../components/time.js';
import type { FormState } from '../form.js';

/** `at` is the page's path, to which the forms post. */
interface ScopesProps {
  readonly at: string;
  readonly scopes: readonly ScopeView[];
}

type ActionLabels = readonly (readonly [action: PauseAction, label: string])[];

function actionsOf({ scope, state }: ScopeView): ActionLabels {
  if (state === 'allowed') return [['resume', 'Stop allowing']];
  return [
    ['allow', 'Allow for 24 hours'],
    ...(scope === 'prefix' ? ([['allowForEver', 'Allow this prefix']] as const) : []),
    ['resume', 'Resume'],
  ];
}

function ScopeActions({ at, view }: { at: string; view: ScopeView }) {
  if (!useVisit().may('own')) return null;
  return (
    <div class="actions">
      {actionsOf(view).map(([action, label]) => (
        <Form key={action} action={at} class="inline">
          <input type="hidden" name="action" value={action} />
          <input type="hidden" name="scope" value={view.scope} />
          <input type="hidden" name="key" value={view.key} />
          <button class="button subtle small" aria-label={`${label}: ${placeName(view)}`}>
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
          {view.reason && <p>{view.reason}</p>}
        </div>
        <ScopeActions at={at} view={view} />
      </li>
    ))}
  </ul>
);

export function ScopeCards({ at, scopes }: ScopesProps) {
  const paused = scopes.filter(({ state }) => state === 'paused');
  const challenged = scopes.filter(({ state }) => state === 'challenged');
  const allowed = scopes.filter(({ state }) => state === 'allowed');
  return (
    <>
      {paused.length > 0 && (
        <Card
          id="paused-title"
          title="Paused"
          lead="During a pause, only people who recently entered a code get messages; if a person started the pause, nobody does. “Resume” ends the pause; the guard can pause again, for an hour at first."
        >
          <ScopeList at={at} scopes={paused} />
        </Card>
      )}
      {challenged.length > 0 && (
        <Card
          id="challenged-title"
          title="Needs a challenge"
          lead="Messages are sent if the request contains a solved challenge, or if the person recently entered a code. “Resume” ends this; the guard can ask for challenges again."
        >
          <ScopeList at={at} scopes={challenged} />
        </Card>
      )}
      {allowed.length > 0 && (
        <Card
          id="allowed-title"
          title="Allowed"
          lead="The guard does not pause these. It can still pause individual prefixes of an allowed country. Daily budgets still apply."
        >
          <ScopeList at={at} scopes={allowed} />
        </Card>
      )}
    </>
  );
}

const PAUSE_QUESTION =
  'Pause the whole application? Nobody gets SMS, WhatsApp messages or calls until you resume it, so people may be unable to sign in.';

const SCOPE_CHOICES: readonly Choice[] = [
  { value: 'prefix', label: 'A prefix' },
  { value: 'country', label: 'A country' },
  { value: 'application', label: 'The whole application' },
];

const PAUSE_CHOICES = SCOPE_CHOICES.map((choice) =>
  choice.value === 'application' ? { ...choice, confirm: PAUSE_QUESTION } : choice,
);

const KEY_HINT = `Leave it empty for the whole application. A prefix: ${PREFIX_RULE.replace('It must be ', '')} A country: its code, such as DE.`;

/** A form that pauses messages to everyone until a person resumes them. */
export function PauseCard({ at, form }: { at: string; form: FormState }) {
  if (!useVisit().may('own')) return null;
  return (
    <Card
      id="pause-title"
      title="Pause now"
      lead="Nobody gets SMS, WhatsApp messages or calls until you end the pause, not even people who have recently entered a code."
      class="card beside"
    >
      <FormProblems form={form} prevented="Nothing was paused." />
      <Form action={at} noValidate>
        <input type="hidden" name="action" value="pause" />
        <div class="columns">
          <Select
            form={form}
            name="scope"
            label="What to pause"
            hint="Choose the smallest scope that stops the fraud. The guard does the same."
            choices={PAUSE_CHOICES}
          />
          <Field
            form={form}
            name="key"
            label="Prefix or country"
            hint={KEY_HINT}
            autocomplete="off"
            spellcheck={false}
          />
        </div>
        <Submit label="Pause now" />
      </Form>
    </Card>
  );
}

/** Names of the form's fields, which must differ from those of {@link PauseCard}. */
export const ALLOW_FIELDS = { scope: 'allow-scope', key: 'allow-key', days: 'allow-days' } as const;
export const FOREVER = 'forever';

const DAYS_CHOICES: readonly Choice[] = [
  ...[1, 2, 3, 7, 14, MAX_ALLOWED_DAYS].map((days) => ({ value: String(days), label: daysText(days) })),
  { value: FOREVER, label: 'Until I end it (prefixes only)' },
];

/** A form that allows messages in advance, before the guard can mistake them for fraud. */
export function AllowCard({ at, form }: { at: string; form: FormState }) {
  if (!useVisit().may('own')) return null;
  return (
    <Card
      id="allow-title"
      title="Allow in advance"
      lead="Before a campaign, or before you launch in a new country, allow the destination here, so that the guard does not mistake the new traffic for fraud. Daily budgets still apply."
      class="card beside"
    >
      <FormProblems form={form} prevented="Nothing was allowed." />
      <Form action={`${at}/allow`} noValidate>
        <div class="columns">
          <Select form={form} name={ALLOW_FIELDS.scope} label="What to allow" choices={SCOPE_CHOICES} />
          <Field
            form={form}
            name={ALLOW_FIELDS.key}
            label="Country or prefix"
            hint={KEY_HINT}
            autocomplete="off"
            spellcheck={false}
          />
          <Select form={form} name={ALLOW_FIELDS.days} label="For how long" choices={DAYS_CHOICES} />
        </div>
        <Submit label="Allow" />
      </Form>
    </Card>
  );
}
