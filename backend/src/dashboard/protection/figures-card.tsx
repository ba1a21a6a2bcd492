/** The figures of the Protection page: refused messages with their cost, pauses, and entered codes with a chart of the last days. */
import type { Application } from '../../modules/applications/application.js';
import { messagesOf, type FraudOverview } from '../../modules/fraud/fraud-overview.js';
import { listOf, NAMED_COUNTRIES, placeName } from '../../modules/fraud/fraud-texts.js';
import { dayBefore } from '../../platform/local-day.js';
import { Figure, FigureStrip } from '../components/figure-strip.js';
import type { HomeState } from '../home/home-state.js';
import { urlOf, type MessageQuery } from '../messages/filter.js';
import { conversionChart } from '../usage/charts.js';
import { DayChart, type Series } from '../usage/day-chart.js';
import { countText, percent, rate, total, unbroken } from '../usage/figures.js';
import { periodOf, timesOf, withToday } from '../usage/period.js';

/** A day with its messages. `refused`: how many messages Protection refused. */
export type ShownDay = HomeState['days'][number] & { readonly refused: number };

interface FiguresProps {
  readonly application: Application;
  readonly overview: FraudOverview;
  /** The list of the refused messages. */
  readonly query: MessageQuery;
  /** Estimated cost of the refused messages; undefined if no price is set. */
  readonly saved: string | undefined;
  /** The last days, today last. */
  readonly days: readonly ShownDay[];
}

/** The chart of the days. Its bars link to the messages of their day. */
function DaysChart({ application: { appKey, timeZone: zone }, days }: Pick<FiguresProps, 'application' | 'days'>) {
  const today = days.at(-1)!.day;
  const full = periodOf(days.length - 1, dayBefore(today, 1), today);
  const period = { ...withToday(full, today), to: today };
  const chart = conversionChart({ period, sums: days.map(({ day, sum }) => ({ day, ...sum })) });
  const [entered, unused] = chart.series as [Series, Series];
  const refused = { name: 'Refused messages', tint: 'warning', values: days.map((one) => one.refused) };
  const hasRefused = total(refused.values) > 0;
  return (
    <DayChart
      {...chart}
      title={`Last ${days.length} days`}
      about={hasRefused ? 'Codes by day, and refused messages' : 'Codes by day'}
      series={[
        { ...entered, name: 'Codes entered' },
        { ...unused, name: 'Codes not entered' },
        ...(hasRefused ? [refused] : []),
      ]}
      more={{ ...chart.more!, title: 'Share entered' }}
      period={period}
      url={({ first, last }) =>
        urlOf('/messages', { application: appKey, zone, ...timesOf({ ...period, from: first, to: last }, zone) })
      }
    />
  );
}

export function FiguresCard({ application, overview, query, saved, days }: FiguresProps) {
  const { refusals, scopes } = overview;
  const active = scopes.filter(({ state }) => state !== 'allowed');
  const isChallenged = active.some(({ state }) => state === 'challenged');
  const names = active.slice(0, NAMED_COUNTRIES).map((scope) => placeName(scope));
  const share = rate(total(days.map(({ sum }) => sum.verified)), total(days.map(({ sum }) => sum.codes)));
  const period = `in the last ${days.length} days`;
  return (
    <section class="card ruled totals" aria-label="Figures">
      <FigureStrip>
        <Figure
          name={<a href={urlOf('/messages', query)}>Refused messages</a>}
          value={countText(messagesOf(refusals))}
          detail={period}
        />
        {saved && <Figure name="Cost avoided" value={unbroken(saved)} detail={`estimate for ${days.length} days`} />}
        {active.length > 0 && (
          <Figure
            name={isChallenged ? 'Paused or challenged' : 'Paused now'}
            value={countText(active.length)}
            detail={listOf(names, active.length)}
          />
        )}
        {share !== undefined && <Figure name="Codes entered" value={percent(share)} detail={period} />}
      </FigureStrip>
      {days.slice(0, -1).some(({ sum, refused }) => sum.codes + refused > 0) && (
        <DaysChart application={application} days={days} />
      )}
    </section>
  );
}
