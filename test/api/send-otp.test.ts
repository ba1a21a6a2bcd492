/** sendOtp, sendOtpByQuery: `/auth/sendotp` */
import { freshPhone, startService, type TestService } from '../support/service.js';

let passbell: TestService;
beforeAll(async () => void (passbell = await startService()));
afterAll(() => passbell.stop());

it('sends a six-digit code over the first channel of the application', async () => {
  const to = freshPhone();
  const body = await passbell.post('/auth/sendotp', { to });
  expect(body).toMatchObject({ success: true, data: { isTried: 1, isSent: 1, results: [{ authType: 'Sms' }] } });
  expect(await passbell.inbox(to)).toMatchObject([
    { channel: 'SMS', to, text: expect.stringMatching(/^\d{6} is your Test Shop code/) },
  ]);
});
