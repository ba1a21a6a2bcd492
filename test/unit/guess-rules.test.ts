/** The locks of a session and the hourly limit of a recipient, guess by guess. */
import { DEFAULT_LIMITS } from '../../backend/src/modules/applications/application-limits.js';
import { HOUR, MINUTE } from '../../backend/src/platform/clock.js';
import { countWrongGuess, markVerified, rejectionOf } from '../../backend/src/modules/otp/guess-rules.js';
import type { LockedSession, RecipientGuesses } from '../../backend/src/modules/otp/otp-session.js';

const START = 1_700_000_000_000;

const freshGuesses = (): RecipientGuesses => ({ times: [], lockedUntil: 0, changed: false });

const freshSession = (guesses = freshGuesses()): LockedSession => ({
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
  wrongGuesses: 0,
  lockedUntil: 0,
  changed: false,
});

const rejection = (session: LockedSession | undefined, now: number): string | undefined => {
  const error = rejectionOf(session, now);
  return error && `${error.code} ${error.details.retryAfterSeconds ?? ''}`.trim();
};

it('locks a session for 60 s, for 300 s, then until it expires', () => {
  const limits = { ...DEFAULT_LIMITS, wrongCodesPerHour: 0 };
  const session = freshSession();
  let now = START;
  for (const seconds of [60, 300, 3600 - 360]) {
    for (let n = 0; n < 5; n++) {
      expect(rejection(session, now)).toBeUndefined();
      countWrongGuess(session, limits, now);
    }
    expect(rejection(session, now)).toBe(`OTP_LOCKED ${seconds}`);
    expect(rejection(session, now + seconds * 1000 - 1)).toBe('OTP_LOCKED 1');
    now += seconds * 1000;
  }
  expect(rejection(session, now)).toBe('OTP_EXPIRED');
});

it('locks a recipient for an hour after twenty in any hour, over all of its sessions', () => {
  const limits = { ...DEFAULT_LIMITS, wrongCodesPerLock: 0 };
  const guesses = freshGuesses();
  countWrongGuess(freshSession(guesses), limits, START);
  for (let n = 1; n < 20; n++) countWrongGuess(freshSession(guesses), limits, START + HOUR);
  // The first one is an hour old: nineteen count.
  expect(rejection({ ...freshSession(guesses), expiresAt: START + 9 * HOUR }, START + HOUR)).toBeUndefined();
  countWrongGuess(freshSession(guesses), limits, START + HOUR);
  const other = { ...freshSession(guesses), expiresAt: START + 9 * HOUR };
  expect(rejection(other, START + HOUR)).toBe('OTP_LOCKED 3600');
  expect(rejection(other, START + 2 * HOUR)).toBeUndefined();
});

it.each([
  ['unknown', undefined, 'INVALID_OTP'],
  ['verified', { state: 'verified' as const }, 'INVALID_OTP'],
  ['ended', { state: 'ended' as const, lockedUntil: START + MINUTE }, 'INVALID_OTP'],
  ['expired and locked', { expiresAt: START, lockedUntil: START + MINUTE }, 'OTP_EXPIRED'],
  ['locked', { lockedUntil: START + MINUTE }, 'OTP_LOCKED 60'],
])('checks a session that is %s in the specified order', (_state, change, expected) => {
  expect(rejection(change && { ...freshSession(), ...change }, START)).toBe(expected);
});

describe('a guess', () => {
  it('is rejected as invalid without a session, or when the session was used', () => {
    expect(rejection(undefined, START)).toBe('INVALID_OTP');
    expect(rejection({ ...freshSession(), state: 'verified' }, START)).toBe('INVALID_OTP');
    expect(rejection({ ...freshSession(), state: 'ended', expiresAt: START }, START)).toBe('INVALID_OTP');
  });

  it('is accepted up to the last millisecond before the code expires', () => {
    const session = freshSession();
    expect(rejection(session, session.expiresAt - 1)).toBeUndefined();
    expect(rejection(session, session.expiresAt)).toBe('OTP_EXPIRED');
  });

  it('is rejected until the later one of the locks of session and recipient', () => {
    const session = { ...freshSession({ ...freshGuesses(), lockedUntil: START + 9000 }), lockedUntil: START + 5000 };
    expect(rejection(session, START)).toBe('OTP_LOCKED 9');
    expect(rejection({ ...session, lockedUntil: START + 11_000 }, START)).toBe('OTP_LOCKED 11');
    expect(rejection(session, START + 9000)).toBeUndefined();
  });
});

describe('a wrong guess', () => {
  it('counts for session and recipient, and is forgotten after an hour', () => {
    const guesses = { ...freshGuesses(), times: [START - HOUR, START - HOUR + 1] };
    const session = freshSession(guesses);
    countWrongGuess(session, DEFAULT_LIMITS, START);
    expect(session).toMatchObject({ wrongGuesses: 1, changed: true, lockedUntil: 0 });
    expect(guesses).toMatchObject({ times: [START - HOUR + 1, START], changed: true, lockedUntil: 0 });
  });

  it('locks nothing where the limits are off', () => {
    const session = freshSession();
    const limits = { ...DEFAULT_LIMITS, wrongCodesPerLock: 0, wrongCodesPerHour: 0 };
    for (let n = 0; n < 30; n++) countWrongGuess(session, limits, START);
    expect(session).toMatchObject({ wrongGuesses: 30, lockedUntil: 0 });
    expect(session.guesses).toEqual(freshGuesses());
  });
});

it('a verified session ends the other live sessions of its recipient in the application', () => {
  const session = freshSession();
  const other = freshSession();
  const verified = { ...freshSession(), state: 'verified' as const };
  const foreign = { ...freshSession(), applicationId: 2 };
  const otherRecipient = { ...freshSession(), recipient: '+14155550199' };
  markVerified(session, [session, other, verified, foreign, otherRecipient]);
  expect([session, other, verified, foreign, otherRecipient].map(({ state }) => state)).toEqual([
    'verified',
    'ended',
    'verified',
    'live',
    'live',
  ]);
  expect(session.changed).toBe(true);
});
