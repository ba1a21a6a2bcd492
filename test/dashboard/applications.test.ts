/** Application pages: creation, settings and secret rotation. */
import { CLEANUP_INTERVAL_MS } from '../../backend/src/core.js';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { DEFAULT_LIMITS } from '../../backend/src/modules/applications/application-limits.js';
import { DAY } from '../../backend/src/platform/clock.js';
import { addRowsToAllTables, createRowCounter } from '../support/application-rows.js';
import { hiddenFields, signIn, type Visitor } from '../support/dashboard.js';
import { startService, type TestService } from '../support/service.js';
import { advancing, until } from '../support/wait.js';

let passbell: TestService;
let owner: Visitor;
let path: string;
beforeAll(async () => {
  passbell = await startService();
  owner = await signIn(passbell);
  path = `/applications/${passbell.keys.appKey}`;
});
afterAll(() => passbell.stop());

const storedApplication = async () => (await passbell.core.applications.service.list())[0]!;
const save = (section: string, fields: Record<string, string>, who = owner) =>
  who.submit(`${path}/settings/${section}`, `${path}/settings/${section}`, fields);
const ALL_LIMITS = Object.fromEntries(Object.entries(DEFAULT_LIMITS).map(([name, value]) => [name, String(value)]));

it('creates an application, and shows its secret only once', async () => {
  const made = await owner.submit('/applications/new', '/applications/new', { name: 'Täglich & <Co>' });
  expect(made.status).toBe(303);
  expect(made.location).toMatch(/^\/dashboard\/applications\/pk_[0-9a-f]{32}$/);
  const appKey = made.location.split('/').at(-1)!;
  const first = await owner.follow(made);
  const appSecret = /sk_[\w-]{43}/.exec(first.html)![0];
  expect(first.html).toContain('Täglich &amp; &lt;Co>');
  expect((await owner.follow(made)).html).not.toContain(appSecret);
  expect(await passbell.get('/auth/authentication', {}, { keys: { appKey, appSecret } })).toMatchObject({
    success: true,
  });
});

it('does not reveal a secret in URLs, cookies, the database or the log', async () => {
  const made = await owner.submit('/applications/new', '/applications/new', { name: 'Quiet' });
  const cookies = owner.cookies();
  const appSecret = /sk_[\w-]{43}/.exec((await owner.follow(made)).html)![0];
  expect(made.location + cookies + decodeURIComponent(cookies)).not.toContain(appSecret);
  expect(passbell.logged.join('')).not.toContain(appSecret);
  const db = passbell.openDatabase();
  const kept = JSON.stringify([await db('audit_entries').select('*'), await db('applications').select('*')]);
  await db.destroy();
  expect(kept).not.toContain(appSecret);
});

it.each(['', '   ', 'x'.repeat(101), 'two\nlines'])('rejects the name %j, and keeps it in the field', async (name) => {
  const before = (await passbell.core.applications.service.list()).length;
  const reply = await owner.submit('/applications/new', '/applications/new', { name });
  expect(reply.status).toBe(422);
  const isEmpty = name.trim() === '';
  expect(reply.html).toContain(isEmpty ? 'Enter a name.' : 'Enter one line of at most 100 characters');
  expect(reply.html).toContain('aria-invalid="true"');
  if (name.length > 100) expect(reply.html).toContain(`value="${name}"`);
  expect((await passbell.core.applications.service.list()).length).toBe(before);
});

it('creates a new secret; the old secret stays valid until an owner revokes it', async () => {
  const { keys } = passbell;
  const works = async (appSecret: string) =>
    (await passbell.get('/auth/authentication', {}, { keys: { ...keys, appSecret } })).success;
  const rotated = await owner.submit(path, `${path}/secret`, { graceHours: '24' });
  const { html } = await owner.follow(rotated);
  const newSecret = /sk_[\w-]{43}/.exec(html)![0];
  expect(html).toContain('valid until');
  expect([await works(keys.appSecret), await works(newSecret)]).toEqual([true, true]);
  await owner.submit(path, `${path}/secret/end-old`);
  // Other processes are notified asynchronously.
  await until('the end of the old secret', async () => !(await works(keys.appSecret)));
  expect(await works(newSecret)).toBe(true);
});

it('shows when an application was last used, without a database write per request', async () => {
  const keys = await passbell.application();
  const page = `/applications/${keys.appKey}`;
  expect((await owner.get(page)).html).toContain('<span class="quiet">Never</span>');
  await passbell.get('/auth/authentication', {}, { keys });
  const iso = new Date(passbell.clock.now()).toISOString().slice(0, 16);
  const read = async () => {
    const { html } = await owner.get(page);
    return !html.includes('<span class="quiet">Never</span>') && html;
  };
  expect(await until('the last use', read)).toContain(iso);
});

