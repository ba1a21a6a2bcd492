/** The texts of the fraud guard's emails to owners. */
import { fraudMails } from '../../backend/src/modules/people/fraud-mail.js';
import type { FraudPause } from '../../backend/src/modules/fraud/fraud-notice.js';

const SHOP = { name: 'Shop' };
const UNTIL = Date.UTC(2026, 5, 10, 13) / 1000;

const pause = (fields: Partial<FraudPause> = {}): { pause: FraudPause } => ({
  pause: {
    appKey: 'pk_1',
    application: 'Shop',
    scope: 'prefix',
    key: '+491512345',
    rule: 'R3',
    level: 1,
    reason: 'Few codes are entered.',
    sent: 30,
    verified: 1,
    since: UNTIL - 4000,
    until: UNTIL,
    ...fields,
  },
});

it.each([
  [{}, 'numbers that start with +491512345', 'until 2026-06-10 13:00 UTC'],
  [{ scope: 'country', key: 'DE', rule: 'R4' }, 'numbers in Germany', 'until 2026-06-10 13:00 UTC'],
  [{ scope: 'country', key: '', rule: 'R4', until: null }, 'numbers without a country', 'until you resume them'],
  [
    { scope: 'application', key: '', rule: 'R4' },
    'numbers in all countries in which few codes have been verified so far',
    'until 2026-06-10 13:00 UTC',
  ],
  [{ scope: 'application', key: '', rule: 'R6' }, 'all numbers', 'until 2026-06-10 13:00 UTC'],
] as const)('an email contains the paused messages, the duration and the reason: %j', (fields, place, duration) => {
  const [mail, ...others] = fraudMails(SHOP, [pause(fields)]);
  expect(others).toEqual([]);
  expect(mail!.title).toBe(`Shop: messages to ${place} are paused`);
  expect(mail!.items).toEqual([`Messages to ${place} are paused ${duration}. Few codes are entered.`]);
});

it('an email lists at most 20 pauses', () => {
  const pauses = Array.from({ length: 22 }, (_, n) => pause({ key: `+4915123${n}` }));
  const [mail] = fraudMails(SHOP, pauses);
  expect(mail!.title).toBe('Shop: 22 pauses');
  expect(mail!.items).toHaveLength(21);
  expect(mail!.items.at(-1)).toBe('2 more pauses are listed on the Protection page.');
});

it('each spend alert is a separate email that explains the consequences of reaching the limit', () => {
  const spend = { share: 0.5, spend: '5.5000', limit: '10.0000', currency: 'eur' };
  const mails = fraudMails(SHOP, [
    { spend: { ...spend, isBudget: true } },
    pause(),
    { spend: { ...spend, isBudget: false } },
  ]);
  expect(mails.map(({ title }) => title)).toEqual([
    'Shop: messages to numbers that start with +491512345 are paused',
    ...Array.from({ length: 2 }, () => 'Shop has reached 50% of its cost limit for today'),
  ]);
  expect(mails[1]!.text).toBe(
    'Messages from Shop have cost 5.50 EUR today. The daily limit is 10.00 EUR. When it is reached, all messages that cost money are refused until midnight UTC.',
  );
  expect(mails[2]!.text).toContain('When it is reached while fewer people than usual enter their codes');
});
