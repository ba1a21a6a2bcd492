/** A provider sends the messages of one channel. */
import type { ChannelName } from '../platform/contract/channels.js';

export interface Attachment {
  /** Letters, digits, dots, dashes and underscores only. */
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

export type Content = (
  | {
      readonly kind: 'text';
      readonly text: string;
      /** The text of an SMS with accents; undefined if none were removed. Previews show it; it is not sent. */
      readonly accented?: string | undefined;
      /** Ordered variables for a template approved by WhatsApp, or by an SMS gateway that only sends templates. */
      readonly variables?: readonly string[];
      /** Name of the approved template; undefined for verification codes. */
      readonly template?: string;
      readonly language?: string;
      /** A PDF that WhatsApp downloads and shows as a document. */
      readonly document?: { readonly link: string; readonly filename: string } | undefined;
    }
  | {
      readonly kind: 'speech';
      /**
       * Spoken in order, twice, with pauses. A code is a sentence of its own, with its characters separated by commas.
       */
      readonly sentences: readonly string[];
      /** Asks the listener to press a key before the sentences are spoken; undefined to speak them immediately. */
      readonly keyPrompt?: string | undefined;
      readonly language?: string | undefined;
    }
  | {
      readonly kind: 'email';
      readonly subject: string;
      readonly text: string;
      readonly html: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly attachments?: readonly Attachment[];
    }
) & {
  /** The code in the content, which the dev inbox offers to copy; undefined for messages without a code. */
  readonly code?: string;
};

export interface OutgoingMessage {
  readonly id: string;
  readonly applicationId: number;
  readonly to: string;
  readonly content: Content;
}

export interface Provider {
  readonly channel: ChannelName;
  /** Name that is shown to the operator: `Twilio`, or a mail server's host name. Contains no secrets. */
  readonly name: string;
  /** Whether the provider only shows messages to developers, as the dev inbox does. */
  readonly standIn?: boolean;
  /**
   * Whether delivery reports contain only the provider's message id, which must then be stored to look up the message.
   */
  readonly reportsByProviderId?: boolean;
  /** Sends the message and returns the provider's message id. Throws a {@link ProviderError}. */
  send(message: OutgoingMessage): Promise<{ readonly providerId: string }>;
  /**
   * Looks up a message that a crashed process may have sent at or after `since` (epoch milliseconds). Returns undefined
   * if the provider has no such message.
   */
  find?(message: OutgoingMessage, since: number): Promise<{ readonly providerId: string } | undefined>;
  /** Throws if the provider cannot be reached or rejects the credentials. Sends nothing. */
  check?(): Promise<void>;
  close?(): void;
}

/**
 * Outcome of a failed send.
 * - `permanent`: the provider rejected the message. A retry cannot succeed.
 * - `transient`: the message was not sent (connection refused, 429, 503). A retry can succeed.
 * - `unknown`: the message may have been sent (timeout after the request was written, other 5xx). A retry could send it
 *   twice.
 */
export type FailureKind = 'permanent' | 'transient' | 'unknown';

/** What the provider replied to a failed send, or reported about a send that did not arrive. */
export interface FailureDetails {
  /** Status of the HTTP reply, or the mail server's reply code. */
  readonly status?: number;
  readonly code?: string;
  /** Page of the provider's documentation, for error codes that Passbell knows. */
  readonly link?: string;
  /** Whether the provider sends nothing to the recipient, who has opted out. */
  readonly optedOut?: true;
  /** Text of the reply. In a {@link ProviderError}, it may contain the recipient, the content and credentials. */
  readonly reply?: string;
}

/**
 * A failed send. `reason` is returned to the caller and logged, so it must not contain recipients, content or
 * credentials.
 */
export class ProviderError extends Error {
  constructor(
    readonly kind: FailureKind,
    readonly reason: string,
    readonly retryAfterSeconds?: number,
    /**
     * - `message`: this message or its recipient. A permanent rejection is final; the circuit breaker ignores the error.
     * - `provider`: the whole provider, for example invalid credentials or an outage. The circuit breaker counts it.
     * - `route`: only with `permanent`. This provider cannot send this message, but works otherwise: for example, the
     *   country is switched off, or the template is missing. The next provider of the route is tried, as for `provider`.
     */
    readonly concerns: 'provider' | 'route' | 'message' = kind === 'permanent' ? 'message' : 'provider',
  ) {
    super(reason);
  }

  /** Private, so that the reply appears neither in logs nor in JSON. */
  #details: FailureDetails | undefined;

  get details(): FailureDetails | undefined {
    return this.#details;
  }

  withDetails(details: FailureDetails | undefined): this {
    this.#details = details;
    return this;
  }
}

/** State that a provider reports for a message that it has accepted. */
export type ReportedState = 'sent' | 'delivered' | 'undelivered';
