/** Forms for settings in a real browser: saving, warnings and previews. */
import type { Browser } from 'playwright-core';
import { WIDGET_PALETTES } from '../../backend/src/platform/contract/generated/widget.js';
import { startBrowser } from '../support/browser.js';
import { signIn, waitForMailedCode } from '../support/dashboard.js';
import { startService, type TestService } from '../support/service.js';
import { LIBRARY_TIMEOUT_MS, until } from '../support/wait.js';

let passbell: TestService;
let browser: Browser;
beforeAll(async () => {
  [passbell, browser] = await Promise.all([startService(), startBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await passbell?.stop();
});
afterEach(() => passbell.clock.advance(3_600_000));

/** Opens a page of a new application as an owner. */
async function open(path: string) {
  const { appKey } = await passbell.application({ name: 'Settings' });
  const context = await browser.newContext({ locale: 'en-US' });
  context.setDefaultTimeout(LIBRARY_TIMEOUT_MS);
  const person = await signIn(passbell);
  const [, session] = /passbell-session=([^;]+)/.exec(person.cookies())!;
  await context.addCookies([{ name: 'passbell-session', value: session!, url: passbell.url }]);
  const page = await context.newPage();
  await page.goto(`${passbell.url}/dashboard${path.replace(':appKey', appKey)}`);
  const save = () => page.getByRole('button', { name: 'Save changes' }).click();
  const settings = async () => (await passbell.core.applications.service.load(appKey)).settings;
  return { context, page, save, settings, email: person.person!.email };
}

it('saves a country that was just typed with one click', async () => {
  const { context, page, save, settings } = await open('/applications/:appKey/settings');
  await page.getByLabel('Countries that you serve').pressSequentially('france');
  // At the end of the page, the bar moves as soon as the country is added.
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await save();
  await page.getByText('Countries saved.').first().waitFor();
  expect((await settings()).servedCountries).toEqual(['FR']);
  await context.close();
});

it('saves a weaker protection after it was confirmed', async () => {
  const { context, page, save, settings } = await open('/applications/:appKey/settings/limits');
  await page.getByText('Codes to one recipient 30').click();
  await page.getByLabel('Codes in 24 hours', { exact: true }).fill('');
  await save();
  await page.getByRole('alert').getByText('no limit instead of 10').waitFor();
  expect((await settings()).limits.sendsPerDay).toBe(10);
  await page.getByLabel('Save these looser limits').check();
  await save();
  await page.getByText('Rate limits saved.').first().waitFor();
  expect((await settings()).limits.sendsPerDay).toBe(0);
  await context.close();
});

it('moves to the confirmation that is left, and keeps the changed limits in view', async () => {
  const { context, page, save, settings } = await open('/applications/:appKey/settings/limits');
  await page.getByLabel('Daily budget').first().fill('900');
  await page.getByText('Codes to one recipient 30').click();
  await page.getByLabel('Codes in 24 hours', { exact: true }).fill('');
  await save();
  await page.getByText('2 confirmations left').waitFor();
  await page.locator('#limits [name=confirmed]:focus').check();
  await save();
  await page.locator('#rates [name=confirmed]:focus').waitFor();
  expect(await page.getByText('1 confirmation left').isVisible()).toBe(true);
  await page.locator('#rates [name=confirmed]').check();
  await save();
  await page.getByText('Your changes were saved.').first().waitFor();
  expect((await settings()).limits).toMatchObject({ budgetPerDay: 900, sendsPerDay: 0 });
  expect(await page.getByLabel('Codes in 24 hours', { exact: true }).isVisible()).toBe(true);
  await context.close();
});

it('asks for a code before a weaker protection is saved, and does not treat this page as a form of settings', async () => {
  const { context, page, save, settings, email } = await open('/applications/:appKey/settings/two-factor');
  passbell.clock.advance(16 * 60_000);
  await page.getByRole('group', { name: 'Access to the widget' }).getByLabel('Off').check();
  await save();
  await page.getByLabel('Change the access to the widget').check();
  await save();
  const field = page.getByLabel('Code from the email');
  await field.fill('000000');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('This code is incorrect').waitFor();
  for (const name of ['Continue', 'Send another code'])
    expect(await page.getByRole('button', { name }).isVisible()).toBe(true);
  expect(await page.getByRole('link', { name: 'Cancel' }).isVisible()).toBe(true);
  expect(await page.getByText('Unsaved changes').isVisible()).toBe(false);
  await field.fill(await waitForMailedCode(passbell, email));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Two-factor widget saved.').first().waitFor();
  expect((await settings()).twoFactorWidget).toBe(false);
  await context.close();
});

it('keeps a saved form where it was on the screen, and shows a wrong field with its label', async () => {
  const { context, page, save } = await open('/applications/:appKey/settings/channels');
  await page.setViewportSize({ width: 375, height: 700 });
  await page.getByLabel('Do not send notifications at night').check();
  await page.getByLabel('From', { exact: true }).fill('21:00');
  const last = page.getByLabel('Until', { exact: true });
  await last.fill('800');
  const field = (await last.boundingBox())!;
  const bar = page.getByRole('region', { name: 'Unsaved changes' });
  expect(field.y + field.height).toBeLessThan((await bar.boundingBox())!.y);
  await last.press('Enter');
  await page.getByText('Quiet hours saved.').first().waitFor();
  const distance = (y: number) => Math.abs(document.getElementById('field-quietUntil')!.getBoundingClientRect().y - y);
  await until('the position of the form', async () => (await page.evaluate(distance, field.y)) < 3);

  await page.goto(page.url().replace(/settings.*/, 'widget'));
  await page.getByLabel('Corner radius').fill('99');
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await save();
  await page.getByRole('alert').getByRole('link', { name: 'Corner radius' }).click();
  const labelTop = () => document.querySelector('label[for="field-radius"]')!.getBoundingClientRect().y;
  await until('the label of the field', async () => (await page.evaluate(labelTop)) > 0);
  await context.close();
});

it('links to the keys of the chosen vendor, and shows the next choice above the bar on a phone', async () => {
  const { context, page } = await open('/applications/:appKey/settings/challenge');
  await page.setViewportSize({ width: 375, height: 812 });
  await page.getByLabel('Cloudflare Turnstile').check();
  const link = page.getByRole('link', { name: 'Cloudflare dashboard' });
  expect(await link.getAttribute('href')).toBe('https://dash.cloudflare.com/?to=/:account/turnstile');
  const bar = page.getByRole('region', { name: 'Unsaved changes' });
  const bottomOf = async (name: string) => {
    const box = (await page.locator('label', { hasText: name }).boundingBox())!;
    return box.y + box.height;
  };
  expect(await bottomOf('May show a picture puzzle')).toBeLessThan((await bar.boundingBox())!.y);
  await page.getByLabel('hCaptcha').check();
  expect(await link.isVisible()).toBe(false);
  expect(await page.getByRole('link', { name: 'Sites', exact: true }).isVisible()).toBe(true);
  await context.close();
});

it('shows the stored value after saving, and names the card of another choice', async () => {
  const { context, page, save } = await open('/applications/:appKey/settings/limits');
  const bar = page.getByRole('region', { name: 'Unsaved changes' });
  const budget = page.getByLabel('Daily budget');
  // The bar has the only Save button.
  const own = page.getByRole('button', { name: 'Save', exact: true });
  expect(await own.count()).toBe(0);
  await budget.fill('0050');
  await bar.waitFor();
  expect(await own.count()).toBe(0);
  await save();
  await page.getByText('Budgets saved.').first().waitFor();
  expect(await budget.inputValue()).toBe('50');
  expect(await bar.isVisible()).toBe(false);
  await page.goto(page.url().replace(/settings.*/, 'protection/settings'));
  await page.getByText('Stops attacks soonest').click();
  expect(await bar.textContent()).toContain('Unsaved changes: Protection level');
  await page.getByText('View or change the limits.').click();
  // The number of the chosen level is shown before it is saved.
  const limit = page.locator('.limit > summary').filter({ hasText: 'One IP address' });
  expect(await limit.innerText()).toMatch(/4 people\s+Edit$/);
  await page.getByText('Recommended for most shops').click();
  expect(await limit.innerText()).toMatch(/8 people\s+Edit$/);
  await page.getByText('Stops attacks soonest').click();
  expect(await page.getByLabel('One IP address').isVisible()).toBe(false);
  await limit.click();
  expect(await limit.innerText()).toMatch(/4 people\s+Close$/);
  await page.getByLabel('One IP address').fill('3');
  expect(await bar.textContent()).toContain('Unsaved changes: Protection level, Protection limits');
  await context.close();
});

it('shows the unsaved value of a limit, and restores its default with a button', async () => {
  const { context, page } = await open('/applications/:appKey/protection/settings');
  const bar = page.getByRole('region', { name: 'Unsaved changes' });
  const limit = page.locator('.limit > summary').filter({ hasText: 'One IP address' });
  const button = page.getByRole('button', { name: 'Use default' });
  const field = page.getByLabel('One IP address').and(page.locator('input'));
  await page.getByText('View or change the limits.').click();
  await limit.click();
  expect(await limit.innerText()).toMatch(/8 people\s+Close$/);
  expect(await button.count()).toBe(0);
  await field.fill('3');
  expect(await bar.textContent()).toContain('Unsaved changes: Protection limits');
  expect(await limit.innerText()).toMatch(/requests\s+8 people → 3 people Not saved\s+Close$/);
  await limit.click();
  expect(await limit.innerText()).toMatch(/8 people → 3 people Not saved\s+Edit$/);
  for (const [value, text] of [
    ['0', 'Off'],
    ['1', '1 person'],
  ] as const) {
    await limit.click();
    await field.fill(value);
    await limit.click();
    expect(await limit.innerText()).toContain(`→ ${text}`);
  }
  await limit.click();
  await button.click();
  expect(await field.inputValue()).toBe('');
  expect(await button.count()).toBe(0);
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
  await limit.click();
  expect(await limit.innerText()).toMatch(/8 people\s+Edit$/);
  expect(await bar.isVisible()).toBe(false);
  await context.close();
});

it('shows which limits are not saved after one of them was rejected', async () => {
  const { context, page, save } = await open('/applications/:appKey/protection/settings');
  const limit = (name: string) => page.locator('.limit > summary').filter({ hasText: name });
  const field = (name: string) => page.getByLabel(name).and(page.locator('input'));
  await page.getByText('View or change the limits.').click();
  await limit('One IP address').click();
  await field('One IP address').fill('3');
  await limit('Any other country').click();
  await field('Any other country').fill('many');
  await save();
  await page.getByRole('alert').getByText('Any other country: Enter a whole number').waitFor();
  await limit('One IP address').click();
  expect(await limit('One IP address').innerText()).toMatch(/8 people → 3 people Not saved\s+Edit$/);
  await field('Any other country').fill('');
  expect(await limit('Any other country').innerText()).not.toContain('Not saved');
  await context.close();
});

it('shows the number in effect and the unsaved one, also after another level was chosen', async () => {
  const { context, page, save } = await open('/applications/:appKey/protection/settings');
  const row = (name: string) => page.locator('.limit > summary').filter({ hasText: name });
  const field = (name: string) => page.getByLabel(name).and(page.locator('input'));
  await page.getByText('View or change the limits.').click();
  await row('One IP address').click();
  await field('One IP address').fill('3');
  await page.getByText('Stops attacks soonest').click();
  expect(await row('One IP address').innerText()).toContain('8 people → 3 people Not saved');
  await page.getByText('Recommended for most shops').click();
  await row('Any other country').click();
  await field('Any other country').fill('1500');
  expect(await row('Any other country').innerText()).toContain('25 people → 1,500 people Not saved');
  await save();
  await page.getByLabel('Save looser values').check();
  await save();
  await page.getByText('Protection settings saved.').first().waitFor();
  expect(await field('Any other country').inputValue()).toBe('1,500');
  await field('Any other country').fill('1500');
  expect(await row('Any other country').innerText()).toMatch(/1,500 people\s+Custom\s+Close$/);
  await field('Any other country').fill('');
  expect(await row('Any other country').innerText()).toContain('1,500 people → 25 people (default) Not saved');
  await context.close();
});

it('previews the branding while it is typed', async () => {
  const { context, page } = await open('/account-settings');
  const button = page.getByRole('img', { name: 'A button in the accent color' }).locator('rect');
  const accent = page.getByLabel('Accent color', { exact: true });
  await accent.fill('#a03');
  expect(await button.getAttribute('fill')).toBe('#aa0033');
  // An incomplete color changes nothing, an empty one is the default.
  await accent.fill('#a0');
  expect(await button.getAttribute('fill')).toBe('#aa0033');
  const logo = page.getByLabel('Upload logo');
  await logo.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.alloc(119_500) });
  await page.getByText('This file has 120 kB. Choose one of at most 48 kB.').waitFor();
  await accent.fill('');
  expect(await button.getAttribute('fill')).toBe('#1a56db');
  await page.getByLabel('Email footer').fill('Harbor Books, Oslo');
  await page.locator('.brand-email').getByText('Harbor Books, Oslo').waitFor();
  // A chosen file is submitted at once. The other changes stay on the page.
  await logo.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no image') });
  await page.getByRole('alert').getByText('Logo: This is not a PNG image.').waitFor();
  expect(await page.locator('#field-logo-error').isVisible()).toBe(true);
  expect(await page.getByLabel('Email footer').inputValue()).toBe('Harbor Books, Oslo');
  expect(await page.getByLabel('Logo as a data URL').isVisible()).toBe(false);
  await context.close();
});

