/** More messages wait than workers can deliver in time: quick refusals, and all else goes on. */
import { setTimeout as pause } from 'node:timers/promises';
import { MAX_QUEUED, OVERLOADED_RETRY_SECONDS } from '../../backend/src/platform/limits.js';
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';

let passbell: TestService;
beforeEach(async () => void (passbell = await startService()));
afterEach(() => passbell.stop());

it('refuses sends with a time to wait, verifies, and takes sends again when the queue is short', async () => {
  const keys = await passbell.application(NO_LIMITS);
  const send = (to: string): Promise<Body> => passbell.post('/auth/sendotp', { to }, { keys });
  const { maskId, code } = await passbell.send(freshPhone(), { expiry: 60 }, { keys });
  const store = passbell.openDatabase();
  const waiting = { state: 'queued', application_id: 0 };

  // Due when this test is over, so that no worker shortens the queue meanwhile.
  const later = passbell.clock.now() + 3_600_000;
  const row = { ...waiting, template: 'otp', request_id: 'r', recipient: '+1', plan: '["SMS"]', channel: 'SMS' };
  const times = { tried: '[]', due_at: later, expires_at: later, created_at: passbell.clock.now() };
  const ids = Array.from({ length: MAX_QUEUED + 1 }, (_, n) => `overload-${n}`);
  await store.batchInsert(
    'messages',
    ids.map((id) => ({ id, ...row, ...times })),
    500,
  );

  const to = freshPhone();
  let body: Body;
  // Each process looks now and then by itself.
  do {
    passbell.clock.advance(1000);
    await pause(20);
    body = await send(to);
  } while (body.success);
  expect(body).toMatchObject({ code: 'OVERLOADED', retryAfterSeconds: OVERLOADED_RETRY_SECONDS });
  expect(await passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys })).toMatchObject({ success: true });

  await store('messages').where(waiting).delete();
  await store.destroy();
  do {
    passbell.clock.advance(1000);
    await pause(20);
    body = await send(to);
  } while (!body.success);
});