it('shows the state and the credentials of an application on its overview, but not the next step of the person', async () => {
  const { appKey } = await passbell.application({ settings: { countries: ['DE'] } });
  const { html } = await owner.get(`/applications/${appKey}`);
  const text = html
    .replaceAll('<wbr/>', '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
  expect(text).toMatch(
    / Active As of .*Last used Never .*Send only to Germany Allow-list All sites and servers Created /,
  );
  expect(text).toContain(`App Key ${appKey}`);
  expect(text).toContain(`API URL ${passbell.url}/api/v1`);
  expect(html).not.toContain('next-step');
});

it('the audit log describes each change in words', async () => {
  const { applications } = passbell.core;
  const { appKey } = passbell.keys;
  await applications.service.update(OPERATOR, appKey, { settings: { authorizedEndpoints: ['https://shop.example'] } });
  await applications.service.update(OPERATOR, appKey, { settings: { authorizedEndpoints: [] } });
  await applications.service.update(OPERATOR, appKey, { design: { accentColor: '#0a7cff' } });
  await applications.service.update(OPERATOR, appKey, { limits: { sendsPer10Minutes: 6 } });
  await applications.service.update(OPERATOR, appKey, { limits: { sendsPer10Minutes: 5 } });
  await applications.service.setCeilings(OPERATOR, owner.person!.accountId, { applications: 7 });
  await applications.service.setCeilings(OPERATOR, owner.person!.accountId, { applications: 0 });
  const application = await applications.service.load(appKey);
  await passbell.core.fraud.pauses.act(OPERATOR, application, { scope: 'country', key: 'BR' }, 'pause');
  await passbell.core.fraud.pauses.act(OPERATOR, application, { scope: 'country', key: 'BR' }, 'resume');
  const { html } = await owner.get('/audit');
  for (const text of [
    'changed the allow-list of',
    'changed the widget design of',
    'changed the ceilings of the account',
  ])
    expect(html).toContain(text);
  for (const name of ['Widget accent color', 'Codes to one recipient in 10 minutes', 'Messages to Brazil'])
    expect(html).toContain(`<li><span class="quiet">${name}:</span> `);
});

describe('settings', () => {
  it('are not saved without confirmation if they deactivate the application', async () => {
    const asked = await save('status', { status: 'inactive' });
    expect(asked.status).toBe(422);
    expect(asked.html).toContain('All API and widget requests will be rejected');
    expect((await storedApplication()).status).toBe('active');
    await save('status', { status: 'inactive', confirmed: 'yes' });
    expect((await storedApplication()).status).toBe('inactive');
    // Activating the application again needs no confirmation.
    await save('status', { status: 'active' });
    expect((await storedApplication()).status).toBe('active');
  });

  const STRICT = { limits: { sendsPerDay: 3 }, settings: { strictTwoFactor: true, countries: ['DE'] } };
  it.each([
    ['two-factor', { widget: 'open' }, 'Anyone who knows the email address of a user can then find out'],
    ['two-factor', { widget: 'off' }, 'Your site will no longer be able to ask users for their second factor'],
    ['verification', { verified: 'elsewhere' }, 'Passbell cannot pause messages whose codes nobody enters'],
    ['countries', { servedCountries: '', countries: '' }, 'Messages can then be sent to every country'],
    ['rates', { ...ALL_LIMITS, sendsPerDay: '' }, 'Codes to one recipient in 24 hours: no limit instead of 3 codes.'],
    ['rates', { ...ALL_LIMITS, sendsPerDay: '11' }, 'Codes to one recipient in 24 hours: 11 codes instead of 3 codes.'],
    ['rates', { ...ALL_LIMITS, cooldownSeconds: '1' }, 'One phone can receive many codes, at your cost.'],
    ['limits', { budgetPerDay: '900000' }, 'Daily budget: 900,000 USD instead of 500 USD.'],
  ])('are not saved without confirmation if they weaken the protection: %s %j', async (section, fields, effect) => {
    await passbell.core.applications.service.update(OPERATOR, passbell.keys.appKey, STRICT);
    const before = JSON.stringify((await storedApplication()).settings);
    const asked = await save(section, fields);
    expect([asked.status, asked.html]).toEqual([422, expect.stringContaining(effect)]);
    expect(JSON.stringify((await storedApplication()).settings)).toBe(before);
    expect((await save(section, { ...fields, confirmed: 'yes' })).status).toBe(303);
    // The same values need no confirmation.
    expect((await save(section, fields)).status).toBe(303);
  });

  it('are not saved without confirmation if an automatic budget is higher than the stored one', async () => {
    const own = { budgetPerDay: '20', messageBudgetPerDay: '10' };
    const automatic = { budgetPerDay: '', messageBudgetPerDay: '' };
    await save('limits', own);
    const asked = await save('limits', automatic);
    expect(asked.status).toBe(422);
    for (const effect of [
      'Daily budget: automatic (500 USD today) instead of 20 USD.',
      'Daily message budget: automatic (6,000 today) instead of 10.',
    ])
      expect(asked.html).toContain(effect);
    expect((await storedApplication()).settings.limits).toMatchObject({ budgetPerDay: 20, messageBudgetPerDay: 10 });
    expect((await save('limits', { ...automatic, confirmed: 'yes' })).status).toBe(303);
    // An automatic budget that is lower than the stored one needs no confirmation.
    await save('limits', { budgetPerDay: '900', messageBudgetPerDay: '7000', confirmed: 'yes' });
    expect((await save('limits', automatic)).status).toBe(303);
  });

  it('need no confirmation if limits stay at least as strict as the defaults', async () => {
    await passbell.core.applications.service.update(OPERATOR, passbell.keys.appKey, STRICT);
    expect((await save('rates', { ...ALL_LIMITS, sendsPerDay: '10' })).status).toBe(303);
  });

  it('are saved section by section, and apply to the next request', async () => {
    await save('general', { name: 'My shop', language: 'de' });
    await save('channels', { first: 'VOICE', second: 'SMS', third: '' });
    await save('countries', { countries: 'United States, de' });
    await save('rates', { ...ALL_LIMITS, cooldownSeconds: '', confirmed: 'yes' });
    const risk = 'Anyone who knows the code of a test recipient can sign in as that recipient.';
    expect((await owner.get(`${path}/settings/two-factor`)).html).toContain(`<p class="hint">${risk}`);
    await save('test-recipients', {
      'recipient-0': '+1 555 0100',
      'code-0': ' 123456',
      'recipient-1': '',
      'code-1': '',
      'recipient-2': 'Review@shop.example',
      'code-2': 'abcd',
    });
    expect((await owner.get(`${path}/settings/two-factor`)).html).toMatch(
      `<div class="notice warning" role="status"><p>${risk}`,
    );
    await save('two-factor', { widget: 'strict' });
    await save('autofill', { webOtpHost: 'https://Shop.example/checkout?a=1', androidAppHash: ' FA+9qCX9VSu' });
    await save('silent', { silentSeconds: '20' });
    await save('quiet', { quiet: 'on', quietFrom: '2200', quietUntil: '8.00' });
    const { name, settings } = await storedApplication();
    expect({ name, ...settings }).toMatchObject({
      name: 'My shop',
      language: 'de',
      channels: ['VOICE', 'SMS'],
      countries: ['US', 'DE'],
      limits: { cooldownSeconds: 0, sendsPerDay: 10 },
      testRecipients: { '+15550100': '123456', 'Review@shop.example': 'abcd' },
      strictTwoFactor: true,
      webOtpHost: 'shop.example',
      androidAppHash: 'FA+9qCX9VSu',
      silentSeconds: 20,
      quietHours: '22:00-08:00',
    });
  });

  it('say that a code that is sent another way is paid for twice', async () => {
    const { html } = await owner.get(`${path}/settings/silent`);
    const [, section] = /id="silent"([\s\S]*?)<\/section>/.exec(html)!;
    expect(section).toContain('You pay for each message');
    expect(section).toContain(
      'Whatever you choose, a valid code that is reported as undelivered is sent again if another provider or channel is set up.',
    );
  });

  it.each([
    ['status', { status: 'gone' }, 'Choose one of the options.'],
    ['general', { name: 'X', language: 'tlh' }, 'Choose one of'],
    ['channels', { first: 'SMS', second: 'SMS', third: '' }, 'field-second-error">Choose each channel only once.'],
    ['channels', { first: '', second: '', third: '' }, 'Choose from SMS, WHATSAPP, VOICE.'],
    ['countries', { countries: 'US, New Narnia' }, '“New Narnia” is not a country. Enter a name'],
    ['rates', { ...ALL_LIMITS, sendsPerDay: '-1' }, 'Enter a whole number from 0 to 1,000,000.'],
    ['limits', { budgetPerDay: '0' }, 'Enter a whole number, or leave this empty for an automatic budget.'],
    ['two-factor', { widget: 'maybe' }, 'Choose one of the options.'],
    ['autofill', { webOtpHost: 'https://shop.example:8443', androidAppHash: '' }, 'Enter a host name such as'],
    [
      'challenge',
      { challenge: 'turnstile', challengeSiteKey: 'key', challengeSecret: '' },
      'Secret key: Enter the secret key',
    ],
    ['autofill', { webOtpHost: '', androidAppHash: 'FA+9' }, 'Enter 11 letters, digits, + or /'],
    ['silent', { silentSeconds: '14' }, 'Enter 0, or a whole number from 15 to 600.'],
  ])('explain invalid input, and keep it in the form: %s', async (section, fields, text) => {
    const before = JSON.stringify((await storedApplication()).settings);
    const reply = await save(section, fields as Record<string, string>);
    expect(reply.status).toBe(422);
    expect(reply.html).toContain(text);
    for (const typed of Object.values(fields).filter((value) => !['gone', 'maybe'].includes(value) && value.length > 3))
      expect(reply.html.replaceAll(',', '')).toContain(typed.split(' = ')[0]!.replaceAll(',', ''));
    expect(JSON.stringify((await storedApplication()).settings)).toBe(before);
  });

  it('keep saying what is not protected until the server reports the entered codes', async () => {
    await save('verification', { verified: 'elsewhere', confirmed: 'yes' });
    expect((await owner.get(`${path}/settings/verification`)).html).toContain(
      'Until your server reports entered codes',
    );
    await save('verification', { verified: 'here' });
  });

  it('ask before messages to served countries are refused', async () => {
    const fields = { servedCountries: 'AT, DE, US', countries: 'DE' };
    const asked = await save('countries', fields);
    expect([asked.status, asked.html]).toEqual([
      422,
      expect.stringContaining(
        'You serve Austria and the United States, but they are not in “Send only to”. Messages to Austria and the United States will be refused.',
      ),
    ]);
    expect((await save('countries', { ...fields, confirmed: 'yes' })).status).toBe(303);
    await save('countries', { servedCountries: '', countries: '', confirmed: 'yes' });
  });

  it('report an edit conflict with another tab', async () => {
    const action = `${path}/settings/countries`;
    await save('countries', { countries: 'US' });
    const page = await owner.get(`${path}/settings`);
    await save('countries', { countries: 'DE' });
    const late = await owner.post(action, { ...hiddenFields(page.html, `/dashboard${action}`), countries: 'FR' });
    expect(late.status).toBe(409);
    expect(late.html).toMatch(/Germany[\s\S]*FR/);
    expect((await storedApplication()).settings.countries).toEqual(['DE']);
    const again = { ...hiddenFields(late.html, `/dashboard${action}`) };
    expect(again).toMatchObject({ countries: 'FR' });
    expect((await owner.post(action, again)).status).toBe(303);
    expect((await storedApplication()).settings.countries).toEqual(['FR']);
  });

  it('allow concurrent changes to different sections', async () => {
    const pages = await owner.get(`${path}/settings`);
    await save('countries', { countries: '', confirmed: 'yes' });
    const action = `${path}/settings/general`;
    const fields = { ...hiddenFields(pages.html, `/dashboard${action}`), name: 'Both', language: '' };
    expect((await owner.post(action, fields)).status).toBe(303);
  });

  it('are recorded in the audit log, without codes', async () => {
    await save('general', { name: 'Before', language: '' });
    await save('general', { name: 'After', language: '' });
    await save('test-recipients', { 'recipient-0': '+15550111', 'code-0': '987654' });
    const { html } = await owner.get('/audit');
    expect(html).toMatch(
      /changed the application[\s\S]*<del>Before<\/del> <span aria-hidden="true">→<\/span> <ins>After<\/ins>/,
    );
    expect(html).toContain(owner.person!.email);
    expect(html).not.toContain('987654');
    expect(html).not.toContain('+15550111');
  });
});

describe("another account's application", () => {
  const paths = ['', '/settings'];
  const actions = ['/secret', '/secret/end-old', '/settings/general', '/settings/limits'];

  it('is not listed', async () => {
    const outsider = await signIn(passbell, 'owner', { account: 'other@example.com' });
    expect((await outsider.get('/applications')).html).toContain('Create your first application');
  });

  it.each(['owner', 'member', 'viewer'] as const)('is hidden from a %s of another account', async (role) => {
    const outsider = await signIn(passbell, role, { account: 'other@example.com' });
    const { html } = await outsider.get('/account');
    const token = /name="token" value="([^"]+)"/.exec(html)![1]!;
    for (const below of paths) {
      const foreign = await outsider.get(path + below);
      const absent = await outsider.get(`/applications/pk_${'0'.repeat(32)}${below}`);
      expect([foreign.status, foreign.html]).toEqual([404, absent.html]);
    }
    for (const below of actions) {
      const foreign = await outsider.post(path + below, { token });
      const absent = await outsider.post(`/applications/pk_${'0'.repeat(32)}${below}`, { token });
      expect([foreign.status, foreign.html]).toEqual([404, absent.html]);
    }
  });

  it("returns 404 if it is the dashboard's own application", async () => {
    const guessed = await owner.get('/applications/pk_dashboard');
    expect(guessed.status).toBe(404);
  });
});

