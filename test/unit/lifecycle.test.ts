/** The state machine of messages: claims, attempts and expiry. */
import { reasonNotToSend, transition } from '../../backend/src/modules/messages/lifecycle.js';
import { certainlyNotSent } from '../../backend/src/modules/messages/message.js';
import {
  START,
  PRICE,
  queued,
  sending,
  accepted,
  rejected,
  unknown,
  transient,
  expired,
  workerDied,
  reported,
  claimed,
  apply,
  run,
  usageKey,
  eventNames,
} from '../support/lifecycle.js';

describe('a claim', () => {
  it('succeeds for a queued message, even before it is due', () => {
    const { message, usage, webhookEvents, reply } = apply(queued({ dueAt: START + 99_000 }), claimed());
    expect(message).toMatchObject({
      state: 'sending',
      claim: 'c2',
      attemptCount: 1,
      crashes: 0,
      dueAt: START + 60_000,
    });
    expect({ usage, webhookEvents, reply }).toEqual({ usage: [], webhookEvents: [], reply: undefined });
  });

  it('succeeds for a message whose lease has expired, and counts the crash', () => {
    const before = sending({ dueAt: START });
    expect(apply(before, claimed(), START).message).toMatchObject({ claim: 'c2', attemptCount: 2, crashes: 1 });
    expect(transition(before, claimed(), START - 1)).toBe('ignored');
  });

  it.each(['sent', 'failed', 'expired'] as const)('is ignored if the message is %s', (state) => {
    expect(transition(queued({ state, payload: null, dueAt: null }), claimed(), START)).toBe('ignored');
    expect(transition(queued({ state, payload: null, dueAt: START }), claimed(), START)).toBe('ignored');
  });
});

describe('the messages that must not be sent', () => {
  it('include a message that expires in the current millisecond', () => {
    expect(reasonNotToSend(queued({ expiresAt: START }), START)).toBe('expired');
    expect(reasonNotToSend(queued({ expiresAt: START + 1 }), START)).toBeUndefined();
  });

  it('include a message that has killed eight workers', () => {
    expect(reasonNotToSend(queued({ crashes: 8 }), START)).toBe('workerDied');
    expect(reasonNotToSend(queued({ crashes: 7 }), START)).toBeUndefined();
  });
});

describe('an accepted message', () => {
  it('is marked as sent, counted and published, and loses its content', () => {
    const before = sending({ attempts: [{ channel: 'WHATSAPP', success: false, message: 'blocked' }] });
    const result = apply(before, accepted);
    expect(result.message).toMatchObject({
      state: 'sent',
      providerId: 'SM1',
      payload: null,
      dueAt: null,
      finishedAt: START + 200,
      report: null,
    });
    expect(result.message.attempts).toEqual([
      { channel: 'SMS', success: true, message: 'sent', price: PRICE, startedAt: START + 100, at: START + 200 },
      { channel: 'WHATSAPP', success: false, message: 'blocked' },
    ]);
    expect(result.usage).toEqual([{ ...usageKey, sent: 1, cost: 75 }]);
    expect(eventNames(result)).toEqual(['message.accepted sent']);
    expect(result.reply).toEqual({ state: 'sent', attempts: result.message.attempts });
  });

  it('is marked as sent even if another worker has claimed it in the meantime', () => {
    expect(apply(sending({ claim: 'other' }), accepted).message.state).toBe('sent');
  });

  it.each(['queued', 'sent', 'failed', 'expired'] as const)('is ignored when the message is %s', (state) => {
    expect(transition(sending({ state }), accepted, START)).toBe('ignored');
  });

  it('keeps an earlier delivery report with the same provider id', () => {
    const result = apply(run(sending(), reported('undelivered')), accepted);
    expect(result.message).toMatchObject({ state: 'sent', report: 'undelivered', reportedAt: START + 200 });
    expect(result.usage).toEqual([
      { ...usageKey, sent: 1, cost: 75 },
      { ...usageKey, undelivered: 1 },
    ]);
    expect(eventNames(result)).toEqual(['message.failed undelivered']);
    expect(result.reply?.state).toBe('sent');
  });

  it('drops an earlier delivery report with another provider id', () => {
    const result = apply(run(sending(), reported('undelivered', 'SM0')), accepted);
    expect(result.message).toMatchObject({ providerId: 'SM1', report: null, reportedAt: null });
    expect(eventNames(result)).toEqual(['message.accepted sent']);
  });

  it('publishes both events for a message with an early delivered report', () => {
    expect(eventNames(apply(run(sending(), reported('delivered')), accepted))).toEqual([
      'message.accepted sent',
      'message.delivered delivered',
    ]);
  });
});

