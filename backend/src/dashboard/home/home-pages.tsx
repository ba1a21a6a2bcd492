/** The page `/home`, which opens after sign-in: what needs attention, the first steps, figures, and the channels. */
import { DAY, startOfDay, utcDay } from '../../platform/clock.js';
import type { Application } from '../../modules/applications/application.js';
import type { Message } from '../../modules/messages/message.js';
import { createPriceOf } from '../../modules/messages/price.js';
import { unitsOf } from '../../modules/usage/usage.js';
import { PageHead } from '../components/page-head.js';
import type { Modules } from '../modules.js';
import { page, show, type PageRoute, type Visit } from '../page.js';
import { sumOf } from '../usage/figures.js';
import {
  concernsOf,
  COUNTED_FAILURES,
  isFailing,
  yesterdayText,
  type ApplicationState,
  type CalledWebhook,
  type Refused,
} from './attention.js';
import { stepsOf } from './checklist.js';
import { HomeView } from './home-view.js';
import type { Setup } from './setup.js';

const SHOWN_DAYS = 14;
const SHOWN_FAILURES = 5;
/** How many refused messages are read, to find the latest one that the fraud guard refused. */
const READ_REFUSALS = 20;

type HomeModules = Modules<
  'budgets' | 'clock' | 'fraud' | 'messages' | 'providers' | 'senderDomains' | 'usage' | 'webhooks'
>;

export function homePages(core: HomeModules, setup: Setup): readonly PageRoute[] {
  const { senderDomains, messages, usage, webhooks, budgets, fraud, providers, clock } = core;
  const priceOf = createPriceOf(providers.routing);

  async function webhooksOf({ actor, may }: Visit, application: Application): Promise<CalledWebhook[]> {
    const all = await webhooks.service.listAll(application);
    return Promise.all(
      all.map(async (webhook) => {
        const isShown = isFailing(webhook) && may('own');
        return { ...webhook, calls: isShown ? (await webhooks.service.log(actor, webhook)).attempts : [] };
      }),
    );
  }

  async function lastRefusedAt(application: Application): Promise<number | undefined> {
    const filter = { applicationIds: [application.id], state: 'refused' } as const;
    const { messages: refused } = await messages.lookup.page(filter, undefined, READ_REFUSALS);
    return refused.find(({ refusal }) => refusal?.code === 'FRAUD_SUSPECTED')?.createdAt;
  }

  async function statesOf(visit: Visit, applications: readonly Application[]): Promise<ApplicationState[]> {
    const news = await fraud.news(applications);
    return Promise.all(
      applications.map(async (application) => {
        const refusals = news.find((one) => one.application === application);
        return {
          application,
          webhooks: await webhooksOf(visit, application),
          budgets: await budgets.overview(application),
          refusals,
          refusedAt: refusals && (await lastRefusedAt(application)),
        };
      }),
    );
  }

  /** Voice calls have their own rule; the other refused messages are priced as SMS, because their channel is not stored. */
  async function refusedYesterday({ id: applicationId }: Application): Promise<Refused[]> {
    const refusals = await fraud.refusedYesterday(applicationId);
    return refusals.map(({ rule, country, messages: count }) => {
      const channel = rule === 'voice' ? 'VOICE' : 'SMS';
      const cost = count * unitsOf(priceOf({ applicationId, channel, country }).charge);
      return { country, messages: count, cost };
    });
  }

  /** Expired messages count as failures, because codes expire during an outage of all providers. */
  async function latestFailures(applicationIds: readonly number[]): Promise<Message[]> {
    const pages = await Promise.all(
      (['failed', 'expired'] as const).map((state) =>
        messages.lookup.page({ applicationIds, state }, undefined, COUNTED_FAILURES),
      ),
    );
    const all = pages.flatMap((one) => one.messages);
    return all.sort((a, b) => b.createdAt - a.createdAt);
  }

  async function home(visit: Visit) {
    const state = await setup.state(visit);
    const { applications, channels, mayHaveProviders } = state;
    const { actor, person } = visit;
    const applicationIds = applications.map(({ id }) => id);
    const days = Array.from({ length: SHOWN_DAYS }, (_, n) => utcDay(clock.now() - (SHOWN_DAYS - 1 - n) * DAY));
    const yesterday = days.at(-2)!;
    const counts = await usage.service.sums({ applicationIds, from: days[0]!, to: days.at(-1)! }, ['day']);
    const sums = days.map((day) => sumOf(counts.filter((count) => count.day === day)));
    const failures = await latestFailures(applicationIds);
    const currency = providers.routing.currency();
    const concerns = concernsOf({
      channels,
      domains: mayHaveProviders ? await senderDomains.list(actor, person.accountId) : [],
      applications: await statesOf(visit, applications),
      failures,
      currency,
      today: sums.at(-1)!,
      lately: sumOf(counts.filter(({ day }) => day >= yesterday)),
      usual: sumOf(counts.filter(({ day }) => day < yesterday)),
    });
    const refused = (await Promise.all(applications.map(refusedYesterday))).flat();
    return page(
      'Home',
      <>
        <PageHead title="Home" lead={yesterdayText(sums.at(-2)!, refused, currency)} />
        <HomeView
          steps={stepsOf(state)}
          concerns={concerns}
          days={sums}
          today={startOfDay(clock.now())}
          failures={failures.slice(0, SHOWN_FAILURES)}
          currency={currency}
          channels={channels}
          queued={messages.service.queued(applicationIds)}
        />
      </>,
    );
  }

  return [show('/home', 'read', home)];
}
