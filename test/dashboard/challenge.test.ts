/** The section Challenge of an application's settings. */
import { hiddenFields, signIn, type Visitor } from '../support/dashboard.js';
import { startService, type TestService } from '../support/service.js';

const SECRET = '0x4AAAAAAA-secret-of-the-vendor';

let passbell: TestService;
let owner: Visitor;
let path: string;
beforeAll(async () => {
  passbell = await startService();
  owner = await signIn(passbell);
});
afterAll(() => passbell.stop());
beforeEach(async () => {
  // The dashboard shows the applications of the operator's account.
  path = `/applications/${(await passbell.application()).appKey}`;
});

const stored = async () => (await passbell.core.applications.service.load(path.split('/').at(-1)!)).settings.challenge;
const save = (challenge: string, challengeSiteKey = '', challengeSecret = '') =>
  owner.submit(`${path}/settings/challenge`, `${path}/settings/challenge`, {
    challenge,
    challengeSiteKey,
    challengeSecret,
  });

it('is off until an owner chooses a challenge', async () => {
  expect(await stored()).toEqual({ kind: 'off', siteKey: '', secretSealed: '' });
  expect((await save('altcha')).status).toBe(303);
  expect(await stored()).toEqual({ kind: 'altcha', siteKey: '', secretSealed: '' });
});

it('keeps the secret key of the same vendor, and forgets the keys of another one', async () => {
  expect((await save('turnstile', 'site-1', SECRET)).status).toBe(303);
  const { secretSealed } = await stored();
  expect((await save('turnstile', 'site-2')).status).toBe(303);
  expect(await stored()).toEqual({ kind: 'turnstile', siteKey: 'site-2', secretSealed });
  const other = await save('hcaptcha', 'site-2');
  expect([other.status, other.html.includes('Enter the secret key')]).toEqual([422, true]);
  await save('off', 'site-2');
  expect(await stored()).toEqual({ kind: 'off', siteKey: '', secretSealed: '' });
});

it('reports all missing keys at once', async () => {
  const { html } = await save('turnstile');
  expect(html).toMatch(/field-challengeSiteKey-error[\s\S]*field-challengeSecret-error/);
});

it.each([
  ['turnstile', '', SECRET, 'Enter the site key'],
  ['turnstile', 'site', '', 'Enter the secret key'],
  ['hcaptcha', 'two words', SECRET, 'It has at most 200 letters'],
  ['hcaptcha', 'site', `${SECRET}<`, 'It has at most 200 letters'],
  ['recaptcha', '', SECRET, 'Choose one of off, altcha'],
])(
  'rejects %s with the site key "%s" and the secret key "%s", without showing it',
  async (kind, site, secret, text) => {
    const reply = await save(kind, site, secret);
    expect([reply.status, reply.html.includes(text), reply.html.includes(SECRET)]).toEqual([422, true, false]);
    expect(await stored()).toMatchObject({ kind: 'off' });
  },
);

it('never shows the secret key: on pages, after an edit conflict, in the audit log, the database and the log', async () => {
  const before = await owner.get(`${path}/settings/challenge`);
  await save('turnstile', 'site-1', SECRET);
  await save('turnstile', 'site-1', `${SECRET}-2`);
  const action = `${path}/settings/challenge`;
  const fields = { challenge: 'hcaptcha', challengeSiteKey: 'site-3', challengeSecret: `${SECRET}-3` };
  const late = await owner.post(action, { ...hiddenFields(before.html, `/dashboard${action}`), ...fields });
  expect(late.status).toBe(409);
  const audit = (await owner.get('/audit')).html;
  expect(audit).toMatch(/Challenge secret key[\s\S]*replaced/);
  const db = passbell.openDatabase();
  const rows = JSON.stringify([await db('audit_entries').select('*'), await db('applications').select('*')]);
  await db.destroy();
  const texts = [late.html, audit, (await owner.get(`${path}/settings/challenge`)).html, rows, ...passbell.logged];
  expect(texts.filter((text) => text.includes(SECRET))).toEqual([]);
});

it('can only be changed by owners', async () => {
  const member = await signIn(passbell, 'member');
  const page = await member.get(`${path}/settings/challenge`);
  expect(page.html).toMatch(/<fieldset disabled[^>]*><legend class="unseen">Challenge/);
  const action = `${path}/settings/challenge`;
  const fields = { ...hiddenFields(page.html, `/dashboard${action}`), challenge: 'altcha' };
  expect((await member.post(action, fields)).status).toBe(403);
});
