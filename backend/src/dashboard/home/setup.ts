/** Reads the state of an account's first steps. */
import { isTest } from '../../modules/messages/message.js';
import { dayOf } from '../../modules/usage/usage.js';
import type { Visit } from '../page.js';
import type { DashboardServices } from '../services.js';
import { stepsOf, type SetupState, type Step } from './checklist.js';

/** Sorts before every day, so that a range from this value contains all days. */
const FIRST_DAY = '';

export function createSetup(services: DashboardServices) {
  const { applications, channels, providerAccounts, messageLookup, usage, clock } = services;
  const { people, secondFactor, passkeys } = services;

  async function state({ actor, person, session, may }: Visit): Promise<SetupState> {
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

  /** Returns the first step that is not done; undefined if the person can complete none. */
  async function nextStep(visit: Visit): Promise<Step | undefined> {
    return stepsOf(await state(visit)).find(({ done, link }) => !done && link !== undefined);
  }

  return { state, nextStep };
}
