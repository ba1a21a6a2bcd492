/** Reads the state of an account's first steps. */
import { utcDay, type Clock } from '../../platform/clock.js';
import type { ApplicationsService } from '../../modules/applications/applications-service.js';
import type { MessageLookup } from '../../modules/messages/message-lookup.js';
import type { Passkeys } from '../../modules/people/passkeys.js';
import type { PeopleService } from '../../modules/people/people-service.js';
import type { PersonSecondFactor } from '../../modules/people/person-second-factor.js';
import type { ChannelsService } from '../../modules/providers/channels-service.js';
import type { ProvidersService } from '../../modules/providers/providers-service.js';
import type { Routing } from '../../modules/providers/routing.js';
import type { UsageService } from '../../modules/usage/index.js';
import { isTest } from '../../modules/messages/message.js';
import type { Visit } from '../page.js';
import { stepsOf, type SetupState, type Step } from './checklist.js';

/** Sorts before every day, so that a range from this value contains all days. */
const FIRST_DAY = '';

export type Setup = ReturnType<typeof createSetup>;

interface SetupServices {
  readonly applications: ApplicationsService;
  readonly providers: ProvidersService;
  readonly channels: ChannelsService;
  readonly lookup: MessageLookup;
  readonly usage: UsageService;
  readonly people: PeopleService;
  readonly secondFactor: PersonSecondFactor;
  readonly passkeys: Passkeys;
  readonly pricesFor: Routing['pricesFor'];
  readonly clock: Clock;
}

export function createSetup(services: SetupServices) {
  const { applications, providers, channels, lookup, usage, people, secondFactor, passkeys, pricesFor, clock } =
    services;

  async function state({ actor, person, session, may }: Visit): Promise<SetupState> {
    const { accountId, email } = person;
    const all = await applications.listInAccount(accountId);
    const applicationIds = all.map(({ id }) => id);
    const sums = await usage.sums({ applicationIds, from: FIRST_DAY, to: utcDay(clock.now()) }, []);
    const newest = await lookup.page({ applicationIds }, undefined, 1);
    const team = await people.ofAccount(accountId);
    const invitations = await people.invited(accountId);
    return {
      applications: all,
      channels: (await channels.list(actor, accountId)).channels,
      mayHaveProviders: await providers.isAllowed(accountId),
      hasPrices: all.length > 0 && pricesFor({ applicationId: all[0]!.id }, 'SMS') !== undefined,
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
