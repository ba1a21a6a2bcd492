/** Says that no attack is in progress, with the figures of the fraud guard and the codes entered on the last days. */
import type { Application } from '../../modules/applications/application.js';
import type { FraudOverview } from '../../modules/fraud/fraud-overview.js';
import { dayBefore } from '../../platform/local-day.js';
import { Card } from '../components/card.js';
import { Mark } from '../home/concerns-view.js';
import type { HomeState } from '../home/home-state.js';
import { urlOf, type MessageQuery } from '../messages/filter.js';
import { conversionChart } from '../usage/charts.js';
import { DayChart } from '../usage/day-chart.js';
import { periodOf, timesOf, withToday } from '../usage/period.js';
import { GuardFigures } from './guard-figures.js';

interface CalmProps {
  readonly application: Application;
  readonly overview: FraudOverview;
  /** The list of the refused messages. */
  readonly query: MessageQuery;
  /** Estimated cost of the refused messages; undefined if no price is set. */
  readonly saved: string | undefined;
  /** The last days, today last. */
  readonly days: HomeState['days'];
}

/** The chart of the last days. Its bars link to the messages of their day. */
function EnteredChart({ application: { appKey, timeZone: zone }, days }: Pick<CalmProps, 'application' | 'days'>) {
  const today = days.at(-1)!.day;
  const period = withToday(periodOf(days.length - 1, dayBefore(today, 1), today), today);
  const sums = days.map(({ day, sum }) => ({ day, ...sum }));
  return (
    <DayChart
      {...conversionChart({ period, sums })}
      period={period}
      url={({ first, last }) =>
        urlOf('/messages', { application: appKey, zone, ...timesOf({ ...period, from: first, to: last }, zone) })
      }
    />
  );
}

export const CalmCard = ({ application, overview, query, saved, days }: CalmProps) => (
  <Card
    id="calm"
    title={
      <>
        <Mark kind="good" /> No attack in progress
      </>
    }
    class="card ruled totals"
  >
    <GuardFigures query={query} overview={overview} saved={saved} />
    {days.slice(0, -1).some(({ sum }) => sum.codes > 0) && <EnteredChart application={application} days={days} />}
  </Card>
);
