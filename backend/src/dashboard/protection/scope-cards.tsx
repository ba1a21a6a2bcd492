/** The card with the guard's current state and advice, the state of each place with its actions, and forms for other places. */
import type { ComponentChildren } from 'preact';
import {
  isStoppedWidely,
  QUIET_MS,
  unusualOf,
  type FraudOverview,
  type LatelyView,
  type RefusingPause,
} from '../../modules/fraud/fraud-overview.js';
import type { PauseAction, ScopeView } from '../../modules/fraud/fraud-pauses.js';
import type { ScopeRef } from '../../modules/fraud/fraud.js';
import { MAX_ALLOWED_DAYS } from '../../modules/fraud/pause-state.js';
import {
  adviceOf,
  ALLOW_EFFECT,
  countsText,
  daysText,
  headlinesOf,
  openEndText,
  phaseText,
  placeName,
  recipientsOf,
  thresholdsText,
} from '../../modules/fraud/fraud-texts.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import { Badge, type BadgeKind } from '../components/badge.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { CountryField } from '../components/country-fields.js';
import { Disclosure } from '../components/disclosure.js';
import { Form, Select, type Choice } from '../components/form.js';
import { Submit } from '../components/submit.js';
import { Table, type Column } from '../components/table.js';
import { LocalTime } from '../components/time.js';
import type { FormState } from '../form.js';
import { duration } from '../messages/labels.js';
import { countText } from '../usage/figures.js';
import { canBeServed } from './refusals-card.js';

const LABELS = {
  pause: 'Pause',
  resume: 'Resume',
  allow: 'Allow for 24 hours',
  allowForEver: 'Always allow these numbers',
} as const satisfies Readonly<Record<PauseAction, string>>;

const EFFECTS: Readonly<Record<PauseAction, string>> = {
  pause:
    'No SMS, WhatsApp messages or voice calls are sent until you resume them, not even to people who entered a code.',
  resume: 'Messages will be sent again. If few codes are entered, Passbell stops them again.',
  allow: ALLOW_EFFECT,
  allowForEver: 'Messages to these numbers are sent, and no longer counted, until you stop allowing them.',
};

type State = ScopeView['state'] | 'unusual' | 'ended' | 'resumed' | 'few' | 'normal';

/** A place with its state. The first action is the one that most people need. */
interface Row extends ScopeRef {
  readonly state: State;
  /** How many recipients entered their code since yesterday. */
  readonly entered?: ComponentChildren;
  /** Whether an unusual place has had no message for some time. */
  readonly isQuiet?: boolean;
  readonly text: ComponentChildren;
  readonly actions: readonly PauseAction[];
}

/** The most urgent state comes first: while traffic is only unusual, messages that may be fraud are still sent. */
const BADGES: Readonly<Record<State, readonly [kind: BadgeKind, label: string]>> = {
  unusual: ['warning', 'Unusual'],
  paused: ['bad', 'Paused'],
  challenged: ['warning', 'Challenged'],
  ended: ['neutral', 'Recently paused'],
  allowed: ['info', 'Allowed'],
  resumed: ['neutral', 'Resumed'],
  few: ['neutral', 'Too few to judge'],
  normal: ['good', 'Normal'],
};
const STATES = Object.keys(BADGES) as State[];

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

/** `zone`: the time zone of the account. */
const Duration = ({ view: { state, rule, since, until }, zone }: { view: ScopeView; zone: string }) => (
  <p class="quiet small">
    {BADGES[state][1]}
    {since !== undefined && (
      <>
        {rule === 'person' && ' manually'} since <LocalTime ms={since} zone={zone} />,
      </>
    )}{' '}
    {until === undefined ? (
      openEndText(state)
    ) : (
      <>
        until <LocalTime ms={until} zone={zone} />
      </>
    )}
    .
  </p>
);

const scopeRow = (view: ScopeView, lately: readonly LatelyView[], zone: string): Row => {
  const counts = view.scope === 'country' && lately.find(({ key }) => key === view.key);
  return {
    ...view,
    entered: counts ? countsText(counts) : undefined,
    actions: actionsOf(view),
    text: (
      <>
        {view.rule !== 'person' && <p>{view.reason}</p>}
        <p>{effectOf(view)}</p>
        <Duration view={view} zone={zone} />
      </>
    ),
  };
};

function stateOfLately({ isUnusual, verified, sent, normal }: LatelyView, ended: RefusingPause | undefined): State {
  if (isUnusual) return 'unusual';
  if (ended) return ended.isResumed ? 'resumed' : 'ended';
  return verified < normal * sent ? 'few' : 'normal';
}

