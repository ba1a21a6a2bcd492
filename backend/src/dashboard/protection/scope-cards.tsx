/** The card with the guard's current state and advice, the state of each place with its actions, and forms for other places. */
import { unusualOf, type FraudOverview, type LatelyView } from '../../modules/fraud/fraud-overview.js';
import type { PauseAction, ScopeView } from '../../modules/fraud/fraud-pauses.js';
import type { ScopeRef } from '../../modules/fraud/fraud.js';
import type { FraudSettings } from '../../modules/fraud/fraud-settings.js';
import { MAX_ALLOWED_DAYS } from '../../modules/fraud/pause-state.js';
import {
  ALLOW_EFFECT,
  countsText,
  daysText,
  openEndText,
  phaseText,
  placeName,
  recipientsOf,
} from '../../modules/fraud/fraud-texts.js';
import type { LatestTo } from '../../modules/messages/lookup-store.js';
import { countryInSentence, countryName } from '../../modules/recipients/country.js';
import { countryOfPrefix } from '../../modules/recipients/number-prefixes.js';
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
import { decisionsOf, type Decision } from './decisions.js';
import { PAUSE_EFFECT, PlaceButton } from './place-button.js';
import { canBeServed } from './refusals-card.js';
import { rulesText, thresholdsText } from './rules-text.js';
import { messagesPath, situationsOf, type Unusual } from './unusual.js';

const LABELS = {
  pause: 'Pause',
  resume: 'Resume',
  allow: 'Allow for 24 hours',
  allowForEver: 'Always allow these numbers',
} as const satisfies Readonly<Record<PauseAction, string>>;

const EFFECTS: Readonly<Record<PauseAction, string>> = {
  pause: PAUSE_EFFECT,
  resume: 'Messages will be sent again. If few codes are entered, Passbell stops them again.',
  allow: ALLOW_EFFECT,
  allowForEver: 'Messages to these numbers are sent, and no longer counted, until you stop allowing them.',
};

type State = ScopeView['state'] | 'none' | 'some' | 'quiet' | 'few' | 'normal' | 'ended';

/** A place with its state. The link, or else the first action, is what most people need. */
interface Row extends ScopeRef {
  readonly state: State;
  /** The messages to a country with customers. Listed last if codes are delivered. */
  readonly messages?: string | undefined;
  readonly isDelivered?: boolean;
  readonly actions: readonly PauseAction[];
}

interface CountryRow extends Row {
  readonly view: LatelyView;
  /** When the newest message was created. */
  readonly newest: number | undefined;
}

/** A pause, a challenge or an exception. */
interface PauseRow extends Row {
  readonly since: number | undefined;
  /** Such as `you resume it`; undefined if the time is known. */
  readonly openEnd: string | undefined;
  readonly until: number | undefined;
  /** The people who get no messages, or the number of messages that an ended pause has refused. */
  readonly refused: string;
  readonly details: string;
}

/** The most urgent state comes first: while hardly any codes are entered, messages that may be fraud are still sent. */
const BADGES: Readonly<Record<State, readonly [kind: BadgeKind, label: string]>> = {
  none: ['bad', 'No codes entered'],
  some: ['bad', 'Few codes entered'],
  quiet: ['warning', 'No new messages'],
  paused: ['warning', 'Paused'],
  challenged: ['warning', 'Challenged'],
  allowed: ['info', 'Allowed'],
  few: ['neutral', 'Too few to judge'],
  normal: ['good', 'Normal'],
  ended: ['neutral', 'Ended'],
};
const STATES = Object.keys(BADGES) as State[];
const isUrgent = ({ state }: Row): boolean => BADGES[state][0] === 'bad';

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

/** `situation`: that of an unusual country to which messages are sent. */
function stateOfCountry({ verified, sent, normal, isUnusual }: LatelyView, situation: Unusual | undefined): State {
  if (situation?.isQuiet) return 'quiet';
  if (isUnusual) return verified === 0 ? 'none' : 'some';
  return verified < normal * sent ? 'few' : 'normal';
}

type Latest = ReadonlyMap<string, LatestTo | undefined>;

