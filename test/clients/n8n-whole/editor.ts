/** n8n's pages in Chromium: the editor as its owner has it, and the forms as anybody has them. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { selectors, type Locator, type Page } from 'playwright-core';
import { startBrowser } from '../../support/browser.js';
import type { N8n } from './server.js';

selectors.setTestIdAttribute('data-test-id');

/** The machine that installs all this may be a slow one. */
const PATIENCE_MS = 60_000;

export interface Editor {
  /** Opens a page of n8n. */
  open(path: string): Promise<Page>;
  /** Keeps a picture of what is shown, or of a part of it, when `SCREENSHOTS` names a folder. */
  picture(name: string, of: Page | Locator): Promise<void>;
  close(): Promise<void>;
}

/** `outside` is a proxy for whatever is not n8n itself. */
export async function openEditor(n8n: N8n, outside: string): Promise<Editor> {
  const browser = await startBrowser();
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    proxy: { server: outside, bypass: '127.0.0.1' },
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const [name, value] = n8n.cookie.split('=') as [string, string];
  await context.addCookies([{ name, value, url: n8n.url }]);
  let page = await context.newPage();
  const folder = process.env.SCREENSHOTS;
  return {
    async open(path) {
      // A page of its own each time: the editor asks before it drops what was changed.
      await page.close();
      page = await context.newPage();
      await page.goto(`${n8n.url}${path}`);
      return page;
    },
    async picture(file, of) {
      if (!folder) return;
      mkdirSync(folder, { recursive: true });
      // Icons and transitions come to rest.
      await page.waitForLoadState('networkidle');
      await of.screenshot({ path: join(folder, `${file}.png`), animations: 'disabled', caret: 'hide' });
    },
    close: () => browser.close(),
  };
}

/** A step of the workflow that is shown. */
export const step = (page: Page, name: string): Locator =>
  page.getByTestId('canvas-node').filter({ hasText: name }).first();

/** Opens the panel of a step. */
export async function openStep(page: Page, name: string): Promise<Locator> {
  await step(page, name).dblclick();
  const panel = page.getByTestId('ndv');
  await panel.waitFor();
  return panel;
}