/** `Paused for 60 min, until 3:00; 20 messages were refused.` */
const EndedText = ({ pause: { from, until, refused }, zone }: { pause: RefusingPause; zone: string }) => (
  <p class="quiet small">
    Paused for {duration(until - from)}, until <LocalTime ms={until} zone={zone} />
    {refused > 0 && `; ${refused === 1 ? '1 message was' : `${countText(refused)} messages were`} refused`}.
  </p>
);

interface Shown {
  /** Whether messages to countries that are not paused are sent, because no larger scope is paused. */
  readonly isSent: boolean;
  /** When the newest messages to unusual countries were created. */
  readonly newest: ReadonlyMap<string, number | undefined>;
  readonly now: number;
  readonly zone: string;
}

function countryRow(view: LatelyView, ended: RefusingPause | undefined, { isSent, newest, now, zone }: Shown): Row {
  const state = stateOfLately(view, ended);
  const isUnusual = state === 'unusual';
  const at = newest.get(view.key);
  const isQuiet = at !== undefined && at < now - QUIET_MS;
  return {
    scope: 'country',
    key: view.key,
    state,
    isQuiet,
    entered: (
      <>
        {countsText(view)}
        {isUnusual && <p class="quiet small">Expected: at least {Math.round(100 * view.normal)}%</p>}
      </>
    ),
    actions: isUnusual || state === 'ended' ? ['pause', 'allow'] : state === 'normal' ? [] : ['pause'],
    text: state !== 'normal' && (
      <>
        {isSent && (
          <p>
            {isQuiet ? (
              <>
                No message since <LocalTime ms={at} zone={zone} />. If they start again, they are sent.
              </>
            ) : (
              <>
                {isUnusual ? (
                  <strong>Messages are still being sent</strong>
                ) : (
                  `Messages are being sent${ended ? ' again' : ''}`
                )}
                {at !== undefined && (
                  <>
                    ; the latest: <LocalTime ms={at} zone={zone} />
                  </>
                )}
                .
              </>
            )}
          </p>
        )}
        {isUnusual && isSent && <p class="quiet small">{thresholdsText([view])}</p>}
        {ended && <EndedText pause={ended} zone={zone} />}
      </>
    ),
  };
}

/** People can pause countries, similar numbers and the whole application. */
const canBePaused = ({ scope, key }: ScopeRef): boolean =>
  scope === 'prefix' || scope === 'application' || (scope === 'country' && key !== '');

const endedRow = (pause: RefusingPause, { isSent, zone }: Shown): Row => ({
  ...pause,
  state: pause.isResumed ? 'resumed' : 'ended',
  actions: canBePaused(pause) ? ['pause'] : [],
  text: (
    <>
      {isSent && <p>Messages are being sent again.</p>}
      <EndedText pause={pause} zone={zone} />
    </>
  ),
});

/** Numbers without a country can only be paused by the guard. */
function rowsOf({ scopes, lately, ended }: FraudOverview, own: Omit<Shown, 'isSent'>): Row[] {
  const context = { ...own, isSent: !isStoppedWidely(scopes) };
  const countries = lately.filter(({ key, state }) => key !== '' && state === undefined);
  const normal = countries.filter(({ isUnusual }) => !isUnusual).sort((a, b) => b.sent - a.sent);
  const shown = [...countries.filter(({ isUnusual }) => isUnusual), ...normal.slice(0, MAX_NORMAL)];
  const endedOf = ({ key }: LatelyView) => ended.find((pause) => pause.scope === 'country' && pause.key === key);
  const ownRows = ended.filter((pause) => !shown.some((view) => endedOf(view) === pause));
  const rows = [
    ...scopes.map((view) => scopeRow(view, lately, own.zone)),
    ...shown.map((view) => countryRow(view, endedOf(view), context)),
    ...ownRows.map((pause) => endedRow(pause, context)),
  ];
  rows.sort((a, b) => Number(a.isQuiet ?? false) - Number(b.isQuiet ?? false));
  return STATES.flatMap((state) => rows.filter((row) => row.state === state));
}

/** `Pause messages to France?`, `Allow messages to numbers that start with +1415555 for 24 hours?` */
function questionOf(label: string, row: Row): string {
  const [verb, length = ''] = label.replace(' these numbers', '').split(/(?= for 24)/);
  const isCountry = row.scope === 'country' && row.key !== '';
  return `${verb} messages to ${isCountry ? countryInSentence(row.key) : recipientsOf(row)}${length}?`;
}

