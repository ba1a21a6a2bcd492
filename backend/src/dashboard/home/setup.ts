/** Reads the state of an account's first steps. */
import { isTest } from '../../modules/messages/message.js';
import type { Modules } from '../modules.js';
import type { Visit } from '../page.js';
import { stepsOf, type SetupState, type Step } from './checklist.js';

/** A range that contains all days. */
export const ALL_DAYS = { from: '', to: '9999-12-31' };

export type Setup = ReturnType<typeof createSetup>;

type SetupModules = Modules<'applications' | 'automations' | 'messages' | 'people' | 'providers' | 'usage'>;

export function createSetup({ applications, automations, providers, messages, usage, people }: SetupModules) {
  async function state({ actor, person, session, may }: Visit): Promise<SetupState> {
    const { accountId, email, createdAt } = person;
    const all = await applications.service.listInAccount(accountId);
    const applicationIds = all.map(({ id }) => id);
    const sums = await usage.service.sums({ applicationIds, ...ALL_DAYS }, []);
    const newest = await messages.lookup.page({ applicationIds }, undefined, 1);
    const team = await people.service.ofAccount(accountId);
    const shops = await Promise.all(all.map((application) => automations.service.list(application)));
    const invitations = await people.service.invited(accountId);
    return {
      applications: all,
      ...(await providers.channels.list(actor, accountId)),
      mayHaveProviders: await providers.service.isAllowed(accountId),
      hasPrices: all.length > 0 && providers.routing.pricesFor({ applicationId: all[0]!.id }, 'SMS') !== undefined,
      hasSentCode: sums.some(({ codes }) => codes > 0),
      hasMessage: newest.messages.length > 0,
      hasTestMessage: newest.messages.some(isTest),
      isProtected: (await people.secondFactor.isOn(session)) || (await people.passkeys.ofEmail(email)).length > 0,
      hasShop: shops.some((ofApplication) => ofApplication.length > 0),
      hasColleague: team.length + invitations.length > 1,
      joinedAt: createdAt,
      isOwner: may('own'),
    };
  }

  /** Returns the account's first step that is not done; undefined if the person can complete none. */
  async function nextStep(visit: Visit): Promise<Step | undefined> {
    return stepsOf(await state(visit)).find(({ done, isPersonal, link }) => !done && !isPersonal && link !== undefined);
  }

  return { state, nextStep };
}
