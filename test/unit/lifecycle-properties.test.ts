/** The state machine of messages: properties of generated event sequences. */
import fc from 'fast-check';
import { transition, type Transition } from '../../backend/src/modules/messages/lifecycle.js';
import type { MessageEvent } from '../../backend/src/modules/messages/lifecycle-events.js';
import { isOpen, visibleState, type Message } from '../../backend/src/modules/messages/message.js';
import { START, PRICE, OTHER_PRICE, queued, sending, accepted, reported, run } from '../support/lifecycle.js';

const PROVIDERS = ['environment-twilio', 'PRV-1'];

describe('any sequence of events', () => {
  const providerId = fc.constantFrom('SM1', 'SM2');
  const claim = fc.constantFrom('c1', 'c2', 'c3');
  const attempt = { claim, startedAt: fc.constant(START), price: fc.constantFrom(PRICE, OTHER_PRICE) };
  const event: fc.Arbitrary<MessageEvent> = fc
    .oneof(
      fc.record({
        type: fc.constant('claimed' as const),
        claim,
        leaseUntil: fc.integer({ min: START, max: START + 100_000 }),
        provider: fc.constantFrom(undefined, ...PROVIDERS),
      }),
      fc.record({
        type: fc.constant('movedOn' as const),
        next: fc.constantFrom(...PROVIDERS),
        reason: fc.constantFrom(undefined, 'busy'),
        maybeSent: fc.boolean(),
        ...attempt,
      }),
      fc.record({ type: fc.constant('accepted' as const), providerId, ...attempt }),
      fc.record({
        type: fc.constantFrom('rejected' as const, 'outcomeUnknown' as const),
        reason: fc.constant('no'),
        ...attempt,
      }),
      fc.record({
        type: fc.constant('failedTransiently' as const),
        reason: fc.constant('busy'),
        retryAfterSeconds: fc.constantFrom(undefined, 1, 100),
        ...attempt,
      }),
      fc.record({ type: fc.constantFrom('expired' as const, 'workerDied' as const), ...attempt }),
      fc.record({
        type: fc.constant('reported' as const),
        provider: fc.constantFrom(...PROVIDERS),
        providerId,
        reportedState: fc.constantFrom('sent' as const, 'delivered' as const, 'undelivered' as const),
      }),
      fc.constant({ type: 'retriedByPerson' as const }),
    )
    .map((fields) => ({ id: 'm1', ...fields }) as MessageEvent);

  interface Step {
    readonly before: Message;
    readonly event: MessageEvent;
    readonly result: Transition;
  }

  /** Applies one event every two seconds, and returns the transitions that were not ignored. */
  function stepsOf(events: readonly MessageEvent[]): Step[] {
    const steps: Step[] = [];
    let message = queued();
    events.forEach((one, n) => {
      const result = transition(message, one, START + n * 2000);
      if (result === 'ignored') return;
      steps.push({ before: message, event: one, result });
      message = result.message;
    });
    return steps;
  }

  const checkProperty = (property: (steps: Step[]) => void) =>
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => property(stepsOf(events))),
      { numRuns: 2000, seed: 11 },
    );

  it('leaves a final state only through a retry or a correcting report', () =>
    checkProperty((steps) => {
      for (const {
        before,
        event: { type },
        result,
      } of steps)
        if (!isOpen(before)) {
          expect(['reported', 'retriedByPerson']).toContain(type);
          if (type === 'reported') expect(result.message.state).toBe('sent');
          if (type === 'retriedByPerson') expect(before.state).toBe('failed');
        }
    }));

  it('counts every final state exactly once', () =>
    checkProperty((steps) => {
      const total = (name: 'sent' | 'failed' | 'delivered' | 'undelivered') =>
        steps.flatMap(({ result }) => result.usage).reduce((sum, change) => sum + (change[name] ?? 0), 0);
      const retries = steps.filter(({ event: { type } }) => type === 'retriedByPerson').length;
      const last = steps.at(-1)?.result.message ?? queued();
      expect(total('sent') + total('failed')).toBe(retries + (isOpen(last) ? 0 : 1));
      expect(total('sent')).toBe(last.state === 'sent' ? 1 : 0);
      expect(total('delivered')).toBe(visibleState(last) === 'delivered' ? 1 : 0);
      expect(total('undelivered')).toBe(visibleState(last) === 'undelivered' ? 1 : 0);
    }));

  it('charges a message at most once', () =>
    checkProperty((steps) => {
      const cost = steps.flatMap(({ result }) => result.usage).reduce((sum, change) => sum + (change.cost ?? 0), 0);
      expect([0, 75, 150]).toContain(cost);
    }));

  it('ignores reports from any provider other than the last one called', () =>
    checkProperty((steps) => {
      for (const { before, event: one } of steps)
        if (one.type === 'reported') expect(one.provider).toBe(before.provider ?? 'environment-twilio');
    }));

  it('replaces a report only with a later state of the same provider message', () =>
    checkProperty((steps) => {
      const rank = { sent: 0, undelivered: 1, delivered: 2 } as const;
      for (const { before, event: one, result } of steps)
        if (one.type === 'reported' && one.providerId === before.providerId)
          expect(rank[result.message.report ?? 'sent']).toBeGreaterThan(rank[before.report ?? 'sent']);
    }));

  it('preserves the message content while the message is open, and deletes it once the message is sent or expired', () =>
    checkProperty((steps) => {
      for (const {
        result: { message },
      } of steps) {
        if (isOpen(message))
          expect(message).toMatchObject({ payload: 'sealed', dueAt: expect.any(Number), finishedAt: null });
        else expect(message).toMatchObject({ payload: message.state === 'failed' ? 'sealed' : null, dueAt: null });
      }
    }));

  it('ends in the same state for every order of the same reports', () => {
    const reports = fc.shuffledSubarray([reported('sent'), reported('undelivered'), reported('delivered')], {
      minLength: 3,
    });
    fc.assert(
      fc.property(reports, (order) => {
        const sent = run(sending(), accepted);
        const final = order.reduce((message, one) => {
          const result = transition(message, one, START);
          return result === 'ignored' ? message : result.message;
        }, sent);
        expect(visibleState(final)).toBe('delivered');
      }),
      { seed: 11 },
    );
  });
});
