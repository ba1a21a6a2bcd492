/** A message on its way: one recipient, one content, one or more channels to try. */
import type { ChannelName } from '../../providers/provider.js';
import type { Price } from './price.js';

/**
 * `queued` waits for a worker; `sending` is with one; `sent` was accepted by a provider; `failed` is a dead letter;
 * `expired` was dropped because its content was no longer valid.
 */
export type MessageState = 'queued' | 'sending' | 'sent' | 'failed' | 'expired';

/** What a provider tells of a message: that it has it, then how it ended; from the weaker to the stronger. */
const STEPS = ['sent', 'undelivered', 'delivered'] as const;
export type Told = (typeof STEPS)[number];

/** How a message ended that a provider had accepted. */
export type Report = Exclude<Told, 'sent'>;

/** Whether a provider's word says more than the one before: so the order in which they come does not matter. */
export const isAhead = (told: Told, before: Report | null): boolean =>
  STEPS.indexOf(told) > STEPS.indexOf(before ?? 'sent');

/** One channel that was tried to the end. */
export interface Attempt {
  readonly channel: ChannelName;
  readonly success: boolean;
  /** Why it failed, or how it went, for the caller. */
  readonly message: string;
  /** Of one that a provider accepted. */
  readonly price?: Price;
  /** When a worker took the message for it, and when it was over, in milliseconds; not of earlier versions. */
  readonly startedAt?: number | undefined;
  readonly at?: number | undefined;
  /** Of one whose answer was lost: its price, should the provider turn out to have it. */
  readonly ifSent?: Price;
}

/** The attempts of a message whose last one turns out to have succeeded. */
export function succeeded(
  tried: readonly Attempt[],
  carrier: Pick<Attempt, 'channel' | 'price' | 'ifSent'>,
): Attempt[] {
  const last = tried.at(-1);
  const lost = last?.channel === carrier.channel ? last : undefined;
  const times = { startedAt: lost?.startedAt, at: lost?.at };
  return [{ ...carrier, ...times, success: true, message: 'sent' }, ...(lost ? tried.slice(0, -1) : tried)];
}

/** What happened to a message before what its row tells otherwise. */
export type Past =
  /** An attempt that was repeated on the same channel, `times` times in a row with the same result. */
  | (Attempt & { readonly times: number })
  /** It was a dead letter that somebody sent again. */
  | { readonly retriedAt: number }
  /** A report that a stronger one has replaced. */
  | { readonly report: Report; readonly reportedAt: number };

export interface MessageDraft {
  readonly id: string;
  readonly applicationId: number;
  /** Of the reply to the send; "" for a message older than this was kept. */
  readonly maskId: string;
  readonly template: string;
  readonly recipient: string;
  /** Channels in the order in which they are tried. */
  readonly plan: readonly ChannelName[];
  /** Variables of the template; sealed while the message is open. */
  readonly variables: Readonly<Record<string, string>>;
  /** The request that it came with, for the log. */
  readonly requestId: string;
  /** Milliseconds; later the message is dropped. */
  readonly expiresAt: number;
}

export interface Message extends Omit<MessageDraft, 'variables'> {
  readonly state: MessageState;
  /** The channel that is being tried. */
  readonly channel: ChannelName;
  /** Sealed variables; null once they are wiped. */
  readonly payload: string | null;
  readonly tried: readonly Attempt[];
  /** Oldest first; empty for nearly every message. */
  readonly history: readonly Past[];
  /** Attempts on the present channel. */
  readonly attempts: number;
  /** Names the worker's hold on it; null before the first one. */
  readonly claim: string | null;
  /** How often a worker died over it. */
  readonly crashes: number;
  readonly createdAt: number;
  readonly dueAt: number | null;
  readonly finishedAt: number | null;
  /** The provider's id for it. */
  readonly providerId: string | null;
  readonly report: Report | null;
  readonly reportedAt: number | null;
}

/** A message that its provider accepted, as far as its counts are concerned. */
export interface Accepted extends Pick<Message, 'applicationId' | 'tried'> {
  readonly finishedAt: number;
}

/** A message's state as people see it. */
export type ShownState = MessageState | Report;

export const shownState = ({ state, report }: Pick<Message, 'state' | 'report'>): ShownState =>
  state === 'sent' ? (report ?? state) : state;

/** As what a message is filed once there is more to tell than that it was sent; "" until then. */
export const endingOf = (state: Outcome['state'], report: Report | null): Report | 'failed' | 'expired' | '' =>
  state === 'sent' ? (report ?? '') : state;

/** Whether it is a dead letter that can be sent again: its content is there, and still valid. */
export const canRetry = ({ state, payload, expiresAt }: Message, now: number): boolean =>
  state === 'failed' && payload !== null && expiresAt > now;

/** How a message ended, as far as it is known. */
export type EndState = Outcome['state'] | 'undelivered';

/** A message that a provider took and then could not deliver has failed as well. */
export const endState = (state: Outcome['state'], report: Report | null): EndState =>
  state === 'sent' && report === 'undelivered' ? report : state;

/** What a waiting request is told when nothing better comes: an attempt failed, and another one follows. */
export interface Delay {
  readonly state: 'queued';
  readonly tried: readonly Attempt[];
}

/** What a waiting request is told. */
export interface Outcome {
  readonly state: 'sent' | 'failed' | 'expired';
  readonly tried: readonly Attempt[];
}

/** Whether it is certain that nobody gets the message. */
export const surelyFailed = ({ state, tried }: Outcome | Delay): boolean =>
  state === 'failed' && tried.every(({ ifSent }) => ifSent === undefined);
