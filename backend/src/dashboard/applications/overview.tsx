import { dayBefore, localDay } from '../../platform/local-day.js';
import { LIST } from '../../platform/list.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import type { ChannelView } from '../../modules/providers/channel-view.js';
import { countryName } from '../../modules/recipients/country.js';
import { capitalized } from '../../platform/capitalized.js';
import { channelInSentence, channelMessages } from '../messages/labels.js';
import { phoneChannels, type Application } from '../../modules/applications/application.js';
import { MAX_GRACE_HOURS, wholeNumber } from '../../modules/applications/setting-values.js';
import { HOUR, SECOND } from '../../platform/clock.js';
import { Card } from '../components/card.js';
import { Facts } from '../components/facts.js';
import { PageHead } from '../components/page-head.js';
import { asOfText, Time } from '../components/time.js';
import { readForm } from '../form.js';
import { actOnApplication, page, redirect, showForApplication, type PageRoute } from '../page.js';
import { Charts } from '../usage/charts.js';
import { createHomeState, viewerOf, type HomeModules } from '../home/home-state.js';
import { hasProvider } from '../home/checklist.js';
import { ConcernGroups } from '../home/concerns-view.js';
import { LatestFailures } from '../home/latest-failures.js';
import { TodayFigures } from '../home/today-figures.js';
import { EmptyState } from '../components/notice.js';
import { costText, countChange, countText, messagesText, sumOf } from '../usage/figures.js';
import { periodOf } from '../usage/period.js';
import { KeyPairCard } from './key-pair-card.js';
import { pathOf, StatusBadge } from './parts.js';

const SHOWN_DAYS = 7;

/** `SMS, then WhatsApp. Not set up: voice calls.`; names all channels while none is set up. */
function orderText(order: readonly ChannelName[], views: readonly ChannelView[]): string {
  const isSetUp = (name: ChannelName) => views.some((view) => view.channel === name && hasProvider(view));
  const namesOf = (channels: readonly ChannelName[]) => capitalized(channels.map(channelInSentence).join(', then '));
  const used = order.filter(isSetUp);
  const unused = order.filter((name) => !isSetUp(name));
  if (used.length === 0 || unused.length === 0) return namesOf(order);
  return `${namesOf(used)}. Not set up: ${LIST.format(unused.map(channelMessages))}.`;
}

interface SettingsProps {
  readonly application: Application;
  readonly channels: readonly ChannelView[];
}

/** The settings that decide where messages are sent. */
function SettingsCard({ application, channels }: SettingsProps) {
  const { countries, authorizedEndpoints } = application.settings;
  const order = phoneChannels(application.settings);
  const entries = authorizedEndpoints.length;
  return (
    <Card id="settings" title="Settings">
      <Facts
        facts={[
          [order.length === 1 ? 'Phone channel' : 'Phone channels', orderText(order, channels)],
          ['Send only to', countries.map(countryName).join(', ') || 'All countries'],
          [
            'Allow-list',
            <a href={`${pathOf(application)}/allow-list`}>
              {entries === 0 ? 'All sites and servers' : `${entries} ${entries === 1 ? 'entry' : 'entries'}`}
            </a>,
          ],
          ['Created', <Time ms={application.createdAt} />],
        ]}
      />
      <div class="actions">
        <a class="button subtle" href={`${pathOf(application)}/settings`}>
          All settings
        </a>
      </div>
    </Card>
  );
}

