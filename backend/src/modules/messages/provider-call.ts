/** Renders messages, and sends them to the providers of their routes, each with a deadline. */
import type { Base } from '../../platform/base.js';
import { SECOND } from '../../platform/clock.js';
import { describeError } from '../../platform/log.js';
import { ProviderError, type Content, type OutgoingMessage } from '../../providers/provider.js';
import type { LiveProvider } from '../providers/live-providers.js';
import type { Routing } from '../providers/routing.js';
import { countryOf } from '../recipients/recipient.js';
import { lengthProblem } from '../templates/rendering/message-length.js';
import type { ProviderRef } from './lifecycle-events.js';
import { attachmentContext, payloadContext, type Message } from './message.js';
import { redactReply } from './redact-reply.js';
import type { Way } from './second-code.js';

/** Time limit for a look-up after an unknown outcome. Short, because a person waits for the code. */
const LOOK_UP_MS = 5 * SECOND;

/** The part of the lease that a look-up after an unknown outcome may take. */
export const lookUpMs = (deadlineMs: number): number => Math.min(deadlineMs, LOOK_UP_MS);

type Variables = Readonly<Record<string, string>>;

export type ContentOf = (
  message: Pick<Message, 'id' | 'applicationId' | 'template' | 'channel'>,
  variables: Variables,
) => Promise<Content>;

/** Returns the headers of a notification by email. */
export type UnsubscribeHeaders = (message: Message, variables: Variables) => Variables;

interface Dependencies extends Pick<Base, 'clock' | 'keyring' | 'log'> {
  readonly routing: Pick<Routing, 'route'>;
  readonly contentOf: ContentOf;
  readonly unsubscribeHeaders: UnsubscribeHeaders;
  readonly findAttachment: (messageId: string) => Promise<string | undefined>;
  readonly deadlineMs: number;
}

/**
 * Records that the provider `next` will be called. `error`: why `from` did not send the message; undefined if `from`
 * was not called. Returns false if the message must not be sent, because it has changed in the meantime.
 */
export type MoveOn = (
  next: string,
  from: ProviderRef | undefined,
  error: ProviderError | undefined,
) => Promise<boolean>;

export type SendResult =
  | { readonly provider: ProviderRef; readonly providerId: string; readonly keepsId: boolean }
  | { readonly provider: ProviderRef | undefined; readonly error: ProviderError };

export interface ProviderCall {
  /** Id of the first provider to call; undefined if the message's channel has no provider. */
  firstProvider(message: Message): string | undefined;
  /**
   * Returns the first channel, from the message's own channel on, with a provider that has not sent the message yet;
   * undefined if there is none. `sentBy`: id of the provider that sent it last. `unreachable`: whether no provider can reach
   * the recipient on the message's channel.
   */
  anotherWay(message: Message, sentBy: string | null, unreachable?: boolean): Message['channel'] | undefined;
  /** Returns all ways to send a message to a country, in the order in which they are tried. */
  ways(message: Pick<Message, 'id' | 'applicationId' | 'plan'>, country: string): readonly Way[];
  /** Renders the content. Throws a {@link ProviderError} if rendering fails or the content is too long. */
  render(message: Message): Promise<Content>;
  /**
   * Calls the route's providers in order until one accepts the message. Calls `moveOn` before each further provider,
   * and starts no further call after `moveOnUntil` (epoch milliseconds).
   */
  send(message: Message, content: Content, moveOn: MoveOn, moveOnUntil: number): Promise<SendResult>;
}

/**
 * Whether the next provider may be called after this failure: only if the message was certainly not sent, and the
 * failure does not concern the recipient. A duplicate email costs nothing, so an email may also be sent again after an
 * unknown outcome.
 */
export function mayTryNext({ kind, concerns }: ProviderError, channel: Message['channel']): boolean {
  if (kind === 'unknown') return channel === 'EMAIL';
  return kind === 'transient' || concerns !== 'message';
}

