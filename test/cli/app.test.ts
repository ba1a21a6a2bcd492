/** `passbell app create`, `list` and `rotate-secret`, with a running server. */
import { HOUR } from '../../backend/src/platform/clock.js';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { DASHBOARD_APP_KEY } from '../../backend/src/modules/people/dashboard-application.js';
import { startService, type TestService } from '../support/service.js';
import { CHANGE_MS, json, run } from './command.js';

let server: TestService;
beforeAll(async () => void (server = await startService()));
afterAll(() => server.stop());

const credentialsWork = async (keys: KeyPair): Promise<boolean> =>
  (await server.get('/auth/authentication', {}, { keys })).success;

it('creates an application with credentials that work on the running server', async () => {
  const created = await json(server, 'app', 'create', '--name', 'Corner Shop');
  expect(created).toMatchObject({ name: 'Corner Shop', status: 'active', accountEmail: 'operator@localhost' });
  expect(await credentialsWork(created)).toBe(true);
});

it('assigns applications with the same email address to one account, ignoring case and spaces', async () => {
  await json(server, 'app', 'create', '--name', 'One', '--email', 'owner@shop.example');
  const second = await json(server, 'app', 'create', '--name', 'Two', '--email', ' Owner@Shop.example ');
  const { applications } = await json(server, 'account', 'update', '--app', second.appKey, '--status', 'active');
  expect(applications).toHaveLength(2);
});

it('prints the secret, with a note that it is shown only once', async () => {
  const { out } = await run(server, 'app', 'create', '--name', 'For People');
  expect(out).toMatch(/App Key +pk_[0-9a-f]{32}\n/);
  expect(out).toMatch(/App Secret +sk_\S{43} +\(shown only once\)\n/);
});

it.each(['', '   ', 'x'.repeat(101), 'two\nlines'])('rejects the name %j', async (name) => {
  const before = await json(server, 'app', 'list');
  expect(await run(server, 'app', 'create', '--name', name)).toMatchObject({ code: 1, out: '' });
  expect(await json(server, 'app', 'list')).toEqual(before);
});

it('shows one application with all its settings', async () => {
  const { appKey } = await json(server, 'app', 'create', '--name', 'Shown');
  const shown = await json(server, 'app', 'show', appKey);
  expect(shown).toMatchObject({ appKey, name: 'Shown', lastUsedAt: null, limits: { burstPerSecond: 20 } });
  expect((await run(server, 'app', 'show', appKey)).out).toMatch(/Name +Shown\n[\s\S]*Limits[\s\S]*Last used +never/);
  expect(await run(server, 'app', 'show', 'pk_none')).toMatchObject({ code: 1, out: '' });
});

it('lists all settings as JSON, without secrets or their hashes', async () => {
  const { appKey, appSecret } = await json(server, 'app', 'create', '--name', 'Listed');
  const { out } = await run(server, 'app', 'list', '--json');
  const listed = (JSON.parse(out) as { appKey: string }[]).find((one) => one.appKey === appKey);
  expect(listed).toEqual({
    appKey,
    name: 'Listed',
    status: 'active',
    accountEmail: 'operator@localhost',
    accountStatus: 'active',
    authorizedEndpoints: [],
    channels: ['SMS', 'WHATSAPP', 'VOICE'],
    countries: [],
    language: '',
    limits: expect.objectContaining({ cooldownSeconds: 30, burstPerMinute: 100 }),
    testRecipients: {},
    twoFactorWidget: true,
    strictTwoFactor: false,
    verifiedElsewhere: false,
    challenge: 'off',
    challengeSiteKey: '',
    servedCountries: [],
    silentSeconds: 0,
    quietHours: '',
    webOtpHost: '',
    androidAppHash: '',
    design: expect.objectContaining({ title: '', theme: 'auto', radius: 8 }),
    createdAt: '2027-01-15T08:00:00Z',
    lastUsedAt: null,
    version: expect.stringMatching(/^[0-9a-f]{16}$/),
  });
  expect(out).not.toContain(appSecret);
  expect(out).not.toMatch(/[0-9a-f]{64}/);
});

