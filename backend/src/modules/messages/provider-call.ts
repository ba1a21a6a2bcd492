/** Renders messages, and sends them to their providers with a deadline. */
import type { Clock } from '../../platform/clock.js';
import { CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import type { Keyring } from '../../platform/crypto.js';
import { describeError, type Log } from '../../platform/log.js';
import { createCircuitBreaker } from '../../providers/circuit-breaker.js';
import { ProviderError, type Content, type OutgoingMessage, type Provider } from '../../providers/provider.js';
import { lengthProblem } from '../templates/rendering/message-length.js';
import { payloadContext, type Message } from './message.js';

export type ContentOf = (
  message: Pick<Message, 'id' | 'applicationId' | 'template' | 'channel'>,
  variables: Readonly<Record<string, string>>,
) => Promise<Content>;

export interface ProviderCallDependencies {
  readonly providers: ReadonlyMap<ChannelName, Provider>;
  readonly keyring: Keyring;
  readonly contentOf: ContentOf;
  readonly clock: Clock;
  readonly log: Log;
  readonly deadlineMs: number;
}

export interface ProviderCall {
  /** Renders the content. Throws a {@link ProviderError} if rendering fails or the content is too long. */
  render(message: Message): Promise<Content>;
  /**
   * Sends the message, and returns the provider's message id. Throws a {@link ProviderError} if the send fails or its
   * outcome is unknown.
   */
  send(message: Message, content: Content): Promise<string>;
}

export function createProviderCall(dependencies: ProviderCallDependencies): ProviderCall {
  const { providers, keyring, contentOf, clock, log, deadlineMs } = dependencies;
  const circuitBreakers = new Map(CHANNELS.map((channel) => [channel, createCircuitBreaker(clock)]));

  function withDeadline<T>(call: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const late = () => reject(new ProviderError('unknown', 'the provider did not answer'));
      const cancel = clock.after(deadlineMs, late);
      call.then(resolve, reject).finally(cancel);
    });
  }

  /**
   * Looks up a message that a crashed worker may have sent. Returns undefined if it was not sent, or a look-up is not
   * possible.
   */
  async function findSent(provider: Provider, outgoing: OutgoingMessage, { id: messageId, createdAt }: Message) {
    try {
      return await provider.find?.(outgoing, createdAt);
    } catch (error) {
      log.warn({ messageId, err: describeError(error) }, 'looking up a message at its provider failed');
      if (error instanceof ProviderError && error.kind === 'permanent') return undefined;
      throw new ProviderError('transient', 'the provider did not tell whether it has the message already');
    }
  }

  async function render(message: Message): Promise<Content> {
    const variables = JSON.parse(keyring.open(payloadContext(message.id), message.payload ?? ''));
    const content = await contentOf(message, variables);
    const problem = lengthProblem(message.channel, content);
    if (problem !== undefined) throw new ProviderError('permanent', `the message is ${problem}`);
    return content;
  }

  async function send(message: Message, content: Content): Promise<string> {
    const provider = providers.get(message.channel);
    if (!provider) throw new ProviderError('permanent', 'the channel is not set up on this server');
    const outgoing = { id: message.id, applicationId: message.applicationId, to: message.recipient, content };
    const found = message.crashes > 0 ? await withDeadline(findSent(provider, outgoing, message)) : undefined;
    const { providerId } =
      found ?? (await circuitBreakers.get(message.channel)!(() => withDeadline(provider.send(outgoing))));
    return providerId;
  }

  return { render, send };
}
