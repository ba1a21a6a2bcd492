/** The state machine of messages: scheduled and canceled messages. */
import fc from 'fast-check';
import { transition } from '../../backend/src/modules/messages/lifecycle.js';
import type { MessageEvent } from '../../backend/src/modules/messages/lifecycle-events.js';
import { replaces, type Message } from '../../backend/src/modules/messages/message.js';
import { sendTimeOf } from '../../backend/src/modules/notifications/send-time.js';
import {
  accepted,
  apply,
  claimed,
  expired,
  queued,
  rejected,
  reported,
  retried,
  START,
  transient,
  unknown,
  workerDied,
} from '../support/lifecycle.js';

const SEND_AT = START + 60_000;
const scheduled = (fields: Partial<Message> = {}) =>
  queued({
    template: 'order_shipped',
    state: 'scheduled',
    sendAt: SEND_AT,
    dueAt: SEND_AT,
    expiresAt: SEND_AT + 100_000,
    orderKey: 'k',
    ...fields,
  });
const canceled = { id: 'm1', type: 'canceled' } as const;

it('is not claimed before it is due', () => {
  expect(transition(scheduled(), claimed(), SEND_AT - 1)).toBe('ignored');
  expect(apply(scheduled(), claimed(), SEND_AT).message).toMatchObject({
    state: 'sending',
    claim: 'c2',
    sendAt: SEND_AT,
    orderKey: null,
    crashes: 0,
  });
});

it('can be canceled until it is claimed, which erases its content', () => {
  const { message, usage, webhookEvents } = apply(scheduled(), { ...canceled, replacedBy: 'm2' }, START + 1);
  expect(message).toMatchObject({ state: 'canceled', payload: null, dueAt: null, orderKey: null, replacedBy: 'm2' });
  expect([message.finishedAt, usage, webhookEvents]).toEqual([START + 1, [], []]);
  const sending = apply(scheduled(), claimed(), SEND_AT).message;
  for (const message of [sending, queued(), apply(sending, { ...accepted, claim: 'c2' }, SEND_AT).message])
    expect(transition(message, canceled, SEND_AT)).toBe('ignored');
});

it('gets as much time on its first channel as a message that is sent at once', () => {
  const sending = apply(scheduled(), claimed(), SEND_AT).message;
  expect(apply(sending, { ...transient, claim: 'c2' }, SEND_AT + 100).message).toMatchObject({
    state: 'queued',
    channel: 'SMS',
  });
});

describe('any sequence of events', () => {
  const one: fc.Arbitrary<MessageEvent> = fc.constantFrom<MessageEvent>(
    claimed('c1'),
    claimed('c2'),
    canceled,
    accepted,
    rejected,
    unknown,
    transient,
    expired,
    workerDied,
    retried,
    reported('sent'),
    reported('delivered'),
    reported('undelivered'),
    { id: 'm1', type: 'verified' },
  );
  /** Clocks may also go back. */
  const events = fc.array(fc.tuple(one, fc.integer({ min: START, max: SEND_AT + 60_000 })), {
    maxLength: 40,
    size: 'max',
  });

  const check = (property: (before: Message, event: MessageEvent, now: number, after: Message) => void) =>
    fc.assert(
      fc.property(events, (list) => {
        let message = scheduled();
        for (const [event, now] of list) {
          const result = transition(message, event, now);
          if (result === 'ignored') continue;
          property(message, event, now, result.message);
          message = result.message;
        }
      }),
      { numRuns: 3000, seed: 31 },
    );

  it('leaves the state `scheduled` only by a claim that is not early, or a cancellation', () =>
    check((before, event, now, after) => {
      if (before.state !== 'scheduled') return expect(after.state).not.toBe('scheduled');
      if (event.type === 'canceled') return expect(after.state).toBe('canceled');
      expect([event.type, after.state]).toEqual(['claimed', 'sending']);
      expect(now).toBeGreaterThanOrEqual(SEND_AT);
    }));

  it('changes a canceled message only if a provider reports that it has accepted an earlier attempt', () =>
    check((before, event, _now, after) => {
      if (before.state === 'canceled') expect([event.type, after.state]).toEqual(['reported', 'sent']);
      else if (after.state === 'canceled') expect(['scheduled', 'queued']).toContain(before.state);
    }));

  it('counts and publishes nothing before it is sent', () =>
    check((before, event, now) => {
      if (before.state !== 'scheduled') return;
      expect(apply(before, event, now)).toMatchObject({ usage: [], webhookEvents: [] });
    }));

  it('never changes the time for which it was scheduled', () =>
    check((_before, _event, _now, after) => expect(after.sendAt).toBe(SEND_AT)));
});

describe('a newer message', () => {
  const older = scheduled();
  it.each([
    ['with the same template, sent earlier', { sendAt: null, createdAt: START }, true],
    ['with the same template, sent later', { sendAt: SEND_AT + 1 }, true],
    ['with another template, sent at the same time', { template: 'order_delivered', sendAt: SEND_AT }, true],
    ['with another template, sent at once', { template: 'order_cancelled', sendAt: null }, true],
    ['with another template, sent later', { template: 'order_delivered', sendAt: SEND_AT + 1 }, false],
    ['about another order', { orderKey: 'other' }, false],
  ])('%s: %p → %p', (_what, fields, expected) => expect(replaces(scheduled(fields), older)).toBe(expected));
});

describe('the time of a notification', () => {
  const NOW = Date.parse('2027-01-15T08:00:00Z');
  const timeOf = (sendAt: string | number | undefined, country = '', quiet = '') => {
    const at = sendTimeOf(sendAt, country, quiet, NOW);
    return at && new Date(at).toISOString();
  };
  it.each([
    [undefined, undefined],
    ['2027-01-15T08:00:01Z', '2027-01-15T08:00:01.000Z'],
    ['2027-01-15T10:00+01:00', '2027-01-15T09:00:00.000Z'],
    ['2027-02-14T03:00:00.000-05:00', '2027-02-14T08:00:00.000Z'],
    [NOW / 1000 + 60, '2027-01-15T08:01:00.000Z'],
    [String(NOW / 1000 + 60), '2027-01-15T08:01:00.000Z'],
    ['2027-01-15T08:00:00Z', undefined],
    ['2027-01-15T07:55:00Z', undefined],
  ])('%p is %p', (sendAt, expected) => expect(timeOf(sendAt)).toBe(expected));

  it.each([
    ['2027-01-15T07:54:59Z', 'sendAt is in the past'],
    [0, 'sendAt is in the past'],
    ['2027-02-14T08:00:01Z', 'sendAt is more than 30 days from now'],
    ['2027-13-15T08:00:00Z', 'sendAt is not a valid date'],
    ['2027-01-32T08:00:00Z', 'sendAt is not a valid date'],
  ])('%p is rejected: %s', (sendAt, text) => expect(() => timeOf(sendAt)).toThrow(text));

  it('is rejected for a day that the month does not have', () => {
    const inFebruary = Date.parse('2027-02-20T08:00:00Z');
    expect(() => sendTimeOf('2027-02-29T08:00:00Z', '', '', inFebruary)).toThrow('sendAt is not a valid date');
    expect(sendTimeOf('2027-02-28T23:00:00-05:00', '', '', inFebruary)).toBe(Date.parse('2027-03-01T04:00:00Z'));
  });

  it('is postponed by quiet hours', () => {
    expect(timeOf(undefined, 'US', '22:00-08:00')).toBe('2027-01-15T18:00:00.000Z');
    expect(timeOf('2027-01-15T23:00:00Z', 'DE', '22:00-08:00')).toBe('2027-01-16T07:00:00.000Z');
  });
});
