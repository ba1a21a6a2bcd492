/** A person turns two-factor on, uses it and turns it off: the built widget in a real browser, on a page of another origin. */
import { codeAt, STEP, userToken } from '../support/authenticator.js';
import { scan } from '../support/qr.js';
import { freshMail } from '../support/service.js';
import { setStage } from '../support/site.js';

const stage = setStage();

const tag = (identity: string) => ({ 'data-appkey': stage.passbell.keys.appKey, 'data-emailid': identity });

it('leads from the QR code to recovery codes, and tells the page once they are saved', async () => {
  const identity = freshMail();
  const widget = await stage.site.open({ attributes: tag(identity) });
  await widget.shows('Set up two-factor authentication');
  const { protocol, host, pathname, searchParams } = await scan(widget.card.getByRole('img', { name: /^QR code/ }));
  expect([protocol, host, decodeURIComponent(pathname)]).toEqual(['otpauth:', 'totp', `/Test Shop:${identity}`]);

  await widget.press('Continue');
  await widget.shows('Enter the code from the app');
  await widget.type(codeAt(searchParams.get('secret')!, stage.passbell.clock.now()));

  await widget.shows('Save your recovery codes');
  const codes = await widget.card.getByRole('listitem').allInnerTexts();
  expect(new Set(codes).size).toBe(10);
  expect(await widget.heard()).toEqual([]);
  await widget.press('I have saved them');
  await widget.shows('Two-factor authentication is on');

  const [result, ...more] = await widget.heard();
  expect(more).toEqual([]);
  expect(result).toMatchObject({ success: true, message: 'verified', data: { IsTOtpVerified: true } });
  expect(JSON.stringify(result)).not.toContain(codes[0]);
  const { data } = await stage.passbell.post('/auth/verifytoken', { token: result.data.token });
  expect(data.identities).toMatchObject({ identityType: 'email', channel: 'totp' });
  expect(widget.console).toEqual([]);
});

it('gives the key as text, to copy and for an app on the same device', async () => {
  const identity = freshMail();
  const context = { permissions: ['clipboard-read', 'clipboard-write'] };
  await stage.passbell.service.applications.update(stage.passbell.keys.appKey, { design: { title: 'Sign in safely' } });
  const widget = await stage.site.open({ attributes: tag(identity), context });
  await widget.shows('Set up two-factor authentication');
  const shown = await scan(widget.card.getByRole('img', { name: /^QR code/ }));
  await widget.card.getByText('You cannot scan it?').click();
  await widget.press('Copy');
  await widget.card.getByRole('button', { name: 'Copied' }).waitFor();
  const key = shown.searchParams.get('secret');
  expect(await widget.page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  expect((await widget.card.locator('code').innerText()).replaceAll(' ', '')).toBe(key);
  // One account, whichever way it comes into the app.
  expect(await widget.card.getByRole('link').getAttribute('href')).toBe(shown.href);
});

it('selects the key where the browser does not allow copying', async () => {
  const widget = await stage.site.open({
    attributes: tag(freshMail()),
    before: (page) => page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined })),
  });
  await widget.card.getByText('You cannot scan it?').click();
  await widget.press('Copy');
  await widget.card.getByRole('button', { name: /^Copying is not allowed/ }).waitFor();
});

