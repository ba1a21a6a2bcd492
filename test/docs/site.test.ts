/** Rendering of the documentation pages. */
import { readdirSync } from 'node:fs';
import { parse } from 'node:path';
import { linkedFiles, readGuides } from '../../backend/src/modules/docs/guides.js';
import { renderMarkdown, sizeAttributes } from '../../backend/src/modules/docs/markdown.js';
import { createSite } from '../../backend/src/modules/docs/site.js';

it('a request for a page renders only that page, and only once', () => {
  const read: string[] = [];
  const guides = readGuides().map(({ text, ...guide }) => ({
    ...guide,
    get text() {
      read.push(guide.path);
      return text;
    },
  }));
  const { htmlOf } = createSite('https://otp.example', guides, new Set());
  // The navigation comes from the index.
  expect(read).toEqual(['/docs']);
  expect(htmlOf('/docs/fraud')).toContain('</html>');
  expect(htmlOf('/docs/api/otp')).toContain('</html>');
  expect(htmlOf('/docs/fraud')).toBe(htmlOf('/docs/fraud'));
  expect(read).toEqual(['/docs', '/docs/fraud']);
  expect(htmlOf('/docs/no-such-page')).toBeUndefined();
});

it('collapses the long tables of the simulation, and aligns their figures', () => {
  const { htmlOf } = createSite('https://otp.example', readGuides(), new Set());
  const html = htmlOf('/docs/fraud-simulation')!;
  const [, table] = /<details class="fields"><summary>All attacks<\/summary>(.*?)<\/details>/s.exec(html)!;
  expect(table).toContain('<td class="number" data-label="Asked">');
  expect(htmlOf('/docs/fraud-settings')).toContain('<code><span class="unbroken">NOTIFICATION_LIMIT</span></code>');
  expect(html).not.toContain('&lt;details');
});

it('lists the guides on the start page in a card for each role', () => {
  const html = createSite('https://otp.example', readGuides(), new Set()).htmlOf('/docs')!;
  const cards = html.split('<section class="role">').slice(1);
  const titles = cards.map((card) => /<h2>(.*?)<\/h2>/.exec(card)![1]);
  expect(titles).toEqual(['For developers', 'For shop owners', 'For operators', 'Project']);
  expect(cards[0]).toContain('<a href="/docs/quick-start">Send and verify your first code in five minutes</a>');
  expect(cards[0]).toMatch(/<pre.*<h3>Send codes<\/h3>/s);
  expect(cards[1]).toContain('<summary>7 guides</summary>');
  expect(cards[1]).toContain('<li><a href="/docs/zapier">Zapier</a></li>');
  expect(html.match(/<li><a [^>]*>[^<]*<\/a><\/li>/g)!.length).toBeGreaterThan(60);
});

it('keeps the space of all images until they are loaded', () => {
  const files = new Set(linkedFiles(readGuides()));
  const { pages, htmlOf } = createSite('https://otp.example', readGuides(), files);
  const images = pages.flatMap(
    ({ path }) =>
      htmlOf(path)!
        .match(/<main.*<\/main>/s)![0]
        .match(/<img [^>]*>/g) ?? [],
  );
  expect(images.some((image) => image.includes('.svg'))).toBe(true);
  expect(images.filter((image) => !/ width="\d+" height="\d+"/.test(image))).toEqual([]);
});

it('links pictures to themselves at full size, except in links, and marks those that are too wide for phones', () => {
  const files = new Map([
    ['docs/dashboard.png', '/dashboard.png'],
    ['docs/zapier-verify.svg', '/verify.svg'],
    ['docs/fraud.md', '/docs/fraud'],
  ]);
  const htmlOf = (text: string) =>
    renderMarkdown(text, { file: 'docs/a.md', addressOf: (file) => files.get(file), url: 'https://otp.example' });
  expect(htmlOf('![Home of "Shop"](dashboard.png)')).toMatch(
    /^<p><a class="picture large" href="\/dashboard\.png"><img src="\/dashboard\.png" alt="Home of &(quot|#34);Shop&\1;" [^>]*><\/a><\/p>$/m,
  );
  expect(htmlOf('![Fields](zapier-verify.svg)')).toContain('<a class="picture" href="/verify.svg"><img ');
  const linked = htmlOf('[**![Home](dashboard.png)**](fraud.md) ![Home](dashboard.png)');
  expect(linked).toMatch(/<a href="\/docs\/fraud"><strong><img [^>]*><\/strong><\/a> <a class="picture large" /);
  // The link to a file that the documentation does not contain is left out.
  expect(htmlOf('[![Home](dashboard.png)](missing.md)')).toMatch(/^<p><a class="picture large" [^>]*><img [^>]*><\/a>/);
});

