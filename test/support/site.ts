/**
 * A site with a separate origin that embeds the widget, with the strictest content security policy that the widget
 * supports.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { startBrowser } from './browser.js';
import { startService, type Body, type TestService } from './service.js';

/** The site's own script, which records the widget's responses. */
const PAGE_SCRIPT = `window.responses = [];
window.serviceResponse = (response) => void window.responses.push(response);
`;

export interface Embedding {
  /** Attributes of the script tag. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** HTML of the page's body; `{widget}` is replaced by the script tag. */
  readonly body?: string;
  /** Replaces the site's own script. */
  readonly script?: string;
  readonly language?: string;
  /** Properties of the browser, such as its viewport and language. */
  readonly context?: BrowserContextOptions;
  /** Runs before the page is loaded. */
  before?(page: Page): Promise<unknown>;
}

export interface WidgetPage {
  readonly page: Page;
  /** The visible widget, inside its shadow root. */
  readonly card: Locator;
  /** Console messages and uncaught errors. */
  readonly console: string[];
  /** Calls of `serviceResponse` so far. */
  responses(): Promise<Body[]>;
  /** Waits until the widget shows the view with this title. */
  waitForView(title: string | RegExp): Promise<void>;
  press(button: string): Promise<void>;
  /** Types into the code field, key by key. */
  type(code: string): Promise<void>;
}

export interface Site {
  readonly url: string;
  open(embedding?: Embedding): Promise<WidgetPage>;
  /** Closes the opened pages. */
  close(): Promise<void>;
  stop(): Promise<void>;
}

const EMPTY_PATH = '/empty';

interface PagePool {
  /** Returns an empty page in a separate browser context. `release` closes the page if it is not reusable. */
  take(options: BrowserContextOptions, isReusable: boolean): Promise<Page>;
  /** Returns all pages to the pool. */
  release(): Promise<void>;
}

/** Creates a pool of pages that tests reuse, because opening a page takes about a second of CPU time. */
function createPagePool(browser: Browser, emptyUrl: string): PagePool {
  const free = new Map<string, Page[]>();
  const taken: { page: Page; key: string | undefined }[] = [];

  /** Removes the listeners, routes, storage and cookies that a test added. */
  async function reset(page: Page): Promise<void> {
    page.removeAllListeners();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.goto(emptyUrl);
    await page.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()));
    await page.context().clearCookies();
  }

  return {
    async take(options, isReusable) {
      const key = isReusable ? JSON.stringify(options) : undefined;
      const reused = key === undefined ? undefined : free.get(key)?.pop();
      const page = reused ?? (await (await browser.newContext(options)).newPage());
      taken.push({ page, key });
      return page;
    },
    async release() {
      await Promise.all(
        taken.splice(0).map(async ({ page, key }) => {
          if (key === undefined || page.isClosed()) return page.context().close();
          await reset(page);
          free.set(key, [...(free.get(key) ?? []), page]);
        }),
      );
    },
  };
}

const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Starts a site whose pages embed the widget from the service at the URL `service`. */
export async function startSite(browser: Browser, service: string): Promise<Site> {
  let html = '';
  let script = '';
  const policy = `default-src 'none'; script-src 'self' ${service}; connect-src ${service}; require-trusted-types-for 'script'`;
  const server = createServer((request, response) => {
    if (request.url === '/page.js') return void response.setHeader('Content-Type', 'text/javascript').end(script);
    response.setHeader('Content-Type', 'text/html; charset=utf-8').setHeader('Content-Security-Policy', policy);
    response.end(request.url === '/favicon.ico' || request.url === EMPTY_PATH ? '' : html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const pages = createPagePool(browser, `${url}${EMPTY_PATH}`);
  return {
    url,
    close: () => pages.release(),
    async open({ attributes = {}, body, language = 'en', context = {}, ...more }: Embedding = {}) {
      const list = Object.entries({ src: `${service}/js/v1/auth-2fasdk.js`, ...attributes });
      const tag = `<script ${list.map(([name, value]) => `${name}="${escape(value)}"`).join(' ')}></script>`;
      const content = (body ?? '<div id="service-2fasdk"></div>{widget}').replaceAll('{widget}', tag);
      script = more.script ?? PAGE_SCRIPT;
      html = `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>Shop</title>
        <meta name="viewport" content="width=device-width, initial-scale=1"><script src="/page.js"></script></head>
        <body><main><h1>Shop</h1>${content}</main></body></html>`;
      const page = await pages.take({ locale: 'en-US', ...context }, more.before === undefined);
      const lines: string[] = [];
      page.on('console', (message) => void lines.push(`${message.type()}: ${message.text()}`));
      page.on('pageerror', (error) => void lines.push(`uncaught: ${error.message}`));
      await more.before?.(page);
      await page.goto(url);
      const card = page.locator('#service-2fasdk .card');
      return {
        page,
        card,
        console: lines,
        responses: () => page.evaluate(() => (window as unknown as { responses: Body[] }).responses),
        waitForView: (title) => card.getByRole('heading', { name: title, exact: true }).waitFor(),
        press: (name) => card.getByRole('button', { name, exact: true }).click(),
        type: (code) => card.getByRole('textbox').pressSequentially(code),
      };
    },
    async stop() {
      await new Promise((resolve) => server.close(resolve).closeAllConnections());
    },
  };
}

/** The service, browser and site that the tests in a file share. */
export interface SiteFixture {
  passbell: TestService;
  readonly browser: Browser;
  readonly site: Site;
}

/** Registers the hooks that start and stop the fixture. The returned fixture can be used only inside tests. */
export function setUpSite(): SiteFixture {
  const fixture = {} as { -readonly [Part in keyof SiteFixture]: SiteFixture[Part] };
  beforeAll(async () => {
    [fixture.passbell, fixture.browser] = await Promise.all([startService(), startBrowser()]);
    fixture.site = await startSite(fixture.browser, fixture.passbell.url);
  });
  afterEach(async () => {
    await fixture.site.close();
    // Resets the per-minute rate limits between tests.
    fixture.passbell.clock.advance(60_000);
  });
  afterAll(async () => {
    await fixture.browser?.close();
    await fixture.site?.stop();
    await fixture.passbell?.stop();
  });
  return fixture;
}
