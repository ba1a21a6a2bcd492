/** The events that change a message's state. */
import type { ReportedState } from '../../providers/provider.js';
import type { Price } from './price.js';

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
}

export type MessageEvent = { readonly id: string } &
  /** `provider`: id of the provider to call first. */
  (
    | {
        readonly type: 'claimed';
        readonly claim: string;
        readonly leaseUntil: number;
        readonly provider?: string | undefined;
      }
    /**
     * The worker calls the next provider of the route. `reason`: why the previous provider did not send the message;
     * undefined if it was not called. `maybeSent`: the previous provider may have accepted the message.
     */
    | ({ type: 'movedOn'; next: string; reason: string | undefined; maybeSent: boolean } & WorkerEvent)
    /** `keepsId`: delivery reports contain only the provider's message id. */
    | ({ readonly type: 'accepted'; readonly providerId: string; readonly keepsId?: boolean } & WorkerEvent)
    /** `rejected`: a permanent failure. `outcomeUnknown`: the provider may have accepted the message. */
    | ({ readonly type: 'rejected' | 'outcomeUnknown'; readonly reason: string } & WorkerEvent)
    | ({ readonly type: 'failedTransiently'; reason: string; retryAfterSeconds: number | undefined } & WorkerEvent)
    /** `workerDied`: too many workers crashed while sending the message. */
    | ({ readonly type: 'expired' | 'workerDied' } & WorkerEvent)
    /** `provider`: id of the reporting provider. */
    | {
        type: 'reported';
        readonly provider: string;
        readonly providerId: string;
        readonly reportedState: ReportedState;
      }
    | { readonly type: 'retriedByPerson' }
  );

export type EventOf<Type extends MessageEvent['type']> = Extract<MessageEvent, { readonly type: Type }>;
