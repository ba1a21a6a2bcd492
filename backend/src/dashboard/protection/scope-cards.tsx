/** Lists the current state of each place with its actions, and has forms for other places. */
import type { ComponentChildren } from 'preact';
import { isStoppedWidely, type LatelyView } from '../../modules/fraud/fraud-overview.js';
import type { PauseAction, ScopeView } from '../../modules/fraud/fraud-pauses.js';
import type { ScopeRef } from '../../modules/fraud/fraud.js';
import { MAX_ALLOWED_DAYS } from '../../modules/fraud/pause-state.js';
import {
  ALLOW_EFFECT,
  daysText,
  latelyText,
  openEndText,
  placeName,
  recipientsOf,
} from '../../modules/fraud/fraud-texts.js';
import { Badge, type BadgeKind } from '../components/badge.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { CountryField } from '../components/country-fields.js';
import { Disclosure } from '../components/disclosure.js';
import { Form, Select, type Choice } from '../components/form.js';
import { Submit } from '../components/submit.js';
import { Table, type Column } from '../components/table.js';
import { Time } from '../components/time.js';
import type { FormState } from '../form.js';

const LABELS = {
  pause: 'Pause',
  resume: 'Resume',
  allow: 'Allow for 24 hours',
  allowForEver: 'Always allow these numbers',
} as const satisfies Readonly<Record<PauseAction, string>>;

const EFFECTS: Readonly<Record<PauseAction, string>> = {
  pause: 'No SMS, WhatsApp messages or voice calls are sent until you resume, not even to people who entered a code.',
  resume: 'Messages are sent again. If few codes are entered, Passbell stops them again.',
  allow: ALLOW_EFFECT,
  allowForEver: 'Messages to these numbers are sent, and no longer counted, until you stop allowing them.',
};

type State = ScopeView['state'] | 'unusual' | 'too few to judge' | 'normal';

/** A place with its state. The first action is the one that most people need. */
interface Row extends ScopeRef {
  readonly state: State;
  readonly text: ComponentChildren;
  readonly actions: readonly PauseAction[];
}

const BADGES: Readonly<Record<State, BadgeKind>> = {
  paused: 'bad',
  challenged: 'warning',
  unusual: 'warning',
  allowed: 'info',
  'too few to judge': 'neutral',
  normal: 'good',
};
/** The most serious state comes first. */
const STATES = Object.keys(BADGES) as State[];

const CALM: readonly State[] = ['too few to judge', 'normal'];

const MAX_NORMAL = 5;

function actionsOf({ scope, state, rule }: ScopeView): readonly PauseAction[] {
  if (state === 'allowed') return ['resume'];
  const allow: readonly PauseAction[] = scope === 'prefix' ? ['allow', 'allowForEver'] : ['allow'];
  return rule === 'person' ? ['resume', ...allow] : [...allow, 'resume'];
}

/** Describes how a pause, a challenge or an exception affects messages. */
function effectOf({ state, rule }: ScopeView): string {
  if (state === 'allowed') return ALLOW_EFFECT;
  if (state === 'challenged')
    return 'Messages are sent if the request contains a solved challenge, or if the person recently entered a code.';
  return rule === 'person'
    ? 'Messages are refused for everyone.'
    : 'Messages are refused, except to people who recently entered a code.';
}

const Duration = ({ view: { state, since, until } }: { view: ScopeView }) => (
  <p class="quiet small">
    {state}{' '}
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
  </p>
);

const scopeRow = (view: ScopeView): Row => ({
  ...view,
  actions: actionsOf(view),
  text: (
    <>
      {view.reason && <p>{view.reason}</p>}
      <p class={view.reason ? 'quiet small' : undefined}>{effectOf(view)}</p>
      <Duration view={view} />
    </>
  ),
});

function stateOfLately({ isUnusual, verified, sent, normal }: LatelyView): State {
  if (isUnusual) return 'unusual';
  return verified < normal * sent ? 'too few to judge' : 'normal';
}

