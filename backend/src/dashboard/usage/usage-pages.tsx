/** The page `/usage`: messages, deliveries, conversion and costs for the account's applications. */
import { utcDay } from '../../platform/clock.js';
import { chargeOf, COUNTERS } from '../../modules/usage/usage.js';
import { BYTE_ORDER_MARK, csvLine } from '../csv.js';
import type { Application } from '../../modules/applications/application.js';
import { LinkNav } from '../components/link-nav.js';
import { ApplicationButton, EmptyState } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import type { Modules } from '../modules.js';
import { file, page, show, type PageRoute, type Visit } from '../page.js';
import { ByChannel, ByCountry } from './breakdown.js';
import { Charts, Figures } from './charts.js';
import { sumOf } from './figures.js';
import { parsePeriod, PERIODS, type Period } from './period.js';

const urlOf = (path: string, parameters: Readonly<Record<string, string | number | undefined>>): string => {
  const given = Object.entries(parameters).flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
  return `/dashboard/usage${path}?${new URLSearchParams(given)}`;
};

/** `application`: the selected App Key; undefined for all applications. */
type UsageFiltersProps = {
  period: Period;
  today: string;
  applications: readonly Application[];
  application: string | undefined;
};

function UsageFilters({ period, today, applications, application }: UsageFiltersProps) {
  const { length, from, to } = period;
  const links = PERIODS.map((days) => ({
    href: urlOf('', { days, application }),
    label: `${days} days`,
    current: to === today && days === length,
  }));
  return (
    <div class="usage-choice">
      <LinkNav class="pills" label="Period" links={links} currentAs="true" />
      <form method="get" action="/dashboard/usage" class="usage-range">
        <input type="date" name="from" aria-label="First day" value={from} required />
        <input type="date" name="to" aria-label="Last day" value={to} required />
        {applications.length > 1 && (
          <select name="application" aria-label="Application">
            <option value="">All applications</option>
            {applications.map(({ appKey, name }) => (
              <option key={appKey} value={appKey} selected={appKey === application}>
                {name}
              </option>
            ))}
          </select>
        )}
        <button class="button subtle">Show</button>
      </form>
    </div>
  );
}

const EXPORT_COLUMNS = ['Day', 'Application', 'Channel', 'Country', ...COUNTERS, 'Currency'];

type UsageModules = Modules<'applications' | 'clock' | 'providers' | 'usage'>;

export function usagePages({ applications, usage, providers, clock }: UsageModules): readonly PageRoute[] {
  const { currency } = providers.routing;

  async function read({ person, query }: Visit) {
    const all = await applications.service.listInAccount(person.accountId);
    const application = query.application || undefined;
    const chosen = all.filter(({ appKey }) => !application || appKey === application);
    return { all, application, chosen, period: parsePeriod(query, clock.now()) };
  }

  async function usagePage(visit: Visit) {
    const { all, application, chosen, period } = await read(visit);
    const applicationIds = chosen.map(({ id }) => id);
    const { from, to } = period;
    const days = await usage.service.sums({ applicationIds, from: period.beforeFrom, to }, ['day', 'channel']);
    const countries = await usage.service.sums({ applicationIds, from, to }, ['country']);
    const sums = days.filter(({ day }) => day >= from);
    const now = sumOf(sums);
    const before = sumOf(days.filter(({ day }) => day < from));
    return page(
      'Usage',
      <>
        <PageHead title="Usage" lead="Messages, deliveries, verified codes and costs. Days are in UTC.">
          <a class="button subtle" href={urlOf('/export', { from, to, application })} download>
            Export as CSV
          </a>
        </PageHead>
        <UsageFilters period={period} today={utcDay(clock.now())} applications={all} application={application} />
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
  }

  async function exportUsage(visit: Visit) {
    const { chosen, period } = await read(visit);
    const { from, to } = period;
    async function* lines(): AsyncGenerator<string> {
      yield BYTE_ORDER_MARK + csvLine(EXPORT_COLUMNS);
      for (const { id, name } of chosen) {
        const sums = await usage.service.sums({ applicationIds: [id], from, to }, ['day', 'channel', 'country']);
        for (const { day, channel, country, cost, currency: unit, ...counts } of sums) {
          const values = COUNTERS.map((counter) => (counter === 'cost' ? chargeOf(cost) : String(counts[counter])));
          yield csvLine([day, name, channel, country, ...values, unit]);
        }
      }
    }
    return file(`passbell-usage-${from}-${to}.csv`, 'text/csv; charset=utf-8', lines());
  }

  return [show('/usage', 'read', usagePage), show('/usage/export', 'read', exportUsage)];
}
