/** The state machine of messages: properties of generated event sequences. */
import fc from 'fast-check';
import { isUnsent } from '../../backend/src/modules/messages/code-outcomes.js';
import { transition, type Transition } from '../../backend/src/modules/messages/lifecycle.js';
import type { MessageEvent } from '../../backend/src/modules/messages/lifecycle-events.js';
import {
  acceptedAttempt,
  canRetry,
  isKept,
  isOpen,
  visibleState,
  type EarlierSend,
  type Message,
} from '../../backend/src/modules/messages/message.js';
import { START, PRICE, OTHER_PRICE, queued, sending, accepted, reported, run } from '../support/lifecycle.js';

const PROVIDERS = ['environment-twilio', 'PRV-1'];

describe('any sequence of events', () => {
  const providerId = fc.constantFrom('SM1', 'SM2');
  const claim = fc.constantFrom('c1', 'c2', 'c3');
  const next = fc.constantFrom(undefined, 'SMS' as const, 'WHATSAPP' as const);
  const attempt = { claim, startedAt: fc.constant(START), price: fc.constantFrom(PRICE, OTHER_PRICE) };
  const event: fc.Arbitrary<MessageEvent> = fc
    .oneof(
      {
        weight: 8,
        arbitrary: fc.record({
          type: fc.constant('claimed' as const),
          claim,
          leaseUntil: fc.integer({ min: START, max: START + 100_000 }),
          provider: fc.constantFrom(undefined, ...PROVIDERS),
          next,
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          type: fc.constant('movedOn' as const),
          next: fc.constantFrom(...PROVIDERS),
          reason: fc.constantFrom(undefined, 'busy'),
          maybeSent: fc.boolean(),
          ...attempt,
        }),
      },
      {
        weight: 6,
        arbitrary: fc.record({
          type: fc.constant('accepted' as const),
          providerId,
          provider: fc.constantFrom(...PROVIDERS).map((id) => ({ id, name: id })),
          next,
          silentMs: fc.constantFrom(undefined, 3000),
          ...attempt,
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          type: fc.constantFrom('rejected' as const, 'outcomeUnknown' as const, 'notAllowed' as const),
          reason: fc.constant('no'),
          ...attempt,
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          type: fc.constant('failedTransiently' as const),
          reason: fc.constant('busy'),
          retryAfterSeconds: fc.constantFrom(undefined, 1, 100),
          ...attempt,
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          type: fc.constant('postponed' as const),
          until: fc.integer({ min: START, max: START + 600_000 }),
          ...attempt,
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ type: fc.constantFrom('expired' as const, 'workerDied' as const), ...attempt }),
      },
      {
        weight: 6,
        arbitrary: fc.record({
          type: fc.constant('reported' as const),
          provider: fc.constantFrom(...PROVIDERS),
          providerId,
          reportedState: fc.constantFrom('sent' as const, 'delivered' as const, 'undelivered' as const),
          next,
        }),
      },
      { weight: 1, arbitrary: fc.record({ type: fc.constant('verified' as const), isEntered: fc.boolean() }) },
      { weight: 1, arbitrary: fc.constant({ type: 'retriedByPerson' as const }) },
    )
    .map((fields) => ({ id: 'm1', ...fields }) as MessageEvent);

  interface Step {
    readonly before: Message;
    readonly event: MessageEvent;
    readonly result: Transition;
  }

  /**
   * Makes an event fit the message, as most real ones do: it has the message's claim, and a report is on one of its sends.
   * `choice`: a number from 0 to 1 that selects the send.
   */
  function fitting(one: MessageEvent, message: Message, n: number, choice: number): MessageEvent {
    if (one.type === 'accepted') return { ...one, claim: message.claim, providerId: `SM-${n}` };
    if (one.type === 'reported') {
      const { provider, providerId } = message;
      const sends = [...message.earlierSends, ...(providerId === null ? [] : [{ provider, providerId }])];
      const send = sends[Math.floor(choice * sends.length)];
      return send ? { ...one, provider: send.provider ?? one.provider, providerId: send.providerId ?? 'SM-X' } : one;
    }
    return 'startedAt' in one ? { ...one, claim: message.claim } : one;
  }

  /** Applies one event every two seconds, and returns the transitions that were not ignored. */
  function stepsOf(events: readonly (readonly [MessageEvent, number])[]): Step[] {
    const steps: Step[] = [];
    let message = queued();
    events.forEach(([generated, choice], n) => {
      // A fifth of the events stay as they were generated, and mostly do not fit.
      const one = choice < 0.8 ? fitting(generated, message, n, choice / 0.8) : generated;
      const result = transition(message, one, START + n * 2000);
      if (result === 'ignored') return;
      steps.push({ before: message, event: one, result });
      message = result.message;
    });
    return steps;
  }

  const checkProperty = (property: (steps: Step[]) => void) =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(event, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })), {
          maxLength: 60,
          size: 'max',
        }),
        (events) => property(stepsOf(events)),
      ),
      { numRuns: 3000, seed: 11 },
    );

  /** Every send that a provider accepted. */
  const sendsOf = (message: Message): EarlierSend[] => {
    const { state, provider, providerId, report, reportedAt } = message;
    const attempt = state === 'sent' ? acceptedAttempt(message)! : undefined;
    const current = attempt ? [{ attempt, provider, providerId, report, reportedAt }] : [];
    return [...message.earlierSends.filter(({ attempt: { success } }) => success), ...current];
  };
  const hasArrived = (message: Message) => sendsOf(message).some(({ report }) => report === 'delivered');

  it('leaves a final state only through a retry, a report, or because it is sent another way', () =>
    checkProperty((steps) => {
      for (const { before, event: one, result } of steps)
        if (!isOpen(before)) {
          const { state } = result.message;
          if (isKept(before)) expect(['reported', 'claimed', 'verified']).toContain(one.type);
          else expect(['reported', 'retriedByPerson', 'verified']).toContain(one.type);
          if (one.type === 'reported') expect(['sent', ...(isKept(before) ? ['queued'] : [])]).toContain(state);
          if (one.type === 'claimed') expect(['sent', 'sending']).toContain(state);
          if (one.type === 'verified' && state !== before.state)
            expect([one.isEntered, state, result.usage[0]?.failed]).toEqual([true, 'sent', -1]);
          if (one.type === 'retriedByPerson') expect(before.state).toBe('failed');
        }
    }));

  it('counts every accepted send and every failure exactly once', () =>
    checkProperty((steps) => {
      const total = (name: 'sent' | 'failed' | 'delivered' | 'undelivered') =>
        steps.flatMap(({ result }) => result.usage).reduce((sum, change) => sum + (change[name] ?? 0), 0);
      const retries = steps.filter(({ event: { type } }) => type === 'retriedByPerson').length;
      const last = steps.at(-1)?.result.message ?? queued();
      const sends = sendsOf(last);
      expect(total('failed')).toBe(retries + (last.state === 'failed' || last.state === 'expired' ? 1 : 0));
      expect(total('sent')).toBe(sends.length);
      if (last.state === 'sending') return;
      expect(total('delivered')).toBe(sends.filter(({ report }) => report === 'delivered').length);
      expect(total('undelivered')).toBe(sends.filter(({ report }) => report === 'undelivered').length);
    }));

  it('charges every accepted send exactly once', () =>
    checkProperty((steps) => {
      const cost = steps.flatMap(({ result }) => result.usage).reduce((sum, change) => sum + (change.cost ?? 0), 0);
      const sends = sendsOf(steps.at(-1)?.result.message ?? queued());
      expect(cost).toBe(sends.reduce((sum, { attempt }) => sum + Number(attempt.price!.charge) * 10_000, 0));
    }));

  it('sends a message at most four times', () =>
    checkProperty((steps) => {
      for (const { result } of steps) expect(sendsOf(result.message).length).toBeLessThanOrEqual(4);
    }));

  it('does not send a message again after it has arrived', () =>
    checkProperty((steps) => {
      for (const { before, result } of steps) {
        if (!hasArrived(before)) continue;
        expect(result.message.state).not.toBe('queued');
        if (result.message.state === 'sending') expect(before.state).toBe('sending');
        else expect(visibleState(result.message)).toBe('delivered');
      }
    }));

  it('sends a message no more after its code was entered or canceled, and ends with the attempt in progress', () =>
    checkProperty((steps) => {
      const entered = steps.findIndex(({ event: { type } }) => type === 'verified');
      if (entered === -1) return;
      const { state, attempts, history } = steps[entered]!.result.message;
      for (const { before, event: one, result } of steps.slice(entered + 1)) {
        // The attempt in progress has not ended. After a crash, another worker looks the message up at the provider.
        if (before.state === 'sending' && ['claimed', 'reported', 'verified'].includes(one.type)) continue;
        // Only notifications have quiet hours.
        if (one.type === 'postponed') return;
        expect(['sent', 'failed', 'expired', 'canceled']).toContain(result.message.state);
        expect(canRetry(result.message, START + 60 * 2000)).toBe(false);
        if (state !== 'sending') expect(result.message.payload).toBeNull();
      }
      const last = steps.at(-1)!.result.message;
      if (state === 'canceled' && last.state === 'canceled') expect(last).toMatchObject({ attempts, history });
    }));

  it('charges nothing for a canceled message, unless its provider reports that it has accepted it', () =>
    checkProperty((steps) => {
      for (const { before, event: one, result } of steps) {
        if (result.message.state === 'canceled') expect(result).toMatchObject({ usage: [], webhookEvents: [] });
        if (before.state !== 'canceled') continue;
        expect(['sent', 'delivered']).toContain(one.type === 'reported' && one.reportedState);
        expect(result.message.state).toBe('sent');
      }
    }));

  it('does not change with a claim, which is stored without counts, whether the fraud guard counts a message', () =>
    checkProperty((steps) => {
      for (const { before, event: one, result } of steps)
        if (one.type === 'claimed') expect(isUnsent(result.message)).toBe(isUnsent(before));
    }));

  it('ignores reports from any provider other than those that have sent the message', () =>
    checkProperty((steps) => {
      for (const { before, event: one } of steps)
        if (one.type === 'reported') {
          const earlier = before.earlierSends.map(({ provider }) => provider);
          expect([before.provider ?? 'environment-twilio', ...earlier]).toContain(one.provider);
        }
    }));

  it('replaces a report only with a later state of the same provider message', () =>
    checkProperty((steps) => {
      const rank = { sent: 0, undelivered: 1, delivered: 2 } as const;
      for (const { before, result } of steps)
        for (const send of sendsOf(before)) {
          const same = ({ provider, providerId }: EarlierSend) =>
            provider === send.provider && providerId === send.providerId;
          const after = Math.max(
            ...sendsOf(result.message)
              .filter(same)
              .map(({ report }) => rank[report ?? 'sent']),
          );
          expect(after).toBeGreaterThanOrEqual(rank[send.report ?? 'sent']);
        }
    }));

  it('never changes a refused message', () =>
    checkProperty((steps) => {
      for (const { before, event: one } of steps)
        expect(transition({ ...before, state: 'refused' }, one, START + 1_000_000)).toBe('ignored');
    }));

  it('preserves the content while the message can be sent, and deletes it otherwise', () =>
    checkProperty((steps) => {
      let mustNotBeSent = false;
      for (const { event: one, result } of steps) {
        const { message } = result;
        mustNotBeSent ||= one.type === 'verified';
        if (isOpen(message))
          expect(message).toMatchObject({ payload: 'sealed', dueAt: expect.any(Number), finishedAt: null });
        else if (isKept(message)) expect(message).toMatchObject({ payload: 'sealed', dueAt: expect.any(Number) });
        else if (message.state === 'failed' && !mustNotBeSent)
          expect(message).toMatchObject({ payload: 'sealed', dueAt: null });
        else if (message.state === 'failed') expect(canRetry(message, START + 120_000)).toBe(false);
        else expect(message).toMatchObject({ payload: null, dueAt: null });
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
