import { durationText } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { FormState } from '../form.js';

export const PASSKEY_REJECTED = 'This passkey was not accepted. Try again, or use a code instead.';

function textOf({ code, details }: ApiError): string | undefined {
  const seconds = details.retryAfterSeconds ?? 0;
  switch (code) {
    case 'INVALID_OTP':
      return 'This code is incorrect or was already used. Enter the latest code.';
    case 'OTP_EXPIRED':
      return 'This code has expired. Request a new one.';
    case 'ENROLMENT_EXPIRED':
      return 'This QR code has expired. Scan the new one.';
    case 'OTP_LOCKED':
      return `Too many wrong codes. Try again in ${durationText(seconds)}.`;
    case 'TWO_FACTOR_BLOCKED':
      return 'Too many wrong authenticator codes. Enter one of your recovery codes.';
    case 'COOLDOWN':
      return `Wait ${durationText(seconds)} before you request another code.`;
    case 'TOO_MANY_CALLS':
    case 'OVERLOADED':
      return `Too many attempts. Try again in ${durationText(seconds)}.`;
    default:
      return undefined;
  }
}

/** Hint for {@link withError}, added if an authenticator code was rejected because it was already used. */
export const NEXT_CODE_HINT = 'Your authenticator app shows a new code every 30 seconds.';

/**
 * Returns the form with the error message at `field`. Rethrows errors without a user-facing message. `codeHint` is
 * added to the message about a rejected code, and the number of attempts that are left for it.
 */
export function withError(error: unknown, state: FormState, field: string, codeHint = ''): FormState {
  const text = error instanceof ApiError ? textOf(error) : undefined;
  if (text === undefined) throw error;
  const { code, details } = error as ApiError;
  const hint = code === 'INVALID_OTP' ? codeHint : '';
  const left = details.attemptsLeft === undefined ? '' : `Attempts left: ${details.attemptsLeft}.`;
  return { ...state, errors: { [field]: [text, hint, left].filter(Boolean).join(' ') } };
}
