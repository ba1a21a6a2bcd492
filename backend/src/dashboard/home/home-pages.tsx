/** The page `/home`, which opens after sign-in: the first steps, the state of the channels, and today's figures. */
import { isTest } from '../../modules/messages/message.js';
import { dayOf } from '../../modules/usage/usage.js';
import { PageHead } from '../components/page-head.js';
import { page, show, type PageRoute, type Visit } from '../page.js';
import type { DashboardServices } from '../services.js';
import { upgradeNoticeFor } from '../upgrades/upgrade-notice.js';
import { sumOf } from '../usage/figures.js';
import { stepsOf, type SetupState } from './checklist.js';
import { HomeView } from './home-view.js';

/** Sorts before every day, so that a range from this value contains all days. */
const FIRST_DAY = '';

export function homePages(services: DashboardServices): readonly PageRoute[] {
  const { applications, channels, providerAccounts, messages, messageLookup, usage, clock, currency } = services;
  const { people, secondFactor, passkeys } = services;

  async function setupOf({ actor, person, session, may }: Visit): Promise<SetupState> {
    const { accountId, email } = person;
    const all = await applications.listInAccount(accountId);
    const applicationIds = all.map(({ id }) => id);
    const sums = await usage.sums({ applicationIds, from: FIRST_DAY, to: dayOf(clock.now()) }, []);
    const newest = await messageLookup.page({ applicationIds }, undefined, 1);
    const [team, invitations] = [await people.ofAccount(accountId), await people.invited(accountId)];
    return {
      applications: all,
      channels: (await channels(actor, accountId)).channels,
      mayHaveProviders: await providerAccounts.isAllowed(accountId),
      hasSentCode: sums.some(({ codes }) => codes > 0),
      hasTestMessage: newest.messages.some(isTest),
      isProtected: (await secondFactor.isOn(session)) || (await passkeys.ofEmail(email)).length > 0,
      hasColleague: team.length + invitations.length > 1,
      isOwner: may('own'),
    };
  }

  async function home(visit: Visit) {
    const state = await setupOf(visit);
    const applicationIds = state.applications.map(({ id }) => id);
    const today = dayOf(clock.now());
    const sums = await usage.sums({ applicationIds, from: today, to: today }, []);
    return page(
      'Home',
      <>
        <PageHead title="Home" />
        {await upgradeNoticeFor(services, visit)}
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
