/**
 * `npm run site`: writes the documentation as static files to `.cache/site`, for GitHub Pages. The pages are those that the
 * service serves. Their links are absolute, so the site needs a host of its own: the domain in publisher.json.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express from 'express';
import { docsRoutes } from '../src/modules/docs/docs-routes.js';
import { readGuides } from '../src/modules/docs/guides.js';
import { SAMPLE_URL } from '../src/modules/docs/markdown.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, '.cache/site');
const { domain } = JSON.parse(readFileSync(join(root, 'publisher.json'), 'utf8')) as { domain: string };

/** Paths that only a running service has. */
const SERVICE_ONLY = /^\/(dashboard|demo|dev|health|metrics|api|js|\.well-known)(\/|$)/;

const DASHBOARD_LINK = ' <a href="/dashboard">Dashboard</a>';

/** Returns the paths on this site that a page links to. */
function linksIn(html: string): string[] {
  const links = [...html.matchAll(/(?:href|src)="(\/[^"#?]*)/g)].map(([, path]) => path!);
  return links.filter((path) => !path.startsWith('//') && !SERVICE_ONLY.test(path));
}

function save(path: string, isPage: boolean, content: Buffer | string): void {
  const file = join(folder, isPage ? `${path}/index.html` : path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Follows all links, and saves each reply. Returns the paths; throws if a link is broken. */
async function crawl(origin: string, start: readonly string[]): Promise<ReadonlySet<string>> {
  const seen = new Set(start);
  // The loop also visits the paths that it adds.
  for (const path of seen) {
    const reply = await fetch(origin + path, { headers: { accept: 'text/html' } });
    if (!reply.ok) throw new Error(`${path}: HTTP ${reply.status}`);
    const isPage = reply.headers.get('content-type')!.startsWith('text/html');
    const content = isPage ? (await reply.text()).replace(DASHBOARD_LINK, '') : Buffer.from(await reply.arrayBuffer());
    save(path, isPage, content);
    if (isPage) for (const link of linksIn(String(content))) seen.add(link);
  }
  return seen;
}

rmSync(folder, { recursive: true, force: true });
const server = express().use(docsRoutes(SAMPLE_URL)).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const { port } = server.address() as AddressInfo;
try {
  const paths = await crawl(`http://127.0.0.1:${port}`, [
    '/docs',
    '/llms.txt',
    '/openapi.json',
    ...readGuides().map(({ file }) => `/${file}`),
  ]);
  // Visitors of the domain see the start page of the documentation.
  writeFileSync(join(folder, 'index.html'), readFileSync(join(folder, 'docs/index.html')));
  writeFileSync(join(folder, 'CNAME'), `${domain}\n`);
  console.log(`${paths.size} files in .cache/site, for https://${domain}`);
} finally {
  server.close();
}
