/** Finds the users of verified codes, and the channel on which each user received the code. */
import type { Knex } from 'knex';
import type { Clock } from '../../platform/clock.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import type { MessagesService } from '../messages/messages-service.js';
import type { SessionsService } from '../sessions/sessions-service.js';
import type { User } from '../sessions/user.js';
import type { OtpCode } from './otp-code.js';

export interface VerifiedUser {
  readonly user: User;
  readonly channel: ChannelName;
}

/**
 * Returns one user for each code, in the same order. Creates missing users. `accepted`: the channels on which the codes
 * were accepted, by message id; by default, they are read.
 */
export type FindVerifiedUsers = (
  trx: Knex,
  codes: readonly OtpCode[],
  accepted?: ReadonlyMap<string, ChannelName>,
) => Promise<VerifiedUser[]>;

export const identityTypeOf = (recipient: string): 'phone' | 'email' => (recipient.startsWith('+') ? 'phone' : 'email');

export function createFindVerifiedUsers(
  messages: Pick<MessagesService, 'channelsOf'>,
  sessions: Pick<SessionsService, 'findOrCreateUsers'>,
  clock: Clock,
): FindVerifiedUsers {
  return async function findVerifiedUsers(trx, verified, accepted) {
    if (verified.length === 0) return [];
    const identities = verified.map(({ applicationId, recipient }) => ({
      applicationId,
      identityType: identityTypeOf(recipient),
      identity: recipient,
      verified: true,
    }));
    const users = await sessions.findOrCreateUsers(trx, identities, clock.now());
    const messageIds = verified.flatMap(({ messageId }) => messageId ?? []);
    const channels = accepted ?? (await messages.channelsOf(trx, messageIds));
    return verified.map(({ messageId, channel }, n) => ({
      user: users[n]!,
      channel: channels.get(messageId ?? '') ?? channel,
    }));
  };
}
