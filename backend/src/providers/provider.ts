/** What every channel is: one small file that takes a rendered message to a provider. */

export const CHANNELS = ['SMS', 'WHATSAPP', 'VOICE', 'EMAIL'] as const;
export type ChannelName = (typeof CHANNELS)[number];

/** A message in the form its channel carries. */
export type Content =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** Ordered variables of an approved WhatsApp template; SMS ignores them. */
      readonly variables?: readonly string[];
      /** Which approved template they are for; without it the one for codes. */
      readonly template?: string;
      readonly language?: string;
    }
  | {
      readonly kind: 'speech';
      /** Spoken in order, with a pause between; a code is a sentence of single characters. The whole is spoken twice. */
      readonly sentences: readonly string[];
      /** Accent to speak with; without it the one of the settings. */
      readonly language?: string | undefined;
    }
  | { readonly kind: 'email'; readonly subject: string; readonly text: string; readonly html: string };

export interface OutgoingMessage {
  /** Id of the message; the same at every attempt. */
  readonly id: string;
  /** E.164 number or mail address. */
  readonly to: string;
  readonly content: Content;
}

export interface Channel {
  readonly name: ChannelName;
  /** Who carries the messages, for the operator: `Twilio`, or the name of a mail server. No secret. */
  readonly provider: string;
  /** Stands in for a provider: shows messages to a developer and reaches nobody. */
  readonly standIn?: boolean;
  /** Hands the message to the provider; answers the provider's id for it. Throws a {@link ChannelError}. */
  send(message: OutgoingMessage): Promise<{ readonly providerId: string }>;
  /**
   * Asks the provider for a message that a process may have handed over since `since` (milliseconds) before it died.
   * Undefined when the provider does not have it. Channels without a way to ask leave it out.
   */
  find?(message: OutgoingMessage, since: number): Promise<{ readonly providerId: string } | undefined>;
  /** Lets go of connections. */
  close?(): void;
}

/**
 * What a failed send means for the next step.
 * - `permanent`: the provider refused it; repeating cannot help.
 * - `passing`: surely not sent (connection refused, 429, 5xx); repeating can help.
 * - `unclear`: perhaps sent (time-out after the request left); repeating could send it twice.
 */
export type FailureKind = 'permanent' | 'passing' | 'unclear';

/** A failed send. `reason` is for the caller and the log: it holds neither recipient nor content nor credentials. */
export class ChannelError extends Error {
  constructor(
    readonly kind: FailureKind,
    readonly reason: string,
    /** Seconds that the provider asked to wait. */
    readonly retryAfterSeconds?: number,
  ) {
    super(reason);
  }
}
