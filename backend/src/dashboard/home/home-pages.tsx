/** The page `/home`, which opens after sign-in: what needs attention, the first steps, figures, and the channels. */
import { DAY, utcDay, type Clock } from '../../platform/clock.js';
import type { Application } from '../../modules/applications/application.js';
import type { Budgets } from '../../modules/budgets/index.js';
import type { FraudNews } from '../../modules/fraud/fraud-overview.js';
import type { MessageLookup } from '../../modules/messages/message-lookup.js';
import type { MessagesService } from '../../modules/messages/messages-service.js';
import type { SenderDomains } from '../../modules/sender-domains/index.js';
import type { UsageService } from '../../modules/usage/index.js';
import type { WebhooksService } from '../../modules/webhooks/index.js';
import { PageHead } from '../components/page-head.js';
import { page, show, type PageRoute, type Visit } from '../page.js';
import { sumOf } from '../usage/figures.js';
import { concernsOf, yesterdayText, type ApplicationState } from './attention.js';
import { stepsOf } from './checklist.js';
import { HomeView } from './home-view.js';
import type { Setup } from './setup.js';

interface Services {
  readonly setup: Setup;
  readonly senderDomains: SenderDomains;
  readonly messages: MessagesService;
  readonly lookup: MessageLookup;
  readonly usage: UsageService;
  readonly webhooks: WebhooksService;
  readonly budgets: Budgets;
  readonly guardNews: FraudNews;
  readonly clock: Clock;
  /** Currency that is shown for messages without a price. */
  readonly currency: () => string;
}

const SHOWN_DAYS = 14;
const SHOWN_FAILURES = 5;

export function homePages(services: Services): readonly PageRoute[] {
  const { setup, senderDomains, messages, lookup, usage, webhooks, budgets, guardNews, clock, currency } = services;

  async function statesOf(applications: readonly Application[]): Promise<ApplicationState[]> {
    const news = await guardNews(applications);
    return Promise.all(
      applications.map(async (application) => ({
        application,
        webhooks: await webhooks.listAll(application),
        budgets: await budgets.overview(application),
        refusals: news.find((one) => one.application === application)?.text ?? '',
      })),
    );
  }

  async function home(visit: Visit) {
    const state = await setup.state(visit);
    const { applications, channels, mayHaveProviders } = state;
    const { actor, person } = visit;
    const applicationIds = applications.map(({ id }) => id);
    const days = Array.from({ length: SHOWN_DAYS }, (_, n) => utcDay(clock.now() - (SHOWN_DAYS - 1 - n) * DAY));
    const yesterday = days.at(-2)!;
    const counts = await usage.sums({ applicationIds, from: days[0]!, to: days.at(-1)! }, ['day']);
    const sums = days.map((day) => sumOf(counts.filter((count) => count.day === day)));
    const concerns = concernsOf({
      channels,
      domains: mayHaveProviders ? await senderDomains.list(actor, person.accountId) : [],
      applications: await statesOf(applications),
      today: sums.at(-1)!,
      lately: sumOf(counts.filter(({ day }) => day >= yesterday)),
      usual: sumOf(counts.filter(({ day }) => day < yesterday)),
    });
    const failed = await lookup.page({ applicationIds, state: 'failed' }, undefined, SHOWN_FAILURES);
    return page(
      'Home',
      <>
        <PageHead title="Home" lead={yesterdayText(sums.at(-2)!)} />
        <HomeView
          steps={stepsOf(state)}
          concerns={concerns}
          days={sums}
          failures={failed.messages}
          currency={currency()}
          channels={channels}
          queued={messages.queued(applicationIds)}
        />
      </>,
    );
  }

  return [show('/home', 'read', home)];
}
