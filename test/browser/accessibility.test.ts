/** The widget in a real browser: keyboard use, screen reader output, reduced motion, languages and design. */
import type { Locator, Page } from 'playwright-core';
import { codeAt } from '../support/authenticator.js';
import { scan } from '../support/qr.js';
import { freshMail, wrongCode } from '../support/service.js';
import { setUpSite } from '../support/site.js';

const fixture = setUpSite();

const tag = () => ({ 'data-appkey': fixture.passbell.keys.appKey, 'data-emailid': freshMail() });

/** Returns the text or label of the focused element, inside or outside the widget, and whether it has an outline. */
const focused = (page: Page): Promise<{ name: string; outlined: boolean }> =>
  page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    const name = element instanceof HTMLInputElement ? element.labels![0]!.textContent : element!.textContent;
    return { name: name!, outlined: getComputedStyle(element!).outlineStyle !== 'none' };
  });

it('can be used by keyboard alone, with a visible focus', async () => {
  const widget = await fixture.site.open({ attributes: tag() });
  const { page } = widget;
  const { keyboard } = page;
  const secret = (await scan(widget.card.locator('canvas'))).searchParams.get('secret')!;
  const visited: string[] = [];
  async function activate(name: string, key: string): Promise<void> {
    for (let steps = 0; steps < 8; steps++) {
      await keyboard.press('Tab');
      const focus = await focused(page);
      visited.push(focus.name);
      expect(focus).toEqual({ name: focus.name, outlined: true });
      if (focus.name === name) return keyboard.press(key);
    }
    throw new Error(`the Tab key does not reach ${name}, only ${visited.join(', ')}`);
  }

  await activate("Can't scan it?", 'Enter');
  await activate('Copy', 'Tab');
  expect((await focused(page)).name).toBe('Open in an app on this device');
  await activate('Continue', 'Enter');
  expect(await focused(page)).toEqual({ name: 'Six-digit code', outlined: true });
  await keyboard.type(codeAt(secret, fixture.passbell.clock.now()));
  await widget.waitForView('Save your recovery codes');
  expect((await focused(page)).name).toBe('Save your recovery codes');
  await activate('I have saved them', 'Space');
  await widget.waitForView('Two-factor authentication is on');
  await activate('Turn off', 'Enter');
  expect((await focused(page)).name).toBe('Turn off two-factor authentication?');
  await activate('Turn off', 'Space');
  await widget.waitForView('Two-factor authentication is off');
  expect((await focused(page)).name).toBe('Two-factor authentication is off');
});

it('does not move the focus away from the page', async () => {
  const body = '<label>Search <input autofocus></label><div id="service-2fasdk"></div>{widget}';
  const widget = await fixture.site.open({ attributes: tag(), body });
  await widget.waitForView('Set up two-factor authentication');
  expect((await focused(widget.page)).name).toBe('Search ');
  expect(await widget.card.getByRole('status').last().textContent()).toBe('Set up two-factor authentication');
});

it('announces progress and errors to screen readers', async () => {
  const widget = await fixture.site.open({ attributes: tag() });
  await widget.press('Continue');
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await widget.page.route('**/verifyotp', async (route) => released.then(() => route.continue()));
  await widget.type(wrongCode('000000'));
  const status = widget.card.getByRole('status');
  await status.getByText('Checking…').waitFor({ state: 'attached' });
  const field = widget.card.getByRole('textbox', { name: 'Six-digit code' });
  expect(await field.getAttribute('readonly')).not.toBeNull();
  release();
  await widget.card.getByRole('alert').getByText('This code is incorrect or was already used.').waitFor();
  const described = await field.evaluate((input: HTMLInputElement) =>
    input
      .getAttribute('aria-describedby')!
      .split(' ')
      .map((id) => (input.getRootNode() as ShadowRoot).getElementById(id)!.textContent),
  );
  expect(described).toEqual([
    'This code is incorrect or was already used. Enter the code that your app shows now, or wait for the next one.',
    'Checked as soon as you type the last digit.',
  ]);
  expect(await field.evaluate((input: HTMLInputElement) => [input.readOnly, input.selectionEnd])).toEqual([false, 6]);
});

it.each(['no-preference', 'reduce'] as const)(
  'animates the spinner unless the user prefers reduced motion (%s)',
  async (reducedMotion) => {
    const widget = await fixture.site.open({
      attributes: tag(),
      context: { reducedMotion },
      before: (page) => page.route('**/authstate', () => undefined),
    });
    const name = await widget.card.locator('.spinner').evaluate((circle) => getComputedStyle(circle).animationName);
    expect(name).toBe(reducedMotion === 'reduce' ? 'none' : 'turn');
  },
);

it("uses the application's title, texts, colors, corners and theme", async () => {
  const design = {
    title: 'Café Órgano',
    accentColor: '#ffcc00',
    backgroundColor: '#20124d',
    radius: 24,
    logoUrl: 'https://shop.example/a-logo-that-the-policy-of-the-page-keeps-away.png',
    texts: { enrolTitle: 'Make your account safer', next: '<b>Next</b>' },
  };
  const { appKey } = await fixture.passbell.application({ design });
  const widget = await fixture.site.open({ attributes: { ...tag(), 'data-appkey': appKey } });
  await widget.waitForView('Make your account safer');
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
