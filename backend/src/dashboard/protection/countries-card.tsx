/** Lists the countries to which codes were sent since yesterday (UTC). */
import type { Application } from '../../modules/applications/application.js';
import type { LatelyView } from '../../modules/fraud/fraud-overview.js';
import type { ScopeView } from '../../modules/fraud/fraud-pauses.js';
import { countsText } from '../../modules/fraud/fraud-texts.js';
import { countryName } from '../../modules/recipients/country.js';
import { settingsPath } from '../applications/parts.js';
import { Badge, type BadgeKind } from '../components/badge.js';
import { Card } from '../components/card.js';
import { useNow } from '../components/context.js';
import { Table, type Column } from '../components/table.js';
import { momentText } from '../components/time.js';
import { percent, rate } from '../usage/figures.js';
import { countedSince, messagesPath, problemOf, type Unusual } from './unusual.js';

/** A state without a badge needs no attention. */
type Kind = BadgeKind | 'unclear' | 'ok';
type Judgment = readonly [kind: Kind, label: string];

/** The most urgent kind comes first. */
const KINDS: readonly Kind[] = ['warning', 'info', 'neutral', 'unclear', 'ok'];

export const STATES: Readonly<Record<ScopeView['state'], readonly [kind: BadgeKind, label: string]>> = {
  paused: ['warning', 'Paused'],
  challenged: ['warning', 'Challenge needed'],
  allowed: ['info', 'Allowed'],
};

const MAX_NORMAL = 5;

interface Row {
  readonly view: LatelyView;
  readonly judgment: Judgment;
}

interface CountriesProps {
  readonly application: Application;
  readonly lately: readonly LatelyView[];
  readonly scopes: readonly ScopeView[];
  /** The unusual countries to which messages are sent. */
  readonly situations: readonly Unusual[];
}

/** The role of the country, which decides its limits: `Your country`, `Served`, `Not served`. */
function roleOf({ isHome, isServed }: LatelyView): string {
  if (isHome) return 'Your country';
  return isServed ? 'Served' : 'Not served';
}

/** In the words and the colors of the concerns. */
function judgmentOf(view: LatelyView, situation: Unusual | undefined, { scopes }: CountriesProps): Judgment {
  const state = scopes.find(({ scope }) => scope === 'application')?.state ?? view.state;
  if (state) return STATES[state];
  if (!view.isUnusual)
    return view.verified < view.normal * view.sent ? ['unclear', 'Too few codes to judge'] : ['ok', 'OK'];
  // A pause of many countries also stops this one.
  const problem = problemOf(situation ?? { hasCustomers: !view.isNew, report: undefined });
  if (!situation?.isOver) return ['warning', problem];
  return ['neutral', `${problem}, ended`];
}

function rowsOf(props: CountriesProps): Row[] {
  const rows = props.lately
    .filter(({ key }) => key !== '')
    .map((view): Row => {
      const situation = props.situations.find(({ countries }) => countries.includes(view));
      return { view, judgment: judgmentOf(view, situation, props) };
    });
  return KINDS.flatMap((kind) => {
    const ofKind = rows.filter(({ judgment }) => judgment[0] === kind);
    return kind === 'ok' ? ofKind.sort((a, b) => b.view.sent - a.view.sent).slice(0, MAX_NORMAL) : ofKind;
  });
}

function columnsOf({ application: { appKey, timeZone: zone }, situations }: CountriesProps, now: number) {
  const columns: Column<Row>[] = [
    {
      title: 'Country',
      cell: ({ view }) => (
        <>
          <a class="strong" href={messagesPath(appKey, view.key, now, zone)}>
            {countryName(view.key)}
          </a>{' '}
          <span class="quiet small role">{roleOf(view)}</span>
        </>
      ),
    },
    {
      title: 'State',
      cell: ({ judgment: [kind, label] }) =>
        kind === 'unclear' || kind === 'ok' ? (
          <span class={`quiet small ${kind}`}>{label}</span>
        ) : (
          <Badge kind={kind}>{label}</Badge>
        ),
    },
    {
      title: 'Codes entered',
      number: true,
      cell: ({ view }) => (
        <span class="share">
          <span class="quiet small">{countsText(view)}</span> <span>{percent(rate(view.verified, view.sent))}</span>
        </span>
      ),
    },
  ];
  if (situations.length > 0)
    columns.push({
      title: 'Usually',
      number: true,
      cell: ({ view: { usual } }) =>
        usual === undefined ? <span class="quiet small">No history</span> : percent(usual),
    });
  return columns;
}

/** Renders nothing if no codes were sent. */
export function CountriesCard(props: CountriesProps) {
  const now = useNow();
  const { application, lately } = props;
  const rows = rowsOf(props);
  const isCut = lately.filter(({ key }) => key !== '').length > rows.length;
  if (rows.length === 0) return null;
  return (
    <Card
      id="countries"
      title="Codes by country"
      lead={
        <>
          Since {momentText(countedSince(now), now, application.timeZone)}.
          {rows.some(({ view }) => !view.isHome) && (
            <>
              {' '}
              <a href={settingsPath(application, 'countries')}>Served countries</a> have higher limits.
            </>
          )}
          {isCut && ` Lists at most ${MAX_NORMAL} countries that are OK.`}
        </>
      }
      class="card ruled places"
    >
      <Table
        caption="Countries, most urgent first"
        columns={columnsOf(props, now)}
        rows={rows}
        keyOf={({ view }) => view.key}
      />
    </Card>
  );
}
