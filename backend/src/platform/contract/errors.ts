/** API errors. Their codes and messages come from the contract. */
import { uncapitalized } from '../capitalized.js';
import { durationText } from '../clock.js';
import { ExpectedError } from '../expected-error.js';
import type { Schemas } from './schemas.js';
import { ERRORS } from './generated/errors.js';

/** `retryAfterSeconds` for `SERVICE_UNAVAILABLE`, while the database or Redis is down. */
export const UNAVAILABLE_RETRY_SECONDS = 5;

/** Shortens a request value for the reply's `received` field, which has at most 40 characters. */
export const shorten = (value: string): string => value.slice(0, 40);

export type ErrorCode = keyof typeof ERRORS;

interface ErrorDetails {
  /** Values for the placeholders of the code's texts. They take precedence over the other details. */
  readonly values?: Readonly<Record<string, string>>;
  readonly retryAfterSeconds?: number;
  /** Number of wrong codes left until the verification is locked. */
  readonly attemptsLeft?: number | undefined;
  /** After the last attempt: how long the verification is locked. */
  readonly lockedForSeconds?: number;
  /** Overrides the error code's default message. */
  readonly message?: string;
  /** Overrides the error code's default hint. */
  readonly hint?: string | undefined;
  readonly field?: string;
  /** The value of `field`, shortened; masked or omitted if it is confidential. */
  readonly received?: string | undefined;
  readonly data?: Schemas['SendEnvelope'];
  /** With `CHALLENGE_REQUIRED`: the challenge for the person's browser. */
  readonly challenge?: Schemas['Challenge'];
}

export class ApiError extends ExpectedError {
  constructor(
    readonly code: ErrorCode,
    readonly details: ErrorDetails = {},
  ) {
    super(details.message ?? fillIn(ERRORS[code].message, details));
  }

  /** The message without the wait, which is correct only at the time of the reply. It then starts in lower case, like other reasons. */
  get reason(): string {
    return this.message.replace(/^(.+)\. Try again in \d+ \w+$/s, (_all, problem: string) => uncapitalized(problem));
  }

  /** Tells the caller what to do next. */
  get hint(): string {
    return this.details.hint ?? fillIn(ERRORS[this.code].hint, this.details);
  }

  /** The message and the hint, as sentences to show on a page. */
  get sentences(): string {
    return `${this.message}. ${this.hint}`;
  }
}

function fillIn(text: string, { values, retryAfterSeconds, field }: ErrorDetails): string {
  const all: Record<string, unknown> = { field, ...values };
  return text
    .replace('{retryAfterSeconds} seconds', durationText(retryAfterSeconds ?? 0))
    .replace(/\{(\w+)\}/g, (_all, name: string) => String(all[name]));
}

export function failure(error: ApiError): Schemas['Failure'] {
  const { field, received, retryAfterSeconds, attemptsLeft, lockedForSeconds, data, challenge } = error.details;
  return {
    success: false,
    message: error.message,
    code: error.code,
    hint: error.hint,
    ...(field === undefined ? {} : { field }),
    ...(received === undefined ? {} : { received }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(attemptsLeft === undefined ? {} : { attemptsLeft }),
    ...(lockedForSeconds === undefined ? {} : { lockedForSeconds }),
    ...(data === undefined ? {} : { data }),
    ...(challenge === undefined ? {} : { challenge }),
  };
}
