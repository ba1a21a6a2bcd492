/** Changes to the record of a recipient and to the counts of the fraud guard after an outcome of a code. */
import { NO_RECORD, type RecipientRecord, type ScopeState } from '../../backend/src/modules/fraud/fraud.js';
import { newState } from '../../backend/src/modules/fraud/pause-state.js';
import { settle } from '../../backend/src/modules/fraud/settle.js';
import type { CodeOutcome } from '../../backend/src/modules/messages/code-outcomes.js';
import { MINUTE, SECOND, startOfDay } from '../../backend/src/platform/clock.js';
import { createShop, inPrefix, NOON, numberIn } from '../fraud/shop.js';

const CODE = { number: '+4915112341000', country: 'DE', createdAt: NOON };
const COUNTED: RecipientRecord = {
  ...NO_RECORD,
  countedAt: NOON,
  openCodes: 1,
  payback: 2,
  streak: 1,
  sentAt: NOON,
  address: 'hash',
  isSolved: true,
  version: 1,
};
const SCOPES = ['prefix', 'prefix', 'address', 'country', 'solved', 'burst'];
const DAY = { country: 'DE', day: startOfDay(NOON) };

const after = (record: RecipientRecord, outcome: CodeOutcome | 'verified', createdAt = NOON, state?: ScopeState) =>
  settle({ ...CODE, createdAt }, record, outcome, () => state, NOON + MINUTE);

it('a code that no provider takes takes back everything that it counted, and counts the same again when it is accepted', () => {
  const notSent = after(COUNTED, 'notSent');
  expect(notSent.charges.map(({ scope }) => scope)).toEqual(SCOPES);
  expect(notSent.charges.every(({ change }) => change.excess === -1 && change.sent === -1)).toBe(true);
  expect(notSent.day).toEqual({ ...DAY, sent: -1, verified: 0 });
  expect(notSent.record).toEqual({ ...COUNTED, openCodes: 0, countedAt: 0, streak: 0, version: 2 });
  const accepted = after(notSent.record, 'accepted');
  expect(accepted.charges.map(({ scope }) => scope)).toEqual(SCOPES);
  expect(accepted.charges.map(({ perHour }) => perHour)).toEqual([0.5, 1, 1, 1, 1, 600]);
  expect(accepted.charges.every(({ change, at }) => change.excess === 1 && at === NOON + MINUTE)).toBe(true);
  expect(accepted.day).toEqual({ ...DAY, sent: 1, verified: 0 });
  expect(accepted.record).toEqual({ ...COUNTED, version: 3 });
});

it('a recipient counts until none of the codes may have been sent', () => {
  const two = { ...COUNTED, openCodes: 2, streak: 2, sentAt: NOON + SECOND };
  const one = after(two, 'notSent', NOON + SECOND);
  expect(one).toEqual({ record: { ...two, openCodes: 1, streak: 1, version: 2 }, charges: [] });
  expect(after(one.record, 'notSent').charges).toHaveLength(SCOPES.length);
  expect(after(one.record, 'accepted')).toEqual({
    record: { ...two, openCodes: 2, streak: 2, version: 3 },
    charges: [],
  });
});

it.each(['undelivered', 'notSent', 'accepted'] as const)(
  'after an entered code, %s of an earlier one changes nothing',
  (outcome) => {
    const { record } = after(COUNTED, 'verified');
    expect(record).toMatchObject({
      openCodes: 0,
      streak: 0,
      address: undefined,
      payback: 0,
      verifiedAt: NOON + MINUTE,
    });
    expect(after(record, outcome)).toEqual({ record, charges: [] });
  },
);

it('a code from before the recipient was counted does not reverse the count', () => {
  expect(after(COUNTED, 'notSent', NOON - SECOND)).toEqual({
    record: { ...COUNTED, streak: 0, version: 2 },
    charges: [],
  });
});

it('an exempt recipient is not counted when a retry is accepted', () => {
  const exempt = { ...COUNTED, openCodes: 0, verifiedAt: NOON - SECOND };
  expect(after(exempt, 'accepted')).toEqual({ record: { ...exempt, streak: 2, version: 2 }, charges: [] });
});

it('without a record, nothing changes', () => {
  for (const outcome of ['undelivered', 'notSent', 'accepted'] as const)
    expect(after(NO_RECORD, outcome)).toEqual({ record: NO_RECORD, charges: [] });
});

it('after a pause, which has already subtracted its recipients, nothing is taken back', () => {
  const paused = { ...newState({ scope: 'country', key: 'DE' }), pausedAt: NOON };
  expect(after(COUNTED, 'notSent', NOON, paused)).toEqual({
    record: { ...COUNTED, streak: 0, version: 2 },
    charges: [],
  });
});

it('in a new country, codes that no provider takes do not count, but those that are reported as undelivered do', () => {
  const abroad = { ...COUNTED, together: '' } as const;
  expect(after(abroad, 'notSent').charges.map(({ scope }) => scope)).toContain('newCountries');
  const undelivered = after(abroad, 'undelivered');
  expect(undelivered.charges).toEqual([]);
  expect(undelivered.record).toMatchObject({ openCodes: 0, streak: 1 });
});

it.each([
  ['a prefix at home', inPrefix, 'DE'],
  ['a country', (index: number) => ({ country: 'FR', number: numberIn('FR', index) }), 'FR'],
])(
  'an attack on %s is stopped as early as ever if providers take the codes, and not before if they do not',
  (_what, to, country) => {
    const expected = createShop().askUntilRefused(to);
    expect(expected).toBeLessThan(30);
    const shop = createShop();
    for (let index = 0; index < 200; index++) {
      expect(shop.ask(to(index))).toBe('allowed');
      shop.replay.settle({ number: to(index).number, country }, 'notSent', shop.now());
    }
    expect(shop.askUntilRefused((index) => to(1000 + index))).toBe(expected);
  },
);
