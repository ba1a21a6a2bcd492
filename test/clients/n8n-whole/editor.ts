/** n8n's editor and forms in Chromium, signed in as the owner. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { selectors, type Locator, type Page } from 'playwright-core';
import { startBrowser } from '../../support/browser.js';
import type { N8n } from './server.js';

selectors.setTestIdAttribute('data-test-id');

export interface Editor {
  open(path: string): Promise<Page>;
  /** Saves a screenshot of the page or an element if `SCREENSHOTS` names a folder. */
  screenshot(name: string, of: Page | Locator): Promise<void>;
  close(): Promise<void>;
}

/** Sends all requests except those to n8n itself to `proxy`. */
export async function openEditor(n8n: N8n, proxy: string): Promise<Editor> {
  const browser = await startBrowser();
  const context = await browser.newContext({
    viewport: { width: 1280, height: 920 },
    deviceScaleFactor: 1.5,
    proxy: { server: proxy, bypass: '127.0.0.1' },
  });
  const [name, value] = n8n.cookie.split('=') as [string, string];
  await context.addCookies([{ name, value, url: n8n.url }]);
  let page = await context.newPage();
  const folder = process.env.SCREENSHOTS;
  return {
    async open(path) {
      // Uses a new page each time, because the editor asks before it discards changes.
      await page.close();
      page = await context.newPage();
      await page.goto(`${n8n.url}${path}`);
      return page;
    },
    async screenshot(file, of) {
      if (!folder) return;
      mkdirSync(folder, { recursive: true });
      // Waits for icons and transitions.
      await page.waitForLoadState('networkidle');
      await of.screenshot({ path: join(folder, `${file}.png`), animations: 'disabled', caret: 'hide' });
    },
    close: () => browser.close(),
  };
}

/** Locates a step of the open workflow. */
export const step = (page: Page, name: string): Locator =>
  page.getByTestId('canvas-node').filter({ hasText: name }).first();

/** Opens the panel of a step. */
export async function openStep(page: Page, name: string): Promise<Locator> {
  await step(page, name).dblclick();
  const panel = page.getByTestId('ndv');
  await panel.waitFor();
  return panel;
}
