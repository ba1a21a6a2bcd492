/**
 * Every widget state in light and dark mode, on the narrowest screen, right to left, and with custom colors. Each
 * state must fit the screen and pass axe-core. `SCREENSHOTS=folder` saves screenshots.
 */
import { ar } from '../../widget/src/languages/ar.js';
import { de } from '../../widget/src/languages/de.js';
import { en, type Texts } from '../../widget/src/languages/en.js';
import { pl } from '../../widget/src/languages/pl.js';
import { codeAt, STEP } from '../support/authenticator.js';
import { findingsInAllVariants } from '../support/axe.js';
import { freshMail, NO_LIMITS, wrongCode } from '../support/service.js';
import { setUpSite, type WidgetPage } from '../support/site.js';

const fixture = setUpSite();

interface Look {
  readonly name: string;
  readonly texts: Texts;
  readonly language: string;
  readonly width: number;
  readonly colorSchemes: readonly ('light' | 'dark')[];
  readonly design?: object;
  readonly isPhone?: boolean;
}

const NARROW_WIDTH = 280;
const USUAL_WIDTH = 480;

const LOOKS: Look[] = [
  { name: 'usual', texts: en, language: 'en', width: USUAL_WIDTH, colorSchemes: ['light', 'dark'] },
  { name: 'phone', texts: en, language: 'en', width: 375, colorSchemes: ['light', 'dark'], isPhone: true },
  { name: 'narrow', texts: de, language: 'de', width: NARROW_WIDTH, colorSchemes: ['light'] },
  { name: 'narrow, in Polish', texts: pl, language: 'pl', width: NARROW_WIDTH, colorSchemes: ['light'] },
  { name: 'right-to-left', texts: ar, language: 'ar', width: NARROW_WIDTH, colorSchemes: ['dark'] },
  {
    name: 'application',
    texts: en,
    language: 'en',
    width: USUAL_WIDTH,
    colorSchemes: ['light'],
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

it.each(LOOKS)(
  '$name: every state fits the screen and is accessible',
  async ({ name, texts, language, width, colorSchemes, design, isPhone = false }) => {
    const { appKey } = await fixture.passbell.application({
      ...NO_LIMITS,
      ...(design && { design }),
    });
    const attributes = { 'data-appkey': appKey, 'data-emailid': freshMail(), 'data-language': language };
    const screen = { viewport: { width, height: 900 }, isMobile: isPhone, hasTouch: isPhone };
    const context = { ...screen, colorScheme: colorSchemes[0]! };
    const found: string[] = [];
    let number = 0;

    async function check({ page }: WidgetPage, state: string): Promise<void> {
      const file = `${name}-${String(++number).padStart(2, '0')}-${state}`;
      found.push(...(await findingsInAllVariants(page, file, [width], colorSchemes)));
    }

    const open = () => fixture.site.open({ attributes, language, context });
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let widget = await fixture.site.open({
      attributes,
      language,
      context,
      before: (page) => page.route(API, async (route) => released.then(() => route.continue())),
    });
    await widget.card.getByRole('status').getByText(texts.loading).waitFor({ state: 'attached' });
    await check(widget, 'loading');
    release();
    await widget.waitForView(texts.enrolTitle);
    const secret = new URL((await widget.card.locator('a').getAttribute('href'))!).searchParams.get('secret')!;
    const code = () => codeAt(secret, fixture.passbell.clock.now());
    await check(widget, 'enroll');
    await widget.card.getByText(isPhone ? texts.scanSummary : texts.manualSummary).click();
    await check(widget, 'enroll-details');
    await widget.press(texts.next);
    await check(widget, 'confirm');
    await widget.type(code());
    await widget.waitForView(texts.savedTitle);
    await check(widget, 'recovery-codes');
    await widget.press(texts.saved);
    await check(widget, 'enabled');
    await widget.press(texts.turnOff);
    await check(widget, 'turning-off');

    fixture.passbell.clock.advance(11 * 60_000);
    await widget.press(texts.turnOff);
    await widget.card.getByText(texts.offCodeLead).waitFor();
    await check(widget, 'turning-off-code');
    await widget.press(texts.useRecovery);
    await check(widget, 'turning-off-recovery');

    widget = await open();
    await widget.waitForView(texts.enterTitle);
    await check(widget, 'enter-code');
    await widget.type(wrongCode(code()));
    await widget.card.getByText(texts.wrongCode).waitFor();
    await check(widget, 'wrong-code');
    await widget.press(texts.useRecovery);
    await check(widget, 'recovery');
    await widget.press(texts.back);
    fixture.passbell.clock.advance(STEP);
    await widget.type(code());
    await widget.waitForView(texts.onTitle);
    await widget.press(texts.turnOff);
    await widget.press(texts.turnOff);
    await widget.waitForView(texts.doneTitle);
    await check(widget, 'off');

    await widget.page.route(API, (route) => route.abort());
    await widget.press(texts.enrolTitle);
    await widget.card.getByText(texts.unreachableLead).waitFor();
    await check(widget, 'unreachable');

    widget = await fixture.site.open({ attributes: { ...attributes, 'data-emailid': 'nobody' }, language, context });
    await widget.waitForView(texts.misplacedTitle);
    await check(widget, 'misplaced');

    widget = await open();
    await widget.press(texts.next);
    for (let step = 1; step <= 5; step++) {
      await widget.type(wrongCode('000000', step));
      await widget.card.getByText(texts.wrongCode).waitFor();
    }
    await widget.type('000000');
    await widget.waitForView(texts.lockedTitle);
    await check(widget, 'locked');
    expect(found).toEqual([]);
  },
);
