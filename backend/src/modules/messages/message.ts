/** A message: one recipient, one content, and the channels to try in order. */
import type { ChannelName } from '../../platform/contract/channels.js';
import { random } from '../../platform/crypto.js';
import type { Price } from './price.js';

/** How many messages may wait for a worker: about as many as a few workers deliver while a code is still useful. */
export const MAX_QUEUED = 20_000;
/** How many of them may belong to one application, so that a single one cannot fill the queue. */
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
  /** For the caller: why it failed, or `sent`. */
  readonly message: string;
  /** Set when a provider accepted the message. */
  readonly price?: Price;
  /** When a worker claimed the message, and when the attempt ended, in milliseconds. */
  readonly startedAt?: number | undefined;
  readonly at?: number | undefined;
  /** Set when the outcome is unknown: the price if it turns out that the provider accepted the message. */
  readonly ifSent?: Price;
}

/** An entry of a message's history: facts that the rest of its row no longer shows. */
export type HistoryEntry =
  /** An attempt that was retried on the same channel, `times` times in a row with the same result. */
  | (Attempt & { readonly times: number })
  | { readonly retriedAt: number }
  /** A report that a stronger one replaced. */
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
  /** The channel that is tried now, or was tried last. */
  readonly channel: ChannelName;
  /** Sealed variables; null once they are erased. */
  readonly payload: string | null;
  /** Attempts on each channel; the successful one comes first. */
  readonly attempts: readonly Attempt[];
  /** Oldest first; empty for nearly every message. */
  readonly history: readonly HistoryEntry[];
  /** Attempts on the current channel, including the one in progress. */
  readonly attemptCount: number;
  readonly claim: string | null;
  /** How many workers died while they were sending it. */
  readonly crashes: number;
  readonly createdAt: number;
  /**
   * When the sweeper enqueues it: some seconds after it was accepted, at its next attempt, or when the worker's lease ends. Null
   * once it has ended.
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

/** Whether a person can retry it: a dead letter whose content still exists and is valid. */
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
  /** When the message was accepted, in milliseconds: from inclusive, to exclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The position of a page's end: its last message. */
export type PagePosition = Pick<Message, 'createdAt' | 'id'>;
