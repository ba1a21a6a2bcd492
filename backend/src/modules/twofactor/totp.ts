/** Time-based codes (RFC 6238: SHA-1, 6 digits, 30 seconds) and what an authenticator app needs to make them. */
import { generateSecret, generateSync, generateURI } from 'otplib';
import { SECOND } from '../../platform/clock.js';
import { sameText } from '../../platform/crypto.js';
import { TOTP_STEPS_AROUND } from '../../platform/limits.js';

const STEP_SECONDS = 30;
export const CODE_DIGITS = 6;

/** 160 random bits in base32: 32 characters. */
export const newSecret = (): string => generateSecret({ length: 20 });

/** The time step that `code` belongs to; undefined for a wrong code. Takes as long for a right one. */
export function matchingStep(secret: string, code: string, now: number): number | undefined {
  const current = Math.floor(now / SECOND / STEP_SECONDS);
  const steps = Array.from({ length: 2 * TOTP_STEPS_AROUND + 1 }, (_, n) => current - TOTP_STEPS_AROUND + n);
  const matches = steps.map((step) => sameText(generateSync({ secret, epoch: step * STEP_SECONDS }), code));
  const index = matches.lastIndexOf(true);
  return index < 0 ? undefined : steps[index];
}

/** What an authenticator app reads from a QR code: `otpauth://totp/…`. */
export const accountUri = (account: { secret: string; issuer: string; label: string }): string => generateURI(account);
