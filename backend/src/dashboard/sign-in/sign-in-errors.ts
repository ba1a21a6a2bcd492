import { ApiError } from '../../platform/contract/errors.js';
import type { FormState } from '../form.js';

export const PASSKEY_REJECTED = 'This passkey was not accepted. Try again, or use a code instead.';

const waitText = (seconds: number): string =>
  seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;

function textOf({ code, details }: ApiError): string | undefined {
  const seconds = details.retryAfterSeconds ?? 0;
  switch (code) {
    case 'INVALID_OTP':
      return 'Incorrect code. Check the latest code and try again.';
    case 'OTP_EXPIRED':
      return 'This code has expired. Request a new one.';
    case 'ENROLMENT_EXPIRED':
      return 'This QR code has expired. Scan the new one.';
    case 'OTP_LOCKED':
      return `Too many incorrect codes. Try again in ${waitText(seconds)}.`;
    case 'TWO_FACTOR_BLOCKED':
      return 'Too many wrong authenticator codes. Use one of your recovery codes.';
    case 'COOLDOWN':
    case 'TOO_MANY_CALLS':
    case 'OVERLOADED':
      return `Too many attempts. Try again in ${waitText(seconds)}.`;
    default:
      return undefined;
  }
}

/** Returns the form with the error message at `field`. Rethrows errors without a user-facing message. */
export function withError(error: unknown, state: FormState, field: string): FormState {
  const text = error instanceof ApiError ? textOf(error) : undefined;
  if (text === undefined) throw error;
  return { ...state, errors: { [field]: text } };
}
