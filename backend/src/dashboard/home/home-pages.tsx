/** The page `/home`, which opens after sign-in: the first steps, the state of the channels, and today's figures. */
import { utcDay, type Clock } from '../../platform/clock.js';
import type { MessagesService } from '../../modules/messages/messages-service.js';
import type { FraudNews } from '../../modules/fraud/fraud-overview.js';
import type { UsageService } from '../../modules/usage/index.js';
import { PageHead } from '../components/page-head.js';
import { page, show, type PageRoute, type Visit } from '../page.js';
import { sumOf } from '../usage/figures.js';
import { stepsOf } from './checklist.js';
import { HomeView } from './home-view.js';
import type { Setup } from './setup.js';

interface Services {
  readonly setup: Setup;
  readonly messages: MessagesService;
  readonly usage: UsageService;
  readonly guardNews: FraudNews;
  readonly clock: Clock;
  /** Currency that is shown for messages without a price. */
  readonly currency: () => string;
}

export function homePages({ setup, messages, usage, guardNews, clock, currency }: Services): readonly PageRoute[] {
  async function home(visit: Visit) {
    const state = await setup.state(visit);
    const applicationIds = state.applications.map(({ id }) => id);
    const today = utcDay(clock.now());
    const sums = await usage.sums({ applicationIds, from: today, to: today }, []);
    return page(
      'Home',
      <>
        <PageHead title="Home" />
        <HomeView
          steps={stepsOf(state)}
          news={await guardNews(state.applications)}
          today={sumOf(sums)}
          currency={currency()}
          application={state.applications[0]}
          channels={state.channels}
          queued={messages.queued(applicationIds)}
        />
      </>,
    );
  }

  return [show('/home', 'read', home)];
}
