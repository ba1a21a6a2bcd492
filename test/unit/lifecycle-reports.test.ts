/** The state machine of messages: delivery reports, and retries by people. */
import { transition } from '../../backend/src/modules/messages/lifecycle.js';
import { queuedAnotherWay } from '../../backend/src/modules/messages/earlier-sends.js';
import { acceptedAttempt, canRetry, visibleState } from '../../backend/src/modules/messages/message.js';
import {
  START,
  PRICE,
  OTHER_PRICE,
  queued,
  sending,
  accepted,
  claimed,
  entered,
  invalid,
  rejected,
  unknown,
  expired,
  retried,
  transient,
  reported,
  apply,
  run,
  usageKey,
  eventNames,
} from '../support/lifecycle.js';

describe('a code that was entered', () => {
  it('ends the attempt in progress: no further provider is called, and the message is not kept', () => {
    const verified = apply(sending(), entered).message;
    const movedOn = { ...transient, type: 'movedOn', next: 'PRV-2', maybeSent: false } as const;
    expect(transition(verified, movedOn, START + 300)).toBe('ignored');
    const { message } = apply(verified, { ...accepted, next: 'SMS' }, START + 300);
    expect(message).toMatchObject({ state: 'sent', payload: null, dueAt: null });
  });

  it.each([
    ['rejects it', rejected],
    ['is busy', transient],
    ['does not reply', unknown],
  ])('is not tried on another channel if the attempt in progress fails: the provider %s', (_what, failed) => {
    const verified = apply(sending(), entered).message;
    const { message, webhookEvents } = apply(verified, failed, START + 300);
    expect(message).toMatchObject({ state: 'failed', attempts: [{ success: false }] });
    expect(canRetry(message, START + 300)).toBe(false);
    expect(webhookEvents).toHaveLength(1);
  });

  it('was sent by the last attempt before a retry, and is charged once', () => {
    const crashed = { ...transient, claim: 'c2', reason: 'no look-up' };
    const waiting = run(sending({ plan: ['SMS'], dueAt: START }), claimed(), crashed);
    expect(waiting).toMatchObject({ state: 'queued', crashes: 1, attempts: [] });
    const sent = apply(waiting, entered, START + 300);
    const { message, usage } = sent;
    expect(message).toMatchObject({
      state: 'sent',
      payload: null,
      dueAt: null,
      report: null,
      attempts: [{ success: true, message: 'sent', price: PRICE }],
    });
    expect(usage).toEqual([{ ...usageKey, at: START + 300, sent: 1, cost: 75 }]);
    expect(eventNames(sent)).toEqual(['message.accepted sent']);
    for (const event of [claimed(), retried, rejected, accepted, entered, invalid])
      expect(transition(message, event, START + 2000)).toBe('ignored');
  });

  it('was sent by the last of several attempts with unknown outcomes', () => {
    const first = { ...transient, type: 'movedOn', next: 'PRV-2', maybeSent: true } as const;
    const waiting = run(sending({ plan: ['SMS'] }), first, { ...first, next: 'PRV-3', price: OTHER_PRICE }, transient);
    expect(waiting.attempts).toHaveLength(2);
    const { message, usage } = apply(waiting, entered, START + 300);
    expect(message.attempts).toMatchObject([
      { success: true, price: OTHER_PRICE },
      { success: false, ifSent: PRICE },
    ]);
    expect(usage).toMatchObject([{ sent: 1, cost: Number(OTHER_PRICE.charge) * 10_000 }]);
  });

  it('was sent if the outcome was unknown, and counts as sent instead of failed', () => {
    const failed = run(sending(), unknown);
    const sent = apply(failed, entered, START + 300);
    const { message, usage } = sent;
    expect(message).toMatchObject({ state: 'sent', payload: null, attempts: [{ success: true, price: PRICE }] });
    expect(usage).toEqual([{ ...usageKey, failed: -1, sent: 1, cost: 75 }]);
    expect(eventNames(sent)).toEqual(['message.accepted sent']);
    expect(run(sending({ plan: ['SMS'] }), rejected, entered)).toMatchObject({ state: 'failed' });
    expect(apply(failed, invalid, START + 300)).toMatchObject({
      message: { state: 'failed', payload: null },
      usage: [],
    });
  });

  it('proves an earlier send instead of the attempt before the retry', () => {
    const again = queuedAnotherWay(run(sending(), accepted), 'SMS', START + 300);
    const waiting = run({ ...again, state: 'sending', claim: 'c1' }, { ...transient, price: OTHER_PRICE });
    const { message, usage } = apply(waiting, entered, START + 400);
    expect(message).toMatchObject({ state: 'sent', providerId: 'SM1' });
    expect(message.attempts).toMatchObject([{ success: true, price: PRICE }, { success: false }]);
    expect(usage).toEqual([]);
  });

  it.each([
    ['was entered after attempts that certainly failed', false, entered],
    ['becomes invalid', true, invalid],
  ])('is canceled while it waits for a retry if it %s, and costs nothing', (_case, maybeSent, event) => {
    const movedOn = { ...transient, type: 'movedOn', next: 'PRV-2', maybeSent } as const;
    const waiting = run(sending({ plan: ['SMS'] }), movedOn, transient);
    const { message, usage, webhookEvents } = apply(waiting, event, START + 300);
    expect(message).toMatchObject({ state: 'canceled', payload: null, dueAt: null, finishedAt: START + 300 });
    expect([usage, webhookEvents]).toEqual([[], []]);
    for (const event of [claimed(), retried, rejected, accepted, entered, reported('undelivered')])
      expect(transition(message, event, START + 2000)).toBe('ignored');
  });

  it('is sent and charged if its provider reports, after it was canceled, that it had accepted it', () => {
    const canceled = run(sending({ plan: ['SMS'], provider: 'environment-twilio' }), transient, invalid);
    const { message, usage } = apply(canceled, reported('delivered'), START + 900);
    expect(message).toMatchObject({ state: 'sent', report: 'delivered', attempts: [{ success: true, price: PRICE }] });
    expect(usage).toMatchObject([{ sent: 1, cost: 75 }, { delivered: 1 }]);
  });

  it('can no longer be sent again by a person after it has failed', () => {
    const failed = run(sending({ plan: ['SMS'] }), rejected);
    expect(canRetry(failed, START + 300)).toBe(true);
    const { message } = apply(failed, entered, START + 300);
    expect(message).toMatchObject({ state: 'failed', payload: null });
    expect(transition(message, retried, START + 400)).toBe('ignored');
  });
});

