/** `authstate` and `enable2fa`: the two-factor state of an identity, and enrollment. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { PNG } from 'pngjs';
import { BROWSER, codeAt, createPage, enrollUser, OTHER_BROWSER, SITE, STEP } from '../support/authenticator.js';
import { readQrCode } from '../support/qr.js';
import { freshMail, NO_LIMITS, startService, type TestService } from '../support/service.js';

const MINUTE = 60_000;

let passbell: TestService;
beforeAll(async () => {
  passbell = await startService();
  await passbell.core.applications.service.update(OPERATOR, passbell.keys.appKey, NO_LIMITS);
});
afterAll(() => passbell.stop());

const now = () => passbell.clock.now();
const advance = (ms: number) => passbell.clock.advance(ms);
const page = (identity = freshMail(), options = {}) => createPage(passbell, identity, options);

describe('authstate', () => {
  it('reports two-factor as off for an unknown identity and during an enrollment', async () => {
    const user = page();
    expect(await user.call('authstate')).toMatchObject({ success: true, IsTOtpVerified: false });
    await user.enable();
    expect(await user.state()).toBe(false);
  });

  it("reports two-factor as on after the first correct code, regardless of the address's case, in this application only", async () => {
    const { identity } = await enrollUser(passbell, freshMail());
    expect(await page(identity.toUpperCase()).state()).toBe(true);
    expect(await page(identity, { keys: await passbell.application() }).state()).toBe(false);
    expect(await page(identity.replace('@', '+tag@')).state()).toBe(false);
  });

  it('returns the widget design', async () => {
    const keys = await passbell.application({ design: { title: 'Shop safely', accentColor: '#336699' } });
    const { design } = await page(freshMail(), { keys }).call('authstate');
    expect(design).toMatchObject({ title: 'Shop safely', accentColor: '#336699', theme: 'auto', radius: 8, texts: {} });
  });
});

/** Returns the pixels of a black and white PNG; 1 is white. */
function pixelsOf(dataUrl: string): number[][] {
  const png = PNG.sync.read(Buffer.from(dataUrl.replace('data:image/png;base64,', ''), 'base64'));
  const { data, width, height } = png;
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (__, x) => Number(data[4 * (y * width + x)] === 255)),
  );
}

describe('enable2fa', () => {
  it('returns a QR code of at least 200 pixels with a quiet zone of four modules, and its key', async () => {
    const body = await page().enable();
    const pixels = pixelsOf(body.QRCoder);
    const size = pixels.length;
    expect(size).toBeGreaterThanOrEqual(200);
    expect(pixels.every((row) => row.length === size)).toBe(true);
    const quiet = pixels.findIndex((row) => row.includes(0));
    expect([...pixels].reverse().findIndex((row) => row.includes(0))).toBe(quiet);
    // The finder pattern in the corner is seven modules wide, which gives the module size.
    const finder = pixels[quiet]!.indexOf(1, quiet) - quiet;
    expect(quiet).toBe((4 * finder) / 7);
    expect(pixels.every((row) => !row.slice(0, quiet).includes(0) && !row.slice(-quiet).includes(0))).toBe(true);
    expect(body.manualKey).toMatch(/^[A-Z2-7]{32}$/);
    const png = Buffer.from(body.QRCoder.replace('data:image/png;base64,', ''), 'base64');
    expect(readQrCode(png)).toBe(body.accountUri);
    expect(new URL(body.accountUri).searchParams.get('secret')).toBe(body.manualKey);
    expect(body.expireTime).toBe(now() / 1000 + 600);
  });

  it('returns the same secret to the same browser until it expires, and then a new one', async () => {
    const user = page();
    const first = await user.enable();
    advance(9 * MINUTE);
    expect(await user.enable()).toEqual(first);
    advance(MINUTE);
    const next = await user.enable();
    expect(next.manualKey).not.toBe(first.manualKey);
    expect(next.maskId).not.toBe(first.maskId);
  });

  it('reports an expired QR code, with and without its maskId', async () => {
    const user = page();
    const { manualKey, maskId } = await user.enable();
    advance(10 * MINUTE);
    for (const body of [{}, { maskId }])
      expect(await user.verify(codeAt(manualKey, now()), body)).toMatchObject({ code: 'ENROLMENT_EXPIRED' });
    expect(await user.state()).toBe(false);
  });

  it('returns one secret for concurrent requests from one browser', async () => {
    const user = page();
    // Only five requests, because QR codes are slow in tests, and requests that wait for a row lock time out.
    const replies = await Promise.all(Array.from({ length: 5 }, () => user.enable()));
    expect(replies.map(({ success }) => success)).not.toContain(false);
    expect(new Set(replies.map((body) => body.manualKey)).size).toBe(1);
  });

  it('accepts a code from another browser if the request contains the maskId', async () => {
    const identity = freshMail();
    const { manualKey, maskId } = await page(identity).enable();
    const phone = page(identity, { browser: OTHER_BROWSER });
    expect(await phone.verify(codeAt(manualKey, now()))).toMatchObject({ code: 'INVALID_OTP' });
    expect(await phone.verify(codeAt(manualKey, now()), { maskId })).toMatchObject({ success: true });
  });

  it('changes neither the existing factor nor the reply to a wrong code if the enrollment is abandoned', async () => {
    const user = await enrollUser(passbell, freshMail());
    await user.page.enable({ otp: user.nextCode() });
    advance(11 * MINUTE);
    expect(await user.page.verify('000000')).toMatchObject({ code: 'INVALID_OTP' });
    expect(await user.page.verify(user.nextCode())).toMatchObject({ success: true });
  });

  it("moves a verified user's factor to another authenticator; the old authenticator works until the first correct code from the new one", async () => {
    const user = await enrollUser(passbell, freshMail());
    const moved = await user.page.enable({ otp: user.nextCode() });
    expect(moved.manualKey).not.toBe(user.manualKey);
    expect(await user.page.verify(user.nextCode())).toMatchObject({ success: true });
    const { data } = await user.page.verify(codeAt(moved.manualKey, now()), { maskId: moved.maskId });
    expect(data.recoveryCodes).toHaveLength(10);
    expect(await user.page.verify(user.nextCode())).toMatchObject({ code: 'INVALID_OTP' });
    expect(await user.page.verify(user.recoveryCodes[0])).toMatchObject({ code: 'INVALID_OTP' });
    advance(STEP);
    expect(await user.page.verify(codeAt(moved.manualKey, now()))).toMatchObject({ success: true });
  });
});

