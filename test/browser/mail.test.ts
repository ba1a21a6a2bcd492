/** Mails as people see them: on a phone and on a desk, light and dark, from left to right and from right to left. */
import type { Browser, Page } from 'playwright-core';
import type { Content } from '../../backend/src/providers/provider.js';
import { TEMPLATES, VARIABLES } from '../../backend/src/platform/contract/generated/templates.js';
import type { TemplateName } from '../../backend/src/modules/templates/rendering/language.js';
import { variablesOf } from '../../backend/src/modules/templates/rendering/notification.js';
import { render, TEMPLATE_NAMES } from '../../backend/src/modules/templates/rendering/render.js';
import { findings } from '../support/axe.js';
import { BROWSER_MS, startBrowser } from '../support/browser.js';

let browser: Browser;
beforeAll(async () => void (browser = await startBrowser()), BROWSER_MS);
afterAll(() => browser?.close());

/** A mail with all variables; `long` makes each of them a word that no line can hold. */
function mailOf(template: string, language: string, long = false): string {
  const names = Object.hasOwn(TEMPLATES, template) ? variablesOf(template as TemplateName) : [];
  const values = names.map((name) => {
    const { sample, link, maxLength } = VARIABLES[name];
    const word = link ? `https://shop.example/${'x'.repeat(400)}` : 'W'.repeat(Math.min(maxLength, 100));
    return [name, long ? word : sample];
  });
  const code = { code: '0123456789', minutes: '5' };
  const variables = { ...(template === 'otp' ? code : Object.fromEntries(values)), application: 'Corner Shop' };
  return (render(template, 'EMAIL', { ...variables, language }) as Extract<Content, { kind: 'email' }>).html;
}

/** Every template once in English and once from the right, and what is hard to fit. */
const MAILS = [
  ...TEMPLATE_NAMES.flatMap((name) => ['en', 'ar'].map((code) => [`${name} in ${code}`, mailOf(name, code)] as const)),
  ['long words', mailOf('order_update', 'en', true)] as const,
];

const brightness = (page: Page) =>
  page.evaluate(() => {
    const card = document.querySelector('.card')!;
    const [r, g, b] = getComputedStyle(card).backgroundColor.match(/\d+/g)!.map(Number);
    return (r! + g! + b!) / 3;
  });

describe.each([360, 800])('%i pixels wide', (width) => {
  it.each(['light', 'dark'] as const)(
    '%s: every mail fits, can be read and has the right ground',
    async (colorScheme) => {
      const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
      for (const [name, html] of MAILS) {
        await page.setContent(html);
        expect([name, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([name, width]);
        const ground = await brightness(page);
        expect([name, ground > 128]).toEqual([name, colorScheme === 'light']);
        if (!/^(?:otp|order_update|payment_failed|long)/.test(name)) continue;
        // These have every part that a mail can have.
        const contrast = (await findings(page)).filter((finding) => /^(color-contrast|link-name|html-)/.test(finding));
        expect([name, contrast]).toEqual([name, []]);
      }
      await page.close();
    },
    120_000,
  );
});
