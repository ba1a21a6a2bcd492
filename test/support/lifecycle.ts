/** Messages and events for tests of the state machine. */
import { transition, type Transition } from '../../backend/src/modules/messages/lifecycle.js';
import type { MessageEvent } from '../../backend/src/modules/messages/lifecycle-events.js';
import type { Message } from '../../backend/src/modules/messages/message.js';

export const START = 1_800_000_000_000;
export const PRICE = { charge: '0.0075', currency: 'usd', country: 'US' };
export const OTHER_PRICE = { charge: '0.0150', currency: 'usd', country: 'US' };

export const queued = (fields: Partial<Message> = {}): Message => ({
  id: 'm1',
  applicationId: 7,
  maskId: 'mask',
  template: 'otp',
  requestId: 'request',
  recipient: '+14155550100',
  plan: ['SMS', 'WHATSAPP'],
  state: 'queued',
  channel: 'SMS',
  payload: 'sealed',
  attempts: [],
  history: [],
  earlierSends: [],
  attemptCount: 0,
  claim: null,
  crashes: 0,
  createdAt: START,
  sendAt: null,
  orderKey: null,
  reference: null,
  replacedBy: null,
  dueAt: START + 5000,
  expiresAt: START + 300_000,
  finishedAt: null,
  provider: null,
  providerId: null,
  report: null,
  reportedAt: null,
  refusal: null,
  ...fields,
});

export const sending = (fields: Partial<Message> = {}): Message =>
  queued({ state: 'sending', claim: 'c1', attemptCount: 1, dueAt: START + 60_000, ...fields });

export const worker = { id: 'm1', claim: 'c1', startedAt: START + 100, price: PRICE };
export const accepted = { ...worker, type: 'accepted', providerId: 'SM1' } as const;
export const rejected = { ...worker, type: 'rejected', reason: 'blocked' } as const;
export const unknown = { ...worker, type: 'outcomeUnknown', reason: 'no reply' } as const;
export const transient = {
  ...worker,
  type: 'failedTransiently',
  reason: 'busy',
  retryAfterSeconds: undefined,
} as const;
export const expired = { ...worker, type: 'expired' } as const;
export const workerDied = { ...worker, type: 'workerDied' } as const;
export const retried = { id: 'm1', type: 'retriedByPerson' } as const;
export const entered = { id: 'm1', type: 'verified', isEntered: true } as const;
/** The code was canceled, or another code was entered. */
export const invalid = { id: 'm1', type: 'verified' } as const;
export const reported = (reportedState: 'sent' | 'delivered' | 'undelivered', providerId = 'SM1') =>
  ({ id: 'm1', type: 'reported', provider: 'environment-twilio', providerId, reportedState }) as const;
export const claimed = (claim = 'c2') => ({ id: 'm1', type: 'claimed', claim, leaseUntil: START + 60_000 }) as const;

/** Applies an event that must not be ignored. */
export function apply(message: Message, event: MessageEvent, now = START + 200): Transition {
  const result = transition(message, event, now);
  if (result === 'ignored') throw new Error(`${event.type} was ignored`);
  return result;
}

export const run = (message: Message, ...events: MessageEvent[]): Message =>
  events.reduce((current, event) => apply(current, event).message, message);

export const usageKey = { applicationId: 7, at: START + 200, channel: 'SMS', country: 'US', currency: 'usd' };
export const eventNames = ({ webhookEvents }: Transition) =>
  webhookEvents.map(({ body }) => `${body.event} ${'state' in body.data ? body.data.state : ''}`);