it('shows the default colors of the theme of the widget', async () => {
  const { context, page } = await open('/applications/:appKey/widget');
  await page.setViewportSize({ width: 375, height: 700 });
  const picker = page.getByLabel('Pick the accent color');
  expect(await picker.inputValue()).toBe(WIDGET_PALETTES.light.accent);
  await page.getByLabel("Theme of the visitor's device").selectOption('dark');
  expect(await picker.inputValue()).toBe(WIDGET_PALETTES.dark.accent);
  await context.close();
});

it('on a phone, the preview is closed at first; while it is open, the whole widget stays above the fields', async () => {
  const { context, page } = await open('/applications/:appKey/widget');
  await page.setViewportSize({ width: 375, height: 700 });
  await page.reload();
  const title = page.locator('summary').getByText('Preview');
  await title.waitFor();
  expect(await page.locator('.preview-stage').isVisible()).toBe(false);
  await title.click();
  const button = page.frameLocator('#preview-frame').locator('button.main').first();
  await button.waitFor();
  const field = page.getByLabel('Accent color', { exact: true });
  await field.focus();
  await field.fill('#aa0033');
  const color = () => button.evaluate((element) => getComputedStyle(element as never).backgroundColor);
  await until('the new color', async () => (await color()) === 'rgb(170, 0, 51)');
  const stage = (await page.locator('.preview-stage').boundingBox())!;
  const shown = (await button.boundingBox())!;
  expect(stage.y).toBeGreaterThanOrEqual(0);
  expect(stage.height).toBeLessThanOrEqual(350);
  const card = (await page.frameLocator('#preview-frame').locator('.card').boundingBox())!;
  expect(shown.y + shown.height).toBeLessThan(card.y + card.height);
  expect(card.y + card.height).toBeLessThanOrEqual(stage.y + stage.height);
  expect(stage.y + stage.height).toBeLessThanOrEqual((await field.boundingBox())!.y);
  await title.click();
  expect(await page.locator('.preview-stage').isVisible()).toBe(false);
  await context.close();
});

