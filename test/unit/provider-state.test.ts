/** The states of providers, derived from the latest results of checks and messages. */
import {
  overallState,
  stateOf,
  stateText,
  type Health,
  type ProviderState,
} from '../../backend/src/modules/providers/provider-state.js';

const good = (succeededAt: number): Health => ({ succeededAt, failure: undefined });
const bad = (since: number, reason: string, succeededAt?: number): Health => ({
  succeededAt,
  failure: { since, reason },
});

it.each<[string, boolean, Health | undefined, Health | undefined, ProviderState]>([
  ['no result', false, undefined, undefined, { kind: 'not verified' }],
  ['no result since an upgrade', true, undefined, undefined, { kind: 'live', lastSuccessAt: undefined }],
  ['a successful check', true, good(5), undefined, { kind: 'live', lastSuccessAt: 5 }],
  ['a later message', true, good(5), good(9), { kind: 'live', lastSuccessAt: 9 }],
  ['a failed check', false, bad(5, 'no'), undefined, { kind: 'failing', since: 5, reason: 'no' }],
  // An account without credit has valid credentials.
  ['a failing message after a check', true, good(9), bad(5, 'no', 2), { kind: 'failing', since: 5, reason: 'no' }],
])('%s', (_name, isVerified, checks, messages, state) => {
  expect(stateOf(isVerified, checks, messages)).toEqual(state);
});

it('a provider that is failing on one of its channels is failing', () => {
  const failing: ProviderState = { kind: 'failing', since: 5, reason: 'no' };
  expect(overallState({ SMS: { kind: 'live', lastSuccessAt: 9 }, VOICE: failing })).toEqual(failing);
  const live: ProviderState = { kind: 'live', lastSuccessAt: 4 };
  expect(overallState({ SMS: live, VOICE: { kind: 'live', lastSuccessAt: 9 } })).toMatchObject({ lastSuccessAt: 9 });
  expect(overallState({})).toEqual({ kind: 'off' });
});

it('the text names the time and the reason of a failure', () => {
  expect(stateText({ kind: 'failing', since: 0, reason: 'no' })).toBe(
    'failing since 1970-01-01T00:00:00.000Z because no',
  );
  expect(stateText({ kind: 'not verified' })).toBe('not verified');
});
