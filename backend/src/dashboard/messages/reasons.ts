/** Why messages did not arrive. */
import { refusedBecause } from '../../modules/fraud/fraud-texts.js';
import { acceptedAttempt, type Message } from '../../modules/messages/message.js';
import type { Refusal } from '../../modules/messages/refusal.js';
import { countryOf } from '../../modules/recipients/recipient.js';
import { sha256 } from '../../platform/crypto.js';
import { CHANNEL_NAMES } from './labels.js';

/** The reason of a refusal, for people who read it later: the reply to the request describes the pause of that time. */
export const refusalReason = ({ code, reason, hint }: Refusal): string =>
  code === 'FRAUD_SUSPECTED' ? `fraud guard: ${refusedBecause(hint)}` : reason;

const NO_REASON = 'The provider reported no reason';

/** Why a message was refused, failed or was not delivered; "" if it was sent. */
export function problemsOf(message: Message): string {
  const { attempts, refusal } = message;
  const accepted = acceptedAttempt(message);
  if (refusal) return refusalReason(refusal);
  if (accepted) return accepted.undelivered ?? (message.report === 'undelivered' ? NO_REASON : '');
  // With a single attempt, the row already shows its channel.
  if (attempts.length === 1) return attempts[0]!.message;
  return attempts.map(({ channel, message }) => `${CHANNEL_NAMES[channel]}: ${message}`).join('; ');
}

/** The country that the fraud guard may have paused; "" for other reasons. */
export const placeOf = ({ refusal, recipient }: Message): string =>
  refusal?.code === 'FRAUD_SUSPECTED' ? countryOf(recipient) : '';

/** The reason, with the provider that accepted the message, or that was the only one tried. */
export function reasonOf(message: Message): string {
  const reason = problemsOf(message);
  const accepted = acceptedAttempt(message);
  const [only] = message.attempts.length === 1 ? message.attempts : [];
  const provider = (accepted ?? only)?.provider;
  if (reason === '' || reason === NO_REASON) return `${provider ?? 'the provider'} reported no reason`;
  return provider === undefined ? reason : `${provider}: ${reason}`;
}

/** Identifies the application and the reason. It is hashed for URLs, because reasons can contain the recipient. */
export const reasonKey = (message: Message): string =>
  sha256([message.applicationId, message.refusal?.code, reasonOf(message), placeOf(message)].join(' ')).slice(0, 16);
