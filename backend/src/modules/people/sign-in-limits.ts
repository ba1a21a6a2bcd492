/**
 * Sign-in limits. An attacker who knows an email address must not be able to exhaust its owner's attempts. Attempts are
 * therefore counted by IP address, and a browser in which the person has signed in before has a separate budget.
 * Addresses with different plus-tags are counted separately: codes for `ana+x@example.com` do not count for
 * `ana@example.com`.
 *
 * Each code accepts at most 15 guesses, so unknown browsers get at most 30 × 15 guesses a day and a known browser
 * 20 × 15: the chance of guessing a six-digit code stays below 0.1%. All browsers together get at most 999 guesses per
 * address within 25 hours. Unknown browsers can use up at most two daily budgets in that time, 2 × 30 × 15 = 900
 * guesses, so the person can still sign in.
 */
import { sha256 } from '../../platform/crypto.js';
import { sendWindows, type Rule } from '../../platform/rate-limit/rule.js';

const CODE_SPACING_SECONDS = [30, 60, 120] as const;
const CODES_PER_10_MINUTES = 5;
/** Maximum number of codes per email address and IP address. */
const CODES_PER_DAY = 10;
/** Maximum number of codes per email address from all IP addresses. Codes for known browsers are not counted. */
const CODES_PER_ADDRESS_PER_10_MINUTES = 15;
const CODES_PER_ADDRESS_PER_DAY = 30;
const CODES_PER_KNOWN_BROWSER_PER_DAY = 20;
/** Maximum number of codes per IP address: enough for an office, too few to try a list of email addresses. */
const CODES_PER_SOURCE_PER_HOUR = 60;
const GUESSES_PER_SOURCE_PER_MINUTE = 20;
/** Maximum number of guesses per email address and IP address, or per known browser. */
const GUESSES_PER_HOUR = 20;
/** Maximum number of failed sign-ins per person that the audit log records in an hour. */
const RECORDED_FAILURES_PER_HOUR = 20;
/**
 * Number of failed sign-ins per hour that are probably typing errors. The person gets an email about the next failure.
 */
const UNNOTICED_FAILURES_PER_HOUR = 4;

export interface SignInAttempt {
  readonly email: string;
  /** The IP address. */
  readonly source: string;
  /** Id of the browser; undefined if the person has not signed in with it before. */
  readonly knownBrowser: string | undefined;
}

const HOUR_SECONDS = 3600;
const perHour = (limit: number): Rule['windows'] => [{ limit, seconds: HOUR_SECONDS }];

export function codeRules({ email, source, knownBrowser }: SignInAttempt): Rule[] {
  const address = sha256(email);
  const cooldown = { code: 'COOLDOWN', durable: true } as const;
  if (knownBrowser !== undefined) {
    const windows = sendWindows(CODES_PER_10_MINUTES, CODES_PER_KNOWN_BROWSER_PER_DAY);
    const key = `sign-in:${address}:browser:${knownBrowser}`;
    return [{ key, ...cooldown, windows, spacingSeconds: CODE_SPACING_SECONDS }];
  }
  return [
    {
      key: `sign-in:${address}:from:${source}`,
      ...cooldown,
      windows: sendWindows(CODES_PER_10_MINUTES, CODES_PER_DAY),
      spacingSeconds: CODE_SPACING_SECONDS,
    },
    {
      key: `sign-in:${address}`,
      ...cooldown,
      windows: sendWindows(CODES_PER_ADDRESS_PER_10_MINUTES, CODES_PER_ADDRESS_PER_DAY),
    },
    { key: `sign-in-from:${source}`, code: 'TOO_MANY_CALLS', windows: perHour(CODES_PER_SOURCE_PER_HOUR) },
  ];
}

export function guessRules({ email, source, knownBrowser }: SignInAttempt): Rule[] {
  const limit = { code: 'TOO_MANY_CALLS', windows: perHour(GUESSES_PER_HOUR) } as const;
  const key = `sign-in-guess:${sha256(email)}`;
  if (knownBrowser !== undefined) return [{ key: `${key}:browser:${knownBrowser}`, ...limit }];
  return [
    { key: `${key}:from:${source}`, ...limit },
    {
      key: `sign-in-guess-from:${source}`,
      code: 'TOO_MANY_CALLS',
      windows: [{ limit: GUESSES_PER_SOURCE_PER_MINUTE, seconds: 60 }],
    },
  ];
}

/** Returns the limits for a signed-in person who confirms their identity. */
export function confirmationRules(email: string): { codes: Rule[]; guesses: Rule[] } {
  const address = sha256(email);
  const codes = sendWindows(CODES_PER_10_MINUTES, CODES_PER_KNOWN_BROWSER_PER_DAY);
  const guesses = perHour(GUESSES_PER_HOUR);
  return {
    codes: [{ key: `confirm:${address}`, code: 'COOLDOWN', windows: codes, durable: true }],
    guesses: [{ key: `confirm-guess:${address}`, code: 'TOO_MANY_CALLS', windows: guesses }],
  };
}

const failureRule = (kind: string, email: string, limit: number): Rule => ({
  key: `sign-in-${kind}:${sha256(email)}`,
  code: 'TOO_MANY_CALLS',
  windows: perHour(limit),
});

export const recordedFailureRule = (email: string): Rule => failureRule('failure', email, RECORDED_FAILURES_PER_HOUR);
export const unnoticedFailureRule = (email: string): Rule =>
  failureRule('unnoticed', email, UNNOTICED_FAILURES_PER_HOUR);
/** Allows one email per hour about failed sign-ins, so that an attacker cannot flood a mailbox. */
export const failureNoticeRule = (email: string): Rule => failureRule('notice', email, 1);

/** Invitations that are emailed per account and day, so that an account cannot send emails to many strangers. */
const INVITATION_MAILS_PER_DAY = 50;

export const invitationMailRule = (accountId: number): Rule => ({
  key: `invitation-mails:${accountId}`,
  code: 'TOO_MANY_CALLS',
  windows: [{ limit: INVITATION_MAILS_PER_DAY, seconds: 86_400 }],
});
