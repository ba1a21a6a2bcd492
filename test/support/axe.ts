/** Checks pages with all rules of axe-core, including the contents of shadow roots. */
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules about colors. All other rules have the same result in light and in dark mode. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Makes axe-core skip the contrast of a text that it has checked before, at another width: the contrast depends on the
 * colors, size and weight of the text and of the elements around it. Checking the contrast takes most of the CPU
 * time of axe-core.
 */
const CHECK_CONTRAST_ONCE = `{
  const rule = axe._audit.rules.find(({ id }) => id === 'color-contrast');
  const { matches } = rule;
  const checked = new WeakMap();
  const looks = ['color', 'backgroundColor', 'backgroundImage', 'opacity', 'fontSize', 'fontWeight'];
  const lookOf = (element) => {
    const style = getComputedStyle(element);
    const outer = element.parentElement ?? element.getRootNode().host;
    return looks.map((name) => style[name]).join() + (outer ? lookOf(outer) : '');
  };
  rule.matches = function (element, ...more) {
    if (!matches.call(this, element, ...more)) return false;
    const look = lookOf(element);
    const isNew = checked.get(element) !== look;
    checked.set(element, look);
    return isNew;
  };
}`;

async function run(page: Page, options: RunOptions = {}): Promise<string[]> {
  // A page can contain the text that a test waited for before its styles are loaded.
  await page.waitForLoadState();
  // evaluate() injects through the debugger, which the page's content security policy does not block.
  if (!(await page.evaluate('"axe" in window'))) {
    await page.evaluate(source);
    await page.evaluate(CHECK_CONTRAST_ONCE);
  }
  const all = JSON.stringify({ resultTypes: ['violations'], ...options });
  const { violations } = (await page.evaluate(`axe.run(${all})`)) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Returns one line for each violation: the rule, the element and the reason. */
export const findings = (page: Page): Promise<string[]> => run(page);

async function overflow(page: Page): Promise<string[]> {
  const pixels = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  return pixels > 0 ? [`${pixels} pixels too wide`] : [];
}

const SHORT_TEXTS = 'label, legend, th, dt, summary, button, .button, .label, .badge';

/** Finds labels and other short texts that are too narrow for one of their words, which then continues on the next line. */
const brokenWords = (page: Page): Promise<string[]> =>
  page.evaluate((selector) => {
    const found: string[] = [];
    const range = document.createRange();
    for (const element of document.querySelectorAll(selector)) {
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const text = texts.currentNode as Text;
        for (const { 0: word, index } of text.data.matchAll(/\p{Letter}+/gu)) {
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          if (lines.size > 1) found.push(`the word “${word}” is broken in “${element.textContent.trim()}”`);
        }
      }
    }
    return found;
  }, SHORT_TEXTS);

async function takeScreenshot(page: Page, file: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  // Frames are painted only once they are scrolled into view.
  for (const frame of await page.locator('iframe').all()) await frame.scrollIntoViewIfNeeded();
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: join(folder, `${file}.png`), fullPage: true });
}

/**
 * Switches the color scheme and the page width without a reload, and waits until transitions have ended:
 * axe-core must see the final colors.
 */
async function show(page: Page, colorScheme: 'light' | 'dark', width: number): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 900 });
  await page.evaluate(() => {
    for (;;) {
      const unfinished = document.getAnimations().filter(({ playState }) => playState !== 'finished');
      // The end of a transition can start another transition in elements that inherit the property.
      if (unfinished.length === 0) return;
      for (const animation of unfinished)
        if (animation.effect?.getComputedTiming().endTime === Infinity) animation.cancel();
        else animation.finish();
    }
  });
}

/**
 * Checks the page at each width in each color scheme: it must be accessible and fit the screen, and no word of a label is
 * broken. Returns a line for each problem. `SCREENSHOTS=folder` saves a screenshot of each combination.
 */
export async function findingsInAllVariants(
  page: Page,
  name: string,
  widths: readonly number[] = [360, 1440],
  colorSchemes: readonly ('light' | 'dark')[] = ['light', 'dark'],
): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of colorSchemes)
    for (const width of widths) {
      await show(page, colorScheme, width);
      const look = `${name}-${width}-${colorScheme}`;
      const options = colorScheme === colorSchemes[0] ? {} : { runOnly: COLOR_RULES };
      const problems = [...(await overflow(page)), ...(await brokenWords(page)), ...(await run(page, options))];
      found.push(...problems.map((problem) => `${look}: ${problem}`));
      await takeScreenshot(page, look);
    }
  return found;
}
