/** Durations in words. */
import { durationText } from '../../backend/src/platform/clock.js';
import { ApiError } from '../../backend/src/platform/contract/errors.js';

it.each([
  [1, '1 second'],
  [119, '119 seconds'],
  [120, '2 minutes'],
  [596, '10 minutes'],
  [7199, '120 minutes'],
  [7200, '2 hours'],
  [80_000, '23 hours'],
])('%d seconds are %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});

it('errors contain waiting times in words, and the reason of a stored refusal contains none', () => {
  const error = new ApiError('RECIPIENT_LIMIT', { retryAfterSeconds: 596 });
  expect(error.message).toBe('Too many messages to this recipient. Try again in 10 minutes');
  expect(error.reason).toBe('too many messages to this recipient');
});