it.each([
  ['at 400% zoom', { width: 320, height: 256 }],
  ['on a phone in landscape', { width: 844, height: 390 }],
])('%s, the preview scrolls away instead of covering the fields', async (_, size) => {
  const { context, page } = await open('/applications/:appKey/widget');
  await page.setViewportSize(size);
  await page.reload();
  await page.locator('summary').getByText('Preview').click();
  await page.frameLocator('#preview-frame').locator('button.main').first().waitFor();
  await page.getByLabel('Corner radius').focus();
  const preview = (await page.locator('#preview').boundingBox())!;
  expect(preview.y + preview.height).toBeLessThanOrEqual(0);
  await context.close();
});

it('shows the step of the widget whose texts a person opens', async () => {
  const { context, page } = await open('/applications/:appKey/widget');
  await page.locator('summary').getByText('Setup: recovery codes').click();
  await page.frameLocator('#preview-frame').getByText('Save your recovery codes').waitFor();
  const title = page.locator('details[open]').getByLabel('Title');
  expect(await title.getAttribute('placeholder')).toBe('Save your recovery codes');
  await title.fill('Print these codes');
  await page.frameLocator('#preview-frame').getByText('Print these codes').waitFor();
  await context.close();
});

it('keeps the changes of all forms if none of them can be saved', async () => {
  const { context, page, save } = await open('/account-settings');
  await page.getByLabel('Time zone').fill('Olympus Mons');
  const accent = page.getByLabel('Accent color', { exact: true });
  await accent.fill('#ffee00');
  await save();
  await page.getByRole('alert').getByText('Time zone: “Olympus Mons” is not in the list.').waitFor();
  await page.getByRole('alert').getByText('Accent color: ').waitFor();
  expect(await page.getByLabel('Time zone').inputValue()).toBe('Olympus Mons');
  expect(await accent.inputValue()).toBe('#ffee00');
  expect(await page.locator('[data-color-of]').getAttribute('fill')).toBe('#ffee00');
  await context.close();
});

it('hides the Save of each card while the bar can appear, but not if the script fails to load', async () => {
  const { context, page, settings } = await open('/applications/:appKey/settings/general');
  const save = page.locator('button.saved-by-bar').first();
  await page.locator('html.has-save-bar').waitFor();
  expect(await save.isVisible()).toBe(false);
  const script = /\/assets\/dashboard\.[^/]*\.js$/;
  await page.route(script, (route) => route.abort());
  await page.reload();
  await page.getByLabel('Name', { exact: true }).fill('Saved without the script');
  // It appears only after the time in which the script would have run.
  await until('Save', () => save.isVisible());
  await save.click();
  await page.getByText('saved.').first().waitFor();
  expect(await settings()).toBeDefined();
  await context.close();
});
