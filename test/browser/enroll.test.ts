/**
 * Turning on, using and turning off two-factor with the built widget in a real browser, on a page with a different
 * origin.
 */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { codeAt, STEP, userToken } from '../support/authenticator.js';
import { scan } from '../support/qr.js';
import { freshMail } from '../support/service.js';
import { setUpSite, type WidgetPage } from '../support/site.js';

const fixture = setUpSite();

const tag = (identity: string) => ({ 'data-appkey': fixture.passbell.keys.appKey, 'data-emailid': identity });

it('guides the user from the QR code to the recovery codes, and notifies the page once the user has saved them', async () => {
  const identity = freshMail();
  const widget = await fixture.site.open({ attributes: tag(identity) });
  await widget.waitForView('Set up two-factor authentication');
  const { protocol, host, pathname, searchParams } = await scan(widget.card.getByRole('img', { name: /^QR code/ }));
  expect([protocol, host, decodeURIComponent(pathname)]).toEqual(['otpauth:', 'totp', `/Test Shop:${identity}`]);

  await widget.press('Continue');
  await widget.waitForView('Enter the code from your app');
  await widget.type(codeAt(searchParams.get('secret')!, fixture.passbell.clock.now()));

  await widget.waitForView('Save your recovery codes');
  const codes = await widget.card.getByRole('listitem').allInnerTexts();
  expect(new Set(codes).size).toBe(10);
  expect(await widget.responses()).toEqual([]);
  await widget.press('I have saved them');
  await widget.waitForView('Two-factor authentication is on');

  const [result, ...more] = await widget.responses();
  expect(more).toEqual([]);
  expect(result).toMatchObject({ success: true, message: 'verified', data: { IsTOtpVerified: true } });
  expect(JSON.stringify(result)).not.toContain(codes[0]);
  const { data } = await fixture.passbell.post('/auth/verifytoken', {
    token: result.data.token,
    purpose: 'two-factor',
  });
  expect(data.identities).toMatchObject({ identityType: 'email', channel: 'totp' });
  expect(widget.console).toEqual([]);
});

it('shows the key as text that can be copied, and as a link for an app on the same device', async () => {
  const identity = freshMail();
  const context = { permissions: ['clipboard-read', 'clipboard-write'] };
  await fixture.passbell.core.applications.service.update(OPERATOR, fixture.passbell.keys.appKey, {
    design: { title: 'Sign in safely' },
  });
  const widget = await fixture.site.open({ attributes: tag(identity), context });
  await widget.waitForView('Set up two-factor authentication');
  const shown = await scan(widget.card.getByRole('img', { name: /^QR code/ }));
  await widget.card.getByText("Can't scan it?").click();
  await widget.press('Copy');
  await widget.card.getByRole('button', { name: 'Copied' }).waitFor();
  const key = shown.searchParams.get('secret');
  expect(await widget.page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  expect((await widget.card.locator('code').innerText()).replaceAll(' ', '')).toBe(key);
  // The link must create the same account as the QR code.
  expect(await widget.card.getByRole('link').getAttribute('href')).toBe(shown.href);
});

it('selects the key if the browser does not allow copying', async () => {
  const widget = await fixture.site.open({
    attributes: tag(freshMail()),
    before: (page) => page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined })),
  });
  await widget.card.getByText("Can't scan it?").click();
  await widget.press('Copy');
  await widget.card.getByRole('button', { name: /^Your browser does not allow copying/ }).waitFor();
});

it('lets the user download and copy the recovery codes', async () => {
  const identity = freshMail();
  const context = { permissions: ['clipboard-read', 'clipboard-write'], acceptDownloads: true };
  const widget = await fixture.site.open({ attributes: tag(identity), context });
  const { searchParams } = await scan(widget.card.getByRole('img', { name: /^QR code/ }));
  await widget.press('Continue');
  await widget.type(codeAt(searchParams.get('secret')!, fixture.passbell.clock.now()));
  await widget.waitForView('Save your recovery codes');
  const codes = await widget.card.getByRole('listitem').allInnerTexts();

  const [download] = await Promise.all([widget.page.waitForEvent('download'), widget.press('Download')]);
  expect(download.suggestedFilename()).toBe('recovery-codes-127.0.0.1.txt');
  let file = '';
  for await (const chunk of await download.createReadStream()) file += String(chunk);
  expect(file).toContain(identity);
  expect(file.match(/^[A-Z2-7]{5}-[A-Z2-7]{5}$/gm)).toEqual(codes);

  await widget.press('Copy');
  await widget.card.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await widget.page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'));
});