it('shows the chance of guessing a code, for the stored limit on wrong codes', async () => {
  const { appKey } = await passbell.application({ limits: { wrongCodesPerHour: 10 } });
  const { html } = await owner.get(`/applications/${appKey}/settings/limits`);
  const text = html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  expect(text).toContain('4 9 0.09% 5 99 0.099% 6 240 0.024% 8 240 0.00024%');
});

it('lists an application with “No messages yet” in its first days', async () => {
  await passbell.application();
  const { html } = await (await signIn(passbell)).get('/applications');
  expect(html).toContain('No messages yet');
});

describe('deletion', () => {
  const remove = async (keys: TestService['keys'], confirmedName = 'Another Shop', who = owner) => {
    const settings = `/applications/${keys.appKey}/settings`;
    return who.submit(settings, `${settings}/delete`, { confirmedName });
  };

  it('rejects all requests of a deleted application until an owner restores it', async () => {
    const keys = await passbell.application();
    const authenticate = () => passbell.get('/auth/authentication', {}, { keys });
    expect(await authenticate()).toMatchObject({ success: true });
    const wrong = await remove(keys, 'another shop');
    expect([wrong.status, wrong.html]).toEqual([
      422,
      expect.stringContaining('Type the name exactly as shown: Another Shop'),
    ]);
    const { html } = await owner.follow(await remove(keys));
    expect(html).toContain('This application was deleted and rejects all requests.');
    await until('a rejected request', async () => !(await authenticate()).success, advancing(passbell.clock, 500));
    expect(await passbell.post('/auth/sendotp', { to: 'ana@example.com' }, { keys })).toMatchObject({
      code: 'APPLICATION_INACTIVE',
      message: 'application was deleted',
      hint: expect.stringMatching(/Owners can restore this one until \d{4}-\d\d-\d\d, in its settings/),
    });
    expect((await owner.get('/applications')).html).toContain('>Deleted<');
    const settings = `/applications/${keys.appKey}/settings`;
    expect((await signIn(passbell, 'member').then((member) => member.get(settings))).html).not.toContain('/restore"');
    const overview = (await owner.get(settings.replace('/settings', ''))).html;
    expect(overview).not.toMatch(/New App Secret|Connect your shop/);
    expect((await owner.get(settings)).html).not.toContain('>Save<');
    await owner.submit(settings, `${settings}/restore`);
    await until('an accepted request', async () => (await authenticate()).success, advancing(passbell.clock, 500));
    expect((await owner.get('/audit')).html).toContain('restored the application');
  });

  it('erases the rows of every table after the grace period, and of no other application', async () => {
    const db = passbell.openDatabase();
    const { applications, audit } = passbell.core;
    const keys = await passbell.application();
    const other = await passbell.application();
    const { id, accountId } = await applications.service.load(keys.appKey);
    const { id: otherId } = await applications.service.load(other.appKey);
    await addRowsToAllTables(db, id);
    await addRowsToAllTables(db, otherId);
    const counts = await createRowCounter(db, id);
    const otherCounts = await createRowCounter(db, otherId);
    const before = await otherCounts();
    expect(Object.values(await counts()).filter((count) => count === 0)).toEqual([]);
    await remove(keys, undefined, await signIn(passbell));
    passbell.clock.advance(7 * DAY);
    const isErased = async () => (await counts()).applications === 0;
    await until('the erasure', isErased, advancing(passbell.clock, CLEANUP_INTERVAL_MS));
    expect(Object.entries(await counts()).filter(([, count]) => count > 0)).toEqual([]);
    expect(await otherCounts()).toEqual(before);
    const [entry] = await audit.service.list(accountId, { limit: 1 });
    expect(entry).toMatchObject({ actor: 'operator', action: 'application.erase', subject: 'Another Shop' });
    expect((await (await signIn(passbell)).get(`/applications/${keys.appKey}`)).status).toBe(404);
    await db.destroy();
  });
});
