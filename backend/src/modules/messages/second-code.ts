/** Starts the second code for a recipient after the provider or channel whose code was not entered. */
import type { ChannelName } from '../../platform/contract/channels.js';
import type { Message } from './message.js';
import type { SendPlan } from './send-plan.js';

export interface Way {
  readonly channel: ChannelName;
  readonly provider: string;
}

/** The channels of a message in the order in which they are tried, and the provider to call first. */
export interface WayPlan {
  readonly channels: readonly ChannelName[];
  readonly provider?: string;
}

/**
 * Returns the plan of a message that starts with the way after the one of `previous`, and with the first way after the last
 * one. `ways`: all ways of the plan, in their order.
 */
export function planAfter(
  { channels }: Pick<SendPlan, 'channels'>,
  ways: readonly Way[],
  previous: Pick<Message, 'channel' | 'provider'>,
): WayPlan {
  const used = ways.findIndex(
    ({ channel, provider }) => channel === previous.channel && provider === previous.provider,
  );
  const next = used === -1 ? undefined : ways[(used + 1) % ways.length];
  if (!next) return { channels };
  const start = channels.indexOf(next.channel);
  return { channels: [...channels.slice(start), ...channels.slice(0, start)], provider: next.provider };
}
