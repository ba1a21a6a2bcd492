/** The minimum time between two codes for a recipient. It ends when one of the codes is verified. */
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import type { Rule } from '../../platform/rate-limit/rule.js';
import type { Application } from '../applications/application.js';
import type { OtpCode } from './otp-code.js';

/**
 * Factors for `cooldownSeconds` after the first, second and later sends within ten minutes. By default: 30, 60, 120 s.
 */
const COOLDOWN_STEPS = [1, 2, 4] as const;

const keyOf = (recipientKey: string): string => `otp-cooldown:${recipientKey}`;

/** Separate from the rule for the number of sends, which a verified code does not reset. */
export const cooldownRule = ({ settings: { limits } }: Application, recipientKey: string): Rule => ({
  key: keyOf(recipientKey),
  code: 'COOLDOWN',
  windows: [],
  spacingSeconds: limits.cooldownSeconds > 0 ? COOLDOWN_STEPS.map((step) => step * limits.cooldownSeconds) : [],
  durable: true,
});

/** Ends the cooldown of a code's recipient. Call this at most once for each code, after it was verified. */
export type EndCooldown = (code: Pick<OtpCode, 'recipientKey'>) => Promise<void>;

export const createEndCooldown =
  (limiter: Pick<Limiter, 'clear'>): EndCooldown =>
  ({ recipientKey }) =>
    // If the limiter is not available, the code is verified nevertheless, and the cooldown ends by itself.
    limiter.clear(keyOf(recipientKey)).catch(() => undefined);
