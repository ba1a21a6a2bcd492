/** The cards with the current state and advice, and the state of each place with its actions. */
import { capitalized } from '../../platform/capitalized.js';
import { unusualOf, type FraudOverview, type LatelyView } from '../../modules/fraud/fraud-overview.js';
import type { PauseAction, ScopeView } from '../../modules/fraud/fraud-pauses.js';
import type { ScopeRef } from '../../modules/fraud/fraud.js';
import type { FraudSettings } from '../../modules/fraud/fraud-settings.js';
import {
  ALLOW_EFFECT,
  countsText,
  NAMED_COUNTRIES,
  openEndText,
  phaseText,
  placeName,
  recipientsOf,
} from '../../modules/fraud/fraud-texts.js';
import type { LatestTo } from '../../modules/messages/message-filter.js';
import { countryInSentence, countryName } from '../../modules/recipients/country.js';
import { countryOfPrefix } from '../../modules/recipients/number-prefixes.js';
import { Badge, type BadgeKind } from '../components/badge.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { Table, type Column } from '../components/table.js';
import { LocalTime } from '../components/time.js';
import type { FormState } from '../form.js';
import { countText, messagesText } from '../usage/figures.js';
import { attentionTitle, ConcernList } from '../home/concerns-view.js';
import { timesOf, type Concern } from '../home/concern.js';
import { decisionOf } from './decisions.js';
import { PAUSE_EFFECT, PlaceButton } from './place-button.js';
import { AllowForm, PauseForm } from './place-forms.js';
import { canBeServed } from './refusals-card.js';
import { rulesText, thresholdsText } from './rules-text.js';
import {
  countedText,
  isOneCountry,
  messagesPath,
  sendingText,
  situationsOf,
  unusualAdvice,
  unusualTitle,
  type Unusual,
} from './unusual.js';

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

/** A place with its state. The first action is what most people need. */
interface Row extends ScopeRef {
  readonly state: State;
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
  /** Such as `manually`; "" for exceptions. */
  readonly cause: string;
  /** Such as `when you resume it`; undefined if the time is known. */
  readonly openEnd: string | undefined;
  readonly until: number | undefined;
  /** The number of refused messages. */
  readonly refused: number;
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

const MAX_NORMAL = 5;

function actionsOf({ scope, state, rule }: ScopeView): readonly PauseAction[] {
  if (state === 'allowed') return ['resume'];
  const allow: readonly PauseAction[] = scope === 'prefix' ? ['allow', 'allowForEver'] : ['allow'];
  return rule === 'person' ? ['resume', ...allow] : [...allow, 'resume'];
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
function countryRows({ lately }: FraudOverview, situations: readonly Unusual[], latest: Latest): CountryRow[] {
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
      actions: COUNTRY_ACTIONS[state] ?? [],
    };
  });
  return STATES.flatMap((state) => rows.filter((row) => row.state === state));
}

const isOf = ({ scope, key }: ScopeRef, view: LatelyView): boolean => scope === 'country' && key === view.key;

/** `ended`: pauses of the last day, which are listed last. */
function pauseRows({ scopes, ended }: FraudOverview): PauseRow[] {
  const rows = scopes.map((view): PauseRow => {
    const cause = view.rule === 'person' ? 'manually' : 'automatically';
    return {
      ...view,
      cause: view.state === 'allowed' ? '' : cause,
      openEnd: `when ${openEndText(view.state)}`,
      refused: view.state === 'allowed' ? 0 : view.refused,
      actions: actionsOf(view),
    };
  });
  const past = ended.map(({ from, isResumed, ...pause }): PauseRow => ({
    ...pause,
    state: 'ended',
    cause: isResumed ? 'manually' : 'automatically',
    since: from,
    openEnd: undefined,
    actions: [],
  }));
  return STATES.flatMap((state) => [...rows, ...past].filter((row) => row.state === state));
}

const labelOf = ({ state }: Row, action: PauseAction): string =>
  state === 'allowed' ? 'Stop allowing' : LABELS[action];

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

