import { isoTime } from '../../platform/clock.js';
import type { EndUsersService } from '../end-users/end-users-service.js';
import { maskRecipient } from '../recipients/recipient.js';
import { found, type Actions, type ApplicationCall } from './action.js';

export function createUserActions(endUsers: EndUsersService) {
  async function view({ application }: ApplicationCall, user: string) {
    const address = found(endUsers.addressOf(application, user), 'such user');
    const { users, codes, factor, lockedUntil } = await endUsers.describe(application, address);
    return {
      user,
      to: maskRecipient(address),
      users: users.map(({ userId, verified, createdAt, lastVerifiedAt }) => ({
        userId,
        verified,
        createdAt: isoTime(createdAt),
        lastVerifiedAt: isoTime(lastVerifiedAt),
      })),
      codes: codes.map(({ channel, state, sentAt }) => ({ channel, state, sentAt: isoTime(sentAt) })),
      twoFactor: factor?.since !== undefined,
      ...(lockedUntil === 0 ? {} : { lockedUntilAt: isoTime(lockedUntil) }),
    };
  }

  return {
    findUser: async (call, { person }) =>
      view(call, found(await endUsers.find(call.application, person), 'user with this ID, number or address')),

    async changeUser(call, { user, change }) {
      const { actor, application } = call;
      const address = found(endUsers.addressOf(application, user), 'such user');
      if (change === 'end-sessions') await endUsers.endSessions(actor, application, address);
      if (change === 'unlock') await endUsers.unlock(actor, application, address);
      if (change === 'reset-two-factor') await endUsers.resetTwoFactor(actor, application, address);
      return view(call, user);
    },
  } satisfies Partial<Actions>;
}
