/** The reply to a send, from the session and what became of its message. */
import { ApiError, failure } from '../../platform/contract/errors.js';
import type { components } from '../../platform/contract/generated/api.js';
import type { Delay, Outcome } from '../messages/message.js';
import { sendEnvelope, sendMessage } from '../messages/send-envelope.js';
import type { OtpSession } from './otp-store.js';

type Schemas = components['schemas'];

/** Without an outcome the message is queued; `currency` is for what costs nothing. */
export function sendReply(
  session: OtpSession,
  outcome: Outcome | Delay | undefined,
  currency: string,
): Schemas['SendOtpReply'] | Schemas['Failure'] {
  const data = sendEnvelope(session, outcome, currency);
  if (data.isSent > 0) return { success: true, message: sendMessage('OTP', 'OTP sent successfully', outcome), data };
  const reason = data.results.at(-1)?.message ?? 'its code expired first';
  return failure(new ApiError('SEND_FAILED', { values: { reason }, data }));
}
