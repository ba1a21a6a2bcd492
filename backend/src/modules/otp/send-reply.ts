/** The reply to a send, from the session and what became of its message. */
import type { ChannelName } from '../../channels/channel.js';
import { SECOND } from '../../clock.js';
import { ApiError, failure } from '../../errors.js';
import type { components } from '../../generated/api.js';
import type { Attempt, Outcome } from '../messages/message.js';
import { FREE } from '../messages/price.js';
import { maskRecipient } from '../messages/recipient.js';
import type { OtpSession } from './otp-store.js';

type Schemas = components['schemas'];

const AUTH_TYPES: Readonly<Record<ChannelName, Schemas['AuthType']>> = {
  EMAIL: 'Email',
  SMS: 'Sms',
  WHATSAPP: 'WHATSAPP',
  VOICE: 'Voice',
};

function resultOf(session: OtpSession, { channel, success, message }: Attempt): Schemas['SendResult'] {
  const authType = AUTH_TYPES[channel];
  const expireTime = session.expiresAt / SECOND;
  return {
    success,
    message,
    to: maskRecipient(session.recipient),
    authType,
    authtype: authType,
    maskId: session.maskId,
    createdTime: session.createdAt / SECOND,
    expireTime,
    expiretime: expireTime,
    ...FREE,
  };
}

/** Without an outcome the message is queued: accepted for good, though no provider has it yet. */
export function sendReply(
  session: OtpSession,
  outcome: Outcome | undefined,
): Schemas['SendOtpReply'] | Schemas['Failure'] {
  const tried = outcome?.tried ?? [{ channel: session.channel, success: true, message: 'queued' }];
  const results = tried.map((attempt) => resultOf(session, attempt));
  const data = { isTried: results.length, isSent: results.filter((result) => result.success).length, results };
  if (data.isSent > 0)
    return { success: true, message: outcome ? 'OTP sent successfully' : 'OTP is queued for delivery', data };
  const reason = tried.at(-1)?.message ?? 'its code expired first';
  return failure(new ApiError('SEND_FAILED', { values: { reason }, data }));
}
