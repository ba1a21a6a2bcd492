/** A message: one recipient, one content, and the channels to try in order. */
import type { ChannelName } from '../../platform/contract/channels.js';
import { random } from '../../platform/crypto.js';
import type { Attachment, FailureDetails } from '../../providers/provider.js';
import { DEV_INBOX_ID } from '../../providers/provider-id.js';
import type { Price } from './price.js';
import type { Refusal } from './refusal.js';

/** Maximum queue length. A few workers can deliver about this many messages before the codes in them expire. */
export const MAX_QUEUED = 20_000;
/** Maximum number of queued messages per application, so that one application cannot fill the queue. */
export const MAX_QUEUED_PER_APPLICATION = 5_000;

/**
 * - `scheduled`: waits until the time at which it is to be sent. It can be canceled.
 * - `queued`: waits for a worker.
 * - `sending`: claimed by a worker.
 * - `sent`: accepted by a provider. If there is another way to send it, its content is kept until it has arrived, its code
 *   was entered, or it expires.
 * - `failed`: no provider accepted it. A person can send it again until it expires.
 * - `expired`: dropped because its content was no longer valid.
 * - `canceled`: canceled or replaced before it was sent, or its code was entered or canceled. Only a late report changes it.
 * - `refused`: never accepted. Stored only to explain the refusal, without content; nothing changes it.
 */
export type MessageState = 'scheduled' | 'queued' | 'sending' | 'sent' | 'failed' | 'expired' | 'canceled' | 'refused';

/** A provider's final report about a message that it accepted. */
export type DeliveryReport = 'delivered' | 'undelivered';

/** The state in which an accepted message ends. Each has a webhook event. */
export type FinalState = 'sent' | DeliveryReport | 'failed' | 'expired';

export type VisibleState = 'scheduled' | 'queued' | 'sending' | FinalState | 'canceled' | 'refused';

/** Time after which the sweeper enqueues a new message whose job was lost. Jobs are normally processed much earlier. */
const SWEEP_GRACE_MS = 5000;

/** A completed attempt on one channel. Stored as JSON. */
export interface Attempt {
  readonly channel: ChannelName;
  /** Name of the provider; undefined if none was called, and for attempts of earlier versions. */
  readonly provider?: string | undefined;
  readonly success: boolean;
  /** Text for the caller: the reason for the failure, or `sent`. */
  readonly message: string;
  /** Message price; set if a provider accepted the message. */
  readonly price?: Price;
  /** When a worker claimed the message, and when the attempt ended, in milliseconds. */
  readonly startedAt?: number | undefined;
  readonly at?: number | undefined;
  /** Why the provider reports that it did not deliver the message. */
  readonly undelivered?: string | undefined;
  /** The provider's redacted reply to a failed attempt, or the error code of the report that it was not delivered. */
  readonly details?: FailureDetails | undefined;
  /** Set if the outcome is unknown: the price to charge if a report shows that the provider accepted the message. */
  readonly ifSent?: Price;
}

/**
 * A send that did not reach its recipient, or not in time, so that the message was sent another way. The provider may
 * still report on it.
 */
export interface EarlierSend extends Pick<Message, 'provider' | 'providerId' | 'report' | 'reportedAt'> {
  readonly attempt: Attempt;
}

/** An earlier event, recorded because later events replace its data in the message. */
export type HistoryEntry =
  /** An attempt that was retried. `times`: number of consecutive attempts with the same result on the channel. */
  | (Attempt & { readonly times: number })
  | { readonly retriedAt: number }
  /**
   * A report that was replaced by a later report (`lifecycle.ts` defines which reports replace others), or that arrived
   * before the acceptance is stored. `next`: the channel to send the message on, as for the event `reported`.
   */
  | {
      readonly report: DeliveryReport;
      readonly reportedAt: number;
      readonly reason?: string | undefined;
      readonly details?: FailureDetails | undefined;
      readonly next?: ChannelName | undefined;
    };

export interface MessageDraft {
  readonly id: string;
  readonly applicationId: number;
  readonly maskId: string;
  readonly template: string;
  readonly recipient: string;
  /** Channels in the order in which they are tried. */
  readonly plan: readonly ChannelName[];
  readonly variables: Readonly<Record<string, string>>;
  readonly requestId: string;
  /** Time in milliseconds after which the message is no longer sent. */
  readonly expiresAt: number;
  /** Id of the provider to call first; undefined for the first one of the route. */
  readonly firstProvider?: string | undefined;
  /** When to send the message, in milliseconds; undefined: at once. */
  readonly sendAt?: number | undefined;
  /** Identifies the recipient and the order or invoice that a notification is about, see {@link replaces}. */
  readonly orderKey?: string | undefined;
  readonly reference?: string | undefined;
  readonly attachment?: Attachment | undefined;
}

export interface Message extends Omit<
  MessageDraft,
  'variables' | 'firstProvider' | 'sendAt' | 'orderKey' | 'reference' | 'attachment'
