/** Why a message did not arrive, and what to do. */
import { explanationOf } from '../../backend/src/modules/messages/explanation.js';
import { newMessage, type Attempt, type Message } from '../../backend/src/modules/messages/message.js';
import { MINUTE } from '../../backend/src/platform/clock.js';

const NOW = Date.parse('2026-11-27T10:00:00Z');
const DRAFT = {
  id: 'm1',
  applicationId: 1,
  maskId: 'c1',
  template: 'otp',
  recipient: '+14155550188',
  plan: ['SMS'] as const,
  requestId: 'r1',
  expiresAt: NOW + 5 * MINUTE,
  payload: 'sealed',
};
const message = (change: Partial<Message>): Message => ({ ...newMessage(DRAFT, NOW), ...change });
const attempt = (change: Partial<Attempt>): Attempt => ({
  channel: 'SMS',
  provider: 'Twilio',
  success: false,
  message: 'rejected',
  ...change,
});

it('a failed message has the last failure, and can be sent again until it expires', () => {
  const failed = message({
    state: 'failed',
    attempts: [attempt({ message: 'first' }), attempt({ message: 'second' })],
  });
  expect(explanationOf(failed, NOW)).toEqual({
    reason: 'Twilio: second',
    fix: 'Check the recipient and the provider. You can send the message again until 2026-11-27T10:05:00Z.',
  });
  expect(explanationOf(failed, NOW + 5 * MINUTE).fix).toContain('Request a new code.');
  expect(explanationOf({ ...failed, template: 'order_shipped', payload: null }, NOW).fix).toContain(
    'Request a new message.',
  );
});

it('an expired message has the failure of an earlier attempt, if there is one', () => {
  const text = 'the message expired before a provider accepted it';
  expect(explanationOf(message({ state: 'expired' }), NOW).reason).toBe(text);
  const retried = message({ state: 'expired', history: [{ ...attempt({ message: 'busy' }), times: 3 }] });
  expect(explanationOf(retried, NOW).reason).toBe(`${text}; the last attempt failed: Twilio: busy`);
});

it('an undelivered message has the reason of the report', () => {
  const accepted = attempt({ success: true, message: 'sent', undelivered: 'the phone is switched off' });
  const undelivered = message({ state: 'sent', report: 'undelivered', attempts: [accepted] });
  expect(explanationOf(undelivered, NOW).reason).toBe('the phone is switched off');
});

it('a message to which nothing happened has no reason', () => {
  expect(explanationOf(message({ state: 'sent', report: 'delivered' }), NOW)).toEqual({});
  expect(explanationOf(message({}), NOW)).toEqual({});
});
