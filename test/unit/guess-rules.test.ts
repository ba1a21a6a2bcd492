/** The locks of a code, and the hourly and daily limits on a recipient's wrong codes. */
import fc from 'fast-check';
import { DEFAULT_LIMITS } from '../../backend/src/modules/applications/application-limits.js';
import { DAY, HOUR, MINUTE } from '../../backend/src/platform/clock.js';
import {
  countWrongGuess,
  markVerified,
  MAX_CHANCE_PER_DAY,
  rejectionOf,
  wrongCodesPerDay,
} from '../../backend/src/modules/otp/guess-rules.js';
import { codeSpaceOf, type LockedCode, type RecipientGuesses } from '../../backend/src/modules/otp/otp-code.js';

const START = 1_700_000_000_000;

const freshGuesses = (): RecipientGuesses => ({ times: [], risks: [], lockedUntil: 0, changed: false });

const freshCode = (guesses = freshGuesses()): LockedCode => ({
  maskId: '0'.repeat(32),
  applicationId: 1,
  recipient: '+14155550100',
  recipientKey: 'key',
  channel: 'SMS',
  codeHash: '',
  codeLength: 6,
  codeSpace: 1_000_000,
  messageId: null,
  reference: null,
  createdAt: START,
  expiresAt: START + 60 * MINUTE,
  guesses,
  hasOthers: false,
  state: 'live',
  verifiedAt: null,
  repeatableBy: null,
  wrongGuesses: 0,
  lastWrongCode: null,
  cooldownEnded: false,
  lockedUntil: 0,
  changed: false,
  newlyLocked: false,
  newlyVerified: false,
});

const rejection = (code: LockedCode | undefined, now: number): string | undefined => {
  const error = rejectionOf(code, now);
  return error && `${error.code} ${error.details.retryAfterSeconds ?? ''}`.trim();
};

it('locks a code for 60 s, for 300 s, then until it expires', () => {
  const limits = { ...DEFAULT_LIMITS, wrongCodesPerHour: 0 };
  const code = freshCode();
  let now = START;
  for (const seconds of [60, 300, 3600 - 360]) {
    for (let n = 0; n < 5; n++) {
      expect(rejection(code, now)).toBeUndefined();
      countWrongGuess(code, limits, now);
    }
    expect(rejection(code, now)).toBe(`OTP_LOCKED ${seconds}`);
    expect(rejection(code, now + seconds * 1000 - 1)).toBe('OTP_LOCKED 1');
    now += seconds * 1000;
  }
  expect(rejection(code, now)).toBe('OTP_EXPIRED');
});

it('locks a recipient for an hour after twenty wrong codes within an hour, across all codes', () => {
  const limits = { ...DEFAULT_LIMITS, wrongCodesPerLock: 0 };
  const guesses = freshGuesses();
  countWrongGuess(freshCode(guesses), limits, START);
  for (let n = 1; n < 20; n++) countWrongGuess(freshCode(guesses), limits, START + HOUR);
  // The first guess is an hour old, so nineteen guesses count.
  expect(rejection({ ...freshCode(guesses), expiresAt: START + 9 * HOUR }, START + HOUR)).toBeUndefined();
  countWrongGuess(freshCode(guesses), limits, START + HOUR);
  const other = { ...freshCode(guesses), expiresAt: START + 9 * HOUR };
  expect(rejection(other, START + HOUR)).toBe('OTP_LOCKED 3600');
  expect(rejection(other, START + 2 * HOUR)).toBeUndefined();
});

it.each([
  ['unknown', undefined, 'INVALID_OTP'],
  ['verified', { state: 'verified' as const }, 'INVALID_OTP'],
  ['ended', { state: 'ended' as const, lockedUntil: START + MINUTE }, 'INVALID_OTP'],
  ['expired and locked', { expiresAt: START, lockedUntil: START + MINUTE }, 'OTP_EXPIRED'],
  ['locked', { lockedUntil: START + MINUTE }, 'OTP_LOCKED 60'],
])('returns the right error for a code that is %s', (_state, change, expected) => {
  expect(rejection(change && { ...freshCode(), ...change }, START)).toBe(expected);
});

