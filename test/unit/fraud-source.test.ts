/** Fraud rule R5: limits for end users' IP addresses. */
import { DAY, HOUR, MINUTE } from '../../backend/src/platform/clock.js';
import type { Bucket, KeyedBucket } from '../../backend/src/modules/fraud/fraud.js';
import { explain } from '../../backend/src/modules/fraud/fraud-explanation.js';
import { fraudSettingsOf, type FraudSettings } from '../../backend/src/modules/fraud/fraud-settings.js';
import { markOf, sourceRefusal } from '../../backend/src/modules/fraud/fraud-source.js';
import { NOON, send, sourceBucket } from '../support/fraud.js';

const SEND = send({ source: '192.0.2.1' });
const dayOf = (at: number): Bucket => ({ start: Math.floor(at / DAY) * DAY, sent: 1, verified: 0, spend: 0 });

/** Returns the refusal of a message in a country with a usual conversion of 70%. */
const refusalIn = (
  source: readonly KeyedBucket[],
  sourceMarks: readonly Bucket[] = [],
  settings: Partial<FraudSettings> = {},
) => sourceRefusal(SEND, { source, sourceMarks }, 0.7, fraudSettingsOf(settings), NOON);

const others = (codes: string) => codes.split(' ').map((code) => sourceBucket(HOUR, code, 1, 0));

it.each([
  ['12 unverified', [sourceBucket(HOUR, 'DE', 12, 0)], false],
  ['13 unverified', [sourceBucket(HOUR, 'DE', 13, 0)], true],
  ['13 unverified a minute ago', [sourceBucket(MINUTE, 'DE', 13, 0)], false],
  ['100 unverified, as many as usual', [sourceBucket(HOUR, 'DE', 333, 233)], false],
  ['4 other countries', others('FR IT ES NL'), false],
  ['4 other countries and the same one', others('DE FR IT ES NL'), false],
  ['5 other countries', others('FR IT ES NL BE'), true],
  ['5 other countries and a verification', [...others('FR IT ES NL BE'), sourceBucket(0, 'DE', 1, 1)], false],
])('%s', (_case, source, refused) => {
  expect(refusalIn(source) !== undefined).toBe(refused);
});

describe('an address that was refused in the last 14 days', () => {
  const marks = [dayOf(NOON - 10 * DAY)];

  it.each([
    ['nobody today', [], {}, false],
    ['1 unverified', [sourceBucket(HOUR, 'DE', 1, 0)], {}, true],
    ['1 unverified and 1 verified', [sourceBucket(HOUR, 'DE', 2, 1)], {}, false],
    ['2 unverified and 1 verified', [sourceBucket(HOUR, 'DE', 3, 1)], {}, true],
    ['1 unverified, with a limit of 2', [sourceBucket(HOUR, 'DE', 1, 0)], { sourceRepeated: 2 }, false],
    ['1 unverified, without a limit', [sourceBucket(HOUR, 'DE', 1, 0)], { sourceRepeated: 0 }, false],
  ])('%s', (_case, source, settings, refused) => {
    expect(refusalIn(source, marks, settings) !== undefined).toBe(refused);
    expect(refusalIn(source)).toBe(undefined);
  });

  it('is refused until the unverified recipient is a day old, and explains the limit', () => {
    const refusal = refusalIn([sourceBucket(HOUR, 'DE', 1, 0)], marks)!;
    expect(refusal.until).toBe(NOON - HOUR + MINUTE + DAY);
    expect(explain(refusal, NOON)).toBe(
      'In 60 minutes, 1 of 1 recipients of codes requested from the address 192.0.2.1 did not enter their code; the limit is 1.',
    );
    expect(markOf(refusal, { source: [], sourceMarks: marks }, NOON)).toBe(undefined);
  });
});

it('is marked once a day when few codes are entered, but not because of many countries', () => {
  const attack = [sourceBucket(2 * HOUR, 'DE', 10, 0), sourceBucket(HOUR, 'DE', 10, 0)];
  const refusal = refusalIn(attack)!;
  const mark = (sourceMarks: readonly Bucket[]) => markOf(refusal, { source: attack, sourceMarks }, NOON);
  const row = { dimension: 'source', key: '192.0.2.1 ', size: 'day', start: NOON - DAY / 2, sent: 1, verified: 0 };
  expect(mark([])).toMatchObject(row);
  expect(mark([dayOf(NOON - DAY)])).toMatchObject(row);
  expect(mark([dayOf(NOON)])).toBe(undefined);
  // The refusal ends when all recipients are a day old: until then, the mark limits the address to one unverified
  // recipient.
  expect(refusal.until).toBe(NOON - HOUR + MINUTE + DAY);
  expect(refusalIn(attack, [], { sourceRepeated: 0 })!.until).toBe(NOON - 2 * HOUR + MINUTE + DAY);
  expect(markOf(refusalIn(others('FR IT ES NL BE'))!, { source: [], sourceMarks: [] }, NOON)).toBe(undefined);
});
