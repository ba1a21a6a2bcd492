/** The widget without a mouse, with a screen reader, and for who wants no motion. */
import type { Locator, Page } from 'playwright-core';
import { codeAt } from '../support/authenticator.js';
import { scan } from '../support/qr.js';
import { freshMail, wrongCode } from '../support/service.js';
import { setStage } from '../support/site.js';

const stage = setStage();

const tag = () => ({ 'data-appkey': stage.passbell.keys.appKey, 'data-emailid': freshMail() });

/** What has the focus, inside of the widget or outside: its text or label, and whether one sees it. */
const focused = (page: Page): Promise<{ name: string; outlined: boolean }> =>
  page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    const name = element instanceof HTMLInputElement ? element.labels![0]!.textContent : element!.textContent;
    return { name: name!, outlined: getComputedStyle(element!).outlineStyle !== 'none' };
  });

it('is used from beginning to end by keyboard, and one always sees where one is', async () => {
  const widget = await stage.site.open({ attributes: tag() });
  const { page } = widget;
  const { keyboard } = page;
  const secret = (await scan(widget.card.locator('canvas'))).searchParams.get('secret')!;
  const passed: string[] = [];
  async function go(name: string, key: string): Promise<void> {
    for (let steps = 0; steps < 8; steps++) {
      await keyboard.press('Tab');
      const here = await focused(page);
      passed.push(here.name);
      expect(here).toEqual({ name: here.name, outlined: true });
      if (here.name === name) return keyboard.press(key);
    }
    throw new Error(`the keyboard does not reach ${name}, only ${passed.join(', ')}`);
  }

  await go('You cannot scan it?', 'Enter');
  await go('Copy', 'Tab');
  expect((await focused(page)).name).toBe('Open in an app on this device');
  await go('Continue', 'Enter');
  expect(await focused(page)).toEqual({ name: 'Six-digit code', outlined: true });
  await keyboard.type(codeAt(secret, stage.passbell.clock.now()));
  await widget.shows('Save your recovery codes');
  expect((await focused(page)).name).toBe('Save your recovery codes');
  await go('I have saved them', 'Space');
  await widget.shows('Two-factor authentication is on');
  await go('Turn off', 'Enter');
  expect((await focused(page)).name).toBe('Turn off two-factor authentication?');
  await go('Turn off', 'Space');
  await widget.shows('Two-factor authentication is off');
  expect((await focused(page)).name).toBe('Two-factor authentication is off');
});

it('leaves the focus in the page until the person comes into the widget', async () => {
  const body = '<label>Search <input autofocus></label><div id="service-2fasdk"></div>{widget}';
  const widget = await stage.site.open({ attributes: tag(), body });
  await widget.shows('Set up two-factor authentication');
  expect((await focused(widget.page)).name).toBe('Search ');
  expect(await widget.card.getByRole('status').last().textContent()).toBe('Set up two-factor authentication');
});

it('says that it checks, and what is wrong, to who cannot see it', async () => {
  const widget = await stage.site.open({ attributes: tag() });
  await widget.press('Continue');
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await widget.page.route('**/verifyotp', async (route) => held.then(() => route.continue()));
  await widget.type(wrongCode('000000'));
  const status = widget.card.getByRole('status');
  await status.getByText('Checking…').waitFor({ state: 'attached' });
  const field = widget.card.getByRole('textbox', { name: 'Six-digit code' });
  expect(await field.getAttribute('readonly')).not.toBeNull();
  release();
  await widget.card.getByRole('alert').getByText('This code is not right.').waitFor();
  const described = await field.evaluate((input: HTMLInputElement) =>
    input
      .getAttribute('aria-describedby')!
      .split(' ')
      .map((id) => (input.getRootNode() as ShadowRoot).getElementById(id)!.textContent),
  );
  expect(described).toEqual([
    'This code is not right. Enter the one that the app shows now.',
    'Checked as soon as you type the last digit.',
  ]);
  expect(await field.evaluate((input: HTMLInputElement) => [input.readOnly, input.selectionEnd])).toEqual([false, 6]);
});

it.each(['no-preference', 'reduce'] as const)('turns its circle where motion is wanted (%s)', async (reducedMotion) => {
  const widget = await stage.site.open({
    attributes: tag(),
    context: { reducedMotion },
    before: (page) => page.route('**/authstate', () => undefined),
  });
  await widget.shows('Loading two-factor authentication…');
  const name = await widget.card.locator('.spinner').evaluate((circle) => getComputedStyle(circle).animationName);
  expect(name).toBe(reducedMotion === 'reduce' ? 'none' : 'turn');
});

describe('the language', () => {
  const cases: [string, { wish?: string; design?: string; page?: string; locale?: string }, string, string][] = [
    ['is that of the tag first', { wish: 'de-AT', design: 'fr', page: 'ar' }, 'de', 'ltr'],
    ['then that of the application', { design: 'fr', page: 'ar' }, 'fr', 'ltr'],
    ['then that of the page', { page: 'ar', locale: 'de-DE' }, 'ar', 'rtl'],
    ['then that of the browser', { page: 'fi', locale: 'de-DE' }, 'de', 'ltr'],
    ['and else English', { wish: 'tlh', page: 'fi', locale: 'fi-FI' }, 'en', 'ltr'],
  ];
  it.each(cases)('%s', async (_name, { wish = '', design, page: language = '', locale = 'en-US' }, lang, dir) => {
    const { appKey } = await stage.passbell.application(design ? { design: { language: design } } : {});
    const attributes = { ...tag(), 'data-appkey': appKey, 'data-language': wish };
    const widget = await stage.site.open({ attributes, language, context: { locale } });
    await widget.card.locator('canvas').waitFor();
    expect(await widget.card.evaluate(({ lang, dir }: HTMLElement) => [lang, dir])).toEqual([lang, dir]);
  });
});

it('has the title, texts, colours, corners and theme of the application', async () => {
  const design = {
    title: 'Café Órgano',
    accentColor: '#ffcc00',
    backgroundColor: '#20124d',
    radius: 24,
    logoUrl: 'https://shop.example/a-logo-that-the-policy-of-the-page-keeps-away.png',
    texts: { enrolTitle: 'Make your account safer', next: '<b>Next</b>' },
  };
  const { appKey } = await stage.passbell.application({ design });
  const widget = await stage.site.open({ attributes: { ...tag(), 'data-appkey': appKey } });
  await widget.shows('Make your account safer');
  await widget.card.getByText('Café Órgano').waitFor();
  expect(await widget.card.locator('img').isVisible()).toBe(false);
  const main = widget.card.getByRole('button', { name: '<b>Next</b>' });
  const read = (locator: Locator, property: string) =>
    locator.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
  expect(await read(main, 'background-color')).toBe('rgb(255, 204, 0)');
  expect(await read(main, 'color')).toBe('rgb(0, 0, 0)');
  expect(await read(widget.card, 'background-color')).toBe('rgb(32, 18, 77)');
  expect(await read(widget.card, 'color')).toBe('rgb(232, 234, 241)');
  expect(await read(widget.card, 'border-radius')).toBe('24px');
});
