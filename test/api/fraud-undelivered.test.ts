/** The fraud guard does not count recipients whose codes certainly did not arrive: an outage does not look like fraud. */
import { SECOND } from '../../backend/src/platform/clock.js';
import { numbers, SEEN_MS, startGuardedService, type GuardedService } from '../support/guarded-service.js';
import type { Body } from '../support/service.js';
import { CALLBACK_BASE, sendStatusCallback, type CallbackOptions } from '../support/twilio-callback.js';
import { TWILIO_ERRORS } from '../support/twilio-server.js';
import { advancing, settled, until } from '../support/wait.js';

const ONE = '+14155551110';
const OTHER = '+14155551111';

let service: GuardedService;
beforeAll(async () => {
  service = await startGuardedService({ BASE_URL: CALLBACK_BASE });
});
beforeEach(() => service.useNewApplication());
afterAll(() => service.close());

/** Returns the counts of the application's days. */
async function counts(): Promise<{ sent: number; verified: number }> {
  const db = service.passbell.openDatabase();
  const days = db('fraud_days').where({ application_id: await service.applicationId() });
  const [sum] = await days.sum({ sent: 'sent', verified: 'verified' });
  await db.destroy();
  return { sent: Number(sum!.sent), verified: Number(sum!.verified) };
}

interface SentCode {
  readonly maskId: string;
  readonly messageId: string;
  readonly sid: string;
  readonly otp: string;
}

let sids = 0;
async function send(to: string): Promise<SentCode> {
  const sid = `SM${String(++sids).padStart(32, '0')}`;
  service.twilio.respondWith({ status: 201, body: { sid } });
  const { data } = await service.send(to);
  const otp = /\d{6}/.exec(service.twilio.requests.at(-1)!.form.Body!)![0];
  return { ...data.results[0], sid, otp };
}

function report({ messageId, sid }: SentCode, state: string, options: Partial<CallbackOptions> = {}): Promise<number> {
  const { accountSid, authToken } = service.twilio;
  const form = { AccountSid: accountSid, MessageSid: sid, MessageStatus: state };
  return sendStatusCallback(service.passbell, messageId, form, { authToken, ...options });
}

const verify = ({ maskId, otp }: SentCode): Promise<Body> =>
  service.passbell.post('/auth/verifyotp', { maskId, otp }, { keys: service.keys });

it('a recipient whose code is reported as undelivered no longer counts, however often this is reported', async () => {
  const one = await send(ONE);
  const other = await send(OTHER);
  expect(await counts()).toEqual({ sent: 2, verified: 0 });
  expect(await report(one, 'undelivered', { authToken: 'another token' })).toBe(403);
  expect(await counts()).toEqual({ sent: 2, verified: 0 });
  await Promise.all(['undelivered', 'failed', 'undelivered'].map((state) => report(one, state)));
  expect(await report(one, 'undelivered')).toBe(204);
  expect(await counts()).toEqual({ sent: 1, verified: 0 });
  for (const code of [one, other]) expect(await verify(code)).toMatchObject({ success: true });
  expect(await counts()).toEqual({ sent: 1, verified: 1 });
});

it('a recipient who also got a code that was not reported as undelivered still counts', async () => {
  const first = await send(ONE);
  service.passbell.clock.advance(SECOND);
  const codes = [first, await send(ONE)];
  await report(codes[0]!, 'undelivered');
  expect(await counts()).toEqual({ sent: 1, verified: 0 });
  await report(codes[1]!, 'undelivered');
  expect(await counts()).toEqual({ sent: 0, verified: 0 });
  service.passbell.clock.advance(SEEN_MS);
  await send(ONE);
  expect(await counts()).toEqual({ sent: 1, verified: 0 });
});

it('undelivered codes do not pause their prefix', async () => {
  await service.learnConversion();
  for (const to of numbers('+141555511', 30)) {
    const code = await send(to);
    expect(await report(code, 'undelivered')).toBe(204);
    service.passbell.clock.advance(SEEN_MS);
  }
});

// The last test, because the provider is skipped for a while afterwards.
it('a recipient whose code no provider accepted does not count', async () => {
  service.twilio.respondWith(TWILIO_ERRORS.unavailable);
  const { length } = service.twilio.requests;
  const sending = service.send(ONE, { expiry: 1 });
  // The clock must not advance before the message is stored: it would be much younger than its code.
  await until('the first attempt', () => service.twilio.requests.length > length);
  await until('the reply', settled(sending), advancing(service.passbell.clock, 500));
  expect(await sending).toMatchObject({ success: true, data: { results: [{ success: true }] } });
  expect(await counts()).toEqual({ sent: 0, verified: 0 });
});
