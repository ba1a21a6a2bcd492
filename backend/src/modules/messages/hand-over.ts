/** Renders a message and hands it to its channel, within a deadline. */
import {
  ChannelError,
  type Channel,
  type ChannelName,
  type Content,
  type OutgoingMessage,
} from '../../providers/provider.js';
import type { Clock } from '../../platform/clock.js';
import type { Keyring } from '../../platform/crypto.js';
import { describeError, type Log } from '../../platform/log.js';
import type { Message } from './message.js';
import { sealContext } from './messages-service.js';
import { createWhileHealthy } from './provider-health.js';

export interface HandOverDependencies {
  readonly channels: ReadonlyMap<ChannelName, Channel>;
  readonly keyring: Keyring;
  /** Renders a message for its present channel. */
  readonly contentOf: (message: Message, variables: Readonly<Record<string, string>>) => Promise<Content>;
  readonly clock: Clock;
  readonly log: Log;
  /** The longest that a channel may take, in milliseconds; one that is silent for longer is given up. */
  readonly deadlineMs: number;
}

/** Answers the provider's id of the message; throws a {@link ChannelError} when the channel did not take it. */
export type HandOver = (message: Message) => Promise<string>;

export function createHandOver({
  channels,
  keyring,
  contentOf,
  clock,
  log,
  deadlineMs,
}: HandOverDependencies): HandOver {
  const whileHealthy = createWhileHealthy(clock);

  function withDeadline<T>(sending: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = clock.after(deadlineMs, () => reject(new ChannelError('unclear', 'the provider did not answer')));
      sending.then(resolve, reject).finally(cancel);
    });
  }

  /** What a process that died may have sent. A provider that cannot tell now is asked again; one that never can has nothing. */
  async function findBefore(channel: Channel, outgoing: OutgoingMessage, message: Message) {
    try {
      return await channel.find?.(outgoing, message.createdAt);
    } catch (error) {
      log.warn({ messageId: message.id, err: describeError(error) }, 'the provider did not tell what it has');
      if (error instanceof ChannelError && error.kind === 'permanent') return undefined;
      throw new ChannelError('passing', 'the provider did not tell whether it has the message already');
    }
  }

  return async (message) => {
    const channel = channels.get(message.channel);
    if (!channel) throw new ChannelError('permanent', 'the channel is not set up on this server');
    const variables = JSON.parse(keyring.open(sealContext(message.id), message.payload ?? '')) as Record<
      string,
      string
    >;
    const content = await contentOf(message, variables);
    const outgoing = { id: message.id, to: message.recipient, content };
    const before = message.crashes > 0 ? await withDeadline(findBefore(channel, outgoing, message)) : undefined;
    const send = () => withDeadline(channel.send(outgoing));
    const { providerId } = before ?? (await whileHealthy(message.channel, send));
    return providerId;
  };
}
