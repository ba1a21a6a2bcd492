/** Delayed messages, and what the operator has to do, on Home. */
import { concernsOf } from '../../backend/src/dashboard/home/attention.js';
import type { UpkeepState } from '../../backend/src/dashboard/home/concern.js';
import { DAY, HOUR, MINUTE } from '../../backend/src/platform/clock.js';
import { account } from '../support/account-state.js';

const NOW = Date.parse('2027-01-15T08:00Z');
const backedUp: UpkeepState = { certificate: undefined, lastBackupAt: NOW, needsBackup: false };
const found = (upkeep: Partial<UpkeepState>) =>
  concernsOf(account({ now: NOW, upkeep: { ...backedUp, ...upkeep } })).map(({ title, isUrgent = false }) => [
    title,
    isUrgent,
  ]);

it.each<[string, number, [string, boolean][]]>([
  ['is valid for long enough', 14 * DAY, []],
  ['expires soon', 14 * DAY - 1, [['Certificate expires in 13 days: shop.example', false]]],
  ['expires in two days', 3 * DAY - 1, [['Certificate expires in 2 days: shop.example', true]]],
  ['expires tomorrow', 2 * DAY - 1, [['Certificate expires in 1 day: shop.example', true]]],
  ['expires within a day', HOUR, [['Certificate expires within a day: shop.example', true]]],
  ['has expired', 0, [['Certificate expired: shop.example', true]]],
])('a certificate that %s', (_name, left, expected) =>
  expect(found({ certificate: { host: 'shop.example', expiresAt: NOW + left } })).toEqual(expected),
);

it.each<[string, Partial<UpkeepState>, [string, boolean][]]>([
  ['no backup', { needsBackup: true, lastBackupAt: undefined }, [['No backup recorded', false]]],
  ['an old backup', { needsBackup: true, lastBackupAt: NOW - 8 * DAY }, [['No backup recorded for 8 days', false]]],
])('%s', (_name, upkeep, expected) => expect(found(upkeep)).toEqual(expected));

it('lists messages that should have been sent already as urgent', () => {
  const overdue = { messages: 1200, dueAt: NOW - 5 * MINUTE };
  expect(concernsOf(account({ now: NOW, overdue }))).toMatchObject([
    {
      title: 'Messages delayed: 1,200 waiting',
      fact: 'The oldest message has been due since 07:55. Ask the operator of this server to check the workers.',
      isUrgent: true,
      link: { href: '/dashboard/messages?state=queued' },
    },
  ]);
  const [many] = concernsOf(account({ now: NOW, overdue: { ...overdue, messages: 10_000 } }));
  expect(many!.title).toBe('Messages delayed: at least 10,000 waiting');
});
