/** The failures that a caller of the API can read. Codes and texts come from the contract. */
import type { components } from './generated/api.js';
import { ERRORS } from './generated/errors.js';

export type ErrorCode = keyof typeof ERRORS;

export interface ErrorDetails {
  /** Values for the `{placeholders}` of the text. */
  readonly values?: Readonly<Record<string, string>>;
  /** Seconds to wait before the same call can succeed, at least 1. */
  readonly retryAfterSeconds?: number;
  /** Replaces the text of the code where the specification has another one for the same cause. */
  readonly message?: string;
  /** What the failed reply keeps of a send. */
  readonly data?: components['schemas']['SendEnvelope'];
}

/** A refused or failed call: becomes `{success: false, message, code, …}`. */
export class ApiError extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly details: ErrorDetails = {},
  ) {
    super(details.message ?? textOf(code, details));
  }
}

function textOf(code: ErrorCode, details: ErrorDetails): string {
  const values: Record<string, unknown> = { ...details.values, retryAfterSeconds: details.retryAfterSeconds };
  return ERRORS[code].message.replace(/\{(\w+)\}/g, (_all, name: string) => String(values[name]));
}

/** The body of a failed reply. */
export function failure(error: ApiError): components['schemas']['Failure'] {
  const { retryAfterSeconds, data } = error.details;
  return {
    success: false,
    message: error.message,
    code: error.code,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(data === undefined ? {} : { data }),
  };
}
