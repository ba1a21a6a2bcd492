/** A person in front of a browser, whose clicks and typed characters are counted. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE_SCREEN = { width: 375, height: 780 };

/** Time that a person needs to find and read a button, a link, a field or a choice. */
const SECONDS_PER_CLICK = 3;
const SECONDS_PER_CHARACTER = 0.25;
/** Time to open a mailbox, a phone or an authenticator app, and to read a code in it. */
const SECONDS_PER_CODE = 10;

async function saveScreenshots(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  const usual = page.viewportSize()!;
  for (const size of [DESKTOP, PHONE_SCREEN])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme });
      // Hiding the caret would add a style, which the page's policy forbids.
      const path = join(folder, `${name}-${size.width}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true, caret: 'initial' });
    }
  await page.setViewportSize(usual);
  await page.emulateMedia({ colorScheme: null });
}

/** Opens a browser for a person. `SCREENSHOTS=folder` saves each page that they read, with this prefix. */
export async function openBrowser(browser: Browser, options: BrowserContextOptions, prefix: string) {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    // The browser logs the 422 reply to an invalid form as an error.
    if (message.type() === 'error' && !message.text().includes('status of 4')) problems.push(message.text());
  });
  page.on('pageerror', (error) => void problems.push(error.message));
  const effort = { clicks: 0, characters: 0, codes: 0 };
  let pages = 0;

  async function click(element: Locator): Promise<void> {
    effort.clicks++;
    await element.click();
  }

  async function type(label: string, text: string): Promise<void> {
    effort.clicks++;
    effort.characters += text.length;
    await page.getByLabel(label, { exact: true }).fill(text);
  }

  return {
    page,
    problems,
    context,
    click,
    type,
    /** Types into the field that has the focus. */
    async write(text: string): Promise<void> {
      effort.characters += text.length;
      await page.keyboard.type(text);
    },
    press: (name: string) => click(page.getByRole('button', { name, exact: true })),
    /** Follows a link. On a phone, the navigation is in a menu. */
    async follow(name: string): Promise<void> {
      const menu = page.getByRole('button', { name: 'Menu', exact: true });
      // The link of the navigation comes before one above the title.
      const link = page.getByRole('link', { name, exact: true }).first();
      await link.or(menu).first().waitFor();
      if (!(await link.isVisible()) && (await menu.isVisible())) await click(menu);
      await click(link);
    },
    async choose(label: string, value: string): Promise<void> {
      effort.clicks += 2;
      await page.getByLabel(label, { exact: true }).selectOption(value);
    },
    typeCode(label: string, code: string): Promise<void> {
      effort.codes++;
      return type(label, code);
    },
    /** Waits until the page with this text has loaded, and checks that it fits the screen. */
    async read(text: string | RegExp): Promise<void> {
      await page.getByText(text).first().waitFor();
      await page.waitForLoadState();
      const isTooWide = await page.evaluate(
        () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
      );
      if (isTooWide) problems.push(`the page with “${text}” scrolls sideways`);
      await saveScreenshots(page, `${prefix}-${String(++pages).padStart(2, '0')}`);
    },
    /** The estimated time that a person needs. */
    seconds: () =>
      effort.clicks * SECONDS_PER_CLICK + effort.characters * SECONDS_PER_CHARACTER + effort.codes * SECONDS_PER_CODE,
  };
}

export type BrowsingPerson = Awaited<ReturnType<typeof openBrowser>>;
