/** `/auth/otp/{maskId}`: looking up and canceling a code. */
import { MINUTE } from '../../backend/src/platform/clock.js';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { freshPhone, startService, wrongCode, type Body, type TestService } from '../support/service.js';
import { checkReply } from '../support/contract.js';

const NOT_FOUND = { success: false, code: 'MESSAGE_NOT_FOUND', message: 'message not found' };

let passbell: TestService;
beforeAll(async () => void (passbell = await startService()));
afterAll(() => passbell.stop());
beforeEach(() => passbell.clock.advance(60_000));

async function call(method: 'get' | 'delete', maskId: string, keys?: KeyPair): Promise<Body> {
  const path = `/auth/otp/${maskId}`;
  const response = await passbell.fetch(`/api/v1${path}`, { method: method.toUpperCase() }, { ...(keys && { keys }) });
  return checkReply(method, path, response);
}
const status = (maskId: string, keys?: KeyPair) => call('get', maskId, keys);
const cancel = (maskId: string, keys?: KeyPair) => call('delete', maskId, keys);
const verify = (maskId: string, otp: string): Promise<Body> => passbell.post('/auth/verifyotp', { maskId, otp });

it('a sent code is pending, and the reply contains neither the code nor the recipient', async () => {
  const to = freshPhone();
  const { maskId, messageId, code, expireTime } = await passbell.send(to);
  const reply = await status(maskId.toUpperCase());
  expect(reply).toMatchObject({
    success: true,
    data: { maskId, messageId, expireTime, state: 'pending', messageState: 'sent', authType: 'Sms', attemptsLeft: 5 },
  });
  expect(JSON.stringify(reply)).not.toContain(to);
  expect(Object.values(reply.data)).not.toContain(code);
});

it('shows whether the message arrived', async () => {
  const { maskId, messageId } = await passbell.send(freshPhone());
  const db = passbell.openDatabase();
  await db('messages').where({ id: messageId }).update({ report: 'delivered' });
  await db.destroy();
  expect((await status(maskId)).data).toMatchObject({ state: 'pending', messageState: 'delivered' });
});

it('wrong codes reduce the attempts, and then lock the code', async () => {
  const { maskId, code } = await passbell.send(freshPhone());
  await verify(maskId, wrongCode(code));
  expect((await status(maskId)).data).toMatchObject({ state: 'pending', attemptsLeft: 4 });
  for (let n = 0; n < 4; n++) await verify(maskId, `${n}${n}${n}wrong`);
  const { data } = await status(maskId);
  expect(data).toMatchObject({ state: 'locked', lockedForSeconds: 60 });
  expect(data).not.toHaveProperty('attemptsLeft');
});

it('a code is verified, expired, or canceled because another one was verified', async () => {
  const to = freshPhone();
  const first = await passbell.send(to);
  passbell.clock.advance(MINUTE);
  const second = await passbell.send(to);
  await verify(second.maskId, second.code);
  expect((await status(first.maskId)).data.state).toBe('canceled');
  expect((await status(second.maskId)).data).toMatchObject({ state: 'verified', verifiedTime: expect.any(Number) });
  const third = await passbell.send(freshPhone());
  passbell.clock.advance(5 * MINUTE);
  expect((await status(third.maskId)).data.state).toBe('expired');
  expect(await cancel(third.maskId)).toMatchObject({ message: 'code found', data: { state: 'expired' } });
});

it('a canceled code can never be verified, also not by recipient', async () => {
  const to = freshPhone();
  const { maskId, code } = await passbell.send(to);
  for (let n = 0; n < 2; n++)
    expect(await cancel(maskId)).toMatchObject({ message: 'code canceled', data: { state: 'canceled' } });
  expect(await verify(maskId, code)).toMatchObject({ success: false, code: 'INVALID_OTP' });
  expect(await passbell.post('/auth/verifyotp', { to, otp: code })).toMatchObject({ code: 'INVALID_OTP' });
  expect((await status(maskId)).data.state).toBe('canceled');
});

it('a verified code stays verified when it is canceled', async () => {
  const { maskId, code } = await passbell.send(freshPhone());
  await verify(maskId, code);
  expect((await cancel(maskId)).data.state).toBe('verified');
});

it.each(['cancel first', 'verify first'])('a concurrent cancel and verify have one outcome (%s)', async (order) => {
  // The second call starts after a growing number of other requests, so that it arrives at different points of the first.
  for (let n = 0; n < 20; n++) {
    const { maskId, code } = await passbell.send(freshPhone());
    const later = async (work: () => Promise<Body>): Promise<Body> => {
      for (let other = 0; other < n; other++) await fetch(`${passbell.url}/health/live`);
      return work();
    };
    const isCanceledFirst = order === 'cancel first';
    const [canceled, verified] = await Promise.all([
      isCanceledFirst ? cancel(maskId) : later(() => cancel(maskId)),
      isCanceledFirst ? later(() => verify(maskId, code)) : verify(maskId, code),
    ]);
    expect(canceled.data.state).toBe(verified.success ? 'verified' : 'canceled');
    expect((await status(maskId)).data.state).toBe(canceled.data.state);
  }
});

it("an unknown code, a malformed one, and another application's have the same reply", async () => {
  const keys = await passbell.application();
  const { maskId } = await passbell.send(freshPhone());
  const unknown = await status('0'.repeat(32));
  expect(unknown).toMatchObject(NOT_FOUND);
  for (const reply of [
    await status(maskId, keys),
    await cancel(maskId, keys),
    await status('x'),
    await cancel('x'.repeat(500)),
  ])
    expect(reply).toEqual(unknown);
  expect((await status(maskId)).data.state).toBe('pending');
});
