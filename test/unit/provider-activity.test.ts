/** The success and failure of providers in the last day, on Channels. */
import { createReadActivity, MAX_MESSAGES } from '../../backend/src/dashboard/channels/activity.js';
import type { Attempt } from '../../backend/src/modules/messages/message.js';

const attempt = (message: string, details?: Attempt['details']): Attempt => ({
  channel: 'SMS',
  provider: 'Twilio',
  success: message === 'sent',
  message,
  ...(details ? { details } : {}),
});

/** Reads the activity of messages with one attempt each, newest first. None of them has failed on all channels. */
async function readActivity(attempts: readonly Attempt[]) {
  const messages = attempts.map((one, n) => ({
    codeId: `${n}`,
    createdAt: 9 - n,
    report: null,
    recipient: n % 2 === 0 ? '+33612345678' : '+491511234567',
    attempts: [one],
  }));
  const lookup = { attempted: async () => messages, page: async () => ({ messages: [], next: undefined }) };
  const read = createReadActivity({
    clock: { now: () => 9 },
    fraud: {
      news: async () => [
        { application: 'A', unusual: [{ key: 'FR' }] },
        { application: 'B', unusual: [{ key: 'FR' }, { key: '' }] },
      ],
    },
    messages: { lookup },
    otp: { service: { areEntered: async (ids: readonly string[]) => new Map(ids.map((id) => [id, id === '0'])) } },
  } as unknown as Parameters<typeof createReadActivity>[0]);
  return read([]);
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
    lastFailure: { at: 7, reason: 'Twilio did not reply in time', channel: undefined },
  });
});

it('the oldest message that counts is known if there are more', async () => {
  expect((await readActivity([attempt('sent')])).since).toBeUndefined();
  const attempts = Array.from({ length: MAX_MESSAGES + 1 }, () => attempt('sent'));
  const { since, activityOf } = await readActivity(attempts);
  expect(since).toBe(9 - (MAX_MESSAGES - 1));
  expect(activityOf('Twilio')).toMatchObject({ accepted: MAX_MESSAGES });
});

it('names the countries of the codes in which unusually few codes are entered', async () => {
  const { activityOf } = await readActivity(Array.from({ length: 5 }, () => attempt('sent')));
  expect(activityOf('Twilio')).toMatchObject({ codes: 5, entered: 1, unusual: [{ country: 'FR', application: 'B' }] });
});
