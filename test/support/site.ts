/** A site on an origin of its own that embeds the widget, under the strictest policy that the widget works with. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { BROWSER_MS, startBrowser } from './browser.js';
import { startService, type Body, type TestService } from './service.js';

/** What the site's own script does: it notes what it hears. */
const PAGE_SCRIPT = `window.heard = [];
window.serviceResponse = (response) => void window.heard.push(response);
`;

export interface Embedding {
  /** Attributes of the script tag. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** Body of the page instead of the usual one; `{widget}` stands for the script tag. */
  readonly body?: string;
  /** What the site's own script does instead of noting. */
  readonly script?: string;
  readonly language?: string;
  /** How the browser and its user are. */
  readonly context?: BrowserContextOptions;
  /** Runs before the page is loaded. */
  before?(page: Page): Promise<unknown>;
}

export interface WidgetPage {
  readonly page: Page;
  /** What the person sees and uses: everything in the widget's shadow root. */
  readonly card: Locator;
  /** Every line of the console, and every error that nobody caught. */
  readonly console: string[];
  /** What the page heard so far. */
  heard(): Promise<Body[]>;
  /** Waits until the widget shows a view of this title. */
  shows(title: string | RegExp): Promise<void>;
  press(button: string): Promise<void>;
  /** Types into the code field, as a person does. */
  type(code: string): Promise<void>;
}

export interface Site {
  readonly url: string;
  open(embedding?: Embedding): Promise<WidgetPage>;
  /** Closes what was opened. */
  close(): Promise<void>;
  stop(): Promise<void>;
}

const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** A site whose pages embed the widget of the service at `service`. */
export async function startSite(browser: Browser, service: string): Promise<Site> {
  let html = '';
  let script = '';
  const policy = `default-src 'none'; script-src 'self' ${service}; connect-src ${service}; require-trusted-types-for 'script'`;
  const server = createServer((request, response) => {
    if (request.url === '/page.js') return void response.setHeader('Content-Type', 'text/javascript').end(script);
    response.setHeader('Content-Type', 'text/html; charset=utf-8').setHeader('Content-Security-Policy', policy);
    response.end(request.url === '/favicon.ico' ? '' : html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const contexts: BrowserContext[] = [];
  return {
    url,
    async close() {
      await Promise.all(contexts.splice(0).map((context) => context.close()));
    },
    async open({ attributes = {}, body, language = 'en', context = {}, ...more }: Embedding = {}) {
      const list = Object.entries({ src: `${service}/js/v1/auth-2fasdk.js`, ...attributes });
      const tag = `<script ${list.map(([name, value]) => `${name}="${escape(value)}"`).join(' ')}></script>`;
      const inside = (body ?? '<div id="service-2fasdk"></div>{widget}').replaceAll('{widget}', tag);
      script = more.script ?? PAGE_SCRIPT;
      html = `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>Shop</title>
        <meta name="viewport" content="width=device-width, initial-scale=1"><script src="/page.js"></script></head>
        <body><main><h1>Shop</h1>${inside}</main></body></html>`;
      const opened = await browser.newContext({ locale: 'en-US', ...context });
      contexts.push(opened);
      // Sooner than the test's own end, so that a failure says what was waited for.
      opened.setDefaultTimeout(20_000);
      const page = await opened.newPage();
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
        heard: () => page.evaluate(() => (window as unknown as { heard: Body[] }).heard),
        shows: (title) => card.getByRole('heading', { name: title, exact: true }).waitFor(),
        press: (name) => card.getByRole('button', { name, exact: true }).click(),
        type: (code) => card.getByRole('textbox').pressSequentially(code),
      };
    },
    async stop() {
      await new Promise((resolve) => server.close(resolve).closeAllConnections());
    },
  };
}

/** What the tests of a file stand on. */
export interface Stage {
  passbell: TestService;
  readonly browser: Browser;
  readonly site: Site;
}

/** Registers the hooks that start and stop all of it; the stage is there as soon as tests run. */
export function setStage(): Stage {
  // A busy machine opens a page in seconds.
  jest.setTimeout(90_000);
  const stage = {} as { -readonly [Part in keyof Stage]: Stage[Part] };
  beforeAll(async () => {
    [stage.passbell, stage.browser] = await Promise.all([startService(), startBrowser()]);
    stage.site = await startSite(stage.browser, stage.passbell.url);
  }, BROWSER_MS);
  afterEach(async () => {
    await stage.site.close();
    // A minute later, no limit of calls remembers this test.
    stage.passbell.clock.advance(60_000);
  });
  afterAll(async () => {
    await stage.browser?.close();
    await stage.site?.stop();
    await stage.passbell?.stop();
  });
  return stage;
}