function StateOf({ state }: Pick<Row, 'state'>) {
  const [kind, label] = BADGES[state];
  return <Badge kind={kind}>{label}</Badge>;
}

/** A value that is missing, whose row is left out on phones. */
const NONE = <span class="none">–</span>;

function Actions({ at, row }: { at: string; row: Row }) {
  return (
    <div class="place-actions">
      {row.actions.map((action) => {
        const label = labelOf(row, action);
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
            class="button subtle small"
          />
        );
      })}
    </div>
  );
}

function actionColumn(rows: readonly Row[], at: string): readonly Column<Row>[] {
  if (rows.every(({ actions }) => actions.length === 0)) return [];
  return [{ title: 'Action', cell: (row) => row.actions.length > 0 && <Actions at={at} row={row} /> }];
}

const PLACE: Column<Row> = { title: 'Where', cell: (row) => <Place {...row} /> };

/** A situation as on Home, with its facts and the advice to an owner. */
function findingOf(unusual: Unusual, { appKey, at, zone }: ScopesProps, now: number, isOwner: boolean): Concern {
  const { countries, hasCustomers, isQuiet, isOver, newest, report } = unusual;
  const country = isOneCountry(unusual) ? countries[0]!.key : undefined;
  const named = countries.slice(0, NAMED_COUNTRIES).flatMap(({ key }) => (key === '' ? [] : [key]));
  const advice = isOwner ? unusualAdvice(unusual) : '';
  return {
    title: capitalized(unusualTitle(unusual)),
    text: `${countedText(unusual)} ${sendingText(unusual, zone, now)} ${advice}`.trim(),
    times: timesOf(['latest message:', isQuiet ? undefined : newest]),
    isQuiet,
    isOver,
    isUrgent: !isQuiet,
    link: { href: messagesPath(appKey, country, now, zone), label: 'Show messages' },
    pause: { at, countries: named, isFirst: !hasCustomers || report === 'delivered', isDoubtful: hasCustomers },
  };
}

interface ScopesProps {
  readonly appKey: string;
  readonly settings: FraudSettings;
  /** Whether it has the most important action of the page. */
  readonly isMain: boolean;
  readonly latest: Latest;
  readonly zone: string;
  /** The page's path, to which the forms post. */
  readonly at: string;
  readonly overview: FraudOverview;
  /** The number of messages that were refused since yesterday. */
  readonly refused: number;
  readonly pauseForm: FormState;
  readonly allowForm: FormState;
}

interface CountriesProps extends Pick<ScopesProps, 'at' | 'zone'> {
  readonly rows: readonly CountryRow[];
  readonly unusual: readonly LatelyView[];
  readonly isOwner: boolean;
}

