/** The documentation: pages for people, and `/llms.txt` and all pages in Markdown for programs. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { contract } from '../../backend/src/platform/contract/contract.js';
import type { ErrorCode } from '../../backend/src/platform/contract/errors.js';
import { ERRORS } from '../../backend/src/platform/contract/generated/errors.js';
import { statusOfError } from '../../backend/src/platform/http/error-status.js';
import { json } from '../cli/command.js';
import { signIn } from '../support/dashboard.js';
import { root } from '../support/process.js';
import { freshPhone, startService, type Body, type TestService } from '../support/service.js';

/** The quality with which the server compresses. */
const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

let passbell: TestService;
beforeAll(async () => {
  passbell = await startService();
  // Without an owner, the start page is the first run.
  await signIn(passbell);
});
afterAll(() => passbell.stop());

const read = async (path: string) => {
  const reply = await fetch(`${passbell.url}${path}`);
  return { status: reply.status, type: reply.headers.get('content-type'), text: await reply.text() };
};
/** Returns the link targets on a page, without external links and links within the page. */
const findLinks = (text: string): string[] =>
  [...text.matchAll(/(?<!!)\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, to]) => to!)
    .filter((to) => !/^\w+:/.test(to));

it('is an index in the llmstxt.org format, and all of its links work', async () => {
  const index = await read('/llms.txt');
  expect(index).toMatchObject({ status: 200, type: 'text/plain; charset=utf-8' });
  expect(index.text).toMatch(/^# Passbell\n\n> /);
  const links = findLinks(index.text);
  expect(links).toEqual(
    expect.arrayContaining([
      '/openapi.json',
      '/docs/errors.md',
      '/README.md',
      '/docs/fraud.md',
      '/clients/node/README.md',
    ]),
  );
  expect(links).not.toContain('/docs/publishing.md');
  for (const link of links) expect([link, (await read(link)).status]).toEqual([link, 200]);
  // Each entry has a title and a sentence.
  const entries = index.text.slice(index.text.indexOf('## Guides')).match(/^- .*$/gm)!;
  for (const entry of entries) expect(entry).toMatch(/^- \[[^\]]+\]\(\/[\w/.-]+\.md\): .{20,}[.:]$/);
});

it('serves each guide as Markdown; all of its relative links work', async () => {
  const { text: index } = await read('/llms.txt');
  const guides = findLinks(index.slice(index.indexOf('## Guides')));
  expect(guides.length).toBeGreaterThan(7);
  for (const guide of guides) {
    const { type, text } = await read(guide);
    expect([guide, type]).toEqual([guide, 'text/markdown; charset=utf-8']);
    // The examples contain the URL of the service.
    const withoutUrls = (markdown: string) =>
      markdown.replace(/https?:\/\/(?:127\.0\.0\.1:\d+|otp\.example(?:\.com)?)/g, '');
    expect(withoutUrls(text)).toBe(withoutUrls(readFileSync(join(root, guide), 'utf8')));
    for (const link of findLinks(text)) {
      const { pathname } = new URL(link, `${passbell.url}${guide}`);
      expect([guide, link, (await read(pathname)).status]).toEqual([guide, link, 200]);
    }
  }
  expect((await read('/docs/decisions/README.md')).status).toBe(404);
  expect((await read('/docs/../package.json')).status).toBe(404);
});

