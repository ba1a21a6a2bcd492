/** Explains to support and to programs why a message did not arrive, and what to do. */
import { isoTime } from '../../platform/clock.js';
import { acceptedAttempt, canRetry, visibleState, type Attempt, type Message } from './message.js';
import { refusalText } from './refusal.js';

export interface Explanation {
  /** Undefined if nothing went wrong. */
  readonly reason?: string;
  readonly fix?: string;
}

const failureText = ({ provider, message }: Attempt): string =>
  provider === undefined ? message : `${provider}: ${message}`;

function lastFailure({ attempts, history }: Message): Attempt | undefined {
  const earlier = history.filter((entry) => 'success' in entry);
  return [...earlier, ...attempts].filter(({ success }) => !success).at(-1);
}

export function explanationOf(message: Message, now: number): Explanation {
  const { refusal, template, expiresAt } = message;
  if (refusal)
    return {
      reason: refusalText(refusal.reason, refusal.until === null ? null : isoTime(refusal.until)),
      fix: refusal.hint,
    };
  const again = `Request a new ${template === 'otp' ? 'code' : 'message'}.`;
  const failure = lastFailure(message);
  switch (visibleState(message)) {
    case 'failed':
      return {
        reason: failure ? failureText(failure) : 'delivery failed on every channel',
        fix: `Check the recipient and the provider. ${canRetry(message, now) ? `You can send the message again until ${isoTime(expiresAt)}.` : again}`,
      };
    case 'expired':
      return {
        reason: `the message expired before a provider accepted it${failure ? `; the last attempt failed: ${failureText(failure)}` : ''}`,
        fix: `Check whether the providers work, and whether many messages are waiting. ${again}`,
      };
    case 'undelivered':
      return {
        reason: acceptedAttempt(message)?.undelivered ?? 'the provider reported that it could not deliver the message',
        fix: `Check that the recipient can receive messages, or use another channel or provider. ${again}`,
      };
    default:
      return {};
  }
}
