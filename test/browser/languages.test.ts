/** The languages of the built widget, which a real browser loads from the service. */
import type { Page } from 'playwright-core';
import { ar } from '../../widget/src/languages/ar.js';
import { de } from '../../widget/src/languages/de.js';
import { en, type Texts } from '../../widget/src/languages/en.js';
import { fr } from '../../widget/src/languages/fr.js';
import { freshMail } from '../support/service.js';
import { setUpSite, type WidgetPage } from '../support/site.js';

const fixture = setUpSite();

const LANGUAGE_FILES = '**/js/v1/auth-2fasdk/*.json*';

interface Choice {
  /** The languages of the script tag, the application, the page and the browser. */
  readonly wish?: string;
  readonly design?: string;
  readonly page?: string;
  readonly locale?: string;
  before?(page: Page): Promise<unknown>;
}

async function open({ wish = '', design, page = '', locale = 'en-US', before }: Choice): Promise<WidgetPage> {
  const { appKey } = await fixture.passbell.application(design ? { design: { language: design } } : {});
  const attributes = { 'data-appkey': appKey, 'data-emailid': freshMail(), 'data-language': wish };
  return fixture.site.open({ attributes, language: page, context: { locale }, ...(before && { before }) });
}

/** Returns the URLs of the languages that the page has loaded. */
const loadedLanguages = ({ page }: WidgetPage) =>
  page.evaluate((service) => {
    const urls = performance.getEntriesByType('resource').map(({ name }) => name);
    return urls.filter((url) => url.startsWith(`${service}/js/v1/`) && url.includes('.json'));
  }, fixture.passbell.url);

/** Expects the widget to be in a language, whose direction it also has. */
async function expectLanguage(widget: WidgetPage, tag: string, texts: Texts): Promise<void> {
  await widget.waitForView(texts.enrolTitle);
  await widget.card.getByRole('button', { name: texts.next }).waitFor();
  const attributes = await widget.card.evaluate(({ lang, dir }: HTMLElement) => [lang, dir]);
  expect(attributes).toEqual([tag, tag === 'ar' ? 'rtl' : 'ltr']);
}

describe('the language', () => {
  const cases: [string, Choice, string, Texts][] = [
    ['is the language of the script tag', { wish: 'de-AT', design: 'fr', page: 'ar' }, 'de', de],
    ["is the application's language if the tag has none", { design: 'fr', page: 'ar' }, 'fr', fr],
    ["is the page's language if neither tag nor application has one", { page: 'ar', locale: 'de-DE' }, 'ar', ar],
    ["is the browser's language if the page's language is unsupported", { page: 'fi', locale: 'de-DE' }, 'de', de],
    ['is English if no other language is supported', { wish: 'tlh', page: 'fi', locale: 'fi-FI' }, 'en', en],
  ];
  it.each(cases)('%s', async (_name, choice, tag, texts) => {
    const widget = await open(choice);
    await expectLanguage(widget, tag, texts);
    expect(widget.console).toEqual([]);
  });
});

it('loads only the texts of its language, from the origin of the script', async () => {
  const german = await open({ page: 'de' });
  await expectLanguage(german, 'de', de);
  const url = `${fixture.passbell.url}/js/v1/auth-2fasdk/de.json?v=`;
  expect(await loadedLanguages(german)).toEqual([expect.stringContaining(url)]);
  const english = await open({});
  await expectLanguage(english, 'en', en);
  expect(await loadedLanguages(english)).toEqual([]);
});

it('shows no words until it knows the language and has its texts', async () => {
  const releases: Record<string, () => void> = {};
  const hold = (page: Page, name: string, url: string) => {
    const released = new Promise<void>((resolve) => (releases[name] = resolve));
    return page.route(url, (route) => released.then(() => route.continue()));
  };
  // The page is in French, and the application in German.
  const widget = await open({
    page: 'fr',
    design: 'de',
    before: async (page) => {
      await hold(page, 'state', '**/authstate');
      await hold(page, 'texts', '**/de.json*');
    },
  });
  await widget.card.getByRole('status').getByText(fr.loading).waitFor({ state: 'attached' });
  const words = () => widget.card.locator('.view').innerText();
  expect(await words()).toBe('');
  const requested = widget.page.waitForRequest(LANGUAGE_FILES);
  releases.state!();
  await requested;
  expect(await words()).toBe('');
  releases.texts!();
  await expectLanguage(widget, 'de', de);
});

it('shows failures in the language of the page', async () => {
  const attributes = { 'data-appkey': 'pk_wrong', 'data-emailid': freshMail() };
  for (const changed of [{}, { 'data-emailid': '' }]) {
    const widget = await fixture.site.open({ attributes: { ...attributes, ...changed }, language: 'de' });
    await widget.waitForView(de.misplacedTitle);
  }
});

it.each([
  ['be loaded', (page: Page) => page.route(LANGUAGE_FILES, (route) => route.abort())],
  ['be found', (page: Page) => page.route(LANGUAGE_FILES, (route) => route.fulfill({ status: 404, json: {} }))],
  ['be read', (page: Page) => page.route(LANGUAGE_FILES, (route) => route.fulfill({ body: '<html>' }))],
])('is in English if the texts cannot %s, and logs this to the console', async (_failure, before) => {
  const widget = await open({ page: 'ar', before });
  await expectLanguage(widget, 'en', en);
  expect(widget.console).toContainEqual(
    expect.stringMatching(/Could not load \S*ar\.json\S*\. The widget is shown in English\./),
  );
});

it('shows texts in English that the loaded language does not have', async () => {
  const json = { enrolTitle: de.enrolTitle };
  const widget = await open({
    page: 'de',
    before: (page) => page.route(LANGUAGE_FILES, (route) => route.fulfill({ json })),
  });
  await widget.waitForView(de.enrolTitle);
  await widget.card.getByRole('button', { name: en.next }).waitFor();
});
