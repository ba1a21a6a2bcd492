/** The page `/usage`: messages, deliveries, conversion and costs for the account's applications. */
import type { Clock } from '../../platform/clock.js';
import type { ApplicationsService } from '../../modules/applications/applications-service.js';
import type { UsageService } from '../../modules/usage/index.js';
import type { Application } from '../../modules/applications/application.js';
import { LinkNav } from '../components/link-nav.js';
import { ApplicationButton, EmptyState } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { page, show, type PageRoute, type Visit } from '../page.js';
import { ByChannel, ByCountry } from './breakdown.js';
import { Charts, Figures } from './charts.js';
import { sumOf } from './figures.js';
import { parseDays, PERIODS, periodOf, type Period } from './period.js';

const urlOf = (days: number, application: string | undefined): string =>
  `/dashboard/usage?${new URLSearchParams({ days: String(days), ...(application ? { application } : {}) })}`;

/** `application`: the selected App Key; undefined for all applications. */
type UsageFiltersProps = { period: Period; applications: readonly Application[]; application: string | undefined };

function UsageFilters({ period, applications, application }: UsageFiltersProps) {
  const links = PERIODS.map((days) => ({
    href: urlOf(days, application),
    label: `${days} days`,
    current: days === period.length,
  }));
  return (
    <div class="usage-choice">
      <LinkNav class="pills" label="Period" links={links} currentAs="true" />
      {applications.length > 1 && (
        <form method="get" action="/dashboard/usage" class="usage-application">
          <input type="hidden" name="days" value={period.length} />
          <label class="unseen" for="application">
            Application
          </label>
          <select id="application" name="application">
            <option value="">All applications</option>
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

interface Services {
  readonly applications: ApplicationsService;
  readonly usage: UsageService;
  readonly clock: Clock;
  readonly currency: () => string;
}

export const usagePages = ({ applications, usage, clock, currency }: Services): readonly PageRoute[] => [
  show('/usage', 'read', async ({ person, query }: Visit) => {
    const all = await applications.listInAccount(person.accountId);
    const application = query.application || undefined;
    const applicationIds = all.filter(({ appKey }) => !application || appKey === application).map(({ id }) => id);
    const period = periodOf(parseDays(query.days), clock.now());
    const { from, to } = period;
    const days = await usage.sums({ applicationIds, from: period.beforeFrom, to }, ['day', 'channel']);
    const countries = await usage.sums({ applicationIds, from, to }, ['country']);
    const sums = days.filter(({ day }) => day >= from);
    const now = sumOf(sums);
    const before = sumOf(days.filter(({ day }) => day < from));
    return page(
      'Usage',
      <>
        <PageHead title="Usage" lead="Messages, deliveries, verified codes and costs. Days are in UTC." />
        <UsageFilters period={period} applications={all} application={application} />
        {now.sent + now.failed === 0 ? (
          <EmptyState title="No messages in this period" action={<ApplicationButton application={all[0]} />}>
            This page shows how many messages your applications send, how many are delivered, how many codes are
            verified, and what it costs, by day, channel and country. Messages in the dev inbox do not count.
          </EmptyState>
        ) : (
          <>
            <Figures now={now} before={before} currency={currency()} />
            <Charts period={period} sums={sums} now={now} before={before} currency={currency()} />
            <ByChannel sums={sums} currency={currency()} />
            <ByCountry sums={countries} currency={currency()} />
          </>
        )}
      </>,
    );
  }),
];
