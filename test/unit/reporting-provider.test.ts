/** The provider that a delivery report is from. */
import { reportingProvider } from '../../backend/src/modules/messages/explanation.js';
import { newMessage, type Attempt, type Message } from '../../backend/src/modules/messages/message.js';

const DRAFT = {
  id: 'm1',
  applicationId: 1,
  maskId: 'c1',
  template: 'otp',
  recipient: '+14155550188',
  plan: ['SMS'] as const,
  requestId: 'r1',
  expiresAt: 1000,
  payload: '',
};
const sentThrough = (provider: string): Attempt => ({
  channel: 'SMS',
  provider,
  success: true,
  message: 'sent',
  at: 0,
});
const MESSAGE: Message = { ...newMessage(DRAFT, 0), state: 'sent', attempts: [sentThrough('Vonage')] };

it('is the one that accepted the message', () => {
  expect(reportingProvider(MESSAGE)).toBe('Vonage');
});

it('is unknown if the message was sent before, perhaps by another provider', () => {
  const attempt = sentThrough('Twilio');
  const earlierSends = [{ provider: 'twilio', providerId: 'SM1', report: null, reportedAt: null, attempt }];
  expect(reportingProvider({ ...MESSAGE, earlierSends })).toBeUndefined();
});
