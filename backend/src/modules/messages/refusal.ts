/** A send that was refused, although its request is correct. It is stored as a message, so that support can find it. */
import { SECOND } from '../../platform/clock.js';
import { ApiError, type ErrorCode } from '../../platform/contract/errors.js';
import { newMessage, newMessageId, type Message, type MessageDraft } from './message.js';

/**
 * The errors of refused sends. The others are caused by incorrect requests, by repeated ones, or by a server that is
 * overloaded or down. `CHALLENGE_REQUIRED` is not a refusal: the same request is sent again with an answer.
 */
const REFUSALS: readonly ErrorCode[] = [
  'COUNTRY_NOT_ALLOWED',
  'CHANNEL_NOT_CONFIGURED',
  'RECIPIENT_SUPPRESSED',
  'RECIPIENT_OPTED_OUT',
  'COOLDOWN',
  'NOTIFICATION_LIMIT',
  'BURST_LIMIT',
  'RECIPIENT_LIMIT',
  'APPLICATION_DAILY_LIMIT',
  'ACCOUNT_DAILY_LIMIT',
  'FRAUD_SUSPECTED',
];

/** Why a send was refused, as in the reply to its request. Stored as JSON. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly reason: string;
  readonly hint: string;
  /** When the send may be repeated, in milliseconds; null if a setting must be changed first. */
  readonly until: number | null;
}

export type RefusedSend = Pick<
  MessageDraft,
  'applicationId' | 'template' | 'recipient' | 'plan' | 'requestId' | 'reference'
>;

/** Returns a message that explains why a send was refused. It has no content, and no code refers to it. */
export function refusedMessage(send: RefusedSend, refusal: Refusal, now: number): Message {
  const { applicationId, template, recipient, plan, requestId, reference } = send;
  const request = { applicationId, template, recipient, plan, requestId, reference };
  const draft = { ...request, id: newMessageId(), maskId: '', expiresAt: now };
  const message = newMessage({ ...draft, payload: '' }, now);
  return { ...message, state: 'refused', payload: null, dueAt: null, finishedAt: now, refusal };
}

/** Returns the refusal that an error describes; undefined if the send failed for another reason. */
export function refusalOf(error: unknown, now: number): Refusal | undefined {
  if (!(error instanceof ApiError) || !REFUSALS.includes(error.code)) return undefined;
  const { code, hint, details } = error;
  const until = details.retryAfterSeconds === undefined ? null : now + details.retryAfterSeconds * SECOND;
  return { code, reason: error.reason, hint, until };
}

/** Returns a refusal as text: `too many codes for this recipient, until 2027-01-15T08:00:30Z`. */
export const refusalText = (reason: string, until: string | null): string =>
  until ? `${reason}, until ${until}` : reason;