export function createProviderCall(dependencies: Dependencies): ProviderCall {
  const { routing, keyring, contentOf, findAttachment, clock, log, deadlineMs } = dependencies;

  function withDeadline<T>(call: Promise<T>, ms = deadlineMs): Promise<T> {
    return new Promise((resolve, reject) => {
      const late = () => reject(new ProviderError('unknown', 'the provider did not reply in time'));
      const cancel = clock.after(ms, late);
      call.then(resolve, reject).finally(cancel);
    });
  }

  /** Returns the providers of the message's channel that have not sent it yet. */
  function routeOf(message: Message): readonly LiveProvider[] {
    const route = routing.route(message, () => countryOf(message.recipient));
    const used = message.earlierSends.filter(({ attempt }) => attempt.channel === message.channel);
    return used.length === 0 ? route : route.filter(({ id }) => !used.some(({ provider }) => provider === id));
  }

  function anotherWay(message: Message, sentBy: string | null, unreachable = false): Message['channel'] | undefined {
    const [current, ...others] = message.plan.slice(message.plan.indexOf(message.channel));
    const canRepeat = !unreachable && routeOf(message).some(({ id }) => id !== sentBy);
    return canRepeat ? current : others.find((channel) => routeOf({ ...message, channel }).length > 0);
  }

  /** A new message starts with the provider that was chosen for it, if it can be used. */
  function firstProvider(message: Message): string | undefined {
    const working = withClosedCircuit(routeOf(message));
    const chosen = message.attemptCount === 0 && working.some(({ id }) => id === message.provider);
    return chosen ? message.provider! : working[0]?.id;
  }

  const ways = ({ id, applicationId, plan }: Pick<Message, 'id' | 'applicationId' | 'plan'>, country: string): Way[] =>
    plan.flatMap((channel) =>
      routing.route({ id, applicationId, channel }, () => country).map((live) => ({ channel, provider: live.id })),
    );

  /**
   * The provider that was stored with the claim comes first, because it may have accepted the message before a crash.
   */
  function providersFor(message: Message): readonly LiveProvider[] {
    const route = routeOf(message);
    const working = withClosedCircuit(route);
    const stored = (message.crashes > 0 ? route : working).find(({ id }) => id === message.provider);
    return stored ? [stored, ...working.filter((live) => live !== stored)] : working;
  }

  /** Looks up a message that may have been sent. Returns undefined if it was not sent, or a look-up is not possible. */
  async function findSent({ provider }: LiveProvider, outgoing: OutgoingMessage, message: Message) {
    const { id: messageId, createdAt } = message;
    try {
      return await provider.find?.(outgoing, createdAt);
    } catch (error) {
      log.warn({ messageId, err: describeError(error) }, 'looking up a message at its provider failed');
      if (error instanceof ProviderError && error.kind === 'permanent') return undefined;
      throw new ProviderError('transient', 'the provider did not report whether it already has the message');
    }
  }

  const variablesOf = ({ id, payload }: Message): Variables =>
    JSON.parse(keyring.open(payloadContext(id), payload ?? ''));

  async function withAttachment(content: Content, { id }: Message, filename: string | undefined): Promise<Content> {
    if (content.kind !== 'email' || filename === undefined) return content;
    const sealed = await findAttachment(id);
    if (sealed === undefined) throw new ProviderError('permanent', 'the attachment has been deleted');
    const document = keyring.openBytes(attachmentContext(id), sealed);
    return { ...content, attachments: [{ filename, contentType: 'application/pdf', content: document }] };
  }

  async function render(message: Message): Promise<Content> {
    const variables = variablesOf(message);
    const content = await withAttachment(await contentOf(message, variables), message, variables.attachmentName);
    const problem = lengthProblem(message.channel, content);
    if (problem !== undefined) throw new ProviderError('permanent', `the message is ${problem}`);
    if (message.template === 'otp') return { ...content, code: variables.code! };
    return content.kind === 'email'
      ? { ...content, headers: dependencies.unsubscribeHeaders(message, variables) }
      : content;
  }

  /** Redacts the provider's reply, so that it can be stored. */
  function redacted(error: ProviderError, { secrets }: LiveProvider, message: Message): ProviderError {
    const { reply: raw, ...details } = error.details ?? {};
    if (raw === undefined) return error;
    const content = Object.values(variablesOf(message));
    const reply = redactReply(raw, { recipient: message.recipient, content }, secrets);
    return error.withDetails(reply === '' ? details : { ...details, reply });
  }

  /** Calls one provider. Returns a {@link ProviderError} as the result, and throws all other errors. */
  async function sendWith(live: LiveProvider, outgoing: OutgoingMessage, message: Message): Promise<SendResult> {
    const { id, name, provider, breaker } = live;
    const ref = { id, name };
    try {
      const { providerId } = await breaker.run(() => withDeadline(provider.send(outgoing)));
      return { provider: ref, providerId, keepsId: provider.reportsByProviderId === true };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      return { provider: ref, error: redacted(error, live, message) };
    }
  }

  /** Returns the result of a look-up; undefined if the provider does not have the message, or supports no look-ups. */
  async function lookUp(
    live: LiveProvider,
    outgoing: OutgoingMessage,
    message: Message,
    ms: number,
  ): Promise<SendResult | undefined> {
    const { id, name, provider } = live;
    try {
      const found = await withDeadline(findSent(live, outgoing, message), ms);
      return found && { provider: { id, name }, ...found, keepsId: provider.reportsByProviderId === true };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      return { provider: { id, name }, error };
    }
  }

  /**
   * Calls one provider, and looks the message up after an unknown outcome. If the provider does not have the message,
   * the outcome remains unknown, because the request may still arrive.
   */
  async function sendAndLookUp(live: LiveProvider, outgoing: OutgoingMessage, message: Message): Promise<SendResult> {
    const result = await sendWith(live, outgoing, message);
    if (!('error' in result) || result.error.kind !== 'unknown') return result;
    const found = await lookUp(live, outgoing, message, lookUpMs(deadlineMs));
    return found && !('error' in found) ? found : result;
  }

  async function send(message: Message, content: Content, moveOn: MoveOn, moveOnUntil: number): Promise<SendResult> {
    const [first, ...others] = providersFor(message);
    // Determined before the calls, because a skipped provider may recover during them.
    const paused = pausedError(routeOf(message));
    const { id, applicationId, recipient: to, channel } = message;
    if (!first)
      return {
        provider: undefined,
        error: new ProviderError('permanent', 'the channel has no provider that can be used'),
      };
    const outgoing = { id, applicationId, to, content };
    if (first.id !== message.provider && !(await moveOn(first.id, undefined, undefined))) return superseded(first);
    const lookedUp = message.crashes > 0 ? await lookUp(first, outgoing, message, deadlineMs) : undefined;
    if (lookedUp) return lookedUp;
    let result = await sendAndLookUp(first, outgoing, message);
    let canRetry: ProviderError | undefined;
    for (const next of others) {
      if (!('error' in result) || !mayTryNext(result.error, channel) || clock.now() > moveOnUntil) break;
      canRetry = result.error.kind === 'transient' ? result.error : canRetry;
      if (!(await moveOn(next.id, result.provider, result.error))) break;
      result = await sendAndLookUp(next, outgoing, message);
    }
    if (!('error' in result)) return result;
    return keepRetryable(result, canRetry ?? paused);
  }

  return { firstProvider, anotherWay, ways, render, send };
}

