/** A message: one recipient, one content, and the channels to try in order. */
import type { ChannelName } from '../../platform/contract/channels.js';
import { random } from '../../platform/crypto.js';
import type { Price } from './price.js';

/** Maximum queue length: a few workers can deliver about this many messages while a code is still useful. */
export const MAX_QUEUED = 20_000;
/** Maximum queue length per application, so that one application cannot fill the queue. */
export const MAX_QUEUED_PER_APPLICATION = 5_000;

/**
 * - `queued`: waits for a worker.
 * - `sending`: claimed by a worker.
 * - `sent`: accepted by a provider.
 * - `failed`: a dead letter, which a person can retry until it expires.
 * - `expired`: dropped because its content was no longer valid.
 */
export type MessageState = 'queued' | 'sending' | 'sent' | 'failed' | 'expired';

/** A provider's final report about a message that it accepted. */
export type DeliveryReport = 'delivered' | 'undelivered';

export type FinalState = 'sent' | DeliveryReport | 'failed' | 'expired';

export type VisibleState = 'queued' | 'sending' | FinalState;

/** A completed attempt on one channel. Stored as JSON. */
export interface Attempt {
  readonly channel: ChannelName;
  readonly success: boolean;
  /** Text for the caller: the reason for the failure, or `sent`. */
  readonly message: string;
  /** Set when a provider accepted the message. */
  readonly price?: Price;
  /** When a worker claimed the message, and when the attempt ended, in milliseconds. */
  readonly startedAt?: number | undefined;
  readonly at?: number | undefined;
  /** Set if the outcome is unknown: the price to charge if the provider turns out to have accepted the message. */
  readonly ifSent?: Price;
}

/** A history entry: an event that the other columns of the message no longer show. */
export type HistoryEntry =
  /** An attempt that was retried on the same channel, `times` times in a row with the same result. */
  | (Attempt & { readonly times: number })
  | { readonly retriedAt: number }
  /** A report that was replaced by a stronger one. */
  | { readonly report: DeliveryReport; readonly reportedAt: number };

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
  /** Milliseconds; after this time the message is dropped. */
  readonly expiresAt: number;
}

export interface Message extends Omit<MessageDraft, 'variables'> {
  readonly state: MessageState;
  /** The current channel, or the last one tried. */
  readonly channel: ChannelName;
  /** Sealed variables; null after erasure. */
  readonly payload: string | null;
  /** Attempts on each channel; the successful one comes first. */
  readonly attempts: readonly Attempt[];
  /** Oldest first; empty for nearly every message. */
  readonly history: readonly HistoryEntry[];
  /** Attempts on the current channel, including the one in progress. */
  readonly attemptCount: number;
  readonly claim: string | null;
  /** Number of workers that crashed while sending the message. */
  readonly crashes: number;
  readonly createdAt: number;
  /**
   * When the sweeper enqueues the message: a few seconds after acceptance, at the next attempt, or when the worker's
   * lease ends. Null for finished messages.
   */
  readonly dueAt: number | null;
  readonly finishedAt: number | null;
  readonly providerId: string | null;
  readonly report: DeliveryReport | null;
  readonly reportedAt: number | null;
}

/** The result for the waiting request. `queued`: an attempt failed and another one follows. */
export interface Outcome {
  readonly state: 'queued' | 'sent' | 'failed' | 'expired';
  readonly attempts: readonly Attempt[];
}

/** Binds sealed variables to their message. */
export const payloadContext = (messageId: string): string => `message:${messageId}`;

export const newMessageId = (): string => random.hex(16);

export const visibleState = ({ state, report }: Pick<Message, 'state' | 'report'>): VisibleState =>
  state === 'sent' ? (report ?? state) : state;

export const isOpen = ({ state }: Pick<Message, 'state'>): boolean => state === 'queued' || state === 'sending';

export const acceptedAttempt = ({ attempts }: Pick<Message, 'attempts'>): Attempt | undefined =>
  attempts.find(({ success }) => success);

/** Whether a person can retry the message: a dead letter whose content still exists and is valid. */
export const canRetry = ({ state, payload, expiresAt }: Message, now: number): boolean =>
  state === 'failed' && payload !== null && expiresAt > now;

/** Whether it is certain that no provider accepted the message. */
export const certainlyNotSent = ({ state, attempts }: Outcome): boolean =>
  state === 'failed' && attempts.every(({ ifSent }) => ifSent === undefined);

export interface MessageFilter {
  readonly applicationIds: readonly number[];
  readonly state?: VisibleState | undefined;
  readonly channel?: ChannelName | undefined;
  /** In canonical form. */
  readonly recipient?: string | undefined;
  /** Range of acceptance times in milliseconds: `from` is inclusive, `to` is exclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The end of a page, identified by its last message. */
export type PagePosition = Pick<Message, 'createdAt' | 'id'>;