describe('a guess', () => {
  it('is rejected as invalid if the code does not exist or was used', () => {
    expect(rejection(undefined, START)).toBe('INVALID_OTP');
    expect(rejection({ ...freshCode(), state: 'verified' }, START)).toBe('INVALID_OTP');
    expect(rejection({ ...freshCode(), state: 'ended', expiresAt: START }, START)).toBe('INVALID_OTP');
  });

  it('is accepted up to the last millisecond before the code expires', () => {
    const code = freshCode();
    expect(rejection(code, code.expiresAt - 1)).toBeUndefined();
    expect(rejection(code, code.expiresAt)).toBe('OTP_EXPIRED');
  });

  it('is rejected until both the code and the recipient are unlocked', () => {
    const code = { ...freshCode({ ...freshGuesses(), lockedUntil: START + 9000 }), lockedUntil: START + 5000 };
    expect(rejection(code, START)).toBe('OTP_LOCKED 9');
    expect(rejection({ ...code, lockedUntil: START + 11_000 }, START)).toBe('OTP_LOCKED 11');
    expect(rejection(code, START + 9000)).toBeUndefined();
  });
});

describe('a wrong guess', () => {
  it('counts for the code and the recipient, and expires after an hour', () => {
    const guesses = { ...freshGuesses(), times: [START - HOUR, START - HOUR + 1] };
    const code = freshCode(guesses);
    countWrongGuess(code, DEFAULT_LIMITS, START);
    expect(code).toMatchObject({ wrongGuesses: 1, changed: true, lockedUntil: 0 });
    expect(guesses).toMatchObject({ times: [START - HOUR + 1, START], changed: true, lockedUntil: 0 });
  });

  it('does not cause a lock if the limits are disabled', () => {
    const code = freshCode();
    const limits = { ...DEFAULT_LIMITS, wrongCodesPerLock: 0, wrongCodesPerHour: 0 };
    for (let n = 0; n < 30; n++) countWrongGuess(code, limits, START);
    expect(code).toMatchObject({ wrongGuesses: 30, lockedUntil: 0 });
    expect(code.guesses).toMatchObject({ times: [], lockedUntil: 0 });
  });
});

it("a verified code ends the recipient's other live codes in the application", () => {
  const code = freshCode();
  const other = freshCode();
  const verified = { ...freshCode(), state: 'verified' as const };
  const foreign = { ...freshCode(), applicationId: 2 };
  const otherRecipient = { ...freshCode(), recipient: '+14155550199' };
  markVerified(code, [code, other, verified, foreign, otherRecipient], START);
  expect([code, other, verified, foreign, otherRecipient].map(({ state }) => state)).toEqual([
    'verified',
    'ended',
    'verified',
    'live',
    'live',
  ]);
  expect(code.newlyVerified).toBe(true);
});

const NO_LOCKS = { ...DEFAULT_LIMITS, wrongCodesPerLock: 0, wrongCodesPerHour: 0 };

/** Returns a code that is valid for a day. */
const codeOf = (guesses: RecipientGuesses, text: string, now = START): LockedCode => ({
  ...freshCode(guesses),
  codeSpace: codeSpaceOf(text),
  expiresAt: now + DAY,
});