/** A small phone. */
const PHONE = { viewport: { width: 375, height: 667 }, isMobile: true, hasTouch: true };

it('offers the link and the key first on a phone, and the QR code for another device', async () => {
  const context = { ...PHONE, permissions: ['clipboard-read', 'clipboard-write'] };
  const widget = await fixture.site.open({ attributes: tag(freshMail()), context });
  await widget.waitForView('Set up two-factor authentication');
  const uri = new URL((await widget.card.locator('a').getAttribute('href'))!);
  const key = uri.searchParams.get('secret')!;
  const order = await widget.card.locator('a, button, summary').allInnerTexts();
  expect(order).toEqual(['Open your authenticator app', 'Copy', 'Continue', 'Scan with another device']);
  expect((await widget.card.locator('code').innerText()).replaceAll(' ', '')).toBe(key);
  await widget.press('Copy');
  await widget.card.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await widget.page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  const { y, height } = (await widget.card.getByRole('button', { name: 'Continue' }).boundingBox())!;
  expect(y + height).toBeLessThanOrEqual(PHONE.viewport.height);

  const qrCode = widget.card.getByRole('img', { name: /^QR code/ });
  expect(await qrCode.isVisible()).toBe(false);
  await widget.card.getByText('Scan with another device').click();
  expect((await scan(qrCode)).href).toBe(uri.href);
  await widget.press('Continue');
  await widget.type(codeAt(key, fixture.passbell.clock.now()));
  await widget.waitForView('Save your recovery codes');
});

it('shows the QR code first on a tablet, and on a computer with a small window', async () => {
  const tablet = { viewport: { width: 768, height: 1024 }, isMobile: true, hasTouch: true };
  for (const context of [tablet, { viewport: PHONE.viewport }]) {
    const widget = await fixture.site.open({ attributes: tag(freshMail()), context });
    await widget.card.getByRole('img', { name: /^QR code/ }).waitFor();
    expect(await widget.card.getByRole('link').isVisible()).toBe(false);
  }
});

it('shows a new QR code when the first one has expired', async () => {
  const widget = await fixture.site.open({ attributes: tag(freshMail()) });
  const picture = widget.card.getByRole('img', { name: /^QR code/ });
  const old = (await scan(picture)).searchParams.get('secret')!;
  await widget.press('Continue');
  fixture.passbell.clock.advance(11 * 60_000);
  await widget.type(codeAt(old, fixture.passbell.clock.now()));
  await widget.card.getByText('This setup has expired.').waitFor();
  const { searchParams } = await scan(picture);
  expect(searchParams.get('secret')).not.toBe(old);
  await widget.press('Continue');
  await widget.type(codeAt(searchParams.get('secret')!, fixture.passbell.clock.now()));
  await widget.waitForView('Save your recovery codes');
});

it('asks a returning user for a code, and then turns two-factor off without another code', async () => {
  const identity = freshMail();
  const first = await fixture.site.open({ attributes: tag(identity) });
  const secret = (await scan(first.card.getByRole('img', { name: /^QR code/ }))).searchParams.get('secret')!;
  await first.press('Continue');
  await first.type(codeAt(secret, fixture.passbell.clock.now()));
  await first.waitForView('Save your recovery codes');

  fixture.passbell.clock.advance(STEP);
  const widget = await fixture.site.open({ attributes: tag(identity) });
  await widget.waitForView('Two-factor authentication');
  await widget.type(codeAt(secret, fixture.passbell.clock.now()));
  await widget.waitForView('Two-factor authentication is on');
  expect(await widget.responses()).toMatchObject([
    { success: true, message: 'verified', data: { IsTOtpVerified: true } },
  ]);

  await widget.press('Turn off');
  await widget.press('Keep it on');
  await widget.press('Turn off');
  await widget.waitForView('Turn off two-factor authentication?');
  await widget.press('Turn off');
  await widget.waitForView('Two-factor authentication is off');
  expect((await widget.responses()).slice(1)).toEqual([
    { success: true, message: '2FA disabled', data: { IsTOtpVerified: false } },
  ]);
  await widget.press('Set up two-factor authentication');
  const newCode = await scan(widget.card.getByRole('img', { name: /^QR code/ }));
  expect(newCode.searchParams.get('secret')).not.toBe(secret);
});

