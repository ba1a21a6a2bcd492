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
  expect(explanationOf(failed, NOW + 5 * MINUTE).fix).toContain('Your customer can request a new code.');
  expect(explanationOf({ ...failed, template: 'order_shipped', payload: null }, NOW).fix).toContain(
    'Send a new notification.',
  );
});

it('a message to an invalid recipient advises to correct the recipient', () => {
  const failed = (text: string, recipient = '+14155550188') =>
    explanationOf(message({ state: 'failed', recipient, attempts: [attempt({ message: text })] }), NOW).fix;
  expect(failed('this is not a valid phone number')).toMatch(
    /^Your customer must enter a correct phone number and request a new code\./,
  );
  expect(failed('550 invalid recipient', 'ana@example.com')).toMatch(
    /^Your customer must enter a correct email address /,
  );
  expect(failed('this Twilio account does not exist')).toMatch(/^Check the recipient and the provider\./);
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

it('an open message has the failure of the last attempt, or says that it waits', () => {
  const { reason, fix } = explanationOf(message({}), NOW);
  expect(reason).toBe('the message is waiting to be sent');
  expect(fix).toContain('tries to send it automatically until 2026-11-27T10:05:00Z.');
  const retried = { history: [{ ...attempt({ message: 'busy' }), times: 3 }] };
  for (const state of ['queued', 'sending'] as const)
    expect(explanationOf(message({ ...retried, state }), NOW).reason).toBe(
      'the message is not sent yet; the last attempt failed: Twilio: busy',
    );
  expect(explanationOf(message({ state: 'scheduled', sendAt: NOW + MINUTE }), NOW)).toEqual({
    reason: 'the message is scheduled for 2026-11-27T10:01:00Z',
  });
});

it('a canceled message says so', () => {
  expect(explanationOf(message({ state: 'canceled' }), NOW)).toEqual({
    reason: 'the message was canceled before it was sent',
    fix: 'Your customer can request a new code.',
  });
});

it('a message that was replaced needs no action', () => {
  expect(explanationOf(message({ state: 'canceled', template: 'order_shipped', replacedBy: 'm2' }), NOW)).toEqual({
    reason: 'a newer notification replaced the message before it was sent',
  });
});

it('a message in the dev inbox says where it is', () => {
  const { reason, fix } = explanationOf(message({ state: 'sent', provider: 'dev-inbox' }), NOW);
  expect([reason, fix]).toEqual([expect.stringContaining('in the dev inbox'), expect.stringContaining('/dev/inbox')]);
});

it('a message that was sent has no reason', () => {
  expect(explanationOf(message({ state: 'sent' }), NOW)).toEqual({});
  expect(explanationOf(message({ state: 'sent', report: 'delivered' }), NOW)).toEqual({});
});
