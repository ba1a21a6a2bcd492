/** Passes messages between an installation's processes. Delivery is not guaranteed, so no feature may depend on it. */
import { EventEmitter } from 'node:events';
import type { RedisConnections } from './redis.js';

export interface Bus {
  /** Notifies subscribers in this process immediately, and subscribers in other processes soon after. */
  publish(topic: string, text: string): void;
  subscribe(topic: string, handler: (text: string) => void): void;
}

export function createLocalBus(): Bus {
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    publish: (topic, text) => void emitter.emit(topic, text),
    subscribe: (topic, handler) => void emitter.on(topic, handler),
  };
}

/** Uses Redis. Subscribers in the publishing process are notified twice: directly, and again through Redis. */
export function createRedisBus(redis: RedisConnections): Bus {
  const local = createLocalBus();
  const channelOf = (topic: string) => `${redis.prefix}:${topic}`;
  const channels = new Set<string>();
  // Subscribes only while connected. During the handshake, ioredis sends SUBSCRIBE at once, and then rejects the
  // commands of the handshake.
  const subscriber = redis.connect({ autoResubscribe: false });
  /** Can be repeated. Does nothing while not connected. */
  const subscribe = async (): Promise<void> => {
    if (channels.size > 0 && subscriber.status === 'ready')
      await subscriber.subscribe(...channels).catch(() => undefined);
  };
  subscriber.on('ready', () => void subscribe());
  // In a Cluster, the subscriber may be connected to a node that gets no other commands.
  redis.pingSubscribers.push(subscribe);
  subscriber.on('message', (channel, text) => local.publish(channel.slice(redis.prefix.length + 1), text));
  return {
    publish(topic, text) {
      local.publish(topic, text);
      redis.commands.publish(channelOf(topic), text).catch(() => undefined);
    },
    subscribe(topic, handler) {
      local.subscribe(topic, handler);
      channels.add(channelOf(topic));
      void subscribe();
    },
  };
}
