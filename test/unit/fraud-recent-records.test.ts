/** The records of recipients that the fraud guard remembers until they are stored. */
import { SECOND } from '../../backend/src/platform/clock.js';
import { NO_RECORD } from '../../backend/src/modules/fraud/fraud.js';
import { createRecentRecords } from '../../backend/src/modules/fraud/recent-records.js';

const NOON = Date.UTC(2027, 0, 5, 12);
const SENT = { ...NO_RECORD, sentAt: NOON, streak: 1, version: 1 };

it('returns the remembered record for two seconds, and for its recipient only', () => {
  const recent = createRecentRecords();
  recent.add('ana', SENT, NOON);
  expect(recent.latest('ana', undefined, NOON)).toBe(SENT);
  expect(recent.latest('ana', NO_RECORD, NOON + SECOND)).toBe(SENT);
  expect(recent.latest('ben', NO_RECORD, NOON)).toBe(NO_RECORD);
  expect(recent.latest('ana', NO_RECORD, NOON + 2 * SECOND)).toBe(NO_RECORD);
  recent.add('ben', SENT, NOON + 2 * SECOND);
  expect(recent.latest('ana', NO_RECORD, NOON)).toBe(NO_RECORD);
});

it('returns the record that was read if it contains a later change', () => {
  const recent = createRecentRecords();
  recent.add('ana', SENT, NOON);
  const later = { ...SENT, sentAt: NOON + SECOND, streak: 2, version: 2 };
  const notSent = { ...SENT, streak: 0, version: 2 };
  for (const read of [later, notSent]) expect(recent.latest('ana', read, NOON + SECOND)).toBe(read);
});

it('forgets a record that is not stored', () => {
  const recent = createRecentRecords();
  recent.add('ana', SENT, NOON);
  recent.remove('ana');
  expect(recent.latest('ana', undefined, NOON)).toBeUndefined();
});