const COUNTRY_ACTIONS: Readonly<Partial<Record<State, readonly PauseAction[]>>> = {
  none: ['pause', 'allow'],
  some: ['pause', 'allow'],
  quiet: ['pause', 'allow'],
  few: ['pause'],
};

/** Countries without a pause or an exception. Numbers without a country can only be paused by the guard. */
function countryRows(
  { lately }: FraudOverview,
  situations: readonly Unusual[],
  latest: Latest,
  messagesTo: (country: string) => string,
): CountryRow[] {
  const countries = lately.filter(({ key, state }) => key !== '' && state === undefined);
  const normal = countries.filter(({ isUnusual }) => !isUnusual).sort((a, b) => b.sent - a.sent);
  const shown = [...countries.filter(({ isUnusual }) => isUnusual), ...normal.slice(0, MAX_NORMAL)];
  const rows = shown.map((view): CountryRow => {
    const { key } = view;
    const situation = situations.find((one) => one.countries.includes(view));
    const state = stateOfCountry(view, situation);
    return {
      scope: 'country',
      key,
      state,
      view,
      newest: latest.get(key)?.at,
      messages: situation?.hasCustomers ? messagesTo(key) : undefined,
      isDelivered: situation?.report === 'delivered',
      actions: COUNTRY_ACTIONS[state] ?? [],
    };
  });
  return STATES.flatMap((state) => rows.filter((row) => row.state === state));
}

const isOf = ({ scope, key }: ScopeRef, view: LatelyView): boolean => scope === 'country' && key === view.key;

/** `ended`: pauses of the last day, which are listed last. */
function pauseRows({ scopes, lately, ended }: FraudOverview): PauseRow[] {
  const rows = scopes.map((view): PauseRow => {
    const counts = lately.find((one) => isOf(view, one));
    return {
      ...view,
      openEnd: openEndText(view.state),
      refused: refusedPeople(view),
      details:
        view.rule === 'person' ? (counts ? `${countsText(counts)} codes entered since yesterday` : '') : view.reason,
      actions: actionsOf(view),
    };
  });
  const past = ended.map(({ from, isResumed, refused, ...pause }): PauseRow => ({
    ...pause,
    state: 'ended',
    since: from,
    openEnd: undefined,
    refused: refused > 0 ? messagesText(refused) : '–',
    details: isResumed ? 'Resumed manually' : 'Paused automatically',
    actions: [],
  }));
  return STATES.flatMap((state) => [...rows, ...past].filter((row) => row.state === state));
}

/** `Pause messages to France?`, `Allow messages to numbers that start with +1415555 for 24 hours?` */
function questionOf(label: string, row: Row): string {
  const [verb, length = ''] = label.replace(' these numbers', '').split(/(?= for 24)/);
  const isCountry = row.scope === 'country' && row.key !== '';
  return `${verb} messages to ${isCountry ? countryInSentence(row.key) : recipientsOf(row)}${length}?`;
}

/** The name of a place, and the country of similar numbers. */
function Place(row: Row) {
  const country = row.scope === 'prefix' ? countryOfPrefix(row.key) : undefined;
  return (
    <>
      <span class="strong">{placeName(row)}</span>
      {country && <span class="quiet small"> {countryName(country)}</span>}
    </>
  );
}