> {
  readonly state: MessageState;
  /** The current channel; for a finished message, the last channel tried. */
  readonly channel: ChannelName;
  /** Encrypted variables; null after the content has been erased. */
  readonly payload: string | null;
  /**
   * Each provider's last attempt on each channel; a successful attempt comes first. Retried attempts are in `history`.
   */
  readonly attempts: readonly Attempt[];
  /** Earlier events, oldest first. Empty for nearly every message. */
  readonly history: readonly HistoryEntry[];
  /** Accepted sends before the current one, oldest first. Empty for nearly every message. */
  readonly earlierSends: readonly EarlierSend[];
  /** Attempts on the current channel, including the one in progress. */
  readonly attemptCount: number;
  /** Random id of the last claim by a worker. */
  readonly claim: string | null;
  /** Number of workers that crashed while sending the message. */
  readonly crashes: number;
  readonly createdAt: number;
  /** When a scheduled message is sent; null for messages that are sent at once. */
  readonly sendAt: number | null;
  /** The order of a scheduled message; null for messages without an order, and once a message is no longer scheduled. */
  readonly orderKey: string | null;
  /** The caller's own reference; null without one, and after the recipient has been erased. */
  readonly reference: string | null;
  /** Id of the message that replaced a canceled one; null if a person or the caller canceled it. */
  readonly replacedBy: string | null;
  /**
   * When the sweeper enqueues the message: at the time for which it is scheduled, a few seconds after the message was
   * created, when the next attempt is due, or when the worker's lease expires; for a sent message that is kept, when it
   * is sent another way or expires. Null if nothing more will happen.
   */
  readonly dueAt: number | null;
  readonly finishedAt: number | null;
  /** Id of the provider that was called last, or that is called first; null before the first call, and for messages of earlier versions. */
  readonly provider: string | null;
  readonly providerId: string | null;
  readonly report: DeliveryReport | null;
  readonly reportedAt: number | null;
  /** Null unless the message was refused. */
  readonly refusal: Refusal | null;
}

/** The values of a message that no provider has been called for. */
export const NOT_SENT = {
  attemptCount: 0,
  crashes: 0,
  finishedAt: null,
  provider: null,
  providerId: null,
  report: null,
  reportedAt: null,
} as const;

/** Returns a queued or scheduled message. `payload`: the encrypted variables. */
export const newMessage = (
  {
    firstProvider,
    sendAt,
    orderKey,
    reference,
    ...draft
  }: Omit<MessageDraft, 'variables' | 'attachment'> & { readonly payload: string },
  now: number,
): Message => ({
  ...draft,
  ...NOT_SENT,
  state: sendAt === undefined ? 'queued' : 'scheduled',
  channel: draft.plan[0]!,
  attempts: [],
  history: [],
  earlierSends: [],
  claim: null,
  createdAt: now,
  sendAt: sendAt ?? null,
  orderKey: sendAt === undefined ? null : (orderKey ?? null),
  reference: reference ?? null,
  replacedBy: null,
  dueAt: sendAt ?? now + SWEEP_GRACE_MS,
  provider: firstProvider ?? null,
  refusal: null,
});

/**
 * Whether a newer message replaces a scheduled one about the same order: it has the same template, or is sent no later.
 * Otherwise, both are sent, such as a reminder and the notification that an invoice is overdue.
 */
export const replaces = (
  newer: Pick<Message, 'orderKey' | 'template' | 'sendAt' | 'createdAt'>,
  scheduled: Pick<Message, 'orderKey' | 'template' | 'sendAt' | 'createdAt'>,
): boolean =>
  newer.orderKey === scheduled.orderKey &&
  (newer.template === scheduled.template || startOf(newer) <= startOf(scheduled));

/** The result for the request that waits for a message. `queued`: an attempt failed and will be retried. */
export interface Outcome {
  readonly state: 'queued' | 'sent' | 'failed' | 'expired';
  readonly attempts: readonly Attempt[];
}

/** Encryption context for a message's variables, which cannot be decrypted with another message's id. */
export const payloadContext = (messageId: string): string => `message:${messageId}`;

export const attachmentContext = (messageId: string): string => `attachment:${messageId}`;

export const newMessageId = (): string => random.hex(16);

export const visibleState = ({ state, report }: Pick<Message, 'state' | 'report'>): VisibleState =>
  state === 'sent' ? (report ?? state) : state;

/**
 * Whether the message was sent to the dev inbox instead of its recipient. These messages do not count towards usage.
 */
export const isTest = ({ provider }: Pick<Message, 'provider'>): boolean => provider === DEV_INBOX_ID;

const OPEN_STATES: readonly MessageState[] = ['scheduled', 'queued', 'sending'];

export const isOpen = ({ state }: Pick<Message, 'state'>): boolean => OPEN_STATES.includes(state);

/** When the message could first be sent. */
export const startOf = ({ sendAt, createdAt }: Pick<Message, 'sendAt' | 'createdAt'>): number => sendAt ?? createdAt;

/** Returns one attempt for each channel: the successful attempt, or otherwise the last. */
export const attemptsByChannel = (attempts: readonly Attempt[]): readonly Attempt[] =>
  attempts.filter(
    ({ channel, success }, n) =>
      success || !attempts.some((other, m) => other.channel === channel && (other.success || m > n)),
  );

/** Whether a sent message may still be sent another way, if it does not arrive. */
export const isKept = ({ state, payload }: Pick<Message, 'state' | 'payload'>): boolean =>
  state === 'sent' && payload !== null;

export const acceptedAttempt = ({ attempts }: Pick<Message, 'attempts'>): Attempt | undefined =>
  attempts.find(({ success }) => success);

/** Whether a person can retry the message: it has failed, has not expired, and its content has not been erased. */
export const canRetry = ({ state, payload, expiresAt }: Message, now: number): boolean =>
  state === 'failed' && payload !== null && expiresAt > now;

/** A message that a provider accepted after another attempt had failed. */
export type Rescued = Pick<Message, 'channel' | 'createdAt' | 'attempts'>;

/** Whether the recipient did not get the message, as far as is known. */
export const isLost = (message: Message): boolean =>
  ['failed', 'expired', 'undelivered'].includes(visibleState(message));

/** Whether it is certain that no provider accepted the message. */
export const certainlyNotSent = ({ state, attempts }: Outcome): boolean =>
  state === 'failed' && attempts.every(({ ifSent }) => ifSent === undefined);
