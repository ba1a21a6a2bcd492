import { SECOND } from '../../platform/clock.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import { maskRecipient } from '../recipients/recipient.js';
import { eventId, type WebhookEvent } from '../webhooks/event.js';
import type { OtpCode } from './otp-code.js';
import { identityTypeOf, type VerifiedUser } from './verified-users.js';

type Channel = Schemas['VerifiedEventData']['channel'];

/** Creates the `otp.verified` event for a code. `verifiedAt` is in milliseconds. */
export function verifiedEvent(
  { applicationId, maskId, recipient, reference }: OtpCode,
  { user, channel }: VerifiedUser,
  verifiedAt: number,
): WebhookEvent {
  const verifiedTime = Math.floor(verifiedAt / SECOND);
  return {
    applicationId,
    body: {
      id: eventId('otp.verified', maskId),
      event: 'otp.verified',
      createdTime: verifiedTime,
      data: {
        maskId,
        userId: user.userId,
        channel: channel.toLowerCase() as Channel,
        identityType: identityTypeOf(recipient),
        to: maskRecipient(recipient),
        ...(reference === null ? {} : { reference }),
        verifiedTime,
      },
    },
  };
}
