/** Explains to support and to programs why a message did not arrive, and what to do. */
import { isoTime } from '../../platform/clock.js';
import { acceptedAttempt, canRetry, isTest, visibleState, type Attempt, type Message } from './message.js';
import { refusalText } from './refusal.js';

export interface Explanation {
  /** Undefined if the message was sent and no failure is known. */
  readonly reason?: string;
  readonly fix?: string;
}

const failureText = ({ provider, message }: Attempt): string =>
  provider === undefined ? message : `${provider}: ${message}`;

function lastFailure({ attempts, history }: Message): Attempt | undefined {
  const earlier = history.filter((entry) => 'success' in entry);
  return [...earlier, ...attempts].filter(({ success }) => !success).at(-1);
}

/** Twilio's reasons, and the usual words of other providers. */
const WRONG_RECIPIENT =
  /(?:not a valid|invalid) (?:phone |mobile )?(?:number|recipient|address)|(?:number|recipient|address) does not exist/i;

const isToWrongRecipient = ({ message }: Attempt): boolean => WRONG_RECIPIENT.test(message);

/** Whether a message failed because nobody has the number or address, so that sending it again cannot succeed. */
export function hasWrongRecipient(message: Message): boolean {
  const failure = lastFailure(message);
  return message.state === 'failed' && failure !== undefined && isToWrongRecipient(failure);
}

/** Whether an attempt failed because of its recipient, so that it shows nothing about the provider. */
export const failedByRecipient = (attempt: Attempt): boolean =>
  !attempt.success && (isToWrongRecipient(attempt) || attempt.details?.optedOut === true);

function correctionOf({ recipient, template }: Message): string {
  const address = recipient.includes('@') ? 'email address' : 'phone number';
  return template === 'otp'
    ? `Your customer must enter a correct ${address} and request a new code.`
    : `Correct the ${address}, then send a new notification.`;
}

/** Returns the provider that a delivery report is from; undefined if it may be about an earlier send, by another provider. */
export const reportingProvider = (message: Message): string | undefined =>
  message.earlierSends.length === 0 ? acceptedAttempt(message)?.provider : undefined;

export function explanationOf(message: Message, now: number): Explanation {
  const { refusal, template, expiresAt, sendAt } = message;
  if (refusal)
    return {
      reason: refusalText(refusal.reason, refusal.until === null ? null : isoTime(refusal.until)),
      fix: refusal.hint,
    };
  const again = template === 'otp' ? 'Your customer can request a new code.' : 'Send a new notification.';
  const failure = lastFailure(message);
  switch (visibleState(message)) {
    case 'failed':
      return {
        reason: failure ? failureText(failure) : 'delivery failed on every channel',
        fix: hasWrongRecipient(message)
          ? `${correctionOf(message)} Another message to the same recipient will also fail.`
          : `Check the recipient and the provider. ${canRetry(message, now) ? `You can send the message again until ${isoTime(expiresAt)}.` : again}`,
      };
    case 'expired':
      return {
        reason: `the message expired before a provider accepted it${failure ? `; the last attempt failed: ${failureText(failure)}` : ''}`,
        fix: `Check whether the providers work, and whether many messages are waiting. ${again}`,
      };
    case 'undelivered':
      return {
        reason: acceptedAttempt(message)?.undelivered ?? 'the provider reported that it could not deliver the message',
        fix: `${again} If this happens to more messages than usual, ask ${reportingProvider(message) ?? 'the provider'} for the reason.`,
      };
    case 'scheduled':
      return { reason: `the message is scheduled for ${isoTime(sendAt!)}` };
    case 'queued':
    case 'sending':
      return {
        reason: failure
          ? `the message is not sent yet; the last attempt failed: ${failureText(failure)}`
          : 'the message is waiting to be sent',
        fix: `Passbell ${failure ? 'tries again' : 'tries to send it'} automatically until ${isoTime(expiresAt)}. Check whether the providers work, and whether many messages are waiting.`,
      };
    case 'canceled':
      return message.replacedBy === null
        ? { reason: 'the message was canceled before it was sent', fix: again }
        : { reason: 'a newer notification replaced the message before it was sent' };
    default:
      return isTest(message)
        ? {
            reason: 'the message is in the dev inbox, because no provider is set up for its channel',
            fix: 'Open the dev inbox at /dev/inbox. To send messages to recipients, set up a provider.',
          }
        : {};
  }
}