/** Lists the countries since yesterday, the most urgent first. */
function CountriesCard({ rows, unusual, at, zone, isOwner }: CountriesProps) {
  const hasUnusual = unusual.length > 0;
  // During an attack, normal countries would be in the way.
  const normal = rows.filter(({ state }) => state === 'normal');
  const isFolded = hasUnusual && normal.length > 1;
  const stateColumn: Column<Row> = { title: 'State', cell: ({ state }) => <StateOf state={state} /> };
  const entered: Column<CountryRow> = { title: 'Codes entered', number: true, cell: ({ view }) => countsText(view) };
  const details: readonly Column<CountryRow>[] = [
    {
      title: 'Usually entered',
      number: true,
      cell: ({ view: { usual } }) => (usual === undefined ? 'No history' : `${Math.round(100 * usual)}%`),
    },
    {
      title: 'Latest message',
      number: true,
      cell: ({ newest }) => (newest === undefined ? '–' : <LocalTime ms={newest} zone={zone} />),
    },
  ];
  const columns = [
    PLACE,
    stateColumn,
    entered,
    ...(hasUnusual ? details : []),
    ...(isOwner ? actionColumn(rows, at) : []),
  ];
  return (
    <Card id="countries" title="Codes by country" lead="Since yesterday." class="card places">
      <Table
        caption="Countries, most urgent first"
        columns={columns}
        rows={isFolded ? rows.filter((row) => !normal.includes(row)) : rows}
        keyOf={({ key }) => key}
      />
      {isFolded && (
        <details>
          <summary>{normal.length} countries are normal</summary>
          <Table
            caption="Normal countries"
            columns={[PLACE, stateColumn, entered]}
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
    </Card>
  );
}

function PausesTable({
  rows,
  at,
  zone,
  isOwner,
}: {
  rows: readonly PauseRow[];
  at: string;
  zone: string;
  isOwner: boolean;
}) {
  const time = (ms: number | undefined) => ms !== undefined && <LocalTime ms={ms} zone={zone} />;
  const columns: readonly Column<PauseRow>[] = [
    PLACE,
    {
      title: 'State',
      cell: ({ state, cause }) => (
        <>
          <StateOf state={state} /> <span class="quiet small">{cause}</span>
        </>
      ),
    },
    { title: 'Since', cell: ({ since }) => time(since) || NONE },
    { title: 'Ends', cell: ({ until, openEnd }) => time(until) || openEnd },
    { title: 'Refused', number: true, cell: ({ refused: count }) => (count > 0 ? countText(count) : NONE) },
    ...(isOwner ? actionColumn(rows, at) : []),
  ];
  return (
    <Table
      caption="Pauses and exceptions, most urgent first"
      columns={columns}
      rows={rows}
      keyOf={({ scope, key }) => `${scope} ${key}`}
    />
  );
}

const refusedText = (count: number): string =>
  count === 0 ? '' : `Passbell refused ${messagesText(count)} since yesterday.`;

/** Shows unusual countries, all countries, and the pauses with forms for other places. Pauses come first while no country is unusual. */
export function ScopesCards(props: ScopesProps) {
  const { isMain, at, pauseForm, allowForm, overview, refused, settings, latest, zone } = props;
  const { scopes, lately, ended, refusals, phase } = overview;
  const { may, now } = useVisit();
  const isOwner = may('own');
  const unusual = unusualOf(lately, scopes);
  const hasUnusual = unusual.length > 0;
  const situations = situationsOf(unusual, (country) => latest.get(country), now);
  const findings = situations.map((situation) => findingOf(situation, props, now, isOwner));
  const countries = countryRows(overview, situations, latest);
  const pauses = pauseRows(overview);
  // Unusual countries are described already.
  const recent = ended.filter((pause) => !pause.isResumed && !unusual.some((view) => isOf(pause, view)));
  const isActive = unusual.length + recent.length > 0 || scopes.some(({ state }) => state !== 'allowed');
  const isServable = refused > 0 && refusals.some(canBeServed);
  const { title, text } = decisionOf({ hasUnusual, scopes, ended: recent, isServable, isOwner });
  const calm = isActive ? '' : rulesText(settings);
  const lead = [text, refusedText(refused), phase === 'acting' ? calm : phaseText(phase)].filter(Boolean).join(' ');
  const byCountry = countries.length > 0 && (
    <CountriesCard rows={countries} unusual={unusual} at={at} zone={zone} isOwner={isOwner} />
  );
  return (
    <>
      {hasUnusual && (
        <Card id="attention" title={attentionTitle(findings)} class="card attention">
          <ConcernList concerns={findings} timeZone={zone} isOpen isMain={isMain} />
        </Card>
      )}
      {hasUnusual && byCountry}
      <Card id="scopes-title" title={title} lead={lead} class="card places">
        {pauses.length > 0 && <PausesTable rows={pauses} at={at} zone={zone} isOwner={isOwner} />}
        {isOwner && (
          <div class="disclosures">
            <PauseForm at={at} form={pauseForm} />
            <AllowForm at={at} form={allowForm} />
          </div>
        )}
      </Card>
      {!hasUnusual && byCountry}
    </>
  );
}
