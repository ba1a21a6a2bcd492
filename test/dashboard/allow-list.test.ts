/** The allow-list page: rejected callers, a button that allows them, and validation of the list. */
import { MAX_ENTRIES } from '../../backend/src/dashboard/allow-list/entries.js';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { signIn, type Visitor } from '../support/dashboard.js';
import { processorMs } from '../support/processor-time.js';
import { startService, type TestService } from '../support/service.js';
import { advancing, until } from '../support/wait.js';

/** Maximum CPU time for one request: a hundred times the usual time. */
const MAX_REQUEST_MS = 4000;

let passbell: TestService;
let owner: Visitor;
beforeAll(async () => {
  passbell = await startService();
  owner = await signIn(passbell);
});
afterAll(() => passbell.stop());

const createShop = (authorizedEndpoints = ['https://shop.example']) =>
  passbell.application({ settings: { authorizedEndpoints } });
const pathOf = ({ appKey }: KeyPair) => `/applications/${appKey}/allow-list`;
const listOf = async ({ appKey }: KeyPair) =>
  (await passbell.core.applications.service.find(appKey))!.settings.authorizedEndpoints;

/** Makes cached applications expire in every process. */
const expireCaches = () => passbell.clock.advance(2000);

const textOf = (html: string): string =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/\s+/g, ' ');

/** Waits until the allow-list page contains `words`, and returns its HTML. */
function pageWith(keys: KeyPair, words: string): Promise<string> {
  const read = async () => {
    const { html } = await owner.get(pathOf(keys));
    return html.includes(words) && html;
  };
  return until(`"${words}" on the page`, read, advancing(passbell.clock, 2000));
}

const call = (keys: KeyPair, headers: Record<string, string> = {}) =>
  passbell.get('/auth/authentication', {}, { keys, headers });

it('shows rejected callers, and allows a caller with one click', async () => {
  const keys = await createShop();
  expect(await call(keys, { origin: 'https://staging.example' })).toMatchObject({ message: 'Invalid endpoint' });
  const domainUrl = 'https://www.shop.example';
  const state = { appKey: keys.appKey, domainUrl, identity: 'ana@example.com' };
  expect(await passbell.post('/authserviceclient/authstate', state)).toMatchObject({ message: 'Invalid endpoint' });
  await pageWith(keys, 'https://staging.example');
  const html = await pageWith(keys, 'Allow www.shop.example');
  expect(textOf(html)).toMatch(
    /https:\/\/staging\.example from 127\.0\.0\.1 API 1 .* Allow staging\.example Allow 127\.0\.0\.1/,
  );
  expect(textOf(html)).toMatch(/https:\/\/www\.shop\.example Widget 1 .* Allow www\.shop\.example/);

  const done = await owner.submit(pathOf(keys), `${pathOf(keys)}/allow`, { entry: 'staging.example' });
  expect([done.status, done.location]).toEqual([303, `/dashboard${pathOf(keys)}`]);
  expect(textOf((await owner.follow(done)).html)).toContain('staging.example is now allowed.');
  expireCaches();
  expect(await call(keys, { origin: 'https://staging.example' })).toMatchObject({ success: true });
  expect(await listOf(keys)).toEqual(['https://shop.example', 'staging.example']);
  expect(textOf((await owner.get(pathOf(keys))).html)).toContain('Now allowed');

  const [entry] = await auditRows();
  expect(entry).toMatchObject({
    actor: owner.person!.email,
    action: 'application.allow-list',
    subject: 'Another Shop',
  });
});

async function auditRows() {
  const db = passbell.openDatabase();
  const rows = await db('audit_entries').orderBy('id', 'desc');
  await db.destroy();
  return rows;
}

it('does not offer a host pattern that a caller sent as its origin', async () => {
  const keys = await createShop();
  const state = { appKey: keys.appKey, domainUrl: 'https://*.com', identity: 'ana@example.com' };
  expect(await passbell.post('/authserviceclient/authstate', state)).toMatchObject({ message: 'Invalid endpoint' });
  for (const origin of ['https://*.com', 'https://*.net:8443', 'https://one.example,two.example'])
    expect(await call(keys, { origin })).toMatchObject({ message: 'Invalid endpoint' });
  await pageWith(keys, '1 more request came from other sites and servers.');
  const html = await pageWith(keys, 'Allow 127.0.0.1');
  expect(html).not.toMatch(/\*\.(com|net)|two\.example/);
});

