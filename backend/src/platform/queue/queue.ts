/** The queue that brings messages to workers. A job is a message id and its channel, never content. */
import type { ChannelName } from '../../providers/provider.js';

export interface Job {
  readonly id: string;
  readonly channel: ChannelName;
  /** Of a job that the sweeper hands over: jobs of one message and round are one job. */
  readonly round?: number | undefined;
  /** The process whose request waits for the outcome, if one does. */
  readonly replyTo?: string | undefined;
}

/** How fast each channel goes. */
export interface Pace {
  /** Messages in delivery at a time, in one process. */
  readonly concurrency: Readonly<Record<ChannelName, number>>;
  /** Messages handed to a provider in a second, by all processes together; 0 is no limit. */
  readonly perSecond: Readonly<Record<ChannelName, number>>;
}

export interface Queue {
  /** Hands over a job that is due now. Losing it is allowed: the sweeper finds the message again. */
  enqueue(job: Job): Promise<void>;
  /** Starts to hand jobs to `handler`. */
  start(handler: (job: Job) => Promise<void>): void;
  /** Takes no more jobs and waits for those in progress. */
  stop(): Promise<void>;
}