it('offers the recovery codes as a file and to copy', async () => {
  const identity = freshMail();
  const context = { permissions: ['clipboard-read', 'clipboard-write'], acceptDownloads: true };
  const widget = await stage.site.open({ attributes: tag(identity), context });
  const { searchParams } = await scan(widget.card.getByRole('img', { name: /^QR code/ }));
  await widget.press('Continue');
  await widget.type(codeAt(searchParams.get('secret')!, stage.passbell.clock.now()));
  await widget.shows('Save your recovery codes');
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

it('shows a new QR code when the first one is too old', async () => {
  const widget = await stage.site.open({ attributes: tag(freshMail()) });
  const picture = widget.card.getByRole('img', { name: /^QR code/ });
  const old = (await scan(picture)).searchParams.get('secret')!;
  await widget.press('Continue');
  stage.passbell.clock.advance(11 * 60_000);
  await widget.type(codeAt(old, stage.passbell.clock.now()));
  await widget.card.getByText('That took too long.').waitFor();
  const { searchParams } = await scan(picture);
  expect(searchParams.get('secret')).not.toBe(old);
  await widget.press('Continue');
  await widget.type(codeAt(searchParams.get('secret')!, stage.passbell.clock.now()));
  await widget.shows('Save your recovery codes');
});

it('asks who comes back for a code, and turns off what was just proved', async () => {
  const identity = freshMail();
  const first = await stage.site.open({ attributes: tag(identity) });
  const secret = (await scan(first.card.getByRole('img', { name: /^QR code/ }))).searchParams.get('secret')!;
  await first.press('Continue');
  await first.type(codeAt(secret, stage.passbell.clock.now()));
  await first.shows('Save your recovery codes');

  stage.passbell.clock.advance(STEP);
  const widget = await stage.site.open({ attributes: tag(identity) });
  await widget.shows('Two-factor authentication');
  await widget.type(codeAt(secret, stage.passbell.clock.now()));
  await widget.shows('Two-factor authentication is on');
  expect(await widget.heard()).toMatchObject([{ success: true, message: 'verified', data: { IsTOtpVerified: true } }]);

  await widget.press('Turn off');
  await widget.press('Keep it on');
  await widget.press('Turn off');
  await widget.shows('Turn off two-factor authentication?');
  await widget.press('Turn off');
  await widget.shows('Two-factor authentication is off');
  expect((await widget.heard()).slice(1)).toEqual([
    { success: true, message: '2FA disabled', data: { IsTOtpVerified: false } },
  ]);
  await widget.press('Set up two-factor authentication');
  const fresh = await scan(widget.card.getByRole('img', { name: /^QR code/ }));
  expect(fresh.searchParams.get('secret')).not.toBe(secret);
});

it('asks for a code before it turns off, where the last one is long ago', async () => {
  const identity = freshMail();
  const widget = await stage.site.open({ attributes: tag(identity) });
  const secret = (await scan(widget.card.getByRole('img', { name: /^QR code/ }))).searchParams.get('secret')!;
  await widget.press('Continue');
  await widget.type(codeAt(secret, stage.passbell.clock.now()));
  await widget.press('I have saved them');
  stage.passbell.clock.advance(11 * 60_000);
  await widget.press('Turn off');
  await widget.press('Turn off');
  await widget.card.getByText('Enter the code from your app, so that it is certainly you.').waitFor();
  await widget.type(codeAt(secret, stage.passbell.clock.now()));
  await widget.shows('Two-factor authentication is off');
  expect((await widget.heard()).at(-1)).toMatchObject({ success: true, message: '2FA disabled' });
});

it('turns off with a recovery code, for who has lost the app since', async () => {
  const widget = await stage.site.open({ attributes: tag(freshMail()) });
  const secret = (await scan(widget.card.getByRole('img', { name: /^QR code/ }))).searchParams.get('secret')!;
  await widget.press('Continue');
  await widget.type(codeAt(secret, stage.passbell.clock.now()));
  await widget.shows('Save your recovery codes');
  const [code] = await widget.card.getByRole('listitem').allInnerTexts();
  await widget.press('I have saved them');
  stage.passbell.clock.advance(11 * 60_000);
  await widget.press('Turn off');
  await widget.press('Turn off');
  await widget.press('Use a recovery code');
  await widget.press('Back');
  await widget.shows('Turn off two-factor authentication?');
  await widget.press('Use a recovery code');
  await widget.card.getByRole('textbox', { name: 'Recovery code' }).fill('AAAAA-AAAAA');
  await widget.press('Check the code');
  await widget.card.getByText('This recovery code is not right, or has been used.').waitFor();
  await widget.card.getByRole('textbox').fill(code!);
  await widget.press('Check the code');
  await widget.shows('Two-factor authentication is off');
  expect((await widget.heard()).map(({ success, message }) => [success, message])).toEqual([
    [true, 'verified'],
    [false, 'Invalid OTP'],
    [true, '2FA disabled'],
  ]);
});

it('works for a strict application with an allow-list, where the site vouches for its user', async () => {
  const keys = await stage.passbell.application({
    settings: { strictTwoFactor: true, authorizedEndpoints: [stage.site.url] },
  });
  const identity = freshMail();
  const expires = Math.floor(stage.passbell.clock.now() / 1000) + 600;
  const attributes = {
    'data-appkey': keys.appKey,
    'data-emailid': identity,
    'data-usertoken': userToken(keys.appSecret, identity, expires),
  };
  const widget = await stage.site.open({ attributes });
  const { searchParams } = await scan(widget.card.getByRole('img', { name: /^QR code/ }));
  await widget.press('Continue');
  await widget.type(codeAt(searchParams.get('secret')!, stage.passbell.clock.now()));
  await widget.press('I have saved them');
  const [{ data }] = await widget.heard();
  const headers = { Origin: stage.site.url };
  const reply = await stage.passbell.post('/auth/verifytoken', { token: data.token }, { keys, headers });
  expect(reply.data.identities).toMatchObject({ channel: 'totp', verified: true });
});