describe('a failed attempt', () => {
  it.each([rejected, unknown, transient, expired, workerDied])(
    'is ignored if the worker has lost its claim: $type',
    (event) => {
      expect(transition(sending({ claim: 'other' }), event, START)).toBe('ignored');
      expect(transition(sending({ state: 'queued' }), event, START)).toBe('ignored');
    },
  );

  it.each([rejected, unknown, transient, expired, workerDied])(
    'counts as a success if a delivery report for the message has already arrived: $type',
    (event) => {
      const { message } = apply(run(sending(), reported('delivered')), event);
      expect(message).toMatchObject({
        state: 'sent',
        providerId: 'SM1',
        report: 'delivered',
        attempts: [{ success: true }],
      });
    },
  );

  it('moves a rejected message to the next channel', () => {
    const { message, reply, usage, webhookEvents } = apply(sending(), rejected);
    expect(message).toMatchObject({
      state: 'queued',
      channel: 'WHATSAPP',
      attemptCount: 0,
      dueAt: START + 200,
      payload: 'sealed',
    });
    expect(message.attempts).toEqual([
      { channel: 'SMS', success: false, message: 'blocked', startedAt: START + 100, at: START + 200 },
    ]);
    expect({ reply, usage, webhookEvents }).toEqual({ reply: undefined, usage: [], webhookEvents: [] });
  });

  it('moves a rejected message to the next channel even after a crash', () => {
    expect(apply(sending({ crashes: 1 }), rejected).message.channel).toBe('WHATSAPP');
  });

  it('fails a message that was rejected on its last channel, but keeps its content for a retry', () => {
    const result = apply(sending({ channel: 'WHATSAPP' }), rejected);
    expect(result.message).toMatchObject({ state: 'failed', payload: 'sealed', dueAt: null, finishedAt: START + 200 });
    expect(result.usage).toEqual([{ ...usageKey, channel: 'WHATSAPP', failed: 1 }]);
    expect(eventNames(result)).toEqual(['message.failed failed']);
    expect(result.reply).toEqual({ state: 'failed', attempts: result.message.attempts });
    expect(certainlyNotSent(result.reply!)).toBe(true);
  });

  it('fails the message if the outcome is unknown, even if the message has another channel', () => {
    const { message, reply } = apply(sending(), unknown);
    expect(message).toMatchObject({
      state: 'failed',
      attempts: [{ success: false, message: 'no reply', ifSent: PRICE }],
    });
    expect(certainlyNotSent(reply!)).toBe(false);
  });

  it.each([
    [1, 1],
    [2, 2],
    [3, 5],
    [4, 10],
    [5, 30],
    [6, 60],
    [9, 60],
  ])('number %i is retried after %i s if the failure is transient', (attemptCount, seconds) => {
    const { message, reply } = apply(sending({ attemptCount, plan: ['SMS'] }), transient, START);
    expect(message).toMatchObject({
      state: 'queued',
      channel: 'SMS',
      attemptCount,
      dueAt: START + seconds * 1000,
      attempts: [],
    });
    expect(reply).toEqual({
      state: 'queued',
      attempts: [{ channel: 'SMS', success: true, message: 'queued for delivery: busy' }],
    });
  });

  it("is retried after the provider's retryAfterSeconds if the failure is transient", () => {
    const event = { ...transient, retryAfterSeconds: 7 };
    expect(apply(sending({ plan: ['SMS'] }), event, START).message.dueAt).toBe(START + 7000);
    const shorter = { ...transient, retryAfterSeconds: 0 };
    expect(apply(sending({ plan: ['SMS'] }), shorter, START).message.dueAt).toBe(START + 1000);
  });

  it('moves the message to the next channel after two seconds if the failure is transient', () => {
    expect(apply(sending(), transient, START + 999).message).toMatchObject({ channel: 'SMS', dueAt: START + 1999 });
    const { message } = apply(sending(), transient, START + 1000);
    expect(message).toMatchObject({ channel: 'WHATSAPP', attemptCount: 0, attempts: [{ message: 'busy' }] });
    expect(message.attempts[0]).not.toHaveProperty('ifSent');
  });

  it('is retried on the last channel until the message expires if the failure is transient', () => {
    const late = sending({ plan: ['SMS'], expiresAt: START + 1001 });
    expect(apply(late, transient, START).message.state).toBe('queued');
    expect(apply(late, transient, START + 1).message.state).toBe('failed');
    expect(apply(sending({ expiresAt: START + 1000 }), transient, START).message.channel).toBe('WHATSAPP');
  });

  it('does not change the channel after a crash, even if the failure is transient, because the message may have been sent', () => {
    const crashed = sending({ crashes: 1 });
    expect(apply(crashed, transient, START + 10_000).message).toMatchObject({ state: 'queued', channel: 'SMS' });
    const { message } = apply({ ...crashed, expiresAt: START + 10_001 }, transient, START + 10_000);
    expect(message).toMatchObject({ state: 'failed', attempts: [{ ifSent: PRICE }] });
  });

  it('is merged into one history entry with earlier attempts that had the same result', () => {
    const first = apply(sending({ plan: ['SMS'] }), transient, START + 1).message;
    const second = apply({ ...first, state: 'sending' }, { ...transient, startedAt: START + 50 }, START + 60).message;
    expect(second.history).toEqual([
      {
        channel: 'SMS',
        success: false,
        message: 'busy',
        startedAt: START + 100,
        at: START + 60,
        ifSent: PRICE,
        times: 2,
      },
    ]);
    const third = apply({ ...second, state: 'sending' }, { ...transient, reason: 'down' }, START + 70).message;
    expect(third.history.map((entry) => ('times' in entry ? entry.times : 0))).toEqual([2, 1]);
    const other = apply(
      { ...third, state: 'sending', channel: 'VOICE', plan: ['VOICE'] },
      { ...transient, reason: 'down' },
    ).message;
    expect(other.history).toHaveLength(3);
  });

  it('is recorded in a history of at most 50 entries', () => {
    const history = Array.from({ length: 50 }, (_, n) => ({ retriedAt: n }));
    const { message } = apply(sending({ plan: ['SMS'], history }), transient, START);
    expect(message.history).toHaveLength(50);
    expect(message.history[0]).toEqual({ retriedAt: 1 });
  });
});

describe('an expired message', () => {
  it('is dropped without an attempt', () => {
    const result = apply(sending(), expired);
    expect(result.message).toMatchObject({ state: 'expired', payload: null, attempts: [], finishedAt: START + 200 });
    expect(result.usage).toEqual([{ ...usageKey, failed: 1 }]);
    expect(eventNames(result)).toEqual(['message.failed expired']);
    expect(result.reply).toEqual({ state: 'expired', attempts: [] });
  });

  it('has an unknown outcome if a worker died while sending it', () => {
    const { message } = apply(sending({ crashes: 1 }), expired);
    const reason = 'the worker stopped before the provider replied';
    expect(message.attempts).toEqual([
      { channel: 'SMS', success: false, message: reason, startedAt: START + 100, at: START + 200, ifSent: PRICE },
    ]);
  });
});

it('a message that kills workers fails with an unknown outcome, and is not sent over another channel', () => {
  const { message } = apply(sending({ crashes: 8 }), workerDied);
  expect(message).toMatchObject({ state: 'failed', channel: 'SMS', attempts: [{ success: false, ifSent: PRICE }] });
});
