import type { Schemas } from './types.js';

/** Error codes from the client itself. All other error codes come from the service. */
export type ClientErrorCode = 'CONNECTION_FAILED' | 'TIMED_OUT' | 'UNEXPECTED_REPLY' | 'INVALID_SIGNATURE';

/** Error codes. Newer servers may return additional codes. */
export type PassbellErrorCode = Schemas['ErrorCode'] | ClientErrorCode | (string & {});

export interface PassbellErrorDetails {
  readonly hint?: string | undefined;
  readonly field?: string | undefined;
  readonly docs?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly data?: Schemas['SendEnvelope'] | undefined;
  readonly cause?: unknown;
}

/** A failed call. Branch on `code`; `message` is for people. */
export class PassbellError extends Error {
  override readonly name = 'PassbellError';
  readonly code: PassbellErrorCode;
  /** Suggests what to do next. */
  readonly hint: string | undefined;
  /** The parameter that caused the error. */
  readonly field: string | undefined;
  /** Link to the description of `code`. */
  readonly docs: string | undefined;
  /** Seconds after which the same call can succeed. */
  readonly retryAfterSeconds: number | undefined;
  /** The attempts of a send that failed on every channel. */
  readonly data: Schemas['SendEnvelope'] | undefined;

  constructor(code: PassbellErrorCode, message: string, details: PassbellErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.hint = details.hint;
    this.field = details.field;
    this.docs = details.docs;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.data = details.data;
  }
}
