/** The success and failure of providers in the last day, on Channels. */
import { createReadActivity } from '../../backend/src/dashboard/channels/activity.js';
import type { Attempt, Message } from '../../backend/src/modules/messages/message.js';

const attempt = (message: string, details?: Attempt['details']): Attempt => ({
  channel: 'SMS',
  provider: 'Twilio',
  success: message === 'sent',
  message,
  ...(details ? { details } : {}),
});

it('failures because of the recipient are not failures of the provider', async () => {
  const attempts = [
    attempt('this is not a valid phone number (21211)'),
    attempt('the recipient has opted out (21610)', { optedOut: true }),
    attempt('Twilio did not reply in time'),
    attempt('sent'),
  ];
  const messages = attempts.map((one, n) => ({ id: `${n}`, maskId: '', createdAt: 9 - n, attempts: [one] }));
  const readActivity = createReadActivity({
    clock: { now: () => 9 },
    messages: { lookup: { page: async () => ({ messages: messages as unknown as Message[], next: undefined }) } },
    otp: { service: { areEntered: async () => new Map() } },
  } as unknown as Parameters<typeof createReadActivity>[0]);
  expect((await readActivity([]))('Twilio')).toMatchObject({
    accepted: 1,
    failed: 1,
    failedInRow: 1,
    lastFailure: { at: 7, reason: 'Twilio did not reply in time' },
  });
});
