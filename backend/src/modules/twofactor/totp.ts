/** Time-based codes (TOTP): RFC 6238 with SHA-1, 6 digits and 30-second steps. */
import { generateSecret, generateSync, generateURI } from 'otplib';
import { SECOND } from '../../platform/clock.js';
import { constantTimeEqual } from '../../platform/crypto.js';

/** Number of steps accepted before and after the current step: phone clocks drift, and people type slowly. */
const TOTP_STEPS_AROUND = 1;
const STEP_SECONDS = 30;
export const CODE_DIGITS = 6;

/** Returns 160 random bits in base32: 32 characters. */
export const newSecret = (): string => generateSecret({ length: 20 });

/** Returns the number of the time step that contains `now`. */
export const stepAt = (now: number): number => Math.floor(now / SECOND / STEP_SECONDS);

/**
 * Returns the time step of `code`; undefined for a wrong code. Compares all steps, so that the duration is constant.
 */
export function matchingStep(secret: string, code: string, now: number): number | undefined {
  const current = stepAt(now);
  const steps = Array.from({ length: 2 * TOTP_STEPS_AROUND + 1 }, (_, n) => current - TOTP_STEPS_AROUND + n);
  const matches = steps.map((step) => constantTimeEqual(generateSync({ secret, epoch: step * STEP_SECONDS }), code));
  const index = matches.lastIndexOf(true);
  return index < 0 ? undefined : steps[index];
}

/** Returns the `otpauth://totp/…` URI that authenticator apps read from a QR code. */
export const accountUri = (account: { secret: string; issuer: string; label: string }): string => generateURI(account);
