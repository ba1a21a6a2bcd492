/** When the queue is too long, sends are rejected immediately. All other operations still work. */
import { OVERLOADED_RETRY_SECONDS } from '../../backend/src/modules/messages/backlog.js';
import { MAX_QUEUED } from '../../backend/src/modules/messages/message.js';
import { MINUTE } from '../../backend/src/platform/clock.js';
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { advancing, until } from '../support/wait.js';

let passbell: TestService;
beforeEach(async () => void (passbell = await startService()));
afterEach(() => passbell.stop());

it('rejects sends with a retry time, verifies codes, and accepts sends again once the queue is short', async () => {
  const keys = await passbell.application(NO_LIMITS);
  const send = (to: string): Promise<Body> => passbell.post('/auth/sendotp', { to }, { keys });
  const { maskId, code } = await passbell.send(freshPhone(), { expiry: 60 }, { keys });
  const store = passbell.openDatabase();
  const waiting = { state: 'queued', application_id: 0 };

  // The queued messages are due soon enough to be counted, but not until after this test, so no worker sends them.
  const later = passbell.clock.now() + 9 * MINUTE;
  const row = { ...waiting, template: 'otp', request_id: 'r', recipient: '+1', plan: '["SMS"]', channel: 'SMS' };
  const times = { tried: '[]', due_at: later, expires_at: later, created_at: passbell.clock.now() };
  const ids = Array.from({ length: MAX_QUEUED + 1 }, (_, n) => `overload-${n}`);
  await store.batchInsert(
    'messages',
    ids.map((id) => ({ id, ...row, ...times })),
    500,
  );

  const to = freshPhone();
  // Each process checks the queue length periodically.
  const untilReply = (success: boolean): Promise<Body> => {
    const read = async () => {
      const body = await send(to);
      return body.success === success && body;
    };
    return until(success ? 'an accepted send' : 'a rejected send', read, advancing(passbell.clock, 1000));
  };
  expect(await untilReply(false)).toMatchObject({ code: 'OVERLOADED', retryAfterSeconds: OVERLOADED_RETRY_SECONDS });
  expect(await passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys })).toMatchObject({ success: true });

  await store('messages').where(waiting).delete();
  await store.destroy();
  await untilReply(true);
});
