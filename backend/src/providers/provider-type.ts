/** A provider type is a kind of vendor account that can be set up as a provider, such as Twilio or a mail server. */
import type { Clock } from '../platform/clock.js';
import type { ChannelName } from '../platform/contract/channels.js';
import type { Keyring } from '../platform/crypto.js';
import type { AddressRules } from '../platform/http/checked-address.js';
import type { HttpRequest } from '../platform/http/exchange.js';
import type { Log } from '../platform/log.js';
import type { FailureDetails, OutgoingMessage, Provider, ReportedState } from './provider.js';

/** - `multiline`: a long text, such as a Liquid template. - `choice`: one of {@link ProviderField.choices}. */
export type FieldKind = 'text' | 'multiline' | 'url' | 'email' | 'number' | 'boolean' | 'choice';

export interface ProviderField {
  /** Name in camelCase; the command uses it in kebab-case. */
  readonly name: string;
  readonly label: string;
  readonly kind: FieldKind;
  /** One sentence that says where to find the value, or what it changes. */
  readonly help?: string | undefined;
  /** Where the documentation lists all values of the field. */
  readonly helpUrl?: string;
  /** Secret values are stored sealed, and are never shown again. */
  readonly secret?: boolean;
  readonly required?: boolean;
  /** Whether a channel needs this field or another one, which the help names. Forms do not mark it as optional. */
  readonly isAlternative?: boolean;
  /**
   * Whether the field decides how Passbell connects and signs in. After a change, the provider must be verified again,
   * as after changes of required fields, secrets and URLs.
   */
  readonly connects?: boolean;
  /** Whether only the operator can set the field, because requests to its URL could reach internal networks. */
  readonly operatorOnly?: boolean;
  /** Whether the field is rarely needed. Forms show such fields last. */
  readonly advanced?: boolean;
  /** Title of the group in which forms show the field. */
  readonly group?: string;
  readonly choices?: readonly string[];
  /** Labels by choice. Choices without a label are shown as they are. */
  readonly choiceLabels?: Readonly<Record<string, string>>;
  /**
   * The choices of another field with which this field is used, and its label and help with each of them. Forms hide it
   * with other choices, unless it has a value.
   */
  readonly usedWith?: {
    readonly field: string;
    readonly choices: Readonly<Record<string, readonly [label: string, help?: string]>>;
  };
  /** Value of an empty field. */
  readonly default?: string | undefined;
  /** Value in the form for a new provider, which people can keep or edit. */
  readonly initial?: string;
  /** Returns the problem with a non-empty value, such as `must start with AC`; undefined if it is valid. */
  readonly problem?: (value: string) => string | undefined;
}

/** Values by field name, including secrets and defaults. Empty fields are left out; booleans are `true` or `false`. */
export type ProviderSettings = Readonly<Record<string, string>>;

/**
 * The vendor's reply to a message or a credentials check: the status and body of an HTTP reply, or the reply of a mail
 * server.
 */
export type VendorReply = Readonly<{ status: number; text: string }>;
export type OnReply = (reply: VendorReply) => void;

export interface ProviderContext {
  /** Id of the provider, and the name that its owner gave it. */
  readonly id: string;
  readonly name: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly keyring: Keyring;
  /** Time limit for a request, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * True unless the provider belongs to the operator's account: requests may then only reach public IP addresses, also
   * after redirects and DNS changes (`createAddressesOf` and `pinnedTo` in platform/http/checked-address.ts).
   */
  readonly publicOnly: boolean;
  /** For HTTP gateways: replaces the rules that {@link publicOnly} selects. */
  readonly addresses?: AddressRules | undefined;
  /** Language and country for voice calls that specify no language, such as `en-US`. */
  readonly voiceLanguage: string;
  /** Whether calls ask for a key press before they read a code. */
  readonly voiceKeyPress: boolean;
  /**
   * Returns the URL for this provider's delivery reports, optionally for one message and with a last path segment. Its
   * query contains {@link Receiver.callbackKey}, which is verified before {@link ProviderType.receive} is called.
   * Undefined if vendors cannot reach this service.
   */
  readonly callbackUrl?: ((messageId?: string, path?: string) => string) | undefined;
  /**
   * Called with the vendor's reply to each message and credentials check, for tests on the channels page. The reply may
   * repeat secrets and the recipient.
   */
  readonly onReply?: OnReply | undefined;
}

export interface Capabilities {
  readonly deliveryReports: boolean;
  /** Whether each message contains the address for its reports, so that people need not enter it at the vendor. */
  readonly automaticReports?: boolean;
  /** Whether messages from recipients are received at an address of their own, `ProviderContext.callbackUrl(undefined, 'inbound')`. */
  readonly inbound?: boolean;
  /** Whether a message can be looked up after an unknown outcome ({@link Provider.find}). */
  readonly lookUp: boolean;
  /** ISO 3166 codes of the countries that the vendor sends to; undefined for all. */
  readonly countries?: readonly string[];
}