describe('the chance of guessing a code within a day', () => {
  it.each([
    ['0000', 10_000],
    ['048213', 1_000_000],
    ['12345678', 100_000_000],
    ['9999999999', 10_000_000_000],
    ['abcd', 26 ** 4],
    ['ABCD', 26 ** 4],
    ['AB12', 26 ** 2 * 100],
    ['AbCdEfGhIj', 26 ** 10],
  ])('%s is one of %d codes', (code, space) => expect(codeSpaceOf(code)).toBe(space));

  it.each([
    // Columns: an example of a code; the allowed wrong codes per day without other limits; and with the default limit
    // of 20 per hour.
    ['1234', 9, 9],
    ['12345', 99, 99],
    ['123456', 999, 480],
    ['1234567', 9999, 480],
    ['12345678', 99_999, 480],
    ['1234567890', 9_999_999, 480],
    ['AB12', 67, 67],
    ['abcd', 456, 456],
    // `riskOf` rounds up, so slightly fewer guesses are allowed than 0.1% of the code space (308,915).
    ['abcdef', 308_832, 480],
  ])('stays under 0.1% for codes like %s', (code, unlimited, usual) => {
    const space = codeSpaceOf(code);
    const allowed = [wrongCodesPerDay(space, NO_LOCKS), wrongCodesPerDay(space, DEFAULT_LIMITS)];
    expect(allowed).toEqual([unlimited, usual]);
    expect(allowed[0]! / space).toBeLessThan(MAX_CHANCE_PER_DAY);
  });

  it.each([
    ['1234', 9],
    ['12345', 99],
    ['AB12', 67],
    ['123456', 999],
  ])('causes a lock for codes like %s after %d wrong codes, regardless of the other limits', (text, allowed) => {
    const guesses = freshGuesses();
    for (let n = 0; n < allowed; n++) {
      const code = codeOf(guesses, text);
      expect(rejection(code, START)).toBeUndefined();
      countWrongGuess(code, NO_LOCKS, START);
    }
    // START is 13 minutes and 20 seconds after the hour. All guesses made in an hour expire together.
    const seconds = (DAY + HOUR - (START % HOUR)) / 1000;
    expect(rejection(codeOf(guesses, text), START)).toBe(`OTP_LOCKED ${seconds}`);
    const later = START + seconds * 1000;
    expect(rejection(codeOf(guesses, text, later - 1), later - 1)).toBe('OTP_LOCKED 1');
    expect(rejection(codeOf(guesses, text, later), later)).toBeUndefined();
  });

  it('is calculated separately for each code, so a long code can still be entered when a short code is locked', () => {
    const guesses = freshGuesses();
    for (let n = 0; n < 9; n++) countWrongGuess(codeOf(guesses, '1234'), NO_LOCKS, START);
    expect(rejection(codeOf(guesses, '1234'), START)).toMatch(/^OTP_LOCKED/);
    for (let n = 0; n < 99; n++) {
      expect(rejection(codeOf(guesses, '123456'), START)).toBeUndefined();
      countWrongGuess(codeOf(guesses, '123456'), NO_LOCKS, START);
    }
    expect(rejection(codeOf(guesses, '123456'), START)).toMatch(/^OTP_LOCKED/);
  });

  it('stays under 0.1% in any 24 hours, for every sequence of guesses', () => {
    const attempt = fc.record({
      text: fc.constantFrom('1234', '12345', 'AB12', 'abcd', '123456'),
      times: fc.integer({ min: 1, max: 120 }),
      pause: fc.integer({ min: 0, max: 5 * HOUR }),
    });
    fc.assert(
      fc.property(fc.array(attempt, { minLength: 1, maxLength: 40 }), (attempts) => {
        const guesses = freshGuesses();
        const judged: { at: number; chance: number }[] = [];
        let now = START;
        for (const { text, times, pause } of attempts) {
          for (let n = 0; n < times; n++) {
            const code = codeOf(guesses, text, now);
            if (rejectionOf(code, now)) break;
            countWrongGuess(code, NO_LOCKS, now);
            judged.push({ at: now, chance: 1 / codeSpaceOf(text) });
          }
          const lastDay = judged.filter(({ at }) => at > now - DAY);
          expect(lastDay.reduce((sum, { chance }) => sum + chance, 0)).toBeLessThan(MAX_CHANCE_PER_DAY);
          expect(guesses.risks.length).toBeLessThanOrEqual(26);
          now += pause;
        }
      }),
    );
  });
});