it('does not add an entry to a list that was emptied in the meantime, because then all other callers would be rejected', async () => {
  const keys = await createShop([]);
  await owner.submit(pathOf(keys), pathOf(keys), { entries: '' });
  const { token } = await hiddenFieldsOf(keys);
  await owner.post(`${pathOf(keys)}/allow`, { token, entry: 'staging.example' });
  expect(await listOf(keys)).toEqual([]);
});

async function hiddenFieldsOf(keys: KeyPair): Promise<{ token: string; version: string }> {
  const { html } = await owner.get(pathOf(keys));
  const value = (name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(html.slice(html.indexOf('Entries, one') - 900))![1]!;
  return { token: value('token'), version: value('version') };
}

it('explains each invalid line, and keeps the typed text', async () => {
  const keys = await createShop();
  const entries = 'https://good.example\n\na b\n203.0.113.0/33\n*\nhttps:/shop.example';
  const { status, html } = await owner.submit(pathOf(keys), pathOf(keys), { entries });
  expect(status).toBe(422);
  expect(textOf(html)).toContain('Line 3: “a b” contains more than one entry. Enter each one separately.');
  expect(textOf(html)).toContain('Line 4: “203.0.113.0/33” is not a network.');
  expect(textOf(html)).toContain('Line 5: “*” would accept every caller. To allow that, leave the list empty.');
  expect(textOf(html)).toContain(
    'Line 6: “https:/shop.example” is not a valid entry. Did you mean https://shop.example?',
  );
  expect(html).toContain(entries);
  expect(html).toMatch(/Correct 4 entries[\s\S]*<a href="#field-entries">Entries, line 3: “a b” contains/);
  expect(await listOf(keys)).toEqual(['https://shop.example']);
});

it('parses a hostile line quickly', async () => {
  const keys = await createShop();
  const slow = `${':'.repeat(254)}x`;
  const parse = async () => {
    const list = await owner.submit(pathOf(keys), pathOf(keys), { entries: Array(80).fill(slow).join('\n') });
    const { token } = await hiddenFieldsOf(keys);
    const one = await owner.post(`${pathOf(keys)}/allow`, { token, entry: `${':'.repeat(5000)}x` });
    expect([list.status, one.status]).toEqual([422, 422]);
  };
  expect(await processorMs(parse)).toBeLessThan(MAX_REQUEST_MS);
});

it('limits the number of entries', async () => {
  const keys = await createShop();
  const many = Array.from({ length: MAX_ENTRIES + 1 }, (_, n) => `shop-${n}.example`).join('\n');
  const { status, html } = await owner.submit(pathOf(keys), pathOf(keys), { entries: many });
  expect(status).toBe(422);
  expect(textOf(html)).toContain(`A list can have at most ${MAX_ENTRIES} entries, but this one has ${MAX_ENTRIES + 1}`);
});

it.each(['*.co.uk', 'https://*.github.io', '*.shop.example:8443'])(
  'asks before the sites of many owners are allowed by %s, and not again',
  async (entry) => {
    const keys = await createShop();
    const save = (entries: string, confirmed = '') => owner.submit(pathOf(keys), pathOf(keys), { entries, confirmed });
    const asked = await save(`https://shop.example\n${entry}`);
    expect(asked.status).toBe(422);
    expect(textOf(asked.html)).toContain(
      `Not saved yet. ${entry} allows every site that ends in ${entry.split('*')[1]}, whoever owns it. All these sites are mine`,
    );
    expect(await listOf(keys)).toEqual(['https://shop.example']);
    expect((await save(entry, 'yes')).status).toBe(303);
    expect((await save(`${entry}\n*.www.shop.example\n*.localhost`)).status).toBe(303);
    expect(await listOf(keys)).toEqual([entry, '*.www.shop.example', '*.localhost']);
  },
);

it('saves the list, and asks for confirmation before saving an empty list', async () => {
  const keys = await createShop();
  const entries = ' https://shop.example \r\n*.shop.example\r\nhttps://shop.example\r\n203.0.113.0/24';
  const saved = await owner.submit(pathOf(keys), pathOf(keys), { entries, confirmed: 'yes' });
  expect(saved.status).toBe(303);
  expect(await listOf(keys)).toEqual(['https://shop.example', '*.shop.example', '203.0.113.0/24']);

  const asked = await owner.submit(pathOf(keys), pathOf(keys), { entries: '' });
  expect(asked.status).toBe(422);
  expect(textOf(asked.html)).toContain('Not saved yet. If you save, all sites and servers can use this application.');
  expect(await listOf(keys)).toHaveLength(3);
  const opened = await owner.submit(pathOf(keys), pathOf(keys), { entries: '', confirmed: 'yes' });
  expect(opened.status).toBe(303);
  expect(await listOf(keys)).toEqual([]);
});

it('reports an edit conflict between two tabs', async () => {
  const keys = await createShop();
  const second = await hiddenFieldsOf(keys);
  await owner.submit(pathOf(keys), pathOf(keys), { entries: 'https://first.example' });
  const again = await owner.post(pathOf(keys), { ...second, entries: 'https://first.example' });
  expect(again.status).toBe(303);
  const late = await owner.post(pathOf(keys), { ...second, entries: 'https://second.example' });
  expect(late.status).toBe(409);
  expect(textOf(late.html)).toMatch(/Entries https:\/\/first\.example https:\/\/second\.example/);
  expect(await listOf(keys)).toEqual(['https://first.example']);
  const allTheSame = /name="version" value="([^"]*)"/.exec(late.html)![1]!;
  const chosen = { token: second.token, version: allTheSame, entries: 'https://second.example' };
  expect((await owner.post(pathOf(keys), chosen)).status).toBe(303);
  expect(await listOf(keys)).toEqual(['https://second.example']);
});

