import type { ChannelName } from '../contract/channels.js';
import type { Release } from './channel-slots.js';

/**
 * Default number of messages that a process sends in parallel, for each channel. Twilio accepts about 100 requests at
 * a time for all processes and channels of an account. Emails share a few connections: with a higher number, some would
 * time out while waiting.
 */
export const CHANNEL_CONCURRENCY = '64,EMAIL=32';

/** A reference to a message that is due to be sent. */
export interface Job {
  readonly id: string;
  readonly channel: ChannelName;
  /**
   * Number of the time interval in which the sweeper added the job. During this interval, the queue ignores further
   * jobs for the message.
   */
  readonly round?: number | undefined;
  /** Whether to run the job after other applications' jobs. */
  readonly behind?: boolean | undefined;
  /** Id of the process that waits for the result. */
  readonly replyTo?: string | undefined;
}

export interface Pace {
  /** Maximum number of messages that one process sends in parallel. */
  readonly concurrency: Readonly<Record<ChannelName, number>>;
  /** Maximum number of messages per second across all processes; 0 for no limit. */
  readonly perSecond: Readonly<Record<ChannelName, number>>;
}

export interface Queue {
  /**
   * Acquires one of this process's slots, in order to send a message without a job. Returns undefined if this process
   * delivers no messages, no slot is free, other messages are waiting for one, or the channel has a rate per second.
   */
  acquireSlot(channel: ChannelName): Release | undefined;
  /** Adds a job that is due now. If the job is lost, the sweeper adds another job for its message. */
  enqueue(job: Job): Promise<void>;
  start(handler: (job: Job) => Promise<void>): void;
  /** Starts no more jobs, and waits until all slots are released. */
  stop(): Promise<void>;
}