it.each([
  ['<svg viewBox="0 0 300 150.4" xmlns="…">', ' width="300" height="150"'],
  ['<svg xmlns="…" width="48px" height="24">', ' width="48" height="24"'],
  ['<svg xmlns="…" width="100%"><rect width="5" height="5"/>', ''],
])('reads the size of an SVG: %s', (svg, attributes) =>
  expect(sizeAttributes('image.svg', Buffer.from(`<?xml version="1.0"?>\n${svg}`))).toBe(attributes),
);

it('folds the areas of the changelog below their headings, each with a summary', () => {
  const html = createSite('https://otp.example', readGuides(), new Set()).htmlOf('/docs/changelog')!;
  const [, version] = /<h2 [^>]*>.*?0\.2\.0(.*?)<h2 /s.exec(html)!;
  const areas = [
    ...version!.matchAll(
      /<details class="fields"><summary><h3 id="([^"]+)">[^<]+<\/h3><span>[^<]{20,}<\/span><\/summary>/g,
    ),
  ].map(([, id]) => id!);
  expect(areas).toEqual(expect.arrayContaining(['messages-and-providers', 'operation', 'database']));
  for (const id of areas) expect(html).toContain(`<a href="#${id}">`);
});

it('links the addresses of headings that have moved to the pages with these headings', () => {
  const { pages, htmlOf } = createSite('https://otp.example', readGuides(), new Set());
  const idsOf = (path: string) => [...htmlOf(path)!.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
  const moved = pages.flatMap(({ path }) =>
    [...htmlOf(path)!.matchAll(/<a class="moved" id="([^"]+)" href="([^"#]+)#([^"]+)"/g)].map(
      ([, id, to, hash]) => [path, id!, to!, hash!] as const,
    ),
  );
  expect(moved.map(([path, id, to]) => `${path}#${id} ${to}`)).toEqual(
    expect.arrayContaining([
      '/docs/fraud-rules#refused-numbers /docs/fraud-settings',
      '/docs/n8n#code-verify /docs/n8n-reference',
      '/docs/providers#sender-domains /docs/email-providers',
      '/docs/providers#lookups /docs/custom-gateway',
    ]),
  );
  for (const [path, id, to, hash] of moved) {
    expect(idsOf(path).filter((other) => other === id)).toEqual([id]);
    expect(idsOf(to)).toContain(hash);
  }
});

it('starts the cells of tables with a capital letter, except names', () => {
  const row = (...cells: string[]) => `| name | package |\n|---|---|\n| ${cells.join(' | ')} |`;
  const cellsOf = (text: string) =>
    [
      ...renderMarkdown(text, { file: 'docs/a.md', addressOf: () => undefined, url: 'https://otp.example' }).matchAll(
        /<td[^>]*>(.*?)<\/td>/g,
      ),
    ].map(([, html]) => html);
  expect(createSite('https://otp.example', readGuides(), new Set()).htmlOf('/docs/comparison')).toContain(
    'data-label="better-auth 1.6"',
  );
  expect(cellsOf(row('the code', 'express'))).toEqual(['The code', 'express']);
  expect(cellsOf(row('n8n in a container', '*any*'))).toEqual(['n8n in a container', '<em>any</em>']);
});

it('the changelog lists all migrations', () => {
  const names = readdirSync(new URL('../../backend/src/platform/db/migrations', import.meta.url)).map(
    (file) => parse(file).name,
  );
  const changelog = readGuides().find(({ path }) => path === '/docs/changelog')!.text;
  expect(names.length).toBeGreaterThan(10);
  // The baseline is described without its name.
  expect(names.filter((name) => !changelog.includes(`\`${name}\``) && !name.endsWith('-baseline'))).toEqual([]);
});

