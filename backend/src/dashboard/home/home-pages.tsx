/** The page `/home`, which opens after sign-in: what needs attention, the first steps, figures, and the channels. */
import { PageHead } from '../components/page-head.js';
import { asOfText } from '../components/time.js';
import { page, show, type PageRoute, type Visit } from '../page.js';
import { periodText } from './ended-period.js';
import { stepsOf } from './checklist.js';
import { createHomeState, type HomeModules } from './home-state.js';
import { HomeView } from './home-view.js';
import type { Setup } from './setup.js';

export function homePages(core: HomeModules, setup: Setup): readonly PageRoute[] {
  const { messages, clock } = core;
  const readHomeState = createHomeState(core);

  async function home(visit: Visit) {
    const state = await setup.state(visit);
    const { applications, channels, providers, hasMessage, hasTestMessage } = state;
    const { actor, person } = visit;
    const { accountId } = person;
    const { ended, ...shown } = await readHomeState({ actor, accountId, ...state });
    const yesterday = await ended(1);
    const earlier = shown.days.slice(0, -1);
    const isUsed = earlier.some(({ sum: { sent, failed } }) => sent + failed > 0) || yesterday.refused.length > 0;
    return page(
      'Home',
      <>
        <PageHead title="Home" lead={asOfText(clock.now(), shown.timeZone)} />
        <HomeView
          {...shown}
          yesterday={isUsed ? periodText(yesterday, shown.currency) : undefined}
          steps={stepsOf(state)}
          channels={channels}
          hasMessage={hasMessage}
          hasTestMessage={hasTestMessage}
          providers={providers}
          queued={messages.service.queued(applications.map(({ id }) => id))}
        />
      </>,
    );
  }

  return [show('/home', 'read', home)];
}
