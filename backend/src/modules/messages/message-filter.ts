/** Filters of the message list, positions in it, and results of look-ups. */
import type { ChannelName } from '../../platform/contract/channels.js';
import type { Message, VisibleState } from './message.js';

export interface MessageFilter {
  readonly applicationIds: readonly number[];
  readonly state?: VisibleState | undefined;
  readonly channel?: ChannelName | undefined;
  /** Phone number or email address in canonical form. */
  readonly recipient?: string | undefined;
  readonly reference?: string | undefined;
  /** A text that the stored refusal contains, such as its code or its hint. */
  readonly refusalText?: string | undefined;
  /** ISO 3166 code of the recipient's country. Without an index: a page reads a limited number of recipients to check it. */
  readonly country?: string | undefined;
  /** Another condition without an index. A page reads a limited number of messages to check it. */
  readonly condition?: ((message: Message) => boolean) | undefined;
  /** Like `condition`, for conditions that need a look-up: returns the messages that match. */
  readonly keep?: ((messages: readonly Message[]) => Promise<readonly Message[]>) | undefined;
  /** Range of creation times in milliseconds: `from` is inclusive, `to` is exclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Position of a page's last message. The next page starts after it. */
export type PagePosition = Pick<Message, 'createdAt' | 'id'>;

/** Queued messages that should have been sent already. `dueAt` is 0 without any. */
export interface Overdue {
  readonly messages: number;
  readonly dueAt: number;
}

/** The newest message to a country, and the delivery reports of the newest codes. */
export interface LatestTo {
  /** When the newest message was created, in epoch milliseconds. */
  readonly at: number;
  /** The number of messages in the hour that ends with the newest one. */
  readonly inLastHour: number;
  /** The numbers of people whose codes were reported as delivered, and as undelivered. */
  readonly delivered: number;
  readonly undelivered: number;
}
