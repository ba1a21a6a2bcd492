/** Errors of the API. Codes and messages come from the contract. */
import type { Schemas } from './schemas.js';
import { ERRORS } from './generated/errors.js';

/** Retry hint while the database or Redis is down. */
export const UNAVAILABLE_RETRY_SECONDS = 5;

export type ErrorCode = keyof typeof ERRORS;

interface ErrorDetails {
  readonly values?: Readonly<Record<string, string>>;
  readonly retryAfterSeconds?: number;
  /** Replaces the default message of the code where the specification requires a different one. */
  readonly message?: string;
  readonly data?: Schemas['SendEnvelope'];
}

export class ApiError extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly details: ErrorDetails = {},
  ) {
    super(details.message ?? messageOf(code, details));
  }
}

function messageOf(code: ErrorCode, details: ErrorDetails): string {
  const values: Record<string, unknown> = { ...details.values, retryAfterSeconds: details.retryAfterSeconds };
  return ERRORS[code].message.replace(/\{(\w+)\}/g, (_all, name: string) => String(values[name]));
}

export function failure(error: ApiError): Schemas['Failure'] {
  const { retryAfterSeconds, data } = error.details;
  return {
    success: false,
    message: error.message,
    code: error.code,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(data === undefined ? {} : { data }),
  };
}
