/** The lock ladder and the hour of a recipient, guess by guess. */
import { HOUR, MINUTE } from '../../backend/src/platform/clock.js';
import { DEFAULT_LIMITS } from '../../backend/src/platform/limits.js';
import { countWrong, refusalOf } from '../../backend/src/modules/otp/judge.js';
import type { HeldGuesses, HeldSession } from '../../backend/src/modules/otp/otp-store.js';

const START = 1_700_000_000_000;

const freshGuesses = (): HeldGuesses => ({ times: [], lockedUntil: 0, changed: false });

const freshSession = (guesses = freshGuesses()): HeldSession => ({
  maskId: '0'.repeat(32),
  applicationId: 1,
  recipient: '+14155550100',
  recipientKey: 'key',
  channel: 'SMS',
  codeHash: '',
  codeLength: 6,
  messageId: null,
  createdAt: START,
  expiresAt: START + 60 * MINUTE,
  guesses,
  hasOthers: false,
  state: 'live',
  wrong: 0,
  lockedUntil: 0,
  changed: false,
});

const refusal = (session: HeldSession | undefined, now: number): string | undefined => {
  const error = refusalOf(session, now);
  return error && `${error.code} ${error.details.retryAfterSeconds ?? ''}`.trim();
};

it('locks a session for 60 s, for 300 s, then until it expires', () => {
  const limits = { ...DEFAULT_LIMITS, wrongCodesPerHour: 0 };
  const session = freshSession();
  let now = START;
  for (const seconds of [60, 300, 3600 - 360]) {
    for (let n = 0; n < 5; n++) {
      expect(refusal(session, now)).toBeUndefined();
      countWrong(session, limits, now);
    }
    expect(refusal(session, now)).toBe(`OTP_LOCKED ${seconds}`);
    expect(refusal(session, now + seconds * 1000 - 1)).toBe('OTP_LOCKED 1');
    now += seconds * 1000;
  }
  expect(refusal(session, now)).toBe('OTP_EXPIRED');
});

it('locks a recipient for an hour after twenty in any hour, over all of its sessions', () => {
  const limits = { ...DEFAULT_LIMITS, wrongCodesPerLock: 0 };
  const guesses = freshGuesses();
  countWrong(freshSession(guesses), limits, START);
  for (let n = 1; n < 20; n++) countWrong(freshSession(guesses), limits, START + HOUR);
  // The first one is an hour old: nineteen count.
  expect(refusal({ ...freshSession(guesses), expiresAt: START + 9 * HOUR }, START + HOUR)).toBeUndefined();
  countWrong(freshSession(guesses), limits, START + HOUR);
  const other = { ...freshSession(guesses), expiresAt: START + 9 * HOUR };
  expect(refusal(other, START + HOUR)).toBe('OTP_LOCKED 3600');
  expect(refusal(other, START + 2 * HOUR)).toBeUndefined();
});

it.each([
  ['unknown', undefined, 'INVALID_OTP'],
  ['verified', { state: 'verified' as const }, 'INVALID_OTP'],
  ['ended', { state: 'ended' as const, lockedUntil: START + MINUTE }, 'INVALID_OTP'],
  ['expired and locked', { expiresAt: START, lockedUntil: START + MINUTE }, 'OTP_EXPIRED'],
  ['locked', { lockedUntil: START + MINUTE }, 'OTP_LOCKED 60'],
])('refuses a session that is %s in the order decided', (_state, change, expected) => {
  expect(refusal(change && { ...freshSession(), ...change }, START)).toBe(expected);
});
