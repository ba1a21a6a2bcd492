/** Lists the countries to which codes were sent since yesterday. Each state agrees with the concerns on the page. */
import type { LatelyView } from '../../modules/fraud/fraud-overview.js';
import type { PauseAction, ScopeView } from '../../modules/fraud/fraud-pauses.js';
import { countsText, NAMED_COUNTRIES } from '../../modules/fraud/fraud-texts.js';
import { countryName } from '../../modules/recipients/country.js';
import { Badge, type BadgeKind } from '../components/badge.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { Table, type Column } from '../components/table.js';
import { ActionButton } from './place-button.js';
import { thresholdsText } from './rules-text.js';
import { messagesPath, type Unusual } from './unusual.js';

type Judgment = readonly [kind: BadgeKind, label: string];

/** The most urgent kind comes first. */
const KINDS: readonly BadgeKind[] = ['bad', 'warning', 'info', 'neutral', 'good'];

export const STATES: Readonly<Record<ScopeView['state'], Judgment>> = {
  paused: ['warning', 'Paused'],
  challenged: ['warning', 'Challenged'],
  allowed: ['info', 'Allowed'],
};

const MAX_NORMAL = 5;

interface Row {
  readonly view: LatelyView;
  readonly judgment: Judgment;
  readonly actions: readonly PauseAction[];
}

interface CountriesProps {
  readonly appKey: string;
  /** The path of Protection. */
  readonly at: string;
  readonly zone: string;
  readonly lately: readonly LatelyView[];
  readonly scopes: readonly ScopeView[];
  /** The unusual countries to which messages are sent. */
  readonly situations: readonly Unusual[];
}

function judgmentOf(view: LatelyView, situation: Unusual | undefined, { scopes }: CountriesProps): Judgment {
  const state = scopes.find(({ scope }) => scope === 'application')?.state ?? view.state;
  if (state) return STATES[state];
  if (!view.isUnusual)
    return view.verified < view.normal * view.sent ? ['neutral', 'Too few to judge'] : ['good', 'Normal'];
  // A pause of many countries also stops this one.
  if (!situation) return ['warning', view.isNew ? 'Suspicious' : 'Unusual'];
  const word = situation.hasCustomers && situation.report !== 'delivered' ? 'Unusual' : 'Suspicious';
  if (!situation.isQuiet) return ['bad', word];
  return ['neutral', `No longer ${word.toLowerCase()}`];
}

/** The actions that the concern of several countries does not offer. */
function actionsOf(situation: Unusual | undefined): readonly PauseAction[] {
  if (!situation || situation.countries.length === 1) return [];
  const named = situation.countries.filter(({ key }) => key !== '');
  return named.length <= NAMED_COUNTRIES ? ['allow'] : ['pause', 'allow'];
}

function rowsOf(props: CountriesProps, isOwner: boolean): Row[] {
  const rows = props.lately
    .filter(({ key }) => key !== '')
    .map((view): Row => {
      const situation = props.situations.find(({ countries }) => countries.includes(view));
      const judgment = judgmentOf(view, situation, props);
      return { view, judgment, actions: isOwner ? actionsOf(situation) : [] };
    });
  return KINDS.flatMap((kind) => {
    const ofKind = rows.filter(({ judgment }) => judgment[0] === kind);
    return kind === 'good' ? ofKind.sort((a, b) => b.view.sent - a.view.sent).slice(0, MAX_NORMAL) : ofKind;
  });
}

function columnsOf({ appKey, at, zone, situations }: CountriesProps, rows: readonly Row[], now: number) {
  const columns: Column<Row>[] = [
    { title: 'Country', cell: ({ view }) => <span class="strong">{countryName(view.key)}</span> },
    {
      title: 'State',
      cell: ({ judgment: [kind, label] }) => <Badge kind={kind}>{label}</Badge>,
    },
    { title: 'Codes entered', number: true, cell: ({ view }) => countsText(view) },
  ];
  if (situations.length > 0)
    columns.push({
      title: 'Usually entered',
      number: true,
      cell: ({ view: { usual } }) => (usual === undefined ? 'No history' : `${Math.round(100 * usual)}%`),
    });
  columns.push({
    title: 'Messages',
    cell: ({ view: { key } }) => (
      <a href={messagesPath(appKey, key, now, zone)} aria-label={`Show messages: ${countryName(key)}`}>
        Show messages
      </a>
    ),
  });
  if (rows.some(({ actions }) => actions.length > 0))
    columns.push({
      title: 'Action',
      cell: ({ view: { key }, actions }) => (
        <div class="place-actions">
          {actions.map((action) => (
            <ActionButton key={action} at={at} action={action} place={{ scope: 'country', key }} />
          ))}
        </div>
      ),
    });
  return columns;
}

/** Renders nothing if no codes were sent. */
export function CountriesCard(props: CountriesProps) {
  const { may, now } = useVisit();
  const rows = rowsOf(props, may('own'));
  if (rows.length === 0) return null;
  const unusual = props.situations.flatMap(({ countries }) => countries);
  // During an attack, normal countries would be in the way.
  const normal = rows.filter(({ judgment: [kind] }) => kind === 'good');
  const isFolded = unusual.length > 0 && normal.length > 1;
  const columns = columnsOf(props, rows, now);
  const tableOf = (caption: string, shown: readonly Row[]) => (
    <Table caption={caption} columns={columns} rows={shown} keyOf={({ view }) => view.key} />
  );
  return (
    <Card id="countries" title="Codes by country" lead="Since yesterday." class="card places">
      {tableOf('Countries, most urgent first', isFolded ? rows.filter((row) => !normal.includes(row)) : rows)}
      {isFolded && (
        <details>
          <summary>Show normal countries</summary>
          {tableOf('Normal countries', normal)}
        </details>
      )}
      {unusual.length > 0 && <p class="quiet small">{thresholdsText(unusual)}</p>}
    </Card>
  );
}