it('shows the same QR code after a reload, and a different QR code in another browser', async () => {
  const attributes = tag(freshMail());
  const shownBy = async ({ card }: WidgetPage) => (await scan(card.getByRole('img', { name: /^QR code/ }))).href;
  const widget = await fixture.site.open({ attributes });
  const shown = await shownBy(widget);
  await widget.page.reload();
  expect(await shownBy(widget)).toBe(shown);
  // Both browsers have the same IP address and User-Agent.
  expect(await shownBy(await fixture.site.open({ attributes }))).not.toBe(shown);
});

it('works in a browser that denies storage', async () => {
  const widget = await fixture.site.open({
    attributes: tag(freshMail()),
    before: (page) => page.addInitScript(() => Object.defineProperty(window, 'localStorage', { value: undefined })),
  });
  const secret = (await scan(widget.card.getByRole('img', { name: /^QR code/ }))).searchParams.get('secret')!;
  await widget.press('Continue');
  await widget.type(codeAt(secret, fixture.passbell.clock.now()));
  await widget.press('I have saved them');
  await widget.press('Turn off');
  await widget.press('Turn off');
  await widget.waitForView('Two-factor authentication is off');
});

it('asks for a code before turning two-factor off if the last verification is too old', async () => {
  const identity = freshMail();
  const widget = await fixture.site.open({ attributes: tag(identity) });
  const secret = (await scan(widget.card.getByRole('img', { name: /^QR code/ }))).searchParams.get('secret')!;
  await widget.press('Continue');
  await widget.type(codeAt(secret, fixture.passbell.clock.now()));
  await widget.press('I have saved them');
  fixture.passbell.clock.advance(11 * 60_000);
  await widget.press('Turn off');
  await widget.press('Turn off');
  await widget.card.getByText('Enter the code from your app to confirm that it is you.').waitFor();
  await widget.type(codeAt(secret, fixture.passbell.clock.now()));
  await widget.waitForView('Two-factor authentication is off');
  expect((await widget.responses()).at(-1)).toMatchObject({ success: true, message: '2FA disabled' });
});

it('turns two-factor off with a recovery code', async () => {
  const widget = await fixture.site.open({ attributes: tag(freshMail()) });
  const secret = (await scan(widget.card.getByRole('img', { name: /^QR code/ }))).searchParams.get('secret')!;
  await widget.press('Continue');
  await widget.type(codeAt(secret, fixture.passbell.clock.now()));
  await widget.waitForView('Save your recovery codes');
  const [code] = await widget.card.getByRole('listitem').allInnerTexts();
  await widget.press('I have saved them');
  fixture.passbell.clock.advance(11 * 60_000);
  await widget.press('Turn off');
  await widget.press('Turn off');
  await widget.press('Use a recovery code');
  await widget.press('Back');
  await widget.waitForView('Turn off two-factor authentication?');
  await widget.press('Use a recovery code');
  await widget.card.getByRole('textbox', { name: 'Recovery code' }).fill('AAAAA-AAAAA');
  await widget.press('Check the code');
  await widget.card.getByText('This recovery code is incorrect or was already used.').waitFor();
  await widget.card.getByRole('textbox').fill(code!);
  await widget.press('Check the code');
  await widget.waitForView('Two-factor authentication is off');
  expect((await widget.responses()).map(({ success, message }) => [success, message])).toEqual([
    [true, 'verified'],
    [false, 'Invalid OTP'],
    [true, '2FA disabled'],
  ]);
});

it('works for a strict application with an allow-list and a user token', async () => {
  const keys = await fixture.passbell.application({
    settings: { strictTwoFactor: true, authorizedEndpoints: [fixture.site.url] },
  });
  const identity = freshMail();
  const expires = Math.floor(fixture.passbell.clock.now() / 1000) + 600;
  const attributes = {
    'data-appkey': keys.appKey,
    'data-emailid': identity,
    'data-usertoken': userToken(keys.appSecret, identity, expires),
  };
  const widget = await fixture.site.open({ attributes });
  const { searchParams } = await scan(widget.card.getByRole('img', { name: /^QR code/ }));
  await widget.press('Continue');
  await widget.type(codeAt(searchParams.get('secret')!, fixture.passbell.clock.now()));
  await widget.press('I have saved them');
  const [{ data }] = await widget.responses();
  const headers = { Origin: fixture.site.url };
  const body = { token: data.token, purpose: 'two-factor' };
  const reply = await fixture.passbell.post('/auth/verifytoken', body, { keys, headers });
  expect(reply.data.identities).toMatchObject({ channel: 'totp', verified: true });
});