describe('a delivery report', () => {
  const sent = run(sending(), accepted);

  it.each(['delivered', 'undelivered'] as const)('is recorded only once (%s)', (state) => {
    const result = apply(sent, reported(state), START + 900);
    expect(result.message).toMatchObject({ state: 'sent', report: state, reportedAt: START + 900, history: [] });
    expect(result.usage).toEqual([{ ...usageKey, [state]: 1 }]);
    const event = state === 'undelivered' ? 'message.failed' : 'message.delivered';
    expect(eventNames(result)).toEqual([`${event} ${state}`]);
    expect(result.reply).toBeUndefined();
    expect(visibleState(result.message)).toBe(state);
    expect(transition(result.message, reported(state), START + 999)).toBe('ignored');
  });

  it('never moves a message back to an earlier state', () => {
    const delivered = run(sent, reported('delivered'));
    expect(transition(delivered, reported('undelivered'), START)).toBe('ignored');
    expect(transition(delivered, reported('sent'), START)).toBe('ignored');
    expect(transition(sent, reported('sent'), START)).toBe('ignored');
  });

  it('with the state delivered replaces an undelivered report, including its usage count', () => {
    const undelivered = apply(sent, reported('undelivered'), START + 300).message;
    const result = apply(undelivered, reported('delivered'), START + 400);
    expect(result.message).toMatchObject({ report: 'delivered', reportedAt: START + 400 });
    expect(result.message.history).toEqual([{ report: 'undelivered', reportedAt: START + 300 }]);
    expect(result.usage).toEqual([{ ...usageKey, delivered: 1, undelivered: -1 }]);
    expect(eventNames(result)).toEqual(['message.delivered delivered']);
  });

  it('is ignored if it is about another message of the provider', () => {
    expect(transition(sent, reported('delivered', 'SM2'), START)).toBe('ignored');
    expect(transition(queued(), reported('delivered'), START)).toBe('ignored');
    expect(transition(run(sending({ channel: 'WHATSAPP' }), rejected), reported('delivered'), START)).toBe('ignored');
  });

  it('ends a message that waits for a retry of the same provider', () => {
    const waiting = run(sending({ provider: 'environment-twilio' }), transient);
    expect(waiting.state).toBe('queued');
    const result = apply(waiting, reported('delivered'), START + 900);
    expect(result.message).toMatchObject({ state: 'sent', report: 'delivered', dueAt: null, payload: null });
    expect(result.usage).toEqual([
      { ...usageKey, at: START + 900, sent: 1, cost: 75 },
      { ...usageKey, at: START + 900, delivered: 1 },
    ]);
    expect(eventNames(result)).toEqual(['message.accepted sent', 'message.delivered delivered']);
    expect(result.reply).toMatchObject({ state: 'sent' });
  });

  it('does not cancel the retry of a message that could not be delivered', () => {
    const waiting = run(sending({ provider: 'environment-twilio' }), transient);
    expect(transition(waiting, reported('undelivered'), START + 900)).toBe('ignored');
  });

  it('does not end a message that a person has sent again', () => {
    const again = run(sending({ provider: 'environment-twilio', plan: ['SMS'] }), rejected, retried);
    expect(transition(again, reported('delivered'), START + 900)).toBe('ignored');
  });

  it('is stored without being counted if it arrives while the message is being sent', () => {
    const result = apply(sending(), reported('delivered'), START + 300);
    expect(result).toMatchObject({ usage: [], webhookEvents: [] });
    expect(result.message).toMatchObject({
      state: 'sending',
      providerId: 'SM1',
      report: 'delivered',
      reportedAt: START + 300,
    });
    expect(apply(sending(), reported('sent')).message).toMatchObject({
      providerId: 'SM1',
      report: null,
      reportedAt: null,
    });
  });

  describe('that arrives before the acceptance is stored', () => {
    const undelivered = {
      ...reported('undelivered'),
      reason: 'no WhatsApp',
      details: { code: '131026' },
      next: 'WHATSAPP',
    } as const;
    const early = run(sending(), undelivered);

    it('keeps its reason and the next channel, also after an unknown outcome', () => {
      for (const event of [{ ...accepted, next: 'SMS' } as const, unknown]) {
        const { message } = apply(early, event, START + 300);
        expect(message).toMatchObject({ state: 'queued', channel: 'WHATSAPP', history: [] });
        expect(message.earlierSends).toMatchObject([
          {
            attempt: { undelivered: 'no WhatsApp', details: { code: '131026' } },
            providerId: 'SM1',
            report: 'undelivered',
          },
        ]);
      }
    });

    it('ends the message with the reason if it leaves no other way', () => {
      const last = run(sending(), { ...undelivered, next: undefined });
      const { message } = apply(last, { ...accepted, next: 'SMS' }, START + 300);
      expect(message).toMatchObject({ state: 'sent', report: 'undelivered', payload: null, history: [] });
      expect(acceptedAttempt(message)).toMatchObject({ undelivered: 'no WhatsApp' });
    });

    it('stays in the history if a stronger report follows', () => {
      const { message } = apply(run(early, reported('delivered')), { ...accepted, next: 'SMS' }, START + 300);
      expect(message).toMatchObject({ state: 'sent', report: 'delivered', payload: null });
      expect(message.history).toMatchObject([{ report: 'undelivered', reason: 'no WhatsApp' }]);
    });
  });

  it('corrects the usage counts, charge and webhook events of an unknown outcome', () => {
    const failed = run(sending(), { ...unknown, price: OTHER_PRICE });
    const result = apply(failed, reported('sent'), START + 500);
    expect(result.message).toMatchObject({ state: 'sent', providerId: 'SM1', report: null, payload: null });
    expect(result.message.attempts).toEqual([
      {
        channel: 'SMS',
        success: true,
        message: 'sent',
        price: OTHER_PRICE,
        ifSent: OTHER_PRICE,
        startedAt: START + 100,
        at: START + 200,
      },
    ]);
    expect(result.usage).toEqual([{ ...usageKey, failed: -1, sent: 1, cost: 150 }]);
    expect(eventNames(result)).toEqual(['message.accepted sent']);
    expect(result.webhookEvents[0]!.body.createdTime).toBe(Math.floor((START + 200) / 1000));
  });

  it('is also counted as delivered or undelivered if it corrects an unknown outcome', () => {
    const delivered = apply(run(sending(), unknown), reported('delivered'));
    expect(delivered.usage).toEqual([
      { ...usageKey, failed: -1, sent: 1, cost: 75 },
      { ...usageKey, delivered: 1 },
    ]);
    expect(eventNames(delivered)).toEqual(['message.accepted sent', 'message.delivered delivered']);
    expect(eventNames(apply(run(sending(), unknown), reported('undelivered')))).toEqual(['message.failed undelivered']);
    expect(eventNames(apply(run(sending({ crashes: 1 }), expired), reported('sent')))).toEqual([
      'message.accepted sent',
    ]);
  });

  it('with the state delivered is published, even after an unknown outcome and an undelivered report', () => {
    const undelivered = run(sending(), unknown, reported('undelivered'));
    expect(eventNames(apply(undelivered, reported('delivered')))).toEqual([
      'message.accepted sent',
      'message.delivered delivered',
    ]);
  });

  it("is matched only to the message's last attempt", () => {
    const failedEarlier = run(sending(), unknown);
    const later = {
      ...failedEarlier,
      attempts: [...failedEarlier.attempts, { channel: 'VOICE', success: false, message: 'no' } as const],
    };
    expect(transition(later, reported('sent'), START)).toBe('ignored');
  });
});

describe('a manual retry', () => {
  const failed = run(sending({ channel: 'WHATSAPP', crashes: 2 }), rejected);

  it('starts again with the first channel, and preserves the history', () => {
    const { message, usage, webhookEvents, reply } = apply(failed, retried, START + 900);
    expect(message).toMatchObject({
      state: 'queued',
      channel: 'SMS',
      payload: 'sealed',
      attempts: [],
      attemptCount: 0,
      crashes: 0,
      dueAt: START + 900,
      finishedAt: null,
      providerId: null,
      report: null,
      reportedAt: null,
    });
    expect(message.history).toEqual([{ ...failed.attempts[0], times: 1 }, { retriedAt: START + 900 }]);
    expect({ usage, webhookEvents, reply }).toEqual({ usage: [], webhookEvents: [], reply: undefined });
  });

  it.each([
    ['sent', run(sending(), accepted)],
    ['expired', run(sending(), expired)],
    ['queued', queued()],
    ['failed without content', { ...failed, payload: null }],
    ['failed and expired', { ...failed, expiresAt: START + 200 }],
  ])('is refused when the message is %s', (_state, message) => {
    expect(canRetry(message, START + 200)).toBe(false);
    expect(transition(message, retried, START + 200)).toBe('ignored');
  });
});
