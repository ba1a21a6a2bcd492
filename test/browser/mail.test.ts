/** Rendered emails: narrow and wide, light and dark, left to right and right to left. */
import type { Browser, Page } from 'playwright-core';
import type { Content } from '../../backend/src/providers/provider.js';
import { TEMPLATES, VARIABLES } from '../../backend/src/platform/contract/generated/templates.js';
import { render } from '../../backend/src/modules/templates/rendering/render.js';
import {
  notificationVariables,
  TEMPLATE_NAMES,
  type TemplateName,
} from '../../backend/src/modules/templates/template.js';
import { findings } from '../support/axe.js';
import { startBrowser } from '../support/browser.js';

let browser: Browser;
beforeAll(async () => void (browser = await startBrowser()));
afterAll(() => browser?.close());

/** Renders an email with all variables. If `long` is set, each value is a word that is wider than a line. */
function renderEmail(template: string, language: string, long = false): string {
  const names = Object.hasOwn(TEMPLATES, template) ? notificationVariables(template as TemplateName) : [];
  const values = names.map((name) => {
    const { sample, link, maxLength } = VARIABLES[name];
    const word = link ? `https://shop.example/${'x'.repeat(400)}` : 'W'.repeat(Math.min(maxLength, 100));
    return [name, long ? word : sample];
  });
  const code = { code: '0123456789', minutes: '5' };
  const variables = { ...(template === 'otp' ? code : Object.fromEntries(values)), application: 'Corner Shop' };
  return (render(template, 'EMAIL', { ...variables, language }) as Extract<Content, { kind: 'email' }>).html;
}

/** Every template in English and in a right-to-left language, and one email with long words. */
const EMAILS = [
  ...TEMPLATE_NAMES.flatMap((name) =>
    ['en', 'ar'].map((code) => [`${name} in ${code}`, renderEmail(name, code)] as const),
  ),
  ['long words', renderEmail('order_update', 'en', true)] as const,
];

const brightness = (page: Page) =>
  page.evaluate(() => {
    const card = document.querySelector('.card')!;
    const [r, g, b] = getComputedStyle(card).backgroundColor.match(/\d+/g)!.map(Number);
    return (r! + g! + b!) / 3;
  });

it.each([360, 800])(
  'every email fits into %i pixels, is readable and has the correct background, light and dark',
  async (width) => {
    const page = await browser.newPage({ viewport: { width, height: 800 } });
    for (const [name, html] of EMAILS) {
      await page.setContent(html);
      expect([name, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([name, width]);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const background = await brightness(page);
        expect([name, background > 128]).toEqual([name, colorScheme === 'light']);
        if (!/^(?:otp|order_update|payment_failed|long)/.test(name)) continue;
        // These templates contain every part of an email.
        const contrast = (await findings(page)).filter((finding) => /^(color-contrast|link-name|html-)/.test(finding));
        expect([name, contrast]).toEqual([name, []]);
      }
    }
    await page.close();
  },
);
