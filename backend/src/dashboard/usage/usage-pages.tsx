/** The page `/usage`: messages, deliveries, conversion and costs for the account's applications. */
import { isoTime, MINUTE } from '../../platform/clock.js';
import { dayBefore, localDay } from '../../platform/local-day.js';
import { CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import { countryName } from '../../modules/recipients/country.js';
import { chargeOf, COUNTERS, ZERO_COUNTS, type UsageKey, type UsageSum } from '../../modules/usage/usage.js';
import { BYTE_ORDER_MARK, csvLine } from '../csv.js';
import type { Application } from '../../modules/applications/application.js';
import { ActiveFilters } from '../components/active-filters.js';
import { LinkNav } from '../components/link-nav.js';
import { ApplicationButton, EmptyState } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { urlOf as messagesUrl } from '../messages/filter.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import type { Modules } from '../modules.js';
import { file, page, show, type PageRoute, type Visit } from '../page.js';
import { ByChannel, ByCountry, type UsageUrl } from './breakdown.js';
import { countText, createHasPrice, hasAnyPrice, messagesText, sumOf } from './figures.js';
import {
  daysText,
  LAST_BEFORE_FIRST,
  parsePeriod,
  PERIODS,
  reversedDays,
  timesOf,
  withHours,
  withToday,
} from './period.js';
import type { Bar, Period } from './period.js';
import { TotalsAndCharts } from './totals.js';

const urlOf = (path: string, parameters: Readonly<Record<string, string | number | undefined>>): string => {
  const given = Object.entries(parameters).flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
  return `/dashboard/usage${path}?${new URLSearchParams(given)}`;
};

/** The filters of the page. An undefined filter is off. */
interface UsageFilter {
  /** An App Key. */
  readonly application: string | undefined;
  readonly channel: ChannelName | undefined;
  readonly country: string | undefined;
}

type UsageFiltersProps = {
  period: Period;
  today: string;
  /** The last day of the periods to choose from. */
  lastDay: string;
  applications: readonly Application[];
  filter: UsageFilter;
  url: UsageUrl;
  /** The entered days, if they are in the wrong order. */
  reversed: ReturnType<typeof reversedDays>;
};

const PROBLEM_ID = 'days-problem';

function UsageFilters({ period, today, lastDay, applications, filter, url, reversed }: UsageFiltersProps) {
  const { length, from, to } = period;
  const { application, channel, country } = filter;
  const periods = PERIODS.map((days) => ({
    href: url({ days, from: undefined, to: undefined }),
    label: `${days} days`,
    current: !reversed && to === lastDay && days === length,
  }));
  const isToday = !reversed && from === today && to === today;
  const problem = reversed && ({ 'aria-invalid': true, 'aria-describedby': PROBLEM_ID } as const);
  const links = [...periods, { href: url({ from: today, to: today }), label: 'Today', current: isToday }];
  const removable = [
    ...(channel === undefined ? [] : [{ name: CHANNEL_NAMES[channel], href: url({ channel: undefined }) }]),
    ...(country === undefined ? [] : [{ name: countryName(country), href: url({ country: undefined }) }]),
  ];
  return (
    <div class="usage-choice">
      <LinkNav class="pills" label="Period" links={links} currentAs="true" />
      <form method="get" action="/dashboard/usage" class="usage-range">
        <label>
          From <input type="date" name="from" value={reversed?.from ?? from} required />
        </label>
        <label>
          To <input type="date" name="to" value={reversed?.to ?? to} required {...problem} />
        </label>
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
        {channel !== undefined && <input type="hidden" name="channel" value={channel} />}
        {country !== undefined && <input type="hidden" name="country" value={country} />}
        <button class="button subtle">Show</button>
      </form>
      {reversed && (
        <p class="problem" id={PROBLEM_ID} role="alert">
          {LAST_BEFORE_FIRST}
        </p>
      )}
      <ActiveFilters filters={removable} clear={url({ channel: undefined, country: undefined })} />
    </div>
  );
}

const EXPORT_COLUMNS = ['Day', 'Application', 'Channel', 'Country', ...COUNTERS, 'Currency'];

type UsageModules = Modules<'applications' | 'clock' | 'messages' | 'providers' | 'usage'>;

/** Counting the hours of more messages would take too long. */
const MAX_HOURLY_MESSAGES = 20_000;

export function usagePages({ applications, messages, usage, providers, clock }: UsageModules): readonly PageRoute[] {
  const { currency } = providers.routing;

  /** Returns the messages of each hour as sums, whose day is the start of the hour. Empty if the messages were deleted. */
  async function hoursOf(
    applicationIds: readonly number[],
    times: ReturnType<typeof timesOf>,
    isChosen: (sum: Pick<UsageKey, 'channel'>) => boolean,
  ): Promise<UsageSum<'day' | 'channel'>[]> {
    const counts = await messages.lookup.perHour({ applicationIds, ...times });
    return counts.filter(isChosen).map(({ channel, state, hour, count }) => {
      const isFailed = state === 'failed' || state === 'expired';
      const outcome = state === 'sent' ? {} : { [isFailed ? 'failed' : state]: count };
      const sum = { ...ZERO_COUNTS, day: isoTime(hour), channel, currency: currency() };
      return { ...sum, sent: isFailed ? 0 : count, ...outcome };
    });
  }

  async function read({ person, query }: Visit) {
    const all = await applications.service.listInAccount(person.accountId);
    const application = query.application || undefined;
    const chosen = all.filter(({ appKey }) => !application || appKey === application);
    const channel = CHANNELS.find((name) => name === query.channel);
    const country = /^[A-Z]{2}$/.test(query.country ?? '') ? query.country : undefined;
    const filter: UsageFilter = { application, channel, country };
    const timeZone = await applications.profiles.timeZoneOf(person.accountId);
    const today = localDay(clock.now(), timeZone);
    const yesterday = dayBefore(today, 1);
    const range = {
      applicationIds: chosen.map(({ id }) => id),
      from: dayBefore(today, Math.max(...PERIODS)),
      to: yesterday,
    };
    // A part of a day can't be compared with full days, so today is included on the first day of use only.
    const lastDay = (await usage.service.sums(range, ['day'])).length > 0 ? yesterday : today;
    return { all, filter, chosen, timeZone, today, lastDay, period: parsePeriod(query, lastDay, today) };
  }

  const isUsedBefore = async (applicationIds: readonly number[], day: string): Promise<boolean> =>
    (await usage.service.sums({ applicationIds, from: '', to: dayBefore(day, 1) }, [])).length > 0;

  async function usagePage(visit: Visit) {
    const { all, filter, chosen, timeZone, today, lastDay, period } = await read(visit);
    const reversed = reversedDays(visit.query);
    const { channel, country } = filter;
    const applicationIds = chosen.map(({ id }) => id);
    const { from, to, beforeFrom } = period;
    const { sums: sumsBy } = usage.service;
    const isChosen = (sum: Pick<UsageKey, 'channel'>) => channel === undefined || sum.channel === channel;
    const inCountry = (sum: Pick<UsageKey, 'country'>) => country === undefined || sum.country === country;
    const charted = withToday(period, today);
    const range = { applicationIds, from: beforeFrom, to: charted.bars.at(-1)!.last };
    const allDays =
      country === undefined
        ? await sumsBy(range, ['day', 'channel'])
        : (await sumsBy(range, ['day', 'channel', 'country'])).filter(inCountry);
    const days = allDays.filter(isChosen);
    const places = await sumsBy({ applicationIds, from, to }, ['country', 'channel']);
    const countries = places.filter((sum) => isChosen(sum) && inCountry(sum));
    const url: UsageUrl = (changes) => urlOf('', { from, to, ...filter, ...changes });
    const sums = days.filter(({ day }) => day >= from && day <= to);
    const times = timesOf(period, timeZone);
    const messagesBetween = (start: number, until: number) =>
      messagesUrl('/messages', { application: filter.application, channel, from: start, until, zone: timeZone });
    /** Links a day to its hours, a week to its days, and an hour to its messages. */
    const barUrl = ({ first, last }: Bar): string =>
      period.length > 1 ? url({ from: first, to: last }) : messagesBetween(Date.parse(first), Date.parse(last));
    const now = sumOf(sums);
    const sentToday = charted === period ? undefined : sumOf(days.filter(({ day }) => day === today)).sent;
    const isOneDay = period.length === 1 && charted.bars.length === 1;
    // Usage is stored by day. The messages, which are deleted after 30 days, contain the hours, but not the country.
    const hasHours = isOneDay && country === undefined && now.sent + now.failed <= MAX_HOURLY_MESSAGES;
    const hours = hasHours ? await hoursOf(applicationIds, times, isChosen) : [];
    const inHours = sumOf(hours).sent + sumOf(hours).failed;
    const isPartOfDay = from === today;
    const prices = await providers.prices.list(visit.actor, visit.person.accountId);
    const hasPrice = createHasPrice(prices);
    const daysBefore = days.filter(({ day }) => day < from);
    // A period in which the first messages were sent is shorter than it seems.
    const startsLate =
      (daysBefore[0]?.day ?? beforeFrom) > beforeFrom && !(await isUsedBefore(applicationIds, beforeFrom));
    const before = sumOf(isPartOfDay || startsLate ? [] : daysBefore);
    const hourly = { period: withHours(period, timeZone), sums: hours };
    const daily = { period: charted, sums: days.filter(({ day }) => day >= from) };
    const hasCharts = !isOneDay || hours.length > 0;
    return page(
      'Usage',
      <>
        <PageHead
          title="Usage"
          lead={
            <>
              Days are in the time zone {timeZone}.
              {isOneDay && (
                <>
                  {' '}
                  <a href={messagesBetween(times.from, times.to - MINUTE)}>Show the messages</a> of this day.
                </>
              )}
              {to === dayBefore(today, 1) && (
                <>
                  {' '}
                  Totals do not include <a href={url({ from: today, to: today })}>today</a>
                  {sentToday !== undefined && ` (${messagesText(sentToday)} so far)`}.
                </>
              )}
            </>
          }
        >
          <a class="button subtle" href={urlOf('/export', { from, to, ...filter })} download>
            Export as CSV
          </a>
        </PageHead>
        <UsageFilters
          period={period}
          today={today}
          lastDay={lastDay}
          applications={all}
          filter={filter}
          url={url}
          reversed={reversed}
        />
        {reversed ? (
          <EmptyState title="No days to show">Change one of the days, or choose a period.</EmptyState>
        ) : now.sent + now.failed === 0 ? (
          <EmptyState title="No messages in this period" action={<ApplicationButton application={all[0]} />}>
            This page shows how many messages your applications send, how many are delivered, how many codes are
            entered, and what the messages cost, by day, channel and country. Messages in the dev inbox, a test inbox on
            this server, do not count.
          </EmptyState>
        ) : (
          <>
            <TotalsAndCharts
              now={now}
              before={before}
              currency={currency()}
              hasPrice={hasAnyPrice(prices)}
              daysBefore={daysText(beforeFrom, dayBefore(from, 1))}
              charts={
                hasCharts ? { ...(isOneDay ? hourly : daily), now, currency: currency(), url: barUrl } : undefined
              }
            />
            {hours.length > 0 && inHours !== now.sent + now.failed && (
              <p class="quiet small">
                The charts contain the {countText(inHours)} {inHours === 1 ? 'message that was' : 'messages that were'}{' '}
                requested on this day, in the time zone {timeZone}. The totals count each message on the day on which it
                was sent or failed, in the time zone that the account had then.
              </p>
            )}
            {isOneDay && hours.length === 0 && (
              <p class="quiet small">
                There is no hourly chart for this day. Hourly charts are available for days in the last 30 days with up
                to {countText(MAX_HOURLY_MESSAGES)} messages, and without a country filter.
              </p>
            )}
            <ByChannel sums={sums} currency={currency()} url={url} hasPrice={hasPrice} />
            <ByCountry sums={countries} currency={currency()} url={url} hasPrice={hasPrice} />
          </>
        )}
      </>,
      reversed ? 422 : 200,
    );
  }

  async function exportUsage(visit: Visit) {
    if (reversedDays(visit.query)) return usagePage(visit);
    const { chosen, period, filter } = await read(visit);
    const { from, to } = period;
    async function* lines(): AsyncGenerator<string> {
      yield BYTE_ORDER_MARK + csvLine(EXPORT_COLUMNS);
      for (const { id, name } of chosen) {
        const sums = await usage.service.sums({ applicationIds: [id], from, to }, ['day', 'channel', 'country']);
        for (const { day, channel, country, cost, currency: unit, ...counts } of sums) {
          if ((filter.channel ?? channel) !== channel || (filter.country ?? country) !== country) continue;
          const values = COUNTERS.map((counter) => (counter === 'cost' ? chargeOf(cost) : String(counts[counter])));
          yield csvLine([day, name, channel, country, ...values, unit]);
        }
      }
    }
    return file(`passbell-usage-${from}-${to}.csv`, 'text/csv; charset=utf-8', lines());
  }

  return [show('/usage', 'read', usagePage), show('/usage/export', 'read', exportUsage)];
}
