/** The counters that a send and a verification change, and the counters that a decision reads. */
import fc from 'fast-check';
import { DAY, HOUR, MINUTE } from '../../backend/src/platform/clock.js';
import type { RecipientRecord } from '../../backend/src/modules/fraud/fraud.js';
import {
  countSend,
  countUndelivered,
  countVerification,
  merged,
  prefixesOf,
  readCounts,
  subtractUnverified,
  type CounterRange,
} from '../../backend/src/modules/fraud/fraud-counters.js';
import { baselineOf, lastDay, sumOf, surpriseOf } from '../../backend/src/modules/fraud/fraud-evidence.js';
import { bucket, counts, history, NOON, send, today } from '../support/fraud.js';

const NEW = { exempt: false, newCountry: false };
const rowsOf = (
  increments: readonly {
    dimension: string;
    key: string;
    size: string;
    sent: number;
    verified: number;
    spend: number;
  }[],
) =>
  increments.map(
    ({ dimension, key, size, sent, verified, spend }) => `${dimension} ${key} ${size} ${sent} ${verified} ${spend}`,
  );

it.each([
  ['+4915112345678', ['+491511234', '+4915112']],
  ['+14155550123', ['+1415555', '+14155']],
  // In Malta, the second prefix covers a third of the country; in Iceland, it would be too short.
  ['+35699123456', ['+3569912', '+35699']],
  ['+3546112345', ['+354611']],
])('cuts %s into prefixes', (number, expected) => {
  expect(prefixesOf(number)).toEqual(expected);
});

it('counts the first send to a recipient in a small number of rows', () => {
  const { increments } = countSend(send({ source: '192.0.2.1' }), { exempt: false, newCountry: true }, NOON);
  expect(rowsOf(increments)).toEqual([
    'prefix +491511234 minute 1 0 0',
    'prefix +4915112 minute 1 0 0',
    'country * minute 1 0 0',
    'country * hour 1 0 0',
    'source 192.0.2.1 DE minute 1 0 0',
    'country DE minute 1 0 0',
    'country DE hour 1 0 0',
    'country DE day 1 0 500',
    'application  day 1 0 500',
  ]);
});

it('counts only the cost of an exempt recipient', () => {
  const { record, increments } = countSend(send(), { exempt: true, newCountry: false }, NOON);
  expect(record).toBeUndefined();
  expect(rowsOf(increments)).toEqual(['country DE day 0 0 500', 'application  day 0 0 500']);
});

/** Returns how many recipients are counted for messages sent at these minutes. */
function countedAt(minutes: readonly number[]) {
  let recipient: RecipientRecord | undefined;
  let sent = 0;
  for (const minute of minutes) {
    const result = countSend(send({ recipient }), NEW, NOON + minute * MINUTE);
    recipient = result.record;
    sent += result.increments.find(({ dimension }) => dimension === 'prefix')?.sent ?? 0;
  }
  return { sent, recipient: recipient! };
}

it.each([
  ['three messages', [0, 1, 2], 1],
  ['a fourth message', [0, 1, 2, 3], 2],
  ['ten messages', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 8],
  ['a message in the next hour', [0, 60], 2],
])('counts a recipient of %s', (_case, minutes, expected) => {
  expect(countedAt(minutes).sent).toBe(expected);
});

it('counts a verification once, in the buckets of the send', () => {
  const { recipient } = countedAt([0, 1, 2, 3]);
  const first = countVerification(send(), recipient, NOON + 3 * HOUR);
  expect(new Set(first.increments.map(({ verified }) => verified))).toEqual(new Set([2]));
  expect(first.increments.every(({ start }) => start <= NOON)).toBe(true);
  expect(first.record.verifiedAt).toBe(NOON + 3 * HOUR);
  expect(countVerification(send(), first.record, NOON + 4 * HOUR).increments).toEqual([]);
});

it("does not store the end user's address for longer than until the verification", () => {
  const { record } = countSend(send({ source: '192.0.2.1' }), NEW, NOON);
  expect(record).toMatchObject({ source: '192.0.2.1' });
  const verified = countVerification(send(), record, NOON + MINUTE);
  expect(verified.record.source).toBeUndefined();
  expect(verified.increments.map(({ key }) => key)).toContain('192.0.2.1 DE');
});

it('takes out a recipient when no message arrived, and counts the next message again', () => {
  const { recipient } = countedAt([0, 1]);
  const once = countUndelivered(send(), recipient, NOON)!;
  expect(once.increments).toEqual([]);
  const twice = countUndelivered(send(), once.record, NOON + MINUTE)!;
  expect(rowsOf(twice.increments)).toEqual([
    'prefix +491511234 minute -1 0 0',
    'prefix +4915112 minute -1 0 0',
    'country DE minute -1 0 0',
    'country DE hour -1 0 0',
    'country DE day -1 0 0',
    'application  day -1 0 0',
  ]);
  expect(countVerification(send(), twice.record, NOON + HOUR).increments).toEqual([]);
  const next = countSend(send({ recipient: twice.record }), NEW, NOON + 2 * MINUTE);
  expect(next.record).toMatchObject({ countedAt: NOON + 2 * MINUTE, messages: 1, unverified: 1 });
});

it.each([
  ['was sent before the recipient was counted', countedAt([0]).recipient, NOON - 1],
  ['was sent to a verified recipient', countVerification(send(), countedAt([0]).recipient, NOON).record, NOON],
  ['was not counted', undefined, NOON],
])('changes nothing for an undelivered message that %s', (_case, record, sentAt) => {
  expect(countUndelivered(send(), record, sentAt)).toBeUndefined();
});