export type CredentialsCheck = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** A vendor's request to {@link ProviderContext.callbackUrl}. */
export interface CallbackRequest {
  readonly method: 'GET' | 'POST';
  /** The URL that the vendor requested, rebuilt from the public service URL. */
  readonly url: string;
  /** The message's id if the URL contains one. */
  readonly messageId: string | undefined;
  /** The rest of the path, such as `speech`; "" if there is none. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact bytes, for signatures. */
  readonly body: Buffer;
}

/**
 * A vendor's report about the recipient, which outlives the message. `hardBounce`: the address does not exist or rejects
 * all messages. `softBounce`: the message was rejected for a transient reason, such as a full mailbox. `complaint`: the
 * recipient marked the message as spam. `optedOut`: the recipient unsubscribed, or replied STOP.
 */
export type RecipientStatus = 'hardBounce' | 'softBounce' | 'complaint' | 'optedOut';

/** A delivery report identifies the message by Passbell's id, or only by the vendor's id. */
export interface ReportedMessage {
  /**
   * Passbell's message id. Undefined if the vendor does not return it: the message is then looked up by `providerId`.
   */
  readonly messageId: string | undefined;
  /** The vendor's message id. */
  readonly providerId: string;
  readonly reportedState: ReportedState;
  /** Why the message was not delivered, as a text for people. */
  readonly reason?: string | undefined;
  readonly details?: FailureDetails | undefined;
  /** Whether no provider of the channel can reach the recipient, for example because the number has no WhatsApp. */
  readonly unreachable?: boolean;
  /**
   * Set if the report says something about the recipient. Complaints and opt-outs mostly follow after the message was
   * delivered: they have the reported state `delivered`, which changes nothing.
   */
  readonly recipientStatus?: RecipientStatus | undefined;
}

export interface InboundMessage {
  readonly channel: ChannelName;
  /** Phone number with its country code, with or without `+`. */
  readonly from: string;
  readonly text: string;
}

/** A provider that receives requests from its vendor. */
export interface Receiver {
  readonly type: ProviderType;
  readonly settings: ProviderSettings;
  readonly context: ProviderContext;
  /** The secret in the callback URL; undefined if only {@link ProviderType.receive} verifies requests. */
  readonly callbackKey: string | undefined;
}

export interface CallbackReply {
  readonly reports: readonly ReportedMessage[];
  readonly inbound?: readonly InboundMessage[];
  /** Returns the body of the reply that sends a text back to the recipient; undefined if the vendor does not support this. */
  readonly replyWith?: (text: string) => string | Promise<string>;
  /** Status of the reply; 204 without a body if undefined. */
  readonly status?: number;
  readonly contentType?: string;
  readonly body?: string;
}

export interface ProviderType {
  /** Lower-case letters, digits and dashes, such as `twilio`. */
  readonly name: string;
  /** Shown to people, such as `Twilio`. */
  readonly title: string;
  /** Two sentences. */
  readonly description: string;
  /** The vendor's page that explains credentials and errors. */
  readonly helpUrl?: string;
  /** Channels that the type can serve; settings may switch some off. */
  readonly channels: readonly ChannelName[];
  readonly fields: readonly ProviderField[];
  readonly capabilities: Capabilities;
  /** Where to enter the address for delivery reports at the vendor, and what to select. */
  readonly reportsHelp?: string;
  /** Where to enter the address for replies. */
  readonly repliesHelp?: string;
  /** Names of fields, of which at least one needs a value. */
  readonly oneOf?: readonly string[];
  /** Returns the problems of values that depend on other fields, such as `is needed for a lookup`. */
  problems?(settings: ProviderSettings): readonly (readonly [field: string, problem: string | undefined])[];
  /** Returns a provider for each channel that the settings switch on. Opens no connection. */
  create(settings: ProviderSettings, context: ProviderContext): readonly Provider[];
  /** Checks the credentials without sending a message. The reason contains no secrets. */
  check?(settings: ProviderSettings, context: ProviderContext): Promise<CredentialsCheck>;
  /**
   * Returns the request that would send the message, with secrets replaced by `••••`. Throws a `ProviderError` like
   * `send`.
   */
  dryRun?(settings: ProviderSettings, context: ProviderContext, message: OutgoingMessage): HttpRequest;
  /**
   * Processes a delivery report or another request from the vendor. Returns undefined if the request is not authentic.
   */
  receive?(
    request: CallbackRequest,
    settings: ProviderSettings,
    context: ProviderContext,
  ): CallbackReply | undefined | Promise<CallbackReply | undefined>;
}

/** Returns the message of the error that `read` throws; undefined if it throws none. */
export function problemOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
