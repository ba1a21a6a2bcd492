/** Machines with clocks that are minutes apart: all processes must use the same time. */
import { join } from 'node:path';
import { MINUTE } from '../../backend/src/platform/clock.js';
import { startFleet, type Fleet } from '../support/fleet.js';
import { runCommandWith, root } from '../support/process.js';
import { wrongCode } from '../support/service.js';

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet({ apis: 0, workers: 0 });
  const shifted = (minutes: number) => ({
    NODE_OPTIONS: `--import ${join(root, 'test/support/shift-clock.mjs')}`,
    CLOCK_SHIFT_MS: String(minutes * MINUTE),
  });
  fleet.apis.push(...(await Promise.all([fleet.start('api', shifted(10)), fleet.start('api', shifted(-10))])));
  fleet.workers.push(...(await Promise.all([fleet.start('worker', shifted(15)), fleet.start('worker', shifted(-15))])));
});
afterAll(() => fleet.close());

it('codes and tokens from one process are valid on every other process', async () => {
  for (let i = 0; i < 4; i++) {
    const [one, other] = i % 2 === 0 ? [fleet.apis[0]!, fleet.apis[1]!] : [fleet.apis[1]!, fleet.apis[0]!];
    const to = `+1212555010${i}`;
    const { success, data } = await fleet.post(one, '/auth/sendotp', { to, expiry: 1 });
    const [result] = data.results;
    expect(success).toBe(true);
    // The process clocks are ten minutes off.
    expect(Math.abs(result.createdTime - Date.now() / 1000)).toBeLessThan((5 * MINUTE) / 1000);

    const otp = await fleet.codeOf({ to, maskId: result.maskId });
    const wrong = await fleet.post(other, '/auth/verifyotp', { maskId: result.maskId, otp: wrongCode(otp) });
    expect(wrong).toMatchObject({ success: false, code: 'INVALID_OTP' });
    const verified = await fleet.post(other, '/auth/verifyotp', { maskId: result.maskId, otp });
    expect(verified).toMatchObject({ success: true });
    for (const api of [one, other])
      expect(await fleet.post(api, '/auth/verifytoken', { token: verified.data.token })).toMatchObject({
        success: true,
      });
  }
});

it('limits and locks last equally long on all processes', async () => {
  const { appKey, appSecret } = JSON.parse(
    await runCommandWith(fleet.settings, 'app', 'create', '--name', 'Limited', '--json'),
  );
  const keys = { clientId: appKey, clientSecret: appSecret };
  await runCommandWith(fleet.settings, 'app', 'update', appKey, '--cooldown-seconds', '3600');
  const [ahead, behind] = fleet.apis as [(typeof fleet.apis)[0], (typeof fleet.apis)[0]];
  const to = '+12125550199';
  const { data } = await fleet.post(ahead, '/auth/sendotp', { to }, keys);
  const again = await fleet.post(behind, '/auth/sendotp', { to }, keys);
  expect(again).toMatchObject({ success: false, code: 'COOLDOWN' });
  // The clocks of the processes differ by 20 minutes.
  expect(again.retryAfterSeconds).toBeGreaterThan(3000);
  expect(again.retryAfterSeconds).toBeLessThanOrEqual(3600);

  const { maskId } = data.results[0];
  const code = await fleet.codeOf({ to, maskId });
  for (let i = 1; i <= 5; i++) await fleet.post(ahead, '/auth/verifyotp', { maskId, otp: wrongCode(code, i) }, keys);
  const locked = await fleet.post(behind, '/auth/verifyotp', { maskId, otp: code }, keys);
  expect(locked).toMatchObject({ success: false, code: 'OTP_LOCKED' });
  expect(locked.retryAfterSeconds).toBeLessThanOrEqual(60);
});