function Actions({ at, row }: { at: string; row: Row }) {
  return (
    <div class="place-actions">
      {row.actions.map((action) => {
        const label = row.state === 'allowed' ? 'Stop allowing' : LABELS[action];
        const effect = row.state === 'allowed' ? 'Passbell protects these messages again.' : EFFECTS[action];
        const isMain = action === 'pause' && row.state === 'unusual' && !row.isQuiet;
        return (
          <Form key={action} action={at} class="inline">
            <input type="hidden" name="action" value={action} />
            <input type="hidden" name="scope" value={row.scope} />
            <input type="hidden" name="key" value={row.key} />
            <button
              class={isMain ? 'button small' : 'button subtle small'}
              aria-label={`${label}: ${placeName(row)}`}
              data-confirm={`${questionOf(label, row)} ${effect}`}
            >
              {label}
            </button>
          </Form>
        );
      })}
    </div>
  );
}

const PAUSE_QUESTION =
  'Pause the whole application? Nobody gets SMS, WhatsApp messages or voice calls until you resume it, so people may be unable to sign in.';

const SCOPE_CHOICES: readonly Choice[] = [
  { value: 'country', label: 'A country, or similar numbers' },
  { value: 'application', label: 'The whole application' },
];

const PAUSE_CHOICES = SCOPE_CHOICES.map((choice) =>
  choice.value === 'application' ? { ...choice, confirm: PAUSE_QUESTION } : choice,
);

const KEY_LABEL = 'Country or first digits';
const DAYS_LABEL = 'For how long';
const KEY_HINT = 'For example, Germany, or +491512345, which is a number without its last 4 or 6 digits.';

/** A form that pauses messages to everyone until a person resumes them. */
const PauseForm = ({ at, form }: { at: string; form: FormState }) => (
  <Disclosure
    label="Pause a country or numbers"
    form={form}
    labels={{ key: KEY_LABEL }}
    prevented="Nothing was paused."
  >
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
  { value: FOREVER, label: 'Forever (first digits only)' },
];

/** A form that allows messages in advance, before the guard can mistake them for fraud. */
const AllowForm = ({ at, form }: { at: string; form: FormState }) => (
  <Disclosure
    label="Allow a country or numbers"
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

interface ScopesProps extends Omit<Shown, 'isSent' | 'now'> {
  /** The page's path, to which the forms post. */
  readonly at: string;
  readonly overview: FraudOverview;
  readonly pauseForm: FormState;
  readonly allowForm: FormState;
}

/** Shows the current state and advice, all places, the most urgent first, and forms for other places. */
export function ScopesCard({ at, pauseForm, allowForm, overview, ...shown }: ScopesProps) {
  const { scopes, lately, ended, refused, refusals, phase } = overview;
  const { may, now } = useVisit();
  const isOwner = may('own');
  const rows = rowsOf(overview, { ...shown, now });
  const unusual = unusualOf(lately, scopes);
  // The headline already names unusual countries.
  const isNamed = ({ scope, key }: ScopeRef) => scope === 'country' && unusual.some((view) => view.key === key);
  const recent = ended.filter((pause) => !pause.isResumed && !isNamed(pause));
  const isActive = unusual.length + recent.length > 0 || scopes.some(({ state }) => state !== 'allowed');
  const advice = isOwner ? adviceOf(scopes, unusual, recent, refused !== '' && refusals.some(canBeServed)) : '';
  const isPast = unusual.every(({ key }) => rows.some((row) => row.key === key && row.isQuiet));
  const [headline, ...others] = headlinesOf(scopes, unusual, recent, isPast);
  const calm = isActive
    ? ''
    : 'Protection is on. If too few people in a country, or with similar numbers, enter their codes, Passbell pauses messages to that country or to those numbers.';
  const columns: Column<Row>[] = [
    { title: 'Where', cell: (row) => <span class="strong">{placeName(row)}</span> },
    {
      title: 'State',
      cell: ({ state }) => {
        const [kind, label] = BADGES[state];
        return <Badge kind={kind}>{label}</Badge>;
      },
    },
    ...(lately.length > 0 ? [{ title: 'Codes entered since yesterday', cell: ({ entered }: Row) => entered }] : []),
    { title: 'Details', cell: ({ text }) => text },
    ...(isOwner && rows.some(({ actions }) => actions.length > 0)
      ? [
          {
            title: 'Action',
            cell: (row: Row) => row.actions.length > 0 && <Actions at={at} row={row} />,
          },
        ]
      : []),
  ];
  return (
    <Card
      id="scopes-title"
      title={headline!}
      lead={[advice, ...others, refused, phase === 'acting' ? calm : phaseText(phase)].filter(Boolean).join(' ')}
      class={isActive ? 'card places active' : 'card places'}
    >
      {rows.length > 0 && (
        <Table
          caption="Places, most urgent first"
          columns={columns}
          rows={rows}
          keyOf={({ scope, key }) => `${scope} ${key}`}
        />
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
