/** The audit log: search and export. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { signIn, type Visitor } from '../support/dashboard.js';
import { startService, type TestService } from '../support/service.js';

let passbell: TestService;
let owner: Visitor;
beforeAll(async () => {
  passbell = await startService();
  owner = await signIn(passbell, 'owner', { email: 'ana_1@shop.example' });
  await signIn(passbell, 'viewer', { email: 'ben@shop.example' });
  await passbell.application({ name: '100% Wool' });
  await passbell.core.applications.service.create(OPERATOR, { name: 'Foreign Shop', email: 'other@example.com' });
});
afterAll(() => passbell.stop());

/** Returns the targets of the entries on the page. */
async function targets(text: string): Promise<string[]> {
  const { html } = await owner.get(`/audit?text=${encodeURIComponent(text)}`);
  return [...html.matchAll(/data-title="Target"><div><a [^>]*>([^<]*)</g)].map(([, target]) => target!);
}

it('finds entries by person, target and action, in any case', async () => {
  expect(new Set(await targets('BEN@shop'))).toEqual(new Set(['ben@shop.example']));
  expect(await targets('invited')).toEqual(['ben@shop.example', 'ana_1@shop.example']);
  expect(await targets('wool')).toContain('100% Wool');
  expect(await targets('no such entry')).toEqual([]);
});

it.each([
  ['%', ['100% Wool']],
  ['_1', ['ana_1@shop.example']],
  ["'", []],
])('finds %s as it is', async (text, expected) => expect([...new Set(await targets(text))]).toEqual(expected));

it('filters by action and by days', async () => {
  const find = async (query: string) => {
    const { html } = await owner.get(`/audit?${query}`);
    return [...html.matchAll(/data-title="Action"><div>([^<]*)</g)].map(([, action]) => action!);
  };
  const today = new Date(passbell.clock.now()).toISOString().slice(0, 10);
  expect(new Set(await find('action=person.invite'))).toEqual(new Set(['invited someone']));
  expect(await find('action=person.invite&text=wool')).toEqual([]);
  expect((await find(`from=${today}&to=${today}`)).length).toBeGreaterThan(0);
  expect(await find('to=2020-01-01')).toEqual([]);
  expect((await find('from=today&action=')).length).toBeGreaterThan(0);
});

it('names settings as their pages do', async () => {
  const { appKey } = await passbell.application({ name: 'Named' });
  const { update } = passbell.core.applications.service;
  const settings = { countries: ['DE', 'FR'], channels: ['VOICE' as const] };
  await update(OPERATOR, appKey, { settings, limits: { sendsPerDay: 0 } });
  const { html } = await owner.get('/audit?text=Named');
  const changes = html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  expect(changes).toContain('Allowed countries: Germany, France');
  expect(changes).toMatch(/Voice call/);
  expect(changes).not.toMatch(/sendsPerDay|VOICE/);
});

it('exports the matching entries as CSV, without other accounts', async () => {
  const all = await owner.get('/audit/export');
  expect(all.headers.get('Content-Disposition')).toMatch(/passbell-audit-[\d-]+\.csv/);
  expect(all.html).toMatch(/^\uFEFF?"When","Who","Action","Target","Changes"\r\n/);
  expect(all.html).toContain('"joined","ana_1@shop.example","role:  → owner"');
  expect(all.html).not.toContain('Foreign Shop');
  const some = await owner.get('/audit/export?text=invited');
  expect(some.html.trim().split('\r\n')).toHaveLength(3);
  const viewer = await signIn(passbell, 'viewer');
  expect((await viewer.get('/audit/export')).status).toBe(403);
});