export function overviewPages(core: HomeModules): readonly PageRoute[] {
  const { applications, usage, providers, clock } = core;
  const readHomeState = createHomeState(core);

  return [
    showForApplication('', 'read', async (visit) => {
      const { actor, application, flash, serviceUrl } = visit;
      const today = localDay(clock.now(), application.timeZone);
      const full = periodOf(SHOWN_DAYS, dayBefore(today, 1), today);
      const range = { applicationIds: [application.id], from: full.beforeFrom, to: today };
      const days = await usage.service.sums(range, ['day', 'channel']);
      // The figures include today on the first day of use only: a part of a day can't be compared with full days.
      const isFull = days.some(({ day }) => day >= full.from && day <= full.to);
      const period = isFull ? full : periodOf(SHOWN_DAYS, today, today);
      const { from, to, beforeFrom } = period;
      const sums = days.filter(({ day }) => day >= from && day <= to);
      const now = sumOf(sums);
      const before = sumOf(days.filter(({ day }) => day >= beforeFrom && day < from));
      const { channels } = await providers.channels.list(actor, application.accountId);
      const { days: lately, ...state } = await readHomeState(viewerOf(visit));
      const { concerns, manualPauses, currency, failures, lastSent, outage, timeZone } = state;
      const usageUrl = `/dashboard/usage?application=${application.appKey}`;
      const isUsed = now.sent + now.failed + now.codes > 0;
      const change = countChange(now.sent, before.sent);
      const { appSecret } = flash.reveal ?? {};
      const withoutCode = isFull && now.codes > 0 ? Math.max(0, now.sent - now.codes) : 0;
      const settings = <SettingsCard application={application} channels={channels} />;
      const credentials = (
        <KeyPairCard
          application={application}
          baseUrl={`${serviceUrl}/api/v1`}
          appSecret={appSecret}
          now={clock.now()}
        />
      );
      // The credentials come first until the application is used, and with a new secret, which is shown only once.
      const isFirst = !isUsed || appSecret !== undefined;
      const cards = (
        <div class="halves">
          {credentials}
          {settings}
        </div>
      );
      return page(
        application.name,
        <>
          <PageHead
            title={application.name}
            lead={
              <>
                <StatusBadge application={application} /> {asOfText(clock.now(), timeZone)}
              </>
            }
          />
          <ConcernGroups concerns={concerns} manualPauses={manualPauses} timeZone={timeZone} isBrief />
          {isFirst && cards}
          {isUsed ? (
            <>
              <TodayFigures days={lately} {...state} application={application.appKey} />
              <section aria-labelledby="days" class="stack">
                <div>
                  <h2 id="days">{`Last ${SHOWN_DAYS} ${isFull ? 'full days' : 'days'}`}</h2>
                  <p class="lead">
                    {messagesText(now.sent)} sent
                    {change && `, ${change} in the previous ${SHOWN_DAYS} days`}.
                    {now.costs.length > 0 && ` Cost: ${costText(now, currency)}.`}
                    {withoutCode > 0 &&
                      ` Messages without a new code, such as order notifications: ${countText(withoutCode)}.`}
                  </p>
                </div>
                <div class="charts">
                  <Charts
                    only={['deliveries', 'conversion']}
                    period={period}
                    sums={sums}
                    now={now}
                    currency={currency}
                    url={({ first, last }) => `${usageUrl}&from=${first}&to=${last}`}
                  />
                </div>
              </section>
              <LatestFailures
                application={application.appKey}
                failures={failures}
                lastSent={lastSent}
                outage={outage}
                timeZone={timeZone}
              />
              {!isFirst && cards}
            </>
          ) : application.deleteAt !== null ? null : (
            <EmptyState
              title={`No messages in the last ${SHOWN_DAYS} days`}
              action={
                <a class="button" href={`${pathOf(application)}/connect`}>
                  Connect your shop or server
                </a>
              }
            >
              Send a code from your shop, your server or a workflow tool. Test messages in the dev inbox of this server
              don't count.
            </EmptyState>
          )}
        </>,
      );
    }),

    actOnApplication('/secret', 'rotateAppSecret', async ({ application, actor, body }) => {
      const path = pathOf(application);
      const form = readForm({ graceHours: wholeNumber(0, MAX_GRACE_HOURS) }, body);
      if (!form.ok)
        return redirect(path, { problem: 'No secret was created. Choose how long the old secret stays valid.' });
      const graceSeconds = (form.values.graceHours * HOUR) / SECOND;
      const { appSecret } = await applications.service.rotateSecret(actor, application.appKey, graceSeconds);
      return redirect(path, {
        notice: "New App Secret created. Copy it now. It won't be shown again.",
        reveal: { appSecret },
      });
    }),

    actOnApplication('/secret/end-old', 'revokeOldAppSecrets', async ({ application, actor }) => {
      await applications.service.expireOldSecrets(actor, application.appKey);
      return redirect(pathOf(application), {
        notice: 'Old App Secrets were revoked. Only the newest App Secret is valid.',
      });
    }),
  ];
}
