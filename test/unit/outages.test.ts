/** An outage that is over, as Home describes it. */
import { concernsOf } from '../../backend/src/dashboard/home/attention.js';
import type { AccountState } from '../../backend/src/dashboard/home/concern.js';
import type { ChannelView } from '../../backend/src/modules/providers/channel-view.js';
import { account, FAILURE, sum } from '../support/account-state.js';

const titles = (change: Partial<AccountState>) => concernsOf(account(change)).map(({ title }) => title);

describe('an outage that is over', () => {
  const now = Date.parse('2027-01-15T08:00Z');
  const failure = (minutesAgo: number) => {
    const createdAt = now - minutesAgo * 60_000;
    const attempt = { provider: 'Twilio', message: 'the gateway does not respond' };
    return { ...FAILURE, createdAt, finishedAt: createdAt, attempt };
  };
  const lastSent = new Map([['SMS', { at: now, provider: 'Twilio' }]] as const);
  const night = Array.from({ length: 20 }, (_, n) => failure(300 + n));

  it('is described with its time and reason', () => {
    const outage = { failures: night, now, timeZone: 'Europe/Berlin' };
    const [concern] = concernsOf(account(outage));
    expect(concern).toMatchObject({
      title: 'SMS outage (Twilio) since 03:41',
      fact: '20 SMS messages were not sent. No message has been sent by SMS since then.',
      text: '20 SMS messages were not sent. Reason: the gateway does not respond. No message has been sent by SMS since then.',
      times: [
        ['from', night.at(-1)!.createdAt],
        ['to', night[0]!.createdAt],
      ],
      isOver: false,
      link: {
        href: `/dashboard/messages?application=pk_1&from=${night.at(-1)!.createdAt}&until=${night[0]!.createdAt}&zone=Europe%2FBerlin&state=failed&reason=down`,
      },
    });
    const [over] = concernsOf(account({ ...outage, lastSent }));
    expect(over!.title).toBe('SMS outage (Twilio), 03:41–04:00');
    expect(over!.text).toMatch(/ SMS is working again\.$/);
    // The route may have been changed since the latest message.
    const textIf = (name: string) => {
      const state = { kind: 'own', through: { name }, state: { kind: 'live' }, fallbacks: [] };
      const channels = [{ channel: 'SMS', state }];
      return concernsOf(account({ ...outage, lastSent, channels: channels as unknown as ChannelView[] }))[0]!.text;
    };
    expect(textIf('Twilio')).toMatch(/ SMS messages are going through Twilio again\.$/);
    expect(textIf('Vonage')).toMatch(/ SMS is working again\.$/);
    expect(over!.times!.at(-1)).toEqual(['latest sent message:', now]);
    expect(titles({ failures: night.map(() => failure(300)), now, lastSent })[0]).toBe('SMS outage (Twilio), 03:00');
  });

  it('says that no other provider is set up, if the provider sent none of the messages', () => {
    const textOf = (failures: AccountState['failures'], fallbacks: readonly string[]) => {
      const state = { kind: 'own', through: { name: 'Twilio' }, state: { kind: 'live' }, fallbacks };
      const channels = [{ channel: 'SMS', state }] as unknown as ChannelView[];
      return concernsOf(account({ failures, now, channels }))[0]!.text;
    };
    expect(textOf(night, [])).toContain('does not respond. No other provider is set up for SMS. No message has ');
    expect(textOf(night, ['Vonage'])).toContain('does not respond. No message has ');
    const ifSent = { charge: '0.0083', currency: 'USD', country: 'US' };
    const unknown = night.map((one) => ({ ...one, attempt: { ...one.attempt, ifSent } }));
    expect(textOf(unknown, [])).toBe(
      '20 SMS messages may not have arrived. Reason: the gateway does not respond. No message has been sent by SMS since then.',
    );
  });

  it('describes messages that all went to one person', () => {
    const failures = night.map((one) => ({ ...one, recipient: '+14155550100' }));
    const factWith = (enteredLater: number) => concernsOf(account({ failures, now, enteredLater, lastSent }))[0]!.fact;
    expect(factWith(0)).toBe('The recipient entered no later code. They can request a new one.');
    expect(factWith(1)).toBe('Nothing to do: the recipient entered a later code.');
  });

  it('links to the people who entered no later code, if others did', () => {
    const failures = night.map((one, n) => ({ ...one, recipient: `+14155550${100 + n}` }));
    const partWith = (enteredLater: number, change: Partial<AccountState> = {}) => {
      const { fact, link } = concernsOf(account({ failures, now, enteredLater, lastSent, ...change }))[0]!;
      const query = new URL(link.href, 'http://passbell').searchParams;
      return [fact, query.has('withoutCode'), query.has('reason')];
    };
    const part = '8 of 20 affected people have not entered a code since.';
    expect(partWith(12)).toEqual([part, true, true]);
    expect(partWith(0)).toEqual([
      'None of the 20 affected people have entered a code since. They can request a new one.',
      false,
      true,
    ]);
    expect(partWith(20)).toEqual(['Nothing to do: all 20 people entered a later code.', false, true]);
    // The list may contain failures that are not part of the outage.
    for (const change of [{ reasonKey: 'slow' }, { state: 'expired' as const }]) {
      const several = { failures: [...failures.slice(1), { ...failures[0]!, ...change }] };
      expect(partWith(12, several)).toEqual([part, true, false]);
    }
  });

  it('is not described again if its provider is still failing', () => {
    const through = { id: 'PRV-1', name: 'Twilio' };
    const state = {
      kind: 'own',
      through,
      state: { kind: 'failing', since: night[9]!.createdAt, reason: 'it is down' },
    };
    const channels = [{ channel: 'SMS', state, routes: [] }] as unknown as ChannelView[];
    expect(titles({ failures: night, now, channels })).toEqual([
      expect.stringMatching(/^Twilio failing for SMS since /),
    ]);
  });

  it('needs more failures than usual, in a short time, within a day', () => {
    expect(titles({ failures: night.slice(1), now })).toEqual([]);
    expect(titles({ failures: night, now, usual: sum({ sent: 1e6, failed: 3000 }) })).toEqual([]);
    expect(titles({ failures: night, now: now + 24 * 3_600_000 })).toEqual([]);
    expect(titles({ failures: night.map((_, n) => failure(n * 20)), now })).toEqual([]);
  });
});
