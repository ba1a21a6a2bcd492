/** `/usage`: what the account's applications sent, what became of it and what it cost. */
import type { Application } from '../../modules/applications/application.js';
import { EmptyState } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { page, show, type PageRoute, type Visit } from '../page.js';
import type { DashboardServices } from '../services.js';
import { ByChannel, ByCountry } from './breakdown.js';
import { Charts } from './charts.js';
import { arrived, changeOf, converted, count, moneyOf, percent, pointsOf, sumOf, type Sum } from './figures.js';
import { lengthIn, PERIODS, periodOf, type Period } from './period.js';

const linkTo = (days: number, application: string | undefined): string =>
  `/dashboard/usage?${new URLSearchParams({ days: String(days), ...(application ? { application } : {}) })}`;

interface ChoiceProps {
  readonly period: Period;
  readonly applications: readonly Application[];
  /** The App Key of the one whose usage is shown; undefined for all. */
  readonly application: string | undefined;
}

function Choice({ period, applications, application }: ChoiceProps) {
  return (
    <div class="usage-choice">
      <nav class="pills" aria-label="Period">
        <ul>
          {PERIODS.map((days) => (
            <li key={days}>
              <a href={linkTo(days, application)} aria-current={days === period.length ? 'true' : undefined}>
                {days} days
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {applications.length > 1 && (
        <form method="get" action="/dashboard/usage" class="usage-application">
          <input type="hidden" name="days" value={period.length} />
          <label class="unseen" for="application">
            Application
          </label>
          <select id="application" name="application">
            <option value="">Every application</option>
            {applications.map(({ appKey, name }) => (
              <option key={appKey} value={appKey} selected={appKey === application}>
                {name}
              </option>
            ))}
          </select>
          <button class="button subtle">Show</button>
        </form>
      )}
    </div>
  );
}

/** The four figures that matter most, each with what it was before. */
function Figures({ now, before, currency }: { now: Sum; before: Sum; currency: string }) {
  const paid = (sum: Sum) => Number(sum.costs[0]?.[0] === now.costs[0]?.[0] ? (sum.costs[0]?.[1] ?? 0n) : 0n);
  const figures = [
    ['Sent', count(now.sent), changeOf(now.sent, before.sent)],
    ['Arrived, where reported', percent(arrived(now)), pointsOf(arrived(now), arrived(before))],
    ['Codes verified', percent(converted(now)), pointsOf(converted(now), converted(before))],
    [
      'Cost',
      moneyOf(now, currency),
      changeOf(paid(now), paid(before), { more: 'more', less: 'less', same: 'as much as' }),
    ],
  ] as const;
  return (
    <dl class="figures">
      {figures.map(([name, value, change]) => (
        <div key={name} class="card">
          <dt>{name}</dt>
          <dd>
            {value}
            <span class="quiet small">{change ? `${change} before` : 'nothing to compare with yet'}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function NothingYet({ applications }: Pick<ChoiceProps, 'applications'>) {
  const [application] = applications;
  return (
    <EmptyState
      title="Nothing to count in these days"
      action={
        <a
          class="button"
          href={application ? `/dashboard/applications/${application.appKey}` : '/dashboard/applications'}
        >
          {application ? `To ${application.name}` : 'To the applications'}
        </a>
      }
    >
      What your applications send is added up here: how much arrives, how many codes people enter, and what it costs, by
      day, channel and country.
    </EmptyState>
  );
}

export function usagePages({
  applications,
  usage,
  codeCounts,
  clock,
  currency,
}: DashboardServices): readonly PageRoute[] {
  return [
    show('/usage', 'read', async ({ person, query }: Visit) => {
      const all = await applications.ofAccount(person.accountId);
      const application = query.application || undefined;
      const applicationIds = all.filter(({ appKey }) => !application || appKey === application).map(({ id }) => id);
      const period = periodOf(lengthIn(query.days), clock.now());
      const { from, to } = period;
      const pending = await codeCounts.pending(applicationIds);
      const days = await usage.sums({ applicationIds, from: period.beforeFrom, to }, ['day', 'channel'], pending);
      const countries = await usage.sums({ applicationIds, from, to }, ['country'], pending);
      const sums = days.filter(({ day }) => day >= from);
      const now = sumOf(sums);
      const before = sumOf(days.filter(({ day }) => day < from));
      return page(
        'Usage',
        <>
          <PageHead
            title="Usage"
            lead="What was sent, what arrived, what was verified and what it cost. Days are in UTC."
          />
          <Choice period={period} applications={all} application={application} />
          {now.sent + now.failed === 0 ? (
            <NothingYet applications={all} />
          ) : (
            <>
              <Figures now={now} before={before} currency={currency} />
              <Charts period={period} sums={sums} now={now} before={before} currency={currency} />
              <ByChannel sums={sums} currency={currency} />
              <ByCountry sums={countries} currency={currency} />
            </>
          )}
        </>,
      );
    }),
  ];
}
