/** Access rights on all pages. New pages are tested automatically. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { readFileSync } from 'node:fs';
import type { Database } from '../../backend/src/platform/db/database.js';
import type { Role } from '../../backend/src/modules/access/rights.js';
import type { Core } from '../../backend/src/core.js';
import { createPages } from '../../backend/src/dashboard/pages.js';
import { createVisitor, signIn, type Visitor } from '../support/dashboard.js';
import { startService, type TestService } from '../support/service.js';

let passbell: TestService;
const people = {} as Record<Role, Visitor>;
beforeAll(async () => {
  passbell = await startService();
  for (const role of ['owner', 'member', 'viewer'] as const) people[role] = await signIn(passbell, role);
});
afterAll(() => passbell.stop());

// A placeholder: services are not needed to list the pages and their rights.
const noServices = new Proxy({}, { get: () => noServices }) as never as Core;
const routes = createPages(noServices);
const PATH_VALUES: Record<string, string> = { ':template': 'order_shipped', ':channel': 'email', ':language': 'en' };
const pathOf = (path: string) =>
  path.replace(':appKey', passbell.keys.appKey).replace(/:\w+/g, (name) => PATH_VALUES[name] ?? '1');
const OWN_ACCOUNT = /^\/(account|sign-out)/;

const postRoutes = routes.filter(({ method }) => method === 'post').map((route) => [route.path, route.right] as const);

it('shows errors with navigation to people who are signed in', async () => {
  const absent = await people.member.get('/nothing');
  expect([absent.status, absent.html]).toEqual([404, expect.stringMatching(/aria-label="Main"[\s\S]*Page not found/)]);
  expect(absent.html).toContain('role="search"');
  const forbidden = await people.viewer.get('/audit');
  expect(forbidden.status).toBe(403);
  expect(forbidden.html).toMatch(/aria-label="Main"[\s\S]*You are signed in as [^ ]+ \(viewer\)/);
  const stranger = await createVisitor(passbell.url).get('/nothing');
  expect([stranger.status, stranger.html]).toEqual([404, expect.stringMatching(/Passbell[\s\S]*>Sign in</)]);
  expect(stranger.html).not.toContain('aria-label="Main"');
  // Only people who are signed in can search.
  expect(stranger.html).toContain('Check the address, or sign in to search.');
});

it.each(postRoutes)('%s rejects a form without its token', async (path) => {
  const { owner } = people;
  const { html } = await owner.get('/account');
  const token = /name="token" value="([^"]+)"/.exec(html)![1]!;
  const strangers = await signIn(passbell);
  const other = /name="token" value="([^"]+)"/.exec((await strangers.get('/account')).html)![1]!;
  for (const fields of [{}, { token: '' }, { token: other }, { token: [...token].reverse().join('') }])
    expect((await owner.post(pathOf(path), fields)).status).toBe(403);
  expect((await owner.post(pathOf(path), { token }, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
  expect((await owner.post(pathOf(path), { token }, { Origin: 'https://evil.example' })).status).toBe(403);
  expect((await owner.post(pathOf(path), { token }, { Origin: 'null' })).status).toBe(403);
});

async function tokenOf(visitor: Visitor): Promise<string> {
  const { html } = await visitor.get('/account');
  return /name="token" value="([^"]+)"/.exec(html)![1]!;
}

const changeRoutes = postRoutes.filter(([path, right]) => right !== 'read' && !OWN_ACCOUNT.test(path));
it.each(changeRoutes)('%s rejects a change by a viewer', async (path) => {
  const reply = await people.viewer.post(pathOf(path), { token: await tokenOf(people.viewer) });
  expect([403, 404]).toContain(reply.status);
  if (reply.status === 403) expect(reply.html).toContain("You don't have permission to do this");
});

/** Pages of an application that change it. A deleted application can only be restored. */
const applicationChanges = changeRoutes.filter(([path]) => path.startsWith('/applications/:appKey/'));
describe('a deleted application', () => {
  let appKey: string;
  beforeAll(async () => {
    ({ appKey } = await passbell.application());
    await passbell.core.applications.service.remove(OPERATOR, appKey);
  });
  const inDeleted = (path: string) => pathOf(path.replace(':appKey', appKey));

  it.each(applicationChanges.filter(([path]) => !path.endsWith('/settings/restore')))(
    'refuses %s, and tells an owner to restore it',
    async (path) => {
      const db = passbell.openDatabase();
      const token = await tokenOf(people.owner);
      const before = await rowsOfTables(db);
      const reply = await people.owner.post(inDeleted(path), { token, confirmed: 'yes', name: 'Changed' });
      expect([reply.status, reply.location]).toEqual([303, `/dashboard/applications/${appKey}/settings/delete#delete`]);
      expect(await rowsOfTables(db)).toEqual(before);
      await db.destroy();
      expect((await people.owner.follow(reply)).html).toContain('was deleted. Restore it first.');
    },
  );

  it('can be viewed, without forms that change it', async () => {
    for (const page of [
      '',
      '/settings',
      '/settings/limits',
      '/allow-list',
      '/protection',
      '/protection/settings',
      '/widget',
      '/widget/code',
    ]) {
      const { status, html } = await people.owner.get(`/applications/${appKey}${page}`);
      expect([status, html]).toEqual([200, expect.stringContaining('This application was deleted')]);
      expect(html).not.toMatch(/>Save( design)?</);
    }
  });

  it('can be restored, and changed again', async () => {
    const from = `/applications/${appKey}/settings`;
    const restored = await people.owner.submit(from, `${from}/restore`);
    expect((await people.owner.follow(restored)).html).toContain('>Save<');
  });
});

