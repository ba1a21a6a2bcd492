/**
 * Describes an HTTP gateway: the request that sends a message, and how to read the reply and delivery reports. Every
 * string in the request is a Liquid template: URL, header values and body.
 */
import type { HttpRequest } from '../../platform/http/exchange.js';
import type { ReportedState } from '../provider.js';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** `json`: a JSON body. `form`: an encoded form. `query`: URL parameters. */
export type Encoding = 'json' | 'form' | 'query';

/** `plus`: +14155550123. `digits`: 14155550123. `national`: 4155550123. */
export type NumberFormat = 'plus' | 'digits' | 'national';

export type Method = 'POST' | 'GET' | 'PUT';

export type Authentication =
  | { readonly type: 'none' }
  | { readonly type: 'basic'; readonly user: string; readonly password: string }
  | { readonly type: 'bearer'; readonly token: string }
  | { readonly type: 'header' | 'query'; readonly name: string; readonly value: string };

export interface RequestDefinition {
  readonly method?: Method | undefined;
  /** The scheme, host and port may contain settings, but no message values. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly encoding?: Encoding;
  /** Fields that render to an empty text are left out. A function returns the body without templates. */
  readonly body?: Json | BuildBody;
}

/** Returns the body of a request. `values`: the settings and the values of the message. */
export type BuildBody = (values: Readonly<Record<string, unknown>>) => object;

export interface ReportDefinition {
  /** JSON path of the list of reports; omitted if a request contains a single report. */
  readonly list?: string | undefined;
  /** JSON path of Passbell's message id, for vendors that return it. */
  readonly messageId?: string | undefined;
  /** JSON path of the vendor's message id. See `paths.ts`. */
  readonly id?: string | undefined;
  /** JSON path of the state. */
  readonly state: string;
  /** The vendor's values for each state; other values are ignored. */
  readonly states: Readonly<Partial<Record<ReportedState, readonly string[]>>>;
}

export interface InboundDefinition {
  /** Path of the list of messages; omitted if a request contains a single message. */
  readonly list?: string;
  /** Paths of the sender's number. The first one with a value counts. */
  readonly from: readonly string[];
  /** Path of the text. */
  readonly text: string;
}

export interface LookUpDefinition {
  readonly url: string;
  /** Condition that a reply meets if it contains the message. */
  readonly found: string;
  /** JSON path of the vendor's message id. See `paths.ts`. */
  readonly id: string;
}

/**
 * A GET request that checks the credentials. It sends no message, is free, and succeeds only with valid credentials.
 */
export interface CheckDefinition {
  readonly url: string;
  /** Condition that a reply meets if it confirms the credentials. */
  readonly success: string;
  /** The authentication of this request; by default, the same as for messages. */
  readonly authentication?: Authentication;
}

/** Returns the request with a signature. `settings` has the values by field name; `now` is in milliseconds. */
export type SignRequest = (
  request: HttpRequest,
  settings: Readonly<Record<string, unknown>>,
  now: number,
) => Promise<HttpRequest>;

export interface GatewayDefinition extends RequestDefinition {
  readonly authentication?: Authentication;
  /** For vendors that require signed requests. */
  readonly sign?: SignRequest;
  readonly number?: NumberFormat | undefined;
  /**
   * Condition that a reply meets if it confirms the message, such as `status 200-299 and code = 0`. See
   * `conditions.ts`.
   */
  readonly success?: string | undefined;
  /** JSON path of the vendor's message id in the reply, or a regular expression. */
  readonly id?: string | undefined;
  /**
   * Rules for all other replies, such as `transient: code = 12 => the account sends too fast`. The first match counts.
   */
  readonly errors?: readonly string[];
  /** JSON path of the vendor's error code, which is added to the reason. */
  readonly errorCode?: string | undefined;
  /** Whether each message needs a `templateId`, such as an Indian DLT template. */
  readonly needsTemplate?: boolean;
  readonly reports?: ReportDefinition | undefined;
  readonly inbound?: InboundDefinition;
  readonly lookUp?: LookUpDefinition | undefined;
  readonly check?: CheckDefinition;
  /** Time limit for the request, in seconds. The server's limit is the upper bound. */
  readonly timeoutSeconds?: number | undefined;
  /** Maximum number of messages per second and process. */
  readonly perSecond?: number | undefined;
}

/**
 * The definition is not valid. The message completes a sentence whose subject is the invalid part, such as `contains “a[”,
 * which is not a path`. It is shown to the author, and contains no secrets.
 */
export class DefinitionError extends Error {}

/** Maximum length of a condition or a path, such as a condition with a long list of error codes. */
const MAX_LENGTH = 4000;
/** Maximum length of a regular expression, whose work can grow faster than its length. */
export const MAX_REGEXP_LENGTH = 500;

/** Throws a {@link DefinitionError} for a text that is too long. */
export function checkLength(what: string, text: string, max = MAX_LENGTH): void {
  if (text.length > max)
    throw new DefinitionError(
      `contains a ${what} longer than ${max} characters, which starts with “${text.trim().slice(0, 40)}…”`,
    );
}