describe('every widget endpoint', () => {
  const good = () => ({ domainUrl: SITE, appKey: passbell.keys.appKey, identity: freshMail(), otp: '123456' });
  const post = (name: string, body: object, headers: Record<string, string | undefined> = {}) =>
    passbell.post(`/authserviceclient/${name}`, body, { headers });

  it.each(['authstate', 'enable2fa', 'verifyotp', 'disable2fa'])(
    'rejects missing and invalid parameters: %s',
    async (name) => {
      for (const field of ['domainUrl', 'appKey', 'identity'])
        expect(await post(name, { ...good(), [field]: '' })).toMatchObject({ code: 'MISSING_PARAMETERS' });
      expect(await post(name, { ...good(), identity: '+14155550123' })).toMatchObject({ code: 'INVALID_PARAMETER' });
      expect(await post(name, { ...good(), appKey: 'pk_nobody' })).toMatchObject({ code: 'INVALID_CREDENTIALS' });
      expect(await passbell.get(`/authserviceclient/${name}`)).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
    },
  );

  it('is available under both path prefixes', async () => {
    const identity = freshMail();
    const other = async (name: string, body = {}) =>
      (
        await passbell.fetch(`/api/v1/authservice/${name}`, {
          method: 'POST',
          body: JSON.stringify({ ...good(), identity, browserNonce: BROWSER, ...body }),
        })
      ).json() as Promise<{ manualKey: string }>;
    const { manualKey } = await other('enable2fa');
    expect(await other('verifyotp', { otp: codeAt(manualKey, now()) })).toMatchObject({ success: true });
    expect(await other('authstate')).toMatchObject({ IsTOtpVerified: true });
    expect(await page(identity).state()).toBe(true);
    expect(await other('disable2fa', { otp: '' })).toMatchObject({ message: '2FA disabled' });
  });

  it('rejects an inactive application or account', async () => {
    const keys = await passbell.application({ status: 'inactive' });
    expect(await page(freshMail(), { keys }).call('authstate')).toMatchObject({ code: 'APPLICATION_INACTIVE' });
  });

  it('is rate-limited by IP address', async () => {
    const keys = await passbell.application({ limits: { widgetCallsPerMinute: 3 } });
    const user = page(freshMail(), { keys });
    for (let i = 0; i < 3; i++) expect(await user.state()).toBe(false);
    expect(await user.call('authstate')).toMatchObject({ code: 'TOO_MANY_CALLS', retryAfterSeconds: 60 });
    advance(MINUTE);
    expect(await user.state()).toBe(false);
  });
});
