import type { ChannelName } from '../contract/channels.js';

/** Default number of messages per channel that a process sends in parallel. */
export const CHANNEL_CONCURRENCY = 32;

/** A message to send, without its content. */
export interface Job {
  readonly id: string;
  readonly channel: ChannelName;
  /** Set by the sweeper: the queue merges jobs of the same message and round. */
  readonly round?: number | undefined;
  /** Lets the jobs of other applications go first. */
  readonly behind?: boolean | undefined;
  /** The process with the request that waits for the outcome. */
  readonly replyTo?: string | undefined;
}

export interface Pace {
  /** Maximum number of messages that one process sends in parallel. */
  readonly concurrency: Readonly<Record<ChannelName, number>>;
  /** Maximum number of messages per second across all processes; 0 for no limit. */
  readonly perSecond: Readonly<Record<ChannelName, number>>;
}

export interface Queue {
  /** Adds a job that is due now. If the job gets lost, the sweeper finds its message again. */
  enqueue(job: Job): Promise<void>;
  start(handler: (job: Job) => Promise<void>): void;
  /** Starts no more jobs, and waits for those in progress. */
  stop(): Promise<void>;
}
