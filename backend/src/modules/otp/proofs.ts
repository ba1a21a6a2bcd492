/** Who has proved an identity, and over which channel. */
import type { Knex } from 'knex';
import type { ChannelName } from '../../providers/provider.js';
import type { Clock } from '../../platform/clock.js';
import type { MessagesService } from '../messages/messages-service.js';
import type { SessionsService } from '../sessions/sessions-service.js';
import type { User } from '../sessions/users-store.js';
import type { OtpSession } from './otp-store.js';

export interface Proof {
  readonly user: User;
  readonly channel: ChannelName;
}

/** The proofs of verified sessions, in their order; a user who is new is made. */
export type ProofsOf = (trx: Knex, sessions: readonly OtpSession[]) => Promise<Proof[]>;

function identityOf({ applicationId, recipient }: OtpSession) {
  const identityType = recipient.startsWith('+') ? ('phone' as const) : ('email' as const);
  return { applicationId, identityType, identity: recipient, verified: true };
}

export function createProofs({
  messages,
  sessions,
  clock,
}: {
  messages: MessagesService;
  sessions: SessionsService;
  clock: Clock;
}): ProofsOf {
  return async (trx, verified) => {
    if (verified.length === 0) return [];
    const users = await sessions.findOrCreateUsers(trx, verified.map(identityOf), clock.now());
    const carried = await messages.carriersOf(
      trx,
      verified.flatMap(({ messageId }) => messageId ?? []),
    );
    return verified.map(({ messageId, channel }, n) => ({
      user: users[n]!,
      channel: carried.get(messageId ?? '') ?? channel,
    }));
  };
}
