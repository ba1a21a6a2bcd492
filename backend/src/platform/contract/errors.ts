/** API errors. Their codes and messages come from the contract. */
import type { Schemas } from './schemas.js';
import { ERRORS } from './generated/errors.js';

/** `retryAfterSeconds` for `SERVICE_UNAVAILABLE`, while the database or Redis is down. */
export const UNAVAILABLE_RETRY_SECONDS = 5;

export type ErrorCode = keyof typeof ERRORS;

interface ErrorDetails {
  readonly values?: Readonly<Record<string, string>>;
  readonly retryAfterSeconds?: number;
  /** Overrides the error code's default message. */
  readonly message?: string;
  readonly data?: Schemas['SendEnvelope'];
}

export class ApiError extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly details: ErrorDetails = {},
  ) {
    super(details.message ?? fillIn(ERRORS[code].message, details));
  }

  /** Advice for the caller; undefined if the contract has none for the code. */
  get hint(): string | undefined {
    const entry: { message: string; hint?: string } = ERRORS[this.code];
    return entry.hint && fillIn(entry.hint, this.details);
  }

  /** The message and the hint, as sentences to show on a page. */
  get sentences(): string {
    return [`${this.message}.`, this.hint].filter(Boolean).join(' ');
  }
}

function fillIn(text: string, { values, retryAfterSeconds }: ErrorDetails): string {
  const all: Record<string, unknown> = { ...values, retryAfterSeconds };
  return text.replace(/\{(\w+)\}/g, (_all, name: string) => String(all[name]));
}

export function failure(error: ApiError): Schemas['Failure'] {
  const { retryAfterSeconds, data } = error.details;
  return {
    success: false,
    message: error.message,
    code: error.code,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(data === undefined ? {} : { data }),
  };
}