it('the command and the request in the index create an application', async () => {
  const { text } = await read('/llms.txt');
  const [, command] = /`npm run --silent passbell -- (api-key create [^`]+)`/.exec(text)!;
  const { key } = await json(passbell, ...command!.split(' '));
  const [, path, body] = /`PUT (\/api\S+)` with `(\{[^`]+\})`/.exec(text)!;
  const headers = { Authorization: `Bearer ${key}` };
  const reply = await fetch(`${passbell.url}${path}`, { method: 'PUT', headers, body: body! });
  const { data } = (await reply.json()) as Body;
  const keys = { appKey: data.appKey, appSecret: data.appSecret };
  expect(await passbell.get('/auth/authentication', {}, { keys })).toMatchObject({ success: true });
});

it('the requests in the index send and verify a code', async () => {
  const { text } = await read('/llms.txt');
  const requests = [...text.matchAll(/`POST \/api\/v1(\S+)` with `(\{[^`]+\})`/g)];
  const [send, verify, verifyToken, revoke] = requests.map(([, path, body]) => ({
    path: path!,
    body: JSON.parse(body!),
  }));
  const to = freshPhone();
  const sent: Body = await passbell.post(send!.path, { ...send!.body, to });
  expect(text).toContain('data.results[0].maskId');
  const otp = await passbell.codeFor(to);
  expect((await passbell.inbox(to))[0]).toMatchObject({ code: otp });
  const values = { maskId: sent.data.results[0].maskId, otp };
  expect(Object.keys(verify!.body).sort()).toEqual(Object.keys(values).sort());
  const verified: Body = await passbell.post(verify!.path, values);
  expect(verified).toMatchObject({ success: true, data: { token: expect.any(String), user: { phone: to } } });
  expect(Object.keys(verifyToken!.body)).toEqual(['token']);
  const { token } = verified.data;
  expect(await passbell.post(verifyToken!.path, { token })).toMatchObject({ success: true });
  expect(Object.keys(revoke!.body)).toEqual(['token']);
  expect(await passbell.post(revoke!.path, { token })).toMatchObject({ success: true });
  expect(await passbell.post(verifyToken!.path, { token })).toMatchObject({ code: 'TOKEN_REVOKED' });
});

describe('the documentation for people', () => {
  /** Returns the URLs in links, images and style sheets, without URLs of other hosts. */
  const addressesIn = (html: string): string[] =>
    [...html.matchAll(/\s(?:href|src)="([^"]+)"/g)]
      .map(([, to]) => to!.replaceAll('&#38;', '&'))
      .filter((to) => !/^\w+:/.test(to));

  /** Loads all pages that can be reached from the start page. */
  async function readAll(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const open = ['/'];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      // Skips the dashboard and the dev inbox, which are not documentation pages.
      if (found.has(path) || /^\/(dashboard|dev|demo)/.test(path)) continue;
      const reply = await fetch(`${passbell.url}${path}`, { headers: { Accept: 'text/html' } });
      expect([path, reply.status]).toEqual([path, 200]);
      const isPage = reply.headers.get('content-type')?.startsWith('text/html');
      found.set(path, isPage ? await reply.text() : '');
      if (!isPage) continue;
      for (const to of addressesIn(found.get(path)!)) open.push(new URL(to, `${passbell.url}${path}`).pathname);
    }
    return found;
  }

  let pages: Map<string, string>;
  beforeAll(async () => void (pages = await readAll()));

  it('contains every guide, the API reference and the error codes, and all links work', () => {
    for (const path of ['/docs', '/docs/quick-start', '/docs/readme', '/docs/n8n', '/docs/api/otp', '/docs/errors'])
      expect([...pages.keys()]).toContain(path);
    const guides = readdirSync(join(root, 'docs')).filter((name) => /\.md$/.test(name) && name !== 'publishing.md');
    for (const name of guides)
      expect([...pages.keys()]).toContain(`/docs/${name.replace('.md', '')}`.replace('/docs/README', '/docs'));
    for (const [path, html] of pages)
      for (const to of addressesIn(html)) {
        const { pathname, hash } = new URL(to, `${passbell.url}${path}`);
        const target = pages.get(pathname);
        if (hash !== '' && target)
          expect([path, to, target.includes(`id="${hash.slice(1)}"`)]).toEqual([path, to, true]);
      }
  });

  it('has pages of at most 60 kB when compressed, without inline scripts or styles, or resources from other hosts', async () => {
    for (const [path, html] of pages) {
      expect(html).not.toMatch(/<script>|<style| style="| on\w+="|(src|<link[^>]*href)="https?:/);
      if (html === '') continue;
      const reply = await fetch(`${passbell.url}${path}`, {
        headers: { 'Accept-Encoding': 'br', Accept: 'text/html' },
      });
      expect([path, reply.headers.get('content-encoding')]).toEqual([path, 'br']);
      expect([path, brotliCompressSync(html, FAST).length <= 60_000]).toEqual([path, true]);
    }
  });

  it('shows each operation in the contract with an example in five languages', () => {
    const otp = pages.get('/docs/api/otp')!;
    for (const language of ['curl', 'JavaScript', 'Python', 'Go', 'PHP']) expect(otp).toContain(`>${language}</label>`);
    expect(otp).toContain('data.results[].<wbr>maskId');
    const reference = [...pages].filter(([path]) => path.startsWith('/docs/api/')).map(([, html]) => html);
    // A value that an example cannot show.
    expect(reference.join('')).not.toContain('undefined');
    const operations = Object.values(contract.paths).flatMap((methods) =>
      Object.values(methods as Record<string, { operationId: string }>).map(({ operationId }) => operationId),
    );
    for (const id of operations.filter((name) => !name.endsWith('ByQuery')))
      expect([id, reference.join('').includes(`id="${id}"`)]).toEqual([id, true]);
  });

  it('has a start page for people; programs that expect JSON get an error', async () => {
    expect(pages.get('/')).toContain('<a href="/docs/quick-start">');
    const reply = await fetch(passbell.url, { headers: { Accept: 'application/json' } });
    expect([reply.status, await reply.json()]).toEqual([404, expect.objectContaining({ code: 'NOT_FOUND' })]);
  });
});

it('shows every page as Markdown at a link on the page', async () => {
  for (const [path, text] of [
    ['/docs/api/otp', '## Send a code\n\n**POST** `/api/v1/auth/sendotp`'],
    ['/docs/api', '# API reference\n\nThe base URL of all operations is:\n\n```text\nhttp://'],
    ['/docs/errors', '# Error codes\n'],
    ['/docs/fraud', '# Protection\n'],
  ] as const) {
    const [, link] = /<a href="([^"]+)">View as Markdown<\/a>/.exec((await read(path)).text)!;
    expect([path, await read(link!)]).toEqual([
      path,
      { status: 200, type: 'text/markdown; charset=utf-8', text: expect.stringContaining(text) },
    ]);
  }
});

