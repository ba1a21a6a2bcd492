/** A code that is entered although its provider did not confirm it: its message was sent, and is charged. */
import { MINUTE } from '../../backend/src/platform/clock.js';
import { numbers, startGuardedService, type GuardedService } from '../support/guarded-service.js';
import { TWILIO_ERRORS } from '../support/twilio-server.js';
import { until } from '../support/wait.js';

const INTERNAL_ERROR = { status: 500, body: 'internal error' };
const [FIRST, SECOND] = numbers('+1415555', 2, 1010) as [string, string];

let service: GuardedService;
beforeAll(async () => {
  service = await startGuardedService({ SEND_WAIT_MS: '0' }, { '*': '0.5' });
});
beforeEach(() => service.useNewApplication());
afterAll(() => service.close());

const messageOf = (id: string) => service.passbell.get(`/messages/${id}`, {}, { keys: service.keys });

/** Requests a code, and waits until its attempt has ended. Returns its IDs and the code that the provider has received. */
async function send(to: string, state: string) {
  const { length } = service.twilio.requests;
  const { data } = await service.send(to);
  const { maskId, messageId } = data.results[0];
  const { form } = await until('the attempt', () => service.twilio.requests[length]);
  await until('its end', async () => (await messageOf(messageId)).data.state === state);
  return { maskId, messageId, otp: /\d{6}/.exec(form.Body!)![0] };
}

const enter = ({ maskId, otp }: { maskId: string; otp: string }) =>
  service.passbell.post('/auth/verifyotp', { maskId, otp }, { keys: service.keys });

it('the message of an entered code that had failed with an unknown outcome is sent and charged once', async () => {
  service.twilio.respondWith(INTERNAL_ERROR);
  const code = await send(FIRST, 'failed');
  expect(await enter(code)).toMatchObject({ success: true });
  const { data } = await messageOf(code.messageId);
  expect(data).toMatchObject({ state: 'sent', charge: '0.5000', currency: 'eur' });
  const { length } = service.twilio.requests;
  service.passbell.clock.advance(MINUTE);
  expect(await messageOf(code.messageId)).toMatchObject({ data: { state: 'sent' } });
  expect(service.twilio.requests).toHaveLength(length);
});

it('the message of another code, which ends with the entered one, is canceled and costs nothing', async () => {
  service.twilio.respondWith(TWILIO_ERRORS.unavailable);
  const other = await send(SECOND, 'queued');
  service.twilio.respondWith('accept');
  const code = await send(SECOND, 'sent');
  expect(await enter(code)).toMatchObject({ success: true });
  const { data } = await messageOf(other.messageId);
  expect(data).toMatchObject({ state: 'canceled', charge: '0.0000' });
});
