/** The card with the guard's current state and advice, the state of each place with its actions, and forms for other places. */
import { LIST } from '../../platform/list.js';
import {
  QUIET_MS,
  unusualOf,
  type FraudOverview,
  type LatelyView,
  type RefusingPause,
} from '../../modules/fraud/fraud-overview.js';
import type { PauseAction, ScopeView } from '../../modules/fraud/fraud-pauses.js';
import type { ScopeRef } from '../../modules/fraud/fraud.js';
import type { FraudSettings } from '../../modules/fraud/fraud-settings.js';
import { MAX_ALLOWED_DAYS } from '../../modules/fraud/pause-state.js';
import {
  adviceOf,
  ALLOW_EFFECT,
  countsText,
  daysText,
  headlinesOf,
  phaseText,
  placeName,
  recipientsOf,
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
import { messagesText } from '../usage/figures.js';
import { canBeServed } from './refusals-card.js';
import { rulesText, thresholdsText } from './rules-text.js';

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

type State = ScopeView['state'] | 'unusual' | 'few' | 'normal';

/** A place with its state. The first action is the one that most people need. */
interface Row extends ScopeRef {
  readonly state: State;
  /** Whether an unusual country has had no message for some time. */
  readonly isQuiet?: boolean;
  /** Whether the owner serves the country, so that its recipients are probably customers. */
  readonly isServed?: boolean;
  readonly actions: readonly PauseAction[];
}

interface CountryRow extends Row {
  readonly view: LatelyView;
  /** When the newest message was created; known for unusual countries. */
  readonly newest: number | undefined;
}

/** A pause, a challenge or an exception. */
interface PauseRow extends Row {
  readonly state: ScopeView['state'];
  readonly since: number | undefined;
  readonly until: number | undefined;
  /** The people who get no messages. */
  readonly refused: string;
  readonly details: string;
}

/** The most urgent state comes first: while traffic is only unusual, messages that may be fraud are still sent. */
const BADGES: Readonly<Record<State, readonly [kind: BadgeKind, label: string]>> = {
  unusual: ['bad', 'Unusual'],
  paused: ['warning', 'Paused'],
  challenged: ['warning', 'Challenged'],
  allowed: ['info', 'Allowed'],
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

/** Returns who gets no messages because of a pause, a challenge or an exception. */
function refusedPeople({ state, rule }: ScopeView): string {
  if (state === 'allowed') return 'No one';
  if (state === 'challenged') return 'People who have not solved a challenge, and have not entered a code recently';
  return rule === 'person' ? 'Everyone' : 'People who have not entered a code recently';
}

const OPEN_ENDS: Readonly<Record<ScopeView['state'], string>> = {
  paused: 'you resume it',
  challenged: 'the attack stops',
  allowed: 'you stop allowing it',
};

function stateOfLately({ isUnusual, verified, sent, normal }: LatelyView): State {
  if (isUnusual) return 'unusual';
  return verified < normal * sent ? 'few' : 'normal';
}

/** When the newest messages to unusual countries were created. */
type Newest = ReadonlyMap<string, number | undefined>;

/** Countries without a pause or an exception. Numbers without a country can only be paused by the guard. */
function countryRows({ lately }: FraudOverview, newest: Newest, now: number): CountryRow[] {
  const countries = lately.filter(({ key, state }) => key !== '' && state === undefined);
  const normal = countries.filter(({ isUnusual }) => !isUnusual).sort((a, b) => b.sent - a.sent);
  const shown = [...countries.filter(({ isUnusual }) => isUnusual), ...normal.slice(0, MAX_NORMAL)];
  const rows = shown.map((view): CountryRow => {
    const state = stateOfLately(view);
    const at = newest.get(view.key);
    const actions: readonly PauseAction[] = state === 'unusual' ? ['pause', 'allow'] : state === 'few' ? ['pause'] : [];
    return {
      scope: 'country',
      key: view.key,
      state,
      view,
      newest: at,
      isQuiet: at !== undefined && at < now - QUIET_MS,
      isServed: view.isServed,
      actions,
    };
  });
  rows.sort((a, b) => Number(a.isQuiet ?? false) - Number(b.isQuiet ?? false));
  return STATES.flatMap((state) => rows.filter((row) => row.state === state));
}

const isOf = ({ scope, key }: ScopeRef, view: LatelyView): boolean => scope === 'country' && key === view.key;

function pauseRows({ scopes, lately }: FraudOverview): PauseRow[] {
  const rows = scopes.map((view): PauseRow => {
    const counts = lately.find((one) => isOf(view, one));
    return {
      ...view,
      refused: refusedPeople(view),
      details:
        view.rule === 'person' ? (counts ? `${countsText(counts)} codes entered since yesterday` : '') : view.reason,
      actions: actionsOf(view),
    };
  });
  return STATES.flatMap((state) => rows.filter((row) => row.state === state));
}

/** `Brazil: paused 02:00 to 03:00; 20 messages refused.` */
const EndedPauseText = ({ pause, zone }: { readonly pause: RefusingPause; readonly zone: string }) => (
  <p class="quiet small">
    {placeName(pause)}: paused <LocalTime ms={pause.from} zone={zone} /> to <LocalTime ms={pause.until} zone={zone} />
    {pause.isResumed && ' (resumed manually)'}
    {pause.refused > 0 && `; ${messagesText(pause.refused)} refused`}.
  </p>
);

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
        const isMain = action === 'pause' && row.state === 'unusual' && !row.isQuiet && !row.isServed;
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

const recipientCountry = ({ key }: LatelyView): string =>
  key === '' ? 'numbers without a country' : countryInSentence(key);

interface ScopesProps {
  readonly settings: FraudSettings;
  readonly newest: Newest;
  readonly zone: string;
  /** The page's path, to which the forms post. */
  readonly at: string;
  readonly overview: FraudOverview;
  readonly pauseForm: FormState;
  readonly allowForm: FormState;
}

/** Shows the current state and advice, countries and pauses, the most urgent first, and forms for other places. */
export function ScopesCard({ at, pauseForm, allowForm, overview, settings, newest, zone }: ScopesProps) {
  const { scopes, lately, ended, refused, refusals, phase } = overview;
  const { may, now } = useVisit();
  const isOwner = may('own');
  const countries = countryRows(overview, newest, now);
  const pauses = pauseRows(overview);
  const unusual = unusualOf(lately, scopes);
  // The headline already names unusual countries.
  const recent = ended.filter((pause) => !pause.isResumed && !unusual.some((view) => isOf(pause, view)));
  const isActive = unusual.length + recent.length > 0 || scopes.some(({ state }) => state !== 'allowed');
  const advice = isOwner ? adviceOf(scopes, unusual, recent, refused !== '' && refusals.some(canBeServed)) : '';
  const active = unusual.filter(({ key }) => !countries.some((row) => row.key === key && row.isQuiet));
  const isPast = active.length === 0;
  const [headline, ...others] = headlinesOf(scopes, unusual, recent, isPast);
  const sent = isPast
    ? 'No codes were sent there in the last hour. New ones will be sent.'
    : `Messages to ${LIST.format(active.map(recipientCountry))} are still being sent.`;
  const calm = isActive ? '' : rulesText(settings);
  const time = (ms: number | undefined) => ms !== undefined && <LocalTime ms={ms} zone={zone} />;
  const place: Column<Row> = { title: 'Where', cell: (row) => <span class="strong">{placeName(row)}</span> };
  const stateColumn: Column<Row> = {
    title: 'State',
    cell: ({ state, isQuiet = false }) => {
      const [kind, label] = BADGES[state];
      return <Badge kind={isQuiet ? 'warning' : kind}>{label}</Badge>;
    },
  };
  const actionOf = (rows: readonly Row[]): readonly Column<Row>[] =>
    isOwner && rows.some(({ actions }) => actions.length > 0)
      ? [{ title: 'Action', cell: (row) => row.actions.length > 0 && <Actions at={at} row={row} /> }]
      : [];
  const hasUnusual = unusual.length > 0;
  // During an attack, normal countries would be in the way.
  const normal = countries.filter(({ state }) => state === 'normal');
  const isFolded = hasUnusual && normal.length > 1;
  const enteredColumn: Column<CountryRow> = {
    title: 'Codes entered',
    number: true,
    cell: ({ view }) => countsText(view),
  };
  const countryColumns: readonly Column<CountryRow>[] = [
    place,
    stateColumn,
    enteredColumn,
    ...(hasUnusual
      ? ([
          {
            title: 'Usually entered',
            number: true,
            cell: ({ view: { usual, normal, isUnusual } }) =>
              usual === undefined
                ? isUnusual && `at least ${Math.round(100 * normal)}%`
                : `${Math.round(100 * usual)}%`,
          },
          { title: 'Latest message', number: true, cell: ({ newest: at }) => time(at) },
        ] satisfies Column<CountryRow>[])
      : []),
    ...actionOf(countries),
  ];
  const pauseColumns: readonly Column<PauseRow>[] = [
    place,
    stateColumn,
    { title: 'Since', cell: ({ since }) => time(since) },
    {
      title: 'How long',
      cell: ({ until, state }) => <>Until {time(until) || OPEN_ENDS[state]}</>,
    },
    { title: 'Who is refused', cell: ({ refused: people }) => people },
    ...(pauses.some(({ details }) => details !== '')
      ? [{ title: 'Details', cell: ({ details }: PauseRow) => details }]
      : []),
    ...actionOf(pauses),
  ];
  return (
    <Card
      id="scopes-title"
      title={headline!}
      lead={[hasUnusual && sent, advice, ...others, refused, phase === 'acting' ? calm : phaseText(phase)]
        .filter(Boolean)
        .join(' ')}
      class="card places"
    >
      {countries.length > 0 && (
        <>
          <h3>Codes since yesterday</h3>
          <Table
            caption="Countries, most urgent first"
            columns={countryColumns}
            rows={isFolded ? countries.filter((row) => !normal.includes(row)) : countries}
            keyOf={({ key }) => key}
          />
          {isFolded && (
            <details>
              <summary>{normal.length} countries are normal</summary>
              <Table
                caption="Normal countries"
                columns={[place, stateColumn, enteredColumn]}
                rows={normal}
                keyOf={({ key }) => key}
              />
            </details>
          )}
          {hasUnusual && (
            <details>
              <summary>When does Passbell pause a country?</summary>
              <p class="quiet small">{thresholdsText(unusual)}</p>
            </details>
          )}
        </>
      )}
      {pauses.length + ended.length > 0 && (
        <>
          <h3>Pauses and exceptions</h3>
          {pauses.length > 0 && (
            <Table
              caption="Pauses and exceptions, most urgent first"
              columns={pauseColumns}
              rows={pauses}
              keyOf={({ scope, key }) => `${scope} ${key}`}
            />
          )}
          {ended.map((pause) => (
            <EndedPauseText key={`${pause.scope} ${pause.key}`} pause={pause} zone={zone} />
          ))}
        </>
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