/** `isSent`: whether messages to the country are sent, because no larger scope is paused. */
const countryRow = (view: LatelyView, isSent: boolean): Row => ({
  scope: 'country',
  key: view.key,
  state: stateOfLately(view),
  actions: view.isUnusual ? ['pause', 'allow'] : ['pause'],
  text: (
    <p>
      {latelyText(view)}
      {view.isUnusual && isSent && <strong> Messages are still sent.</strong>}
    </p>
  ),
});

/** Numbers without a country can only be paused by the guard. */
function rowsOf({ scopes, lately }: Pick<ScopesProps, 'scopes' | 'lately'>): Row[] {
  const isSent = !isStoppedWidely(scopes);
  const countries = lately.filter(({ key, state }) => key !== '' && state === undefined);
  const normal = countries.filter(({ isUnusual }) => !isUnusual).sort((a, b) => b.sent - a.sent);
  const shown = [...countries.filter(({ isUnusual }) => isUnusual), ...normal.slice(0, MAX_NORMAL)];
  const rows = [...scopes.map(scopeRow), ...shown.map((view) => countryRow(view, isSent))];
  return STATES.flatMap((state) => rows.filter((row) => row.state === state));
}

/** `Pause messages to recipients in France?` */
const questionOf = (label: string, row: Row): string =>
  label === LABELS.pause || label === LABELS.resume
    ? `${label} messages to ${recipientsOf(row)}?`
    : `${label}: ${recipientsOf(row)}?`;

function Actions({ at, row }: { at: string; row: Row }) {
  return (
    <div class="place-actions">
      {row.actions.map((action, place) => {
        const label = row.state === 'allowed' ? 'Stop allowing' : LABELS[action];
        const effect = row.state === 'allowed' ? 'Passbell protects these messages again.' : EFFECTS[action];
        const isMain = place === 0 && !CALM.includes(row.state);
        const question = `${questionOf(label, row)} ${effect}`;
        return (
          <div key={action}>
            <Form action={at} class="inline">
              <input type="hidden" name="action" value={action} />
              <input type="hidden" name="scope" value={row.scope} />
              <input type="hidden" name="key" value={row.key} />
              <button
                class={isMain ? 'button subtle small' : 'link-button'}
                aria-label={`${label}: ${placeName(row)}`}
                data-confirm={isMain && action !== 'pause' ? undefined : question}
              >
                {label}
              </button>
            </Form>
            {isMain && <p class="quiet small">{effect}</p>}
          </div>
        );
      })}
    </div>
  );
}

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
      No SMS, WhatsApp messages or voice calls are sent until you resume, not even to people who entered a code. Pause
      only what you need to.
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

interface ScopesProps {
  /** The page's path, to which the forms post. */
  readonly at: string;
  readonly scopes: readonly ScopeView[];
  readonly lately: readonly LatelyView[];
  readonly pauseForm: FormState;
  readonly allowForm: FormState;
}

/** All places, the most serious state first, and forms for others. */
export function ScopesCard({ at, pauseForm, allowForm, ...state }: ScopesProps) {
  const rows = rowsOf(state);
  const isOwner = useVisit().may('own');
  const columns: Column<Row>[] = [
    { title: 'Where', cell: (row) => <span class="strong">{placeName(row)}</span> },
    { title: 'State', cell: (row) => <Badge kind={BADGES[row.state]}>{row.state}</Badge> },
    { title: 'What happens', cell: (row) => row.text },
    ...(isOwner ? [{ title: 'Change', cell: (row: Row) => <Actions at={at} row={row} /> }] : []),
  ];
  return (
    <Card id="scopes-title" title="Now" class="card places">
      {rows.length > 0 ? (
        <Table
          caption="Places, the most serious state first"
          columns={columns}
          rows={rows}
          keyOf={({ scope, key }) => `${scope} ${key}`}
        />
      ) : (
        <p class="quiet">
          Everyone gets messages. If too few people in a country, or with similar numbers, enter their codes, Passbell
          pauses messages to them.
        </p>
      )}
      {isOwner && (
        <div class="disclosures">
          <PauseForm at={at} form={pauseForm} />
          <AllowForm at={at} form={allowForm} />
        </div>
      )}
    </Card>
  );
}
