/** The circuit breaker: it opens after failures, fails fast while it is open, and allows a trial call after a pause. */
import { createCircuitBreaker } from '../../backend/src/providers/circuit-breaker.js';
import { ProviderError, type FailureKind } from '../../backend/src/providers/provider.js';
import { createTestClock } from '../support/clock.js';

const clock = createTestClock();
let calls = 0;
const fail =
  (kind: FailureKind = 'transient') =>
  () => (calls++, Promise.reject(new ProviderError(kind, 'refused')));
const succeed = async () => (calls++, 'sent');
const openError = { kind: 'transient', reason: 'the provider keeps failing' };

let run: ReturnType<typeof createCircuitBreaker>['run'];
async function failTimes(times: number, kind?: FailureKind): Promise<void> {
  for (let n = 0; n < times; n++) await expect(run(fail(kind))).rejects.toMatchObject({ reason: 'refused' });
}
beforeEach(() => {
  calls = 0;
  run = createCircuitBreaker(clock).run;
});

it('opens for ten seconds after five consecutive failures', async () => {
  await failTimes(5);
  clock.advance(9_000);
  await expect(run(succeed)).rejects.toMatchObject({ ...openError, retryAfterSeconds: 1 });
  expect(calls).toBe(5);
  clock.advance(1_000);
  expect(await run(succeed)).toBe('sent');
  await failTimes(4);
  expect(await run(succeed)).toBe('sent');
});

it.each(['success', 'permanent refusal'])('resets the failure count after: %s', async (end) => {
  await failTimes(4);
  if (end === 'success') await run(succeed);
  else await failTimes(1, 'permanent');
  await failTimes(4);
  expect(await run(succeed)).toBe('sent');
});

it('allows one trial call after the pause, and opens again if the trial fails', async () => {
  await failTimes(5);
  clock.advance(10_000);
  let endTrial = (): void => undefined;
  const trial = run(() => new Promise<never>((_resolve, reject) => (endTrial = () => reject(new Error('broken')))));
  await expect(run(succeed)).rejects.toMatchObject({ ...openError, retryAfterSeconds: 1 });
  endTrial();
  await expect(trial).rejects.toThrow('broken');
  await expect(run(succeed)).rejects.toMatchObject({ ...openError, retryAfterSeconds: 10 });
  expect(calls).toBe(5);
});

it('does not extend the pause when a call that started earlier fails', async () => {
  let failLate = (): void => undefined;
  const late = run(() => new Promise<never>((_resolve, reject) => (failLate = () => reject(new Error('late')))));
  await failTimes(5);
  clock.advance(5_000);
  failLate();
  await expect(late).rejects.toThrow('late');
  clock.advance(5_000);
  expect(await run(succeed)).toBe('sent');
});

it('stays closed while individual messages are deferred', async () => {
  const defer = () => Promise.reject(new ProviderError('transient', 'mailbox full', undefined, 'message'));
  for (let n = 0; n < 10; n++) await expect(run(defer)).rejects.toMatchObject({ reason: 'mailbox full' });
  expect(await run(succeed)).toBe('sent');
});

it('opens after repeated permanent errors of the provider, such as invalid credentials', async () => {
  const reject = () => (calls++, Promise.reject(new ProviderError('permanent', 'refused', undefined, 'provider')));
  for (let n = 0; n < 5; n++) await expect(run(reject)).rejects.toMatchObject({ reason: 'refused' });
  await expect(run(succeed)).rejects.toMatchObject({ kind: 'permanent', reason: 'refused' });
  expect(calls).toBe(5);
  clock.advance(10_000);
  expect(await run(succeed)).toBe('sent');
});

it('reports invalid credentials at once, other failures when it opens, and the next success', async () => {
  const observed: unknown[] = [];
  const breaker = createCircuitBreaker(clock, (result) => observed.push(result));
  const reject = (concerns: 'provider' | 'message', kind: FailureKind = 'permanent') =>
    breaker
      .run(() => Promise.reject(new ProviderError(kind, 'refused', undefined, concerns)))
      .catch((error: ProviderError) => error.reason);
  const failure = { since: clock.now(), reason: 'refused' };
  await reject('message');
  expect(observed).toEqual([]);
  await reject('provider');
  await reject('message');
  await breaker.run(succeed);
  expect(observed.splice(0)).toEqual([failure, 'works', 'accepted']);
  for (let n = 0; n < 5; n++) await reject('provider', 'transient');
  expect(observed).toEqual([failure]);
});