/** `isMain`: whether the row has the most important action of the page. */
function Actions({ at, row, isMain }: { at: string; row: Row; isMain: boolean }) {
  const { messages, isDelivered = false } = row;
  const classOf = (isFirst: boolean) => (isMain && isFirst ? 'button small' : 'button subtle small');
  const link = messages !== undefined && (
    <a class={classOf(!isDelivered)} href={messages} aria-label={`Show messages: ${placeName(row)}`}>
      Show messages
    </a>
  );
  return (
    <div class="place-actions">
      {!isDelivered && link}
      {row.actions.map((action, n) => {
        const label = row.state === 'allowed' ? 'Stop allowing' : LABELS[action];
        const effect = row.state === 'allowed' ? 'Passbell protects these messages again.' : EFFECTS[action];
        return (
          <PlaceButton
            key={action}
            at={at}
            action={action}
            place={row}
            label={label}
            name={`${label}: ${placeName(row)}`}
            question={`${questionOf(label, row)} ${effect}`}
            class={classOf(n === 0 && messages === undefined)}
          />
        );
      })}
      {isDelivered && link}
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

interface ScopesProps {
  readonly appKey: string;
  readonly settings: FraudSettings;
  readonly latest: Latest;
  readonly zone: string;
  /** The page's path, to which the forms post. */
  readonly at: string;
  readonly overview: FraudOverview;
  readonly pauseForm: FormState;
  readonly allowForm: FormState;
}

/** Shows the current state and advice, countries and pauses, the most urgent first, and forms for other places. */
export function ScopesCard({ appKey, at, pauseForm, allowForm, overview, settings, latest, zone }: ScopesProps) {
  const { scopes, lately, ended, refused, refusals, phase } = overview;
  const { may, now } = useVisit();
  const isOwner = may('own');
  const unusual = unusualOf(lately, scopes);
  const situations = situationsOf(unusual, (country) => latest.get(country), now);
  const countries = countryRows(overview, situations, latest, (country) => messagesPath(appKey, country, now, zone));
  const pauses = pauseRows(overview);
  // Unusual countries are described already.
  const recent = ended.filter((pause) => !pause.isResumed && !unusual.some((view) => isOf(pause, view)));
  const isActive = unusual.length + recent.length > 0 || scopes.some(({ state }) => state !== 'allowed');
  const isServable = refused !== '' && refusals.some(canBeServed);
  const [first, ...others] = decisionsOf({ situations, scopes, ended: recent, isServable, isOwner, zone, now });
  const calm = isActive ? '' : rulesText(settings);
  const today = [refused, phase === 'acting' ? calm : phaseText(phase)].filter(Boolean).join(' ');
  const last = others.at(-1) ?? first;
  const textOf = (decision: Decision) => (decision === last ? `${decision.text} ${today}`.trim() : decision.text);
  const time = (ms: number | undefined) => ms !== undefined && <LocalTime ms={ms} zone={zone} />;
  const place: Column<Row> = { title: 'Where', cell: (row) => <Place {...row} /> };
  const stateColumn: Column<Row> = {
    title: 'State',
    cell: ({ state }) => {
      const [kind, label] = BADGES[state];
      return <Badge kind={kind}>{label}</Badge>;
    },
  };
  const actionOf = (rows: readonly Row[]): readonly Column<Row>[] =>
    isOwner && rows.some(({ actions }) => actions.length > 0)
      ? [
          {
            title: 'Action',
            cell: (row) =>
              row.actions.length > 0 && <Actions at={at} row={row} isMain={row === rows[0] && isUrgent(row)} />,
          },
        ]
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
            cell: ({ view: { usual } }) => (usual === undefined ? '–' : `${Math.round(100 * usual)}%`),
          },
          { title: 'Latest message', number: true, cell: ({ newest: at }) => time(at) || '–' },
        ] satisfies Column<CountryRow>[])
      : []),
    ...actionOf(countries),
  ];
  const pauseColumns: readonly Column<PauseRow>[] = [
    place,
    stateColumn,
    { title: 'Since', cell: ({ since }) => time(since) || '–' },
    { title: 'How long', cell: ({ until, openEnd }) => <>Until {time(until) || openEnd}</> },
    { title: 'Refused', cell: ({ refused: people }) => people },
    ...(pauses.some(({ details }) => details !== '')
      ? [{ title: 'Details', cell: ({ details }: PauseRow) => details || '–' }]
      : []),
    ...actionOf(pauses),
  ];
  return (
    <Card id="scopes-title" title={first!.title} lead={textOf(first!)} class="card places">
      {others.map((decision) => (
        <p key={decision.title} class="lead">
          <strong>{decision.title}</strong> {textOf(decision)}
        </p>
      ))}
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
      {pauses.length > 0 && (
        <>
          <h3>Pauses and exceptions</h3>
          <Table
            caption="Pauses and exceptions, most urgent first"
            columns={pauseColumns}
            rows={pauses}
            keyOf={({ scope, key }) => `${scope} ${key}`}
          />
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