it('checks a caller, and returns a full page or a fragment', async () => {
  const keys = await createShop(['shop.example']);
  const address = `${pathOf(keys)}?caller=${encodeURIComponent('https://www.shop.example')}`;
  const whole = await owner.get(address);
  expect(textOf(whole.html)).toContain('https://www.shop.example is not allowed.');
  expect(textOf(whole.html)).toContain('To allow it, add www.shop.example');
  const part = await owner.get(address, { 'HX-Request': 'true', 'HX-Target': 'check' });
  expect(part.html).toMatch(/^<div id="check">/);
  expect(textOf(part.html)).toContain('is not allowed');
  expect(part.html).toContain('>Add www.shop.example<');
});

it('warns that an empty list allows all callers, and about a caller that it cannot check', async () => {
  const noticeOn = async (path: string) =>
    /<div class="notice (\w+)"[\s\S]*?<\/div>/.exec((await owner.get(path)).html);
  const [empty, kind] = (await noticeOn(pathOf(await createShop([]))))!;
  expect([kind, textOf(empty)]).toEqual(['info', expect.stringContaining('all sites and servers are allowed.')]);
  const path = pathOf(await createShop());
  expect(await noticeOn(path)).toBeNull();
  const [unchecked, warning] = (await noticeOn(`${path}?caller=${encodeURIComponent('*.shop.example')}`))!;
  expect([warning, textOf(unchecked).trim()]).toEqual([
    'warning',
    'Enter one host, such as www.shop.example, instead of a pattern.',
  ]);
});

it('renders quickly even if many callers were rejected', async () => {
  const keys = await createShop();
  for (let n = 0; n < 40; n++) await call(keys, { origin: `https://flood-${n}.example` });
  await pageWith(keys, 'from other sites and servers');
  let html = '';
  const render = async () => void ({ html } = await owner.get(pathOf(keys)));
  expect(await processorMs(render)).toBeLessThan(MAX_REQUEST_MS);
  expect([...html.matchAll(/<tr>/g)].length).toBeLessThanOrEqual(21);
});

it.each(['', '/allow'])('a viewer sees no buttons, and cannot post to the page address plus %j', async (below) => {
  const keys = await createShop();
  const viewer = await signIn(passbell, 'viewer');
  const { html, status } = await viewer.get(pathOf(keys));
  expect(status).toBe(200);
  expect(html).not.toMatch(/>Save<|Allow every caller/);
  const token = /name="token" value="([^"]*)"/.exec(html)![1]!;
  const posted = await viewer.post(`${pathOf(keys)}${below}`, {
    token,
    entries: '',
    confirmed: 'yes',
    entry: 'evil.example',
  });
  expect(posted.status).toBe(403);
  expect(await listOf(keys)).toEqual(['https://shop.example']);
});

it('another account cannot see or change the list', async () => {
  const keys = await createShop();
  const outsider = await signIn(passbell, 'owner', { account: 'stranger@example.com' });
  const foreign = await outsider.get(pathOf(keys));
  const absent = await outsider.get(`/applications/pk_${'0'.repeat(32)}/allow-list`);
  expect([foreign.status, foreign.html]).toEqual([404, absent.html]);
  const token = /name="token" value="([^"]*)"/.exec((await outsider.get('/applications')).html)![1]!;
  for (const below of ['', '/allow']) {
    const posted = await outsider.post(`${pathOf(keys)}${below}`, {
      token,
      entries: '',
      confirmed: 'yes',
      entry: 'evil.example',
    });
    expect([below, posted.status]).toEqual([below, 404]);
  }
  expect(await listOf(keys)).toEqual(['https://shop.example']);
});