describe('an unknown address', () => {
  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const typeFor = async (path: string, accept: string, method = 'GET') => {
    const reply = await fetch(`${passbell.url}${path}`, { method, headers: { Accept: accept } });
    await reply.arrayBuffer();
    return [reply.status, reply.headers.get('content-type')];
  };
  const PAGE = [404, 'text/html; charset=utf-8'];
  const JSON_ERROR = [404, 'application/json; charset=utf-8'];

  it('shows a browser a page with links, which has the search only in the documentation', async () => {
    for (const path of ['/nope', '/docs/nope', '/dev/nope'])
      expect([path, await typeFor(path, BROWSER)]).toEqual([path, PAGE]);
    const LINKS = ['action="/docs/search"', 'href="/docs/quick-start"'];
    for (const [path, shown, hidden] of [
      ['/docs/nope', LINKS, []],
      ['/nope', ['href="/dashboard/home">Go to the dashboard<', 'href="/docs">Documentation<'], LINKS],
    ] as const) {
      const reply = await fetch(`${passbell.url}${path}`, { headers: { Accept: BROWSER } });
      const html = await reply.text();
      for (const part of ['<h1>Page not found</h1>', ...shown]) expect(html).toContain(part);
      for (const part of hidden) expect(html).not.toContain(part);
      expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });

  it('returns JSON below /api, to other methods, and to clients that do not ask for HTML', async () => {
    for (const path of ['/api/v1/nope', '/api/nope', '/API/v1/nope'])
      expect([path, await typeFor(path, BROWSER)]).toEqual([path, JSON_ERROR]);
    expect(await typeFor('/nope', BROWSER, 'POST')).toEqual(JSON_ERROR);
    for (const accept of ['*/*', 'application/json', 'application/json, text/html'])
      expect([accept, await typeFor('/nope', accept)]).toEqual([accept, JSON_ERROR]);
  });
});

it('shows every error with an example instead of a placeholder', async () => {
  const { text } = await read('/docs/errors.md');
  expect(text).toContain('Add the parameter *maskId*.');
  expect(text.match(/.*[{}].*|.*(?<!, )….*|.*undefined.*/g)).toBeNull();
});

it('lists the HTTP status of every error, below an index of the topics', async () => {
  const { text } = await read('/docs/errors.md');
  const listed = [...text.matchAll(/^### `(\w+)`\n\n\*\*(\d+)\*\* /gm)].map(([, code, status]) => [
    code,
    Number(status),
  ]);
  expect(Object.fromEntries(listed)).toEqual(
    Object.fromEntries(Object.keys(ERRORS).map((code) => [code, statusOfError(code as ErrorCode)])),
  );
  expect(Object.fromEntries(listed)).toMatchObject({ FORBIDDEN: 403, COOLDOWN: 429, INVALID_OTP: 400 });
  const topics = [...text.matchAll(/^## (.*)$/gm)].map(([, topic]) => topic);
  expect([...text.matchAll(/\[([^\]]+)\]\(#/g)].map(([, topic]) => topic)).toEqual(topics);
});

it('logs routine requests only at the level debug, unless they fail', async () => {
  for (const path of ['/health/ready', '/docs/icon.svg', '/docs', '/docs/missing.css']) await read(path);
  const levels = passbell.logged
    .map((line) => JSON.parse(line) as { level: string; path?: string })
    .flatMap(({ level, path }) => (path === undefined ? [] : [`${path} ${level}`]));
  expect(levels).toEqual(
    expect.arrayContaining(['/health/ready debug', '/docs/icon.svg debug', '/docs info', '/docs/missing.css info']),
  );
  expect(levels).not.toContain('/health/ready info');
});

describe('the alert rules and the Grafana dashboard', () => {
  const files = ['docs/monitoring/alerts.yml', 'docs/monitoring/grafana.json'];
  const texts = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  const namesIn = (text: string) => new Set(text.match(/\b(passbell|process|nodejs)_\w+/g));

  it('are served, and use all metrics of Passbell and no unknown ones', async () => {
    for (const file of files) expect(await read(`/${file}`)).toMatchObject({ status: 200, text: expect.any(String) });
    const { text } = await read('/metrics');
    const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
    const known = types.flatMap(([, name, type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name!],
    );
    expect([...namesIn(texts)].filter((name) => !known.includes(name))).toEqual([]);
    const own = types.map(([, name]) => name!).filter((name) => name.startsWith('passbell_'));
    expect(own.filter((name) => !texts.includes(name))).toEqual([]);
    const guide = readFileSync(join(root, 'docs/monitoring.md'), 'utf8');
    expect(own.filter((name) => !guide.includes(`| \`${name}\` |`))).toEqual([]);
  });

  it('use only labels, results and paths that exist', () => {
    const valuesOf = (label: string) =>
      [...texts.matchAll(new RegExp(`\\b${label}=~?\\\\?"([^"\\\\]+)`, 'g'))].flatMap(([, values]) =>
        values!.split('|'),
      );
    expect(valuesOf('result').length).toBeGreaterThan(0);
    expect(valuesOf('result').filter((code) => !(code in ERRORS))).toEqual([]);
    expect(valuesOf('path').length).toBeGreaterThan(0);
    expect(valuesOf('path').filter((path) => !(path in contract.paths))).toEqual([]);
  });

  it('explains every alert', () => {
    const guide = readFileSync(join(root, 'docs/monitoring.md'), 'utf8');
    const alerts = [...texts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
    expect(alerts.length).toBeGreaterThan(5);
    expect(alerts.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
  });
});
