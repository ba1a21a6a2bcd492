/** The audit log: search and export. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import type { AuditAction, Change } from '../../backend/src/modules/audit/audit.js';
import { BOUNDED, changesInWords } from '../../backend/src/dashboard/audit/changes.js';
import { SINGULAR_UNITS } from '../../backend/src/dashboard/with-unit.js';
import { HOUR, MINUTE } from '../../backend/src/platform/clock.js';
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

/** Returns the sentences about the matching entries, newest first. */
async function sentences(query: string): Promise<string[]> {
  const { html } = await owner.get(`/audit?${query}`);
  const cells = [...html.matchAll(/data-title="Change"><div>(.*?)<\/div>/g)];
  return cells.map(([, cell]) => cell!.replace(/<[^>]+>/g, ''));
}
const found = (text: string) => sentences(`text=${encodeURIComponent(text)}`);

it('says who did what, and links the object', async () => {
  expect(await found('100% Wool')).toEqual(['Operator changed the application 100% Wool']);
  expect((await owner.get('/audit?text=Wool')).html).toMatch(/<a href="\/dashboard\/applications\/pk_\w+">100% Wool</);
  expect(await found('joined')).toContain('ana_1@shop.example joined the account');
  // The application was created with another name.
  expect((await owner.get('/audit?action=application.create')).html).toContain('application <strong>Another Shop<');
});

it('names the person, and links to their entries', async () => {
  const { html } = await owner.get('/audit');
  const actors = [...html.matchAll(/<a class="actor" href="([^"]*)"[^>]*>(.*?)<\/a>/g)];
  const links = new Map(actors.map(([, href, name]) => [name!.replace(/<[^>]+>/g, ''), href]));
  expect(Object.fromEntries(links)).toEqual({
    Operator: '/dashboard/audit?text=operator',
    'ana_1@shop.example': '/dashboard/audit?text=ana_1%40shop.example',
    'ben@shop.example': '/dashboard/audit?text=ben%40shop.example',
  });
  expect(await sentences('text=ben%40shop.example')).toContain('ben@shop.example joined the account');
});

it('finds entries by person, target and action, in any case', async () => {
  expect(await found('BEN@shop')).toEqual(['ben@shop.example joined the account', 'Operator invited ben@shop.example']);
  expect(await found('invited')).toEqual(['Operator invited ben@shop.example', 'Operator invited ana_1@shop.example']);
  expect(await found('wool')).toHaveLength(1);
  expect(await found('no such entry')).toEqual([]);
});

it.each([
  ['%', ['Operator changed the application 100% Wool']],
  ['_1', ['ana_1@shop.example joined the account', 'Operator invited ana_1@shop.example']],
  ["'", []],
])('finds %s as it is', async (text, expected) => expect(await found(text)).toEqual(expected));

it('filters by action', async () => {
  expect(await sentences('action=person.invite')).toHaveLength(2);
  expect(await sentences('action=person.invite&text=wool')).toEqual([]);
  expect((await sentences('from=today&action=')).length).toBeGreaterThan(0);
  const [, group] = /<optgroup label="People and sign-in">(.*?)<\/optgroup>/.exec((await owner.get('/audit')).html)!;
  expect(group).toContain('value="person.invite"');
});

const inWords = (action: AuditAction, change: Change) =>
  changesInWords({ id: 1, accountId: 1, actor: '', createdAt: 0, subject: '', action, changes: [change] });

it.each([
  ['provider.change', 'apiKey', 'API key'],
  ['provider.change', 'whatsappFrom', 'WhatsApp number'],
  ['provider.change', 'from', 'Sender'],
  ['provider.change', 'signingKey', 'signing key'],
  ['provider.change', 'enabled', 'state'],
  ['application.rotate-secret', 'graceHours', 'grace hours'],
  ['fraud.pause', 'country GB', 'messages to the United Kingdom'],
  ['price.change', 'GB', 'United Kingdom'],
  ['price.change', '*', 'All other countries'],
] as const)('names the change in %s of %s: %s', (action, name, words) => {
  const change = { name, before: '', after: '' };
  expect(inWords(action, change)).toEqual([{ ...change, name: words }]);
});

it.each([
  ['cooldownSeconds', '0', '30', 'off', '30 seconds'],
  ['cooldownSeconds', '30', '0', '30 seconds', 'off'],
  ['sendsPerDay', '10', '1', '10', '1 code'],
  ['fraud homeUnverified', '65', '1', '65', '1 person'],
  ['fraud strictness', '2', '3', 'Normal', 'Strict'],
  ['fraud pauseHome', '0', '1', 'email the owners', 'pause messages'],
  ['enabled', 'true', 'false', 'on', 'off'],
  ['budgetPerDay', '0', '20', 'automatic', '20'],
  ['fraud tolerance', '75', '60', '75', '60% of usual'],
])('gives the values of %s with their unit, or in words: %s → %s', (name, before, after, ...texts) => {
  const [change] = inWords('application.update', { name, before, after });
  expect([change?.before, change?.after]).toEqual(texts);
});

it('knows the singular of every unit', () => {
  const units = Object.values(BOUNDED).flatMap(({ unit }) => unit ?? []);
  expect([...SINGULAR_UNITS.keys()].sort()).toEqual([...new Set(units)].sort());
});

it('names settings as their pages do', async () => {
  const { appKey } = await passbell.application({ name: 'Named' });
  const { update } = passbell.core.applications.service;
  const settings = { countries: ['DE', 'FR'], channels: ['VOICE' as const], language: 'de' as const };
  await update(OPERATOR, appKey, { settings, limits: { sendsPerDay: 0, messageBudgetPerDay: 5000 } });
  const { html } = await owner.get('/audit?text=Named');
  const changes = html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  expect(changes).toContain('Send only to: Germany, France');
  expect(changes).toMatch(/Voice call/);
  expect(changes).toMatch(/Language: .*German/);
  expect(changes).toMatch(/→ 5,000 messages/);
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

it("groups and filters by the days of the account's time zone, and refuses a last day before the first", async () => {
  // It is Friday, January 15, 8:00 UTC; in Kiritimati, it is 22:00.
  const headings = async (query = '') =>
    [...(await owner.get(`/audit?${query}`)).html.matchAll(/<h2 id="day-([\d-]+)">([^<]+)</g)].map(([, ...day]) => day);
  expect(await headings()).toEqual([['2027-01-15', 'Today']]);
  passbell.clock.advance(3 * HOUR);
  // The session has expired.
  owner = await signIn(passbell, 'owner', { email: 'ana_1@shop.example' });
  await owner.submit('/account-settings', '/account-settings', { name: 'Wool', timeZone: 'Pacific/Kiritimati' });
  passbell.clock.advance(MINUTE);
  expect(await headings()).toEqual([
    ['2027-01-16', 'Today'],
    ['2027-01-15', 'Yesterday'],
  ]);
  expect(await headings('from=2027-01-16&to=2027-01-16')).toEqual([['2027-01-16', 'Today']]);
  expect(await sentences('from=2027-01-16')).toContain('ana_1@shop.example changed the settings of the account Wool');
  expect(await sentences('from=2027-01-16')).not.toContain('Operator invited ben@shop.example');
  expect(await sentences('to=2027-01-14')).toEqual([]);
  const { status, html } = await owner.get('/audit?from=2027-01-16&to=2027-01-15');
  expect([status, html]).toEqual([422, expect.stringContaining('The last day is before the first day.')]);
  expect((await owner.get('/audit/export?from=2027-01-16&to=2027-01-15')).status).toBe(422);
});
