/** Replies that contain secrets are only compressed if no other site can have caused the request (BREACH). */
import { request, type IncomingHttpHeaders } from 'node:http';
import { signIn } from '../support/dashboard.js';
import { startService, type TestService } from '../support/service.js';

let passbell: TestService;
beforeAll(async () => void (passbell = await startService()));
afterAll(() => passbell.stop());

/** Requests a path like a browser. Unlike fetch(), node:http can set the headers `Sec-Fetch-…`. */
const headersOf = (path: string, headers: Record<string, string> = {}): Promise<IncomingHttpHeaders> =>
  new Promise((resolve, reject) => {
    const all = { 'Accept-Encoding': 'gzip, br', Accept: 'text/html', ...headers };
    request(`${passbell.url}${path}`, { headers: all }, (reply) =>
      reply.resume().on('end', () => resolve(reply.headers)),
    )
      .on('error', reject)
      .end();
  });
const encodingOf = async (path: string, headers?: Record<string, string>) =>
  (await headersOf(path, headers))['content-encoding'];

const navigation = (site: string, dest = 'document') => ({ 'Sec-Fetch-Site': site, 'Sec-Fetch-Dest': dest });

describe('pages of the dashboard', () => {
  let cookie: { Cookie: string };
  beforeAll(async () => void (cookie = { Cookie: (await signIn(passbell, 'owner')).cookies() }));
  const PAGE = '/dashboard/messages?state=a+guess';

  it.each(['same-origin', 'none'])('are compressed for a navigation from this site (%s)', async (site) => {
    expect(await encodingOf(PAGE, { ...cookie, ...navigation(site) })).toBe('br');
  });

  it.each(['cross-site', 'same-site'])('are not compressed for a navigation from another site (%s)', async (site) => {
    expect(await encodingOf(PAGE, { ...cookie, ...navigation(site) })).toBeUndefined();
  });

  it('are not compressed for scripts, frames, and clients that do not name the site', async () => {
    for (const dest of ['empty', 'iframe'])
      expect([dest, await encodingOf(PAGE, { ...cookie, ...navigation('same-origin', dest) })]).toEqual([
        dest,
        undefined,
      ]);
    expect(await encodingOf(PAGE, cookie)).toBeUndefined();
  });
});

it('replies of the API and the dev inbox are not compressed', async () => {
  await passbell.send('+14155550123');
  for (const path of ['/api/v1/auth/authentication', `/dev/inbox.json?key=${passbell.core.devInbox!.key}`])
    expect([path, await encodingOf(path)]).toEqual([path, undefined]);
});

it('public pages and assets are compressed for everyone, and caches store each encoding separately', async () => {
  const { html } = await (await signIn(passbell, 'owner')).get('/home');
  const assets = [...html.matchAll(/(?:src|href)="(\/dashboard\/assets\/[^"]+\.(?:js|css))"/g)].map(
    ([, path]) => path!,
  );
  expect(assets.length).toBeGreaterThan(2);
  for (const path of ['/docs/fraud', '/docs/search?q=token', '/openapi.json', '/docs/fraud.md', ...assets]) {
    const headers = await headersOf(path);
    expect([path, headers['content-encoding'], headers.vary]).toEqual([path, 'br', 'Accept-Encoding']);
    expect([path, await encodingOf(path, { 'Accept-Encoding': 'gzip' })]).toEqual([path, 'gzip']);
    expect([path, await encodingOf(path, { 'Accept-Encoding': 'identity' })]).toEqual([path, undefined]);
  }
});
