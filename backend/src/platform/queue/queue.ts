import type { ChannelName } from '../contract/channels.js';

/** Default number of messages per channel that a process sends at a time. */
export const CHANNEL_CONCURRENCY = 32;

/** Does not contain the content of the message. */
export interface Job {
  readonly id: string;
  readonly channel: ChannelName;
  /** Set by the sweeper: the queue merges jobs of the same message and round. */
  readonly round?: number | undefined;
  /** Lets the jobs of other applications go first. */
  readonly behind?: boolean | undefined;
  /** The process whose request waits for the outcome. */
  readonly replyTo?: string | undefined;
}

export interface Pace {
  /** Messages that one process sends at a time. */
  readonly concurrency: Readonly<Record<ChannelName, number>>;
  /** Messages that all processes together send in a second; 0 is no limit. */
  readonly perSecond: Readonly<Record<ChannelName, number>>;
}

export interface Queue {
  /** Adds a job that is due now. It may get lost: the sweeper finds the message again. */
  enqueue(job: Job): Promise<void>;
  start(handler: (job: Job) => Promise<void>): void;
  /** Starts no more jobs, and waits for those in progress. */
  stop(): Promise<void>;
}
