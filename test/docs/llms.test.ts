/** `/llms.txt` and the Markdown guides contain everything that a program needs to send and verify a code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/process.js';
import { freshPhone, startService, type Body, type TestService } from '../support/service.js';

let passbell: TestService;
beforeAll(async () => void (passbell = await startService()));
afterAll(() => passbell.stop());

const read = async (path: string) => {
  const reply = await fetch(`${passbell.url}${path}`);
  return { status: reply.status, type: reply.headers.get('content-type'), text: await reply.text() };
};
/** Returns the link targets on a page, without external links and links within the page. */
const linksIn = (text: string): string[] =>
  [...text.matchAll(/(?<!!)\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, to]) => to!)
    .filter((to) => !/^\w+:/.test(to));

it('is an index in the llmstxt.org format, and all of its links work', async () => {
  const index = await read('/llms.txt');
  expect(index).toMatchObject({ status: 200, type: 'text/plain; charset=utf-8' });
  expect(index.text).toMatch(/^# Passbell\n\n> /);
  const links = linksIn(index.text);
  expect(links).toEqual(
    expect.arrayContaining(['/openapi.json', '/README.md', '/docs/fraud.md', '/clients/node/README.md']),
  );
  expect(links).not.toContain('/docs/publishing.md');
  for (const link of links) expect([link, (await read(link)).status]).toEqual([link, 200]);
  // Each entry has a title and a sentence.
  const entries = index.text.slice(index.text.indexOf('## Guides')).match(/^- .*$/gm)!;
  for (const entry of entries) expect(entry).toMatch(/^- \[[^\]]+\]\(\/[\w/.-]+\.md\): .{20,}[.:]$/);
});

it('serves each guide as Markdown; links between guides work', async () => {
  const guides = linksIn((await read('/llms.txt')).text).filter((path) => path.endsWith('.md'));
  expect(guides.length).toBeGreaterThan(7);
  // Images, source files, and pages for maintainers are not served.
  const notServed =
    /^\/([\w-]+\/LICENSE|LICENSE|CONTRIBUTING\.md|docs\/(decisions|publishing)|(n8n-nodes|docs)\/.*\.(png|svg|json)|n8n-nodes\/examples|.*\.ts$)/;
  for (const guide of guides) {
    const { type, text } = await read(guide);
    expect([guide, type]).toEqual([guide, 'text/markdown; charset=utf-8']);
    expect(text).toBe(readFileSync(join(root, guide), 'utf8'));
    for (const link of linksIn(text)) {
      const { pathname } = new URL(link, `${passbell.url}${guide}`);
      if (!notServed.test(pathname)) expect([guide, link, (await read(pathname)).status]).toEqual([guide, link, 200]);
    }
  }
  expect((await read('/docs/decisions/README.md')).status).toBe(404);
  expect((await read('/docs/../package.json')).status).toBe(404);
});

it('the requests in the index send and verify a code', async () => {
  const { text } = await read('/llms.txt');
  const requests = [...text.matchAll(/`POST \/api\/v1(\S+)` with `(\{[^`]+\})`/g)];
  const [send, verify, verifyToken] = requests.map(([, path, body]) => ({ path: path!, body: JSON.parse(body!) }));
  const to = freshPhone();
  const sent: Body = await passbell.post(send!.path, { ...send!.body, to });
  expect(text).toContain('data.results[0].maskId');
  const values = { maskId: sent.data.results[0].maskId, otp: await passbell.codeFor(to) };
  expect(Object.keys(verify!.body).sort()).toEqual(Object.keys(values).sort());
  const verified: Body = await passbell.post(verify!.path, values);
  expect(verified).toMatchObject({ success: true, data: { token: expect.any(String), user: { phone: to } } });
  expect(Object.keys(verifyToken!.body)).toEqual(['token']);
  expect(await passbell.post(verifyToken!.path, { token: verified.data.token })).toMatchObject({ success: true });
});