describe('code blocks', () => {
  const site = createSite('https://otp.example', readGuides(), new Set());
  /** Returns the code blocks on a page as text. */
  const codeOn = (path: string) =>
    [...site.htmlOf(path)!.matchAll(/<pre[^>]*><code>([\s\S]*?)<\/code>/g)].map(([, html]) =>
      html!.replace(/<[^>]*>/g, '').replace(/&#(\d+);|&quot;|&#x27;|&lt;|&gt;|&amp;/g, ' '),
    );

  it('are highlighted without inline styles, and copied without the colors', () => {
    const html = site.htmlOf('/docs/api/otp')!;
    expect(html).toContain('<span class="hljs-string">');
    expect(html).not.toContain('style=');
    expect(codeOn('/docs/api/otp').some((code) => code.startsWith('curl -s '))).toBe(true);
  });

  it('break neither in short strings nor in subscripts, and have a title', () => {
    const html = site.htmlOf('/docs/api/otp')!;
    expect(html).toContain('<div class="code-bar"><span>POST /auth/sendotp</span></div>');
    const plain = html.replace(/<(?!\/?span)[^>]*>|<span class="hljs[^>]*>/g, '').replaceAll('&quot;', '"');
    for (const unit of ['os.environ["APP_SECRET', '"POST"']) expect(plain).toContain(`<span class="unit">${unit}`);
    expect(site.htmlOf('/docs/widget')).toContain('<span>Content-Security-Policy</span>');
    expect(html).not.toContain('<div class="code-bar"><span></span>');
  });

  it('mark the values that the reader must replace', () => {
    const html = site.htmlOf('/docs/quick-start')!;
    for (const value of ['pk_…', 'sk_…']) expect(html).toContain(`=<mark>${value}</mark>`);
    for (const name of ['MASK_ID', 'CODE']) expect(html).toContain(`${name}=<mark>…</mark>`);
  });

  it('that follow each other in different languages become tabs, with the first one selected', () => {
    const html = site.htmlOf('/docs/two-factor')!;
    const [, tabs] = /<fieldset class="tabs">([\s\S]*?)<\/fieldset>/.exec(html)!;
    expect([...tabs!.matchAll(/<input [^>]*value="(\w+)"( checked)?/g)].map(([, name, on]) => [name, on])).toEqual([
      ['js', ' checked'],
      ['php', undefined],
    ]);
  });
});

describe('the search', () => {
  const { searchPage } = createSite('https://otp.example', readGuides(), new Set());
  const pathsFor = async (query: string) =>
    [...(await searchPage(query)).matchAll(/<li><a href="([^"]+)"><strong>/g)].map(([, path]) => path);

  it.each([
    ['COOLDOWN', '/docs/errors#COOLDOWN'],
    ['otp_locked', '/docs/errors#OTP_LOCKED'],
    ['quick start', '/docs/quick-start'],
    ['sendotp', '/docs/api/otp#sendOtp'],
    // Some of the words that start with it contain special characters.
    ['token', '/docs/errors#INVALID_TOKEN'],
    // A spelling mistake and the start of a word.
    ['signatre webh', '/docs/webhooks#verify-the-signature'],
  ])('finds "%s"', async (query, path) => {
    expect((await pathsFor(query)).slice(0, 3)).toContain(path);
  });

  it.each([
    ['customer did not get code', '/docs/no-code'],
    ['how do I connect my shopify shop?', '/docs/automations#shopify'],
    ["why didn't the email arrive or land in spam", '/docs/email-providers'],
    ['the email lands in spam', '/docs/email-providers'],
    ['stop sending to a country', '/docs/fraud#when-something-is-paused'],
    ['change the text of the sms', '/docs/configuration-as-code'],
    ['why are messages so expensive', '/docs/automations#choose-the-message'],
    ['text customers when an order ships', '/docs/zapier#text-customers-when-an-order-ships'],
  ])('finds a guide for “%s”, without its filler words', async (query, path) => {
    const found = await pathsFor(query);
    expect(found.slice(0, 5)).toContain(path);
    expect(found[0]).not.toMatch(/^\/docs\/(?:api|changelog)/);
    expect(await searchPage(query)).not.toMatch(/<mark>(?:the|not|notification|to|a)<\/mark>/i);
  });

  it('finds an operation of the API first by its path', async () => {
    expect((await pathsFor('sendotp'))[0]).toBe('/docs/api/otp#sendOtp');
    expect((await pathsFor('verifyotp')).slice(0, 2)).toContain('/docs/api/otp#verifyOtp');
  });

  it('shows the query and the texts as text, also if they contain HTML', async () => {
    const html = await searchPage('"><script>alert(1)</script> webhook');
    expect(html).not.toContain('<script>alert');
    expect(html).toContain('value="&#34;&gt;&lt;script');
  });

  it('says so if nothing is found, and cuts off long queries', async () => {
    expect(await searchPage('xyzzyqwv')).toContain('No results.');
    // The name of a property of every object.
    expect(await searchPage('constructor')).toContain('<title>Search');
    expect(await searchPage('webhook '.repeat(10_000))).toContain('<strong>');
    expect(await pathsFor('')).toEqual([]);
  });
});