/** Tables with application data that forms could change. */
const APPLICATION_TABLES = [
  'applications',
  'application_secrets',
  'template_overrides',
  'webhooks',
  'incoming_hooks',
  'automations',
  'messages',
  'otp_sessions',
  'suppressions',
  'opt_outs',
];
const PEOPLE_TABLES = ['people', 'invitations', 'audit_entries'];

async function rowsOfTables(db: Database): Promise<unknown> {
  const rows = [];
  for (const table of [...APPLICATION_TABLES, ...PEOPLE_TABLES]) rows.push([table, await db(table).orderBy('id')]);
  return rows;
}

// Some forms only display a result. They use POST to keep the input out of URLs.
const viewRoutes = postRoutes.filter(([path, right]) => right === 'read' && !OWN_ACCOUNT.test(path));
it.each(viewRoutes)('%s changes nothing, although every role may post to it', async (path) => {
  const db = passbell.openDatabase();
  const token = await tokenOf(people.viewer);
  const before = await rowsOfTables(db);
  for (const fields of [{}, { recipient: '+14155550100', text: 'Changed', subject: 'Changed', version: '0' }])
    expect([200, 303]).toContain((await people.viewer.post(pathOf(path), { token, ...fields })).status);
  expect(await rowsOfTables(db)).toEqual(before);
  await db.destroy();
});

it.each(postRoutes.filter(([, right]) => right === 'own'))('%s is forbidden for members', async (path) => {
  const { html } = await people.member.get('/account');
  const token = /name="token" value="([^"]+)"/.exec(html)![1]!;
  expect((await people.member.post(pathOf(path), { token })).status).toBe(403);
});

it.each(routes.map(({ method, path }) => [method, path] as const))(
  '%s %s redirects to the sign-in without a session',
  async (method, path) => {
    const nobody = createVisitor(passbell.url);
    const reply = method === 'get' ? await nobody.get(pathOf(path)) : await nobody.post(pathOf(path), {});
    expect(reply.status).toBe(303);
    expect(reply.location).toMatch(/^\/dashboard\/sign-in/);
  },
);

it('shows a viewer disabled settings', async () => {
  const { html } = await people.viewer.get(`/applications/${passbell.keys.appKey}/settings`);
  expect(html).toContain('<fieldset disabled');
  expect(html).not.toMatch(/<button[^>]*>Save</);
  const overview = await people.viewer.get(`/applications/${passbell.keys.appKey}`);
  expect(overview.html).not.toContain('New App Secret');
});

it.each(['member', 'viewer'] as const)('does not show codes of test recipients to a %s', async (role) => {
  const { appKey } = await passbell.application({
    settings: { testRecipients: { 'appstore@shop.example': '739104' } },
  });
  const path = `/applications/${appKey}/settings/test-recipients`;
  expect((await people.owner.get(path)).html).toMatch(/value="appstore@shop\.example"[\s\S]*value="739104"/);
  const { html } = await people[role].get(path);
  expect(html).toContain('ap***@shop.example');
  expect(html).not.toMatch(/739104|appstore@/);
  // The version of the form must not let a viewer guess the codes, either.
  const versions = (page: string) => [...page.matchAll(/name="version" value="([^"]*)"/g)].map(([, value]) => value);
  await passbell.core.applications.service.update(OPERATOR, appKey, {
    settings: { testRecipients: { 'appstore@shop.example': '739105' } },
  });
  expect(versions((await people[role].get(path)).html)).toEqual(versions(html));
});

it('sends strict security headers', async () => {
  const { headers, html } = await people.owner.get('/applications');
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self'; style-src 'self';/),
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  });
  expect(headers.get('content-security-policy')).not.toContain('unsafe');
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|javascript:/i);
  const outside = [...html.matchAll(/(?:src|href|action)="([^"]*)"/g)].filter(([, address]) => !/^[/#]/.test(address!));
  expect(outside).toEqual([]);
});

it.each([
  ['more fields than any form has', 413, `${'a=1&'.repeat(1001)}a=1`, {}],
  ['an unknown charset', 403, 'a=1', { 'Content-Type': 'application/x-www-form-urlencoded; charset=klingon' }],
  ['an unknown content encoding', 403, 'a=1', { 'Content-Encoding': 'klingon' }],
])('rejects %s without logging an error', async (_what, status, body, more) => {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', ...more };
  const reply = await fetch(`${passbell.url}/dashboard/sign-in`, { method: 'POST', headers, body });
  expect(reply.status).toBe(status);
  expect(passbell.logged.join('')).not.toContain('page failed');
});

it('the style sheets use only color names and logical properties', () => {
  const folder = new URL('../../backend/assets/dashboard/', import.meta.url);
  for (const name of ['base', 'layout', 'buttons', 'forms', 'tables', 'notices', 'entrance'])
    expect(readFileSync(new URL(`${name}.css`, folder), 'utf8')).not.toMatch(
      /#[0-9a-f]{3,8}\b|rgb|left:|right:|margin-left/i,
    );
});
