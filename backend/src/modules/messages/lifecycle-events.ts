/** The events that change a message's state. */
import type { ChannelName } from '../../platform/contract/channels.js';
import type { FailureDetails } from '../../providers/provider.js';
import type { ReportedMessage } from '../../providers/provider-type.js';
import type { Price } from './price.js';
import type { Refusal } from './refusal.js';

export interface ProviderRef {
  readonly id: string;
  readonly name: string;
}

/** Common properties of all events from the worker that claimed the message. */
export interface WorkerEvent {
  /** The provider that was called; undefined if none was. */
  readonly provider?: ProviderRef | undefined;
  readonly claim: string | null;
  /** When the worker claimed the message, in milliseconds. */
  readonly startedAt: number;
  /** Message price on the current channel. */
  readonly price: Price;
  /** The provider's reply to a failed attempt, redacted. */
  readonly details?: FailureDetails | undefined;
}

export type MessageEvent = { readonly id: string } &
  /**
   * A worker claims a message that is due. For a sent message, this means that nothing was reported or entered for too
   * long. `provider`: id of the provider to call first. `next`: as for `reported`.
   */
  (
    | {
        readonly type: 'claimed';
        readonly claim: string;
        readonly leaseUntil: number;
        readonly provider?: string | undefined;
        readonly next?: ChannelName | undefined;
      }
    /**
     * The worker calls the next provider of the route. `reason`: why the previous provider did not send the message;
     * undefined if it was not called. `maybeSent`: the previous provider may have accepted the message.
     */
    | ({ type: 'movedOn'; next: string; reason: string | undefined; maybeSent: boolean } & WorkerEvent)
    /**
     * `keepsId`: delivery reports contain only the provider's message id. `next`: as for `reported`. `silentMs`: how long
     * to wait for a report or an entered code before the message is sent another way; undefined if it is not.
     */
    | ({
        readonly type: 'accepted';
        readonly providerId: string;
        readonly keepsId?: boolean;
        readonly next?: ChannelName | undefined;
        readonly silentMs?: number | undefined;
      } & WorkerEvent)
    /** `rejected`: a permanent failure. `outcomeUnknown`: the provider may have accepted the message. */
    | ({ readonly type: 'rejected' | 'outcomeUnknown'; readonly reason: string } & WorkerEvent)
    | ({ readonly type: 'failedTransiently'; reason: string; retryAfterSeconds: number | undefined } & WorkerEvent)
    /** `workerDied`: too many workers crashed while sending the message. */
    | ({ readonly type: 'expired' | 'workerDied' } & WorkerEvent)
    /** `postponed`: quiet hours have begun since the message was accepted. They end at `until`. */
    | ({ readonly type: 'postponed'; readonly until: number } & WorkerEvent)
    /** `notAllowed`: a budget or the fraud guard refuses to send a message another way. */
    | ({ readonly type: 'notAllowed'; readonly reason: string } & WorkerEvent)
    /** `refused`: the recipient is suppressed, or has stopped notifications on the current channel. */
    | ({ readonly type: 'refused'; readonly reason: string; readonly refusal: Refusal } & WorkerEvent)
    /**
     * `provider`: id of the reporting provider. `reason`: why the message was not delivered. `details`: the provider's
     * error code. `next`: the channel with a provider that has not sent the message yet; undefined if there is none.
     */
    | ({
        type: 'reported';
        readonly provider: string;
        readonly next?: ChannelName | undefined;
      } & Pick<ReportedMessage, 'providerId' | 'reportedState' | 'reason' | 'details' | 'recipientStatus'>)
    /**
     * The message's code is no longer valid. `isEntered`: because it was entered, which proves that the message arrived;
     * otherwise, it was canceled, or another code was entered.
     */
    | { readonly type: 'verified'; readonly isEntered?: boolean }
    | { readonly type: 'retriedByPerson' }
    /** A scheduled message is not to be sent. `replacedBy`: id of the message that is sent instead. */
    | { readonly type: 'canceled'; readonly replacedBy?: string | undefined }
  );

export type EventOf<Type extends MessageEvent['type']> = Extract<MessageEvent, { readonly type: Type }>;