/**
 * Returns the route without providers whose circuit is open. If all circuits are open, returns only the first provider.
 */
function withClosedCircuit(route: readonly LiveProvider[]): readonly LiveProvider[] {
  const working = route.filter(({ breaker }) => !breaker.isOpen());
  return working.length > 0 ? working : route.slice(0, 1);
}

/** Returns the error of a provider that was skipped because its circuit is open, but that may recover by itself. */
const pausedError = (route: readonly LiveProvider[]): ProviderError | undefined =>
  route.map(({ breaker }) => breaker.openError()).find((error) => error?.kind === 'transient');

/**
 * The result if the message must not be sent: another worker has claimed it, or a report shows that it was already
 * sent. In both cases, the state machine does not store a failure.
 */
const superseded = ({ id, name }: LiveProvider): SendResult => ({
  provider: { id, name },
  error: new ProviderError('transient', 'the message was claimed by another worker'),
});

/** Makes a rejection transient if it does not concern the recipient, and another provider of the route may recover. */
function keepRetryable(
  result: Extract<SendResult, { readonly error: ProviderError }>,
  canRetry: ProviderError | undefined,
): SendResult {
  const { error, provider } = result;
  if (!canRetry || error.kind !== 'permanent' || error.concerns === 'message') return result;
  const transient = new ProviderError('transient', error.reason, canRetry.retryAfterSeconds);
  return { provider, error: transient.withDetails(error.details) };
}