it('lists only changed limits in the table', async () => {
  const { appKey } = await json(server, 'app', 'create', '--name', 'Tabled');
  await json(server, 'app', 'update', appKey, '--cooldown-seconds', '7', '--burst-per-minute', '0');
  const { out } = await run(server, 'app', 'list');
  expect(out).toContain(appKey);
  expect(out).toContain('cooldown-seconds 7 (default 30)');
  expect(out).toContain('burst-per-minute off (default 100)');
  expect(out).not.toContain('sends-per-day');
});

it('prints a message if there is no application', async () => {
  const empty = await startService();
  const { dataDir, clock } = empty;
  const other = { dataDir: `${dataDir}/other`, clock };
  await run(other, 'init');
  const { out } = await run(other, 'app', 'list');
  await empty.stop();
  expect(out).toBe('No applications yet.\n');
});

describe('rotate-secret', () => {
  it('keeps the old secret valid for a day, and prints its expiry', async () => {
    const old = await json(server, 'app', 'create', '--name', 'Rotated');
    const rotated = await json(server, 'app', 'rotate-secret', old.appKey);
    expect(Date.parse(rotated.oldSecretValidUntil)).toBe(server.clock.now() + 24 * HOUR);
    expect([await credentialsWork(old), await credentialsWork(rotated)]).toEqual([true, true]);
    server.clock.advance(24 * HOUR);
    expect([await credentialsWork(old), await credentialsWork(rotated)]).toEqual([false, true]);
  });

  it('expires the old secret immediately with --grace-hours 0, even on a server that has cached it', async () => {
    const old = await json(server, 'app', 'create', '--name', 'Leaked');
    expect(await credentialsWork(old)).toBe(true);
    const rotated = await json(server, 'app', 'rotate-secret', old.appKey, '--grace-hours', '0');
    server.clock.advance(CHANGE_MS);
    expect([await credentialsWork(old), await credentialsWork(rotated)]).toEqual([false, true]);
  });

  it('prints how long each secret is valid', async () => {
    const { appKey } = await json(server, 'app', 'create', '--name', 'Told');
    const hour = new Date(server.clock.now() + HOUR).toISOString().slice(0, 19);
    const kept = await run(server, 'app', 'rotate-secret', appKey, '--grace-hours', '1');
    expect(kept.out).toMatch(/App Secret +sk_\S{43} +\(shown only once\)/);
    expect(kept.out).toContain(`valid until ${hour}Z`);
    expect((await run(server, 'app', 'rotate-secret', appKey, '--grace-hours', '0')).out).toContain('no longer valid');
  });

  it.each(['-1', '1.5', '745', 'x', ''])('rejects --grace-hours %j', async (hours) => {
    const { code, err } = await run(server, 'app', 'rotate-secret', server.keys.appKey, `--grace-hours=${hours}`);
    expect([code, err]).toEqual([1, expect.stringContaining('Enter a whole number from 0 to 744.')]);
  });
});

it('deletes an application after its name was confirmed, and restores it', async () => {
  const keys = await json(server, 'app', 'create', '--name', 'Old shop');
  const wrong = await run(server, 'app', 'delete', keys.appKey, '--confirm', 'Another');
  expect(wrong).toMatchObject({
    code: 1,
    err: expect.stringContaining('--confirm must be the name of the application: Old shop'),
  });
  expect(await credentialsWork(keys)).toBe(true);
  const { deleteAt } = await json(server, 'app', 'delete', keys.appKey, '--confirm', 'Old shop');
  expect(Date.parse(deleteAt)).toBe(server.clock.now() + 7 * 24 * HOUR);
  expect(await json(server, 'app', 'show', keys.appKey)).toMatchObject({ deleteAt });
  server.clock.advance(CHANGE_MS);
  expect(await credentialsWork(keys)).toBe(false);
  await json(server, 'app', 'restore', keys.appKey);
  server.clock.advance(CHANGE_MS);
  expect(await credentialsWork(keys)).toBe(true);
  expect((await run(server, 'app', 'restore', keys.appKey)).err).toContain('It was not deleted');
  const refused = await run(server, 'app', 'delete', DASHBOARD_APP_KEY, '--confirm', 'Passbell');
  expect(refused.err).toContain('this application cannot be deleted');
});
