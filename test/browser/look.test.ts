/**
 * Every state of the widget as people have it: light, dark, on the narrowest screen, from right to left, in the colours of
 * an application. Nothing may be cut off, and axe-core may find nothing. `SCREENSHOTS=folder` keeps the pictures.
 */
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { ar } from '../../widget/src/languages/ar.js';
import { de } from '../../widget/src/languages/de.js';
import { en, type Texts } from '../../widget/src/languages/en.js';
import { codeAt, STEP } from '../support/authenticator.js';
import { findings } from '../support/axe.js';
import { scan } from '../support/qr.js';
import { freshMail, NO_LIMITS, wrongCode } from '../support/service.js';
import { setStage, type WidgetPage } from '../support/site.js';

const stage = setStage();

interface Look {
  readonly name: string;
  readonly texts: Texts;
  readonly language: string;
  readonly context: BrowserContextOptions;
  readonly design?: object;
}

const NARROW = { width: 280, height: 700 };
const USUAL = { width: 480, height: 800 };

const LOOKS: Look[] = [
  { name: 'light', texts: en, language: 'en', context: { viewport: USUAL, colorScheme: 'light' } },
  { name: 'dark', texts: en, language: 'en', context: { viewport: USUAL, colorScheme: 'dark' } },
  { name: 'narrow', texts: de, language: 'de', context: { viewport: NARROW, colorScheme: 'light' } },
  { name: 'right-to-left', texts: ar, language: 'ar', context: { viewport: NARROW, colorScheme: 'dark' } },
  {
    name: 'application',
    texts: en,
    language: 'en',
    context: { viewport: USUAL, colorScheme: 'light' },
    design: {
      title: 'Café Órgano',
      accentColor: '#ffcc00',
      backgroundColor: '#20124d',
      textColor: '#ffffff',
      radius: 24,
    },
  },
];

const API = '**/api/v1/authserviceclient/**';

it.each(LOOKS)('$name: every state is whole and accessible', async ({ name, texts, language, context, design }) => {
  const { appKey } = await stage.passbell.application({
    ...NO_LIMITS,
    ...(design && { design }),
  });
  const attributes = { 'data-appkey': appKey, 'data-emailid': freshMail(), 'data-language': language };
  const found: string[] = [];
  let number = 0;

  async function look({ page }: WidgetPage, state: string): Promise<void> {
    // Colours are judged as they end up.
    await page.evaluate(() =>
      Promise.all(document.getAnimations().map((animation) => animation.finish())).catch(() => 0),
    );
    if (process.env.SCREENSHOTS) {
      const path = join(process.env.SCREENSHOTS, `${name}-${String(++number).padStart(2, '0')}-${state}.png`);
      await page.screenshot({ path, fullPage: true });
    }
    const cut = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (cut > 0) found.push(`${state}: ${cut} pixels too wide`);
    found.push(...(await findings(page)).map((finding) => `${state}: ${finding}`));
  }

  const open = () => stage.site.open({ attributes, language, context });
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let widget = await stage.site.open({
    attributes,
    language,
    context,
    before: (page) => page.route(API, async (route) => held.then(() => route.continue())),
  });
  await widget.shows(texts.loading);
  await look(widget, 'loading');
  release();
  await widget.shows(texts.enrolTitle);
  const secret = (await scan(widget.card.locator('canvas'))).searchParams.get('secret')!;
  const code = () => codeAt(secret, stage.passbell.clock.now());
  await look(widget, 'enrol');
  await widget.card.getByText(texts.manualSummary).click();
  await look(widget, 'enrol-key');
  await widget.press(texts.next);
  await look(widget, 'confirm');
  await widget.type(code());
  await widget.shows(texts.savedTitle);
  await look(widget, 'recovery-codes');
  await widget.press(texts.saved);
  await look(widget, 'enabled');
  await widget.press(texts.turnOff);
  await look(widget, 'turning-off');

  stage.passbell.clock.advance(11 * 60_000);
  await widget.press(texts.turnOff);
  await widget.card.getByText(texts.offCodeLead).waitFor();
  await look(widget, 'turning-off-code');
  await widget.press(texts.useRecovery);
  await look(widget, 'turning-off-recovery');

  widget = await open();
  await widget.shows(texts.enterTitle);
  await look(widget, 'enter-code');
  await widget.type(wrongCode(code()));
  await widget.card.getByText(texts.wrongCode).waitFor();
  await look(widget, 'wrong-code');
  await widget.press(texts.useRecovery);
  await look(widget, 'recovery');
  await widget.press(texts.back);
  stage.passbell.clock.advance(STEP);
  await widget.type(code());
  await widget.shows(texts.onTitle);
  await widget.press(texts.turnOff);
  await widget.press(texts.turnOff);
  await widget.shows(texts.doneTitle);
  await look(widget, 'off');

  await widget.page.route(API, (route) => route.abort());
  await widget.press(texts.enrolTitle);
  await widget.card.getByText(texts.unreachableLead).waitFor();
  await look(widget, 'unreachable');

  widget = await stage.site.open({ attributes: { ...attributes, 'data-emailid': 'nobody' }, language, context });
  await widget.shows(texts.misplacedTitle);
  await look(widget, 'misplaced');

  widget = await open();
  await widget.press(texts.next);
  for (let step = 1; step <= 5; step++) {
    await widget.type(wrongCode('000000', step));
    await widget.card.getByText(texts.wrongCode).waitFor();
  }
  await widget.type('000000');
  await widget.shows(texts.lockedTitle);
  await look(widget, 'locked');
  expect(found).toEqual([]);
});
