/** The page `/home`, which opens after sign-in: the first steps, the state of the channels, and today's figures. */
import { dayOf } from '../../modules/usage/usage.js';
import { PageHead } from '../components/page-head.js';
import { page, show, type PageRoute, type Visit } from '../page.js';
import type { DashboardServices } from '../services.js';
import { sumOf } from '../usage/figures.js';
import { stepsOf } from './checklist.js';
import { HomeView } from './home-view.js';
import { createSetup } from './setup.js';

export function homePages(services: DashboardServices): readonly PageRoute[] {
  const { messages, usage, clock, currency } = services;
  const setup = createSetup(services);

  async function home(visit: Visit) {
    const state = await setup.state(visit);
    const applicationIds = state.applications.map(({ id }) => id);
    const today = dayOf(clock.now());
    const sums = await usage.sums({ applicationIds, from: today, to: today }, []);
    return page(
      'Home',
      <>
        <PageHead title="Home" />
        <HomeView
          steps={stepsOf(state)}
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