it('never counts fewer sends than verifications, in any order of sends, verifications and failed deliveries', () => {
  const type = fc.constantFrom('send' as const, 'verify' as const, 'undelivered' as const);
  const step = fc.record({ minutes: fc.integer({ min: 0, max: 90 }), type, choice: fc.nat() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let recipient: RecipientRecord | undefined;
      let now = NOON;
      const sentAt: number[] = [];
      const all = steps.flatMap(({ minutes, type: next, choice }) => {
        now += minutes * MINUTE;
        // Each message is reported at most once.
        const [time] = next === 'undelivered' ? sentAt.splice(choice % (sentAt.length || 1), 1) : [];
        if (next === 'undelivered' && time === undefined) return [];
        if (next === 'send') sentAt.push(now);
        const result =
          time !== undefined
            ? countUndelivered(send(), recipient, time)
            : next === 'verify'
              ? countVerification(send(), recipient, now)
              : countSend(send({ recipient }), NEW, now);
        recipient = result?.record ?? recipient;
        return result?.increments ?? [];
      });
      for (const { sent, verified } of merged(all)) expect(verified).toBeLessThanOrEqual(sent);
    }),
    { numRuns: 500 },
  );
});

it('merges the increments of a batch into the same rows, in any order', () => {
  const increments = [0, 1, 70].flatMap((minute) => [
    ...countSend(send({ number: `+49151123456${10 + minute}` }), NEW, NOON + minute * MINUTE).increments,
  ]);
  const sorted = (rows: readonly string[]) => [...rows].sort();
  expect(sorted(rowsOf(merged([...increments].reverse())))).toEqual(sorted(rowsOf(merged(increments))));
  expect(merged(increments).find(({ dimension }) => dimension === 'application')).toMatchObject({
    sent: 3,
    spend: 1500,
  });
});

it('reads a fixed number of ranges, each from the start of a bucket', () => {
  const reads: CounterRange[] = [];
  readCounts(send({ source: '192.0.2.1' }), NOON + 12_345, (read) => {
    reads.push(read);
    return [];
  });
  expect(
    reads.map(({ dimension, key, size, startsWith }) => `${dimension} ${key} ${size}${startsWith ? ' …' : ''}`),
  ).toEqual([
    'prefix +491511234 minute',
    'prefix +4915112 minute',
    'country DE minute',
    'country DE hour',
    'country DE day',
    'country * minute',
    'country * hour',
    'source 192.0.2.1  minute …',
    'source 192.0.2.1  day …',
    'application  day',
  ]);
  for (const { from } of reads) expect(from % MINUTE).toBe(0);
});

it("subtracts a paused country's unverified recipients from the application, once and only those of the evidence", () => {
  const hour = (ago: number, sent: number, verified: number) => ({
    ...bucket(0, sent, verified),
    start: NOON - ago * HOUR,
  });
  const hours = [hour(13, 9, 0), hour(3, 40, 30), hour(1, 30, 2), hour(0, 12, 12)];
  const country = { minutes: [bucket(HOUR, 30, 2)], hours, days: [] };
  const evidence = { from: NOON - 3 * HOUR + 10 * MINUTE, sent: 0, verified: 0 };
  const subtracted = (newCountry: boolean) =>
    rowsOf(
      subtractUnverified({ scope: 'country', key: 'DE', evidence }, send(), counts({ country }), {
        newCountry,
        since: NOON - HOUR * 24,
      }),
    );
  expect(subtracted(false)).toEqual(['application  day -38 0 0']);
  expect(subtracted(true)).toEqual([
    'application  day -38 0 0',
    ...['minute -28', 'hour -9', 'hour -10', 'hour -28'].map((row) => `country * ${row} 0 0`),
  ]);
});

it('calculates the counts of a day from hours and minutes without gaps or overlaps', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 4, max: 22 * 60 })), fc.integer({ min: 0, max: 59 }), (ages, minute) => {
      const now = NOON + minute * MINUTE;
      const times = ages.map((age) => now - age * MINUTE).sort((a, b) => a - b);
      const rows = (size: number) =>
        times.map((time) => ({ ...bucket(0, 1, 0), start: Math.floor(time / size) * size }));
      const reads = { minutes: rows(MINUTE), hours: rows(HOUR) };
      expect(sumOf(lastDay(reads, now)).sent).toBe(ages.length);
    }),
    { numRuns: 300 },
  );
});

it.each([
  ['no history', [], 0.5],
  ['49 recipients', [{ ...today(49, 49), start: NOON - 2 * DAY }], 0.5],
  ['a history', history(0.7), 0.7],
  ['a history and an attack today', [...history(0.7), today(9000, 0)], 0.7],
  ['hardly any verifications', history(0.1), 0.3],
  ['hardly any failures', history(1), 0.9],
])('calculates the usual conversion rate from %s', (_case, days, expected) => {
  expect(baselineOf(days, NOON)).toBeCloseTo(expected);
});

it('never overestimates how improbable the unverified codes are', () => {
  // Each code remains unverified with a probability of 0.3, so all ten codes do with a probability of 0.3^10.
  expect(surpriseOf({ sent: 10, verified: 0 }, 0.7)).toBeCloseTo(-10 * Math.log(0.3));
  expect(surpriseOf({ sent: 10, verified: 7 }, 0.7)).toBe(0);
  expect(surpriseOf({ sent: 0, verified: 0 }, 0.7)).toBe(0);
  expect(surpriseOf({ sent: 10, verified: 12 }, 0.7)).toBe(0);
});
