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

/** Reads the activity of messages with one attempt each, newest first, and returns the filter that was used. */
async function readActivity(attempts: readonly Attempt[], hasMore = false) {
  const messages = attempts.map((one, n) => ({ id: `${n}`, maskId: '', createdAt: 9 - n, attempts: [one] }));
  const page = jest.fn(async () => ({ messages: messages as unknown as Message[], next: hasMore && messages.at(-1) }));
  const read = createReadActivity({
    clock: { now: () => 9 },
    messages: { lookup: { page } },
    otp: { service: { areEntered: async () => new Map() } },
  } as unknown as Parameters<typeof createReadActivity>[0]);
  return { ...(await read([])), filters: page.mock.calls as unknown[][] };
}

it('failures because of the recipient are not failures of the provider', async () => {
  const { activityOf } = await readActivity([
    attempt('this is not a valid phone number (21211)'),
    attempt('the recipient has opted out (21610)', { optedOut: true }),
    attempt('Twilio did not reply in time'),
    attempt('sent'),
  ]);
  expect(activityOf('Twilio')).toMatchObject({
    accepted: 1,
    failed: 1,
    failedInRow: 1,
    lastFailure: { at: 7, reason: 'Twilio did not reply in time' },
  });
});

it('refused messages do not use up the number of messages read, and the oldest message read is known', async () => {
  const all = await readActivity([attempt('sent')]);
  expect(all.filters[0]![0]).toMatchObject({ withoutRefused: true });
  expect(all.since).toBeUndefined();
  expect((await readActivity([attempt('sent'), attempt('sent')], true)).since).toBe(8);
});
