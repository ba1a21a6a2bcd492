/** The texts of the fraud guard's emails to owners. */
import type { DueNotice } from '../../backend/src/modules/notices/notice.js';
import { fraudMails } from '../../backend/src/modules/people/fraud-mail.js';
import type { FraudPause } from '../../backend/src/modules/fraud/fraud-notices.js';

const SHOP = { name: 'Shop' };
const UNTIL = Date.UTC(2026, 5, 10, 13) / 1000;

const notice = (kind: DueNotice['kind'], body: object): DueNotice => ({ kind, body: JSON.stringify(body) });

const pause = (fields: Partial<FraudPause> = {}): DueNotice => {
  const data: FraudPause = {
    appKey: 'pk_1',
    application: 'Shop',
    scope: 'prefix',
    key: '+491512345',
    rule: 'prefix',
    level: 1,
    isChallenged: false,
    reason: 'Few codes are entered.',
    sent: 30,
    verified: 1,
    since: UNTIL - 4000,
    until: UNTIL,
    ...fields,
  };
  return notice('pause', { data });
};

it.each([
  [{}, 'recipients whose numbers start with +491512345', 'until 2026-06-10 13:00 UTC'],
  [{ scope: 'country', key: 'DE', rule: 'country' }, 'recipients in Germany', 'until 2026-06-10 13:00 UTC'],
  [
    { scope: 'country', key: '', rule: 'country', until: null },
    'recipients whose numbers have no country',
    'until you resume them',
  ],
  [
    { scope: 'address', key: '', rule: 'address' },
    'recipients of codes requested from one IP address',
    'until 2026-06-10 13:00 UTC',
  ],
  [
    { scope: 'newCountries', key: '', rule: 'newCountries' },
    'recipients in new countries',
    'until 2026-06-10 13:00 UTC',
  ],
  [{ scope: 'burst', key: '', rule: 'burst' }, 'all recipients', 'until 2026-06-10 13:00 UTC'],
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

it('an email about a challenge says that messages need one, and not that they are paused', () => {
  const [mail] = fraudMails(SHOP, [pause({ scope: 'country', key: 'DE', isChallenged: true, until: null })]);
  expect(mail!.title).toBe('Shop: recipients in Germany must solve a challenge');
  expect(mail!.items).toEqual([
    'Recipients in Germany must solve a challenge before a code is sent. Few codes are entered.',
  ]);
});

it('an alert explains that messages are not paused, and what helps', () => {
  const alert = {
    country: 'US',
    reason: 'In 2 hours, 40 of 50 recipients in the United States did not enter their code.',
  };
  const [mail, ...others] = fraudMails(SHOP, [notice('alert', alert)]);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({
    title: 'Shop: unusually many codes are not entered in the United States',
    text: expect.stringMatching(/^In 2 hours, 40 of 50 recipients .* Messages are not paused, because/),
    items: [],
    advice: expect.stringContaining('turn on a challenge'),
  });
});

it('the email about refused messages lists them by country and rule', () => {
  const refused = { rule: 'newCountries', country: 'LT', messages: 2, people: 1, isServed: false } as const;
  const refusals = [refused, { ...refused, rule: 'recipient', country: '', messages: 1, isServed: true } as const];
  const counts = { messages: 3, people: 2 };
  const day = { appKey: 'pk_1', application: 'Shop', day: '2026-06-10', ...counts, refusals };
  const [mail] = fraudMails(SHOP, [notice('refused', { data: day })]);
  expect(mail!.title).toBe('Shop: Protection refused messages on 2026-06-10');
  expect(mail!.items).toEqual([
    'Lithuania: Too few codes were entered in countries with few verifications (2 messages to 1 number)',
    'Numbers without a country: Several codes in a row were not entered (1 message to 1 number)',
  ]);
});

it('each notice about a budget is a separate email that explains the consequences', () => {
  const spend = {
    share: 0.5,
    unit: 'cost',
    spend: '5.5000',
    limit: '10.0000',
    currency: 'eur',
    isBudget: true,
  } as const;
  const mails = fraudMails(SHOP, [
    notice('spend', { ...spend, isAutomatic: false }),
    pause(),
    notice('spend', { ...spend, share: 1, unit: 'messages', spend: '6000', limit: '6000', isAutomatic: true }),
  ]);
  expect(mails.map(({ title }) => title)).toEqual([
    'Shop: messages to recipients whose numbers start with +491512345 are paused',
    'Shop has used 50% of its budget for today',
    'Shop has used up its budget for today',
  ]);
  expect(mails[1]!.text).toBe(
    'Messages from Shop have cost 5.50 EUR today. Your daily budget is 10.00 EUR. When it is reached, all SMS, WhatsApp messages and voice calls that cost money are refused until midnight UTC.',
  );
  expect(mails[2]!.text).toContain('Shop has sent 6,000 messages today. The automatic daily budget is 6,000 messages.');
});
