import type { Schemas } from './types.js';

/** Error codes from the client itself. All other error codes come from the service. */
export type ClientErrorCode = 'CONNECTION_FAILED' | 'TIMED_OUT' | 'UNEXPECTED_REPLY' | 'INVALID_SIGNATURE';

/** Error codes. Newer servers may return additional codes. */
export type PassbellErrorCode = Schemas['ErrorCode'] | ClientErrorCode | (string & {});

export interface PassbellErrorDetails {
  readonly hint?: string | undefined;
  readonly field?: string | undefined;
  readonly docs?: string | undefined;
  readonly received?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly attemptsLeft?: number | undefined;
  readonly data?: Schemas['SendEnvelope'] | undefined;
  readonly challenge?: Schemas['Challenge'] | undefined;
  readonly requestId?: string | undefined;
  readonly replayed?: boolean | undefined;
  readonly warnings?: readonly string[] | undefined;
  readonly cause?: unknown;
}

const NAME = 'PassbellError';

/** A failed call. Branch on `code`; `message` is for people. */
export class PassbellError extends Error {
  override readonly name = NAME;
  readonly code: PassbellErrorCode;
  /** Suggests what to do next. */
  readonly hint: string | undefined;
  /** The parameter that caused the error. */
  readonly field: string | undefined;
  /** The value of `field`, shortened. Recipients are masked, and secrets are omitted. */
  readonly received: string | undefined;
  /** Link to the description of `code`. */
  readonly docs: string | undefined;
  /** Seconds after which the same call can succeed. */
  readonly retryAfterSeconds: number | undefined;
  /** After a wrong code, the number of attempts left before the verification is locked. */
  readonly attemptsLeft: number | undefined;
  /** The attempts of a send that failed on every channel. */
  readonly data: Schemas['SendEnvelope'] | undefined;
  /** With `CHALLENGE_REQUIRED`: for the person's browser. */
  readonly challenge: Schemas['Challenge'] | undefined;
  /** Identifies the request in the server's log. Undefined if the error is not about a request. */
  readonly requestId: string | undefined;
  /** Whether this is the reply to an earlier call with the same Idempotency-Key. */
  readonly replayed: boolean;
  /** Other problems of the request, such as unknown parameters. */
  readonly warnings: readonly string[];

  constructor(code: PassbellErrorCode, message: string, details: PassbellErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.hint = details.hint;
    this.field = details.field;
    this.received = details.received;
    this.docs = details.docs;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.attemptsLeft = details.attemptsLeft;
    this.data = details.data;
    this.challenge = details.challenge;
    this.requestId = details.requestId;
    this.replayed = details.replayed ?? false;
    this.warnings = details.warnings ?? [];
  }

  /** Whether a value is a `PassbellError`, also of another copy of the client. The same as `instanceof`. */
  static is(value: unknown): value is PassbellError {
    return value instanceof PassbellError;
  }

  /** Recognizes the errors of all copies of the client: `import` and `require` load different ones. */
  static override [Symbol.hasInstance](value: unknown): value is PassbellError {
    if (this === PassbellError) return value instanceof Error && value.name === NAME;
    return Function.prototype[Symbol.hasInstance].call(this, value);
  }
}
