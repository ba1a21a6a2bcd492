/** Creates the webhook events of codes. Times are in milliseconds. */
import { SECOND } from '../../platform/clock.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import { maskRecipient } from '../recipients/recipient.js';
import { eventId, type WebhookEvent } from '../webhooks/event.js';
import { UNMATCHABLE_HASH, type OtpCode } from './otp-code.js';
import { identityTypeOf, type VerifiedUser } from './verified-users.js';

type Channel = Schemas['CodeEventData']['channel'];

const dataOf = ({ maskId, recipient, reference }: OtpCode, channel: ChannelName): Schemas['CodeEventData'] => ({
  maskId,
  channel: channel.toLowerCase() as Channel,
  identityType: identityTypeOf(recipient),
  to: maskRecipient(recipient),
  ...(reference === null ? {} : { reference }),
});

export function verifiedEvent(code: OtpCode, { user, channel }: VerifiedUser, verifiedAt: number): WebhookEvent {
  const { applicationId, maskId } = code;
  const verifiedTime = Math.floor(verifiedAt / SECOND);
  const data = { ...dataOf(code, channel), userId: user.userId, verifiedTime };
  const id = eventId('otp.verified', maskId);
  return { applicationId, body: { id, event: 'otp.verified', createdTime: verifiedTime, data } };
}

/** A code can be locked several times, so the time is part of the event's ID. */
export function lockedEvent(code: OtpCode & { readonly lockedUntil: number }, lockedAt: number): WebhookEvent {
  const { applicationId, maskId, channel, codeHash, lockedUntil } = code;
  const data = { ...dataOf(code, channel), lockedUntilTime: Math.ceil(lockedUntil / SECOND) };
  const id = eventId('otp.locked', maskId, lockedAt);
  return {
    applicationId,
    isDecoy: codeHash === UNMATCHABLE_HASH,
    body: { id, event: 'otp.locked', createdTime: Math.floor(lockedAt / SECOND), data },
  };
}

export function canceledEvent(code: OtpCode, canceledAt: number): WebhookEvent {
  const { applicationId, maskId, channel } = code;
  const id = eventId('otp.canceled', maskId);
  const createdTime = Math.floor(canceledAt / SECOND);
  return { applicationId, body: { id, event: 'otp.canceled', createdTime, data: dataOf(code, channel) } };
}
