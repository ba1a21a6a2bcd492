/** Changes of access require confirmation if the person signed in more than 15 minutes ago. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { codeAt } from '../support/authenticator.js';
import {
  createVisitor,
  hiddenFields,
  waitForMailedCode,
  signIn,
  type Fields,
  type Visitor,
} from '../support/dashboard.js';
import { accountOf, VERIFIED } from '../support/providers.js';
import { freshMail, startService, wrongCode, type TestService } from '../support/service.js';

let passbell: TestService;
beforeAll(async () => {
  passbell = await startService();
});
afterAll(() => passbell.stop());
afterEach(() => passbell.clock.advance(3_600_000));

const MINUTE = 60_000;

/** Signs in an owner, and advances the clock by 16 minutes. */
async function ownerWithOldSession(): Promise<Visitor> {
  const owner = await signIn(passbell, 'owner', { email: freshMail() });
  passbell.clock.advance(16 * MINUTE);
  return owner;
}

const overviewPath = () => `/applications/${passbell.keys.appKey}`;
const rotateSecret = (visitor: Visitor, fields: Fields = { graceHours: '24' }) =>
  visitor.submit(overviewPath(), `${overviewPath()}/secret`, fields);
const secretCount = async () => (await passbell.core.applications.service.load(passbell.keys.appKey)).secrets.length;

/** Submits the confirmation form in `html` with a code. */
const confirm = (visitor: Visitor, html: string, path: string, code: string) =>
  visitor.post(path, { ...hiddenFields(html, `/dashboard${path}`), confirmationCode: code });

it('confirmation is required before a new App Secret is created, and keeps the entered values', async () => {
  const owner = await ownerWithOldSession();
  const before = await secretCount();
  const asked = await rotateSecret(owner, { graceHours: '168' });
  expect(asked).toMatchObject({ status: 403, html: expect.stringContaining('Confirm your identity') });
  expect(await secretCount()).toBe(before);
  const code = await waitForMailedCode(passbell, owner.person!.email);
  const wrong = await confirm(owner, asked.html, `${overviewPath()}/secret`, wrongCode(code));
  expect(wrong).toMatchObject({
    status: 422,
    html: expect.stringContaining('This code is incorrect or was already used.'),
  });
  expect(await secretCount()).toBe(before);
  const done = await confirm(owner, wrong.html, `${overviewPath()}/secret`, code);
  expect(done).toMatchObject({ status: 303, location: `/dashboard${overviewPath()}` });
  expect(await secretCount()).toBe(before + 1);
  const audit = (await owner.get('/audit')).html;
  expect(audit).toContain('<ins>168</ins>');
});

it('shows the field for the last code while no other can be sent, and otherwise offers to send one', async () => {
  const email = freshMail();
  const other = await signIn(passbell, 'owner', { email });
  const owner = await signIn(passbell, 'owner', { email });
  passbell.clock.advance(16 * MINUTE);
  const path = `${overviewPath()}/secret`;
  const wait = /Wait \d+ minutes before you request another code\./;
  let last = await rotateSecret(owner);
  for (let n = 0; n < 20 && !wait.test(last.html); n++) last = await rotateSecret(owner);
  expect(last.html).toMatch(/name="confirmationCode"[^]*Send another code/);
  const asked = await rotateSecret(other);
  expect(asked.html).toMatch(wait);
  expect(asked.html).toContain('To create a new App Secret, request a code by email.');
  const sent = await waitForMailedCode(passbell, email, 4);
  expect((await confirm(owner, last.html, path, sent)).status).toBe(303);
  passbell.clock.advance(3_600_000);
  const again = await other.post(path, hiddenFields(asked.html, `/dashboard${path}`));
  const code = await waitForMailedCode(passbell, email, 5);
  expect((await confirm(other, again.html, path, code)).status).toBe(303);
});

it('confirmation is valid for 15 minutes, like a new sign-in', async () => {
  const owner = await signIn(passbell, 'owner', { email: freshMail() });
  passbell.clock.advance(14 * MINUTE);
  expect((await rotateSecret(owner)).status).toBe(303);
  passbell.clock.advance(2 * MINUTE);
  const asked = await rotateSecret(owner);
  expect(asked.status).toBe(403);
  const code = await waitForMailedCode(passbell, owner.person!.email);
  await confirm(owner, asked.html, `${overviewPath()}/secret`, code);
  passbell.clock.advance(14 * MINUTE);
  expect((await rotateSecret(owner)).status).toBe(303);
  passbell.clock.advance(2 * MINUTE);
  expect((await rotateSecret(owner)).status).toBe(403);
});

it('confirmation is required before someone is invited or gets another role', async () => {
  const owner = await ownerWithOldSession();
  const member = await signIn(passbell, 'member', { email: freshMail() });
  const email = freshMail();
  const path = `/people/${member.person!.id}/role`;
  expect((await owner.submit('/people', path, { role: 'owner' })).status).toBe(403);
  await waitForMailedCode(passbell, owner.person!.email);
  const invited = await owner.submit('/people/invite', '/people/invite', { email, role: 'owner' });
  expect(invited).toMatchObject({
    status: 403,
    html: expect.stringContaining('To invite this person, enter the code'),
  });
  const { accountId, id } = member.person!;
  expect(await passbell.core.people.service.find(accountId, id)).toMatchObject({ role: 'member' });
  const isInvited = async () =>
    (await passbell.core.people.service.invited(accountId)).some((one) => one.email === email);
  expect(await isInvited()).toBe(false);
  const newest = await waitForMailedCode(passbell, owner.person!.email, 1);
  expect((await confirm(owner, invited.html, '/people/invite', newest)).status).toBe(303);
  expect(await isInvited()).toBe(true);
});

it('confirmation is required before a person is removed', async () => {
  const owner = await ownerWithOldSession();
  const { accountId, id } = (await signIn(passbell, 'member', { email: freshMail() })).person!;
  const path = `/people/${id}/remove`;
  const asked = await owner.submit('/people', path);
  expect(asked).toMatchObject({ status: 403, html: expect.stringContaining('Confirm your identity') });
  expect(await passbell.core.people.service.find(accountId, id)).toBeDefined();
  const code = await waitForMailedCode(passbell, owner.person!.email);
  expect((await confirm(owner, asked.html, path, code)).status).toBe(303);
  expect(await passbell.core.people.service.find(accountId, id)).toBeUndefined();
});

it('confirmation is required before a person changes their sign-in settings', async () => {
  const owner = await ownerWithOldSession();
  const token = hiddenFields((await owner.get('/account')).html, '/dashboard/sign-out');
  for (const path of ['/account/passkeys', '/account/passkeys/1/remove', '/account/two-factor/start'])
    expect({ path, status: (await owner.post(path, token)).status }).toEqual({ path, status: 403 });
  const code = '123456';
  expect((await owner.post('/account/two-factor', { ...token, code })).status).toBe(403);
});

it('confirmation is required before an application is created, an owner setting is changed, or a recipient is erased', async () => {
  const owner = await ownerWithOldSession();
  const created = await owner.submit('/applications/new', '/applications/new', { name: 'Another Shop' });
  expect(created.status).toBe(403);
  const settings = `${overviewPath()}/settings`;
  const sections = {
    limits: { confirmed: 'yes' },
    verification: { verified: 'elsewhere', confirmed: 'yes' },
    'test-recipients': {},
    'two-factor': { widget: 'off', confirmed: 'yes' },
  };
  for (const [section, fields] of Object.entries(sections)) {
    const { status } = await owner.submit(`${settings}/${section}`, `${settings}/${section}`, fields as Fields);
    expect({ section, status }).toEqual({ section, status: 403 });
  }
  expect((await owner.submit(settings, `${settings}/general`)).status).not.toBe(403);
  const erased = await owner.submit('/recipients/erase', '/recipients/erase', { recipient: freshMail() });
  expect(erased.status).toBe(403);
});

it('shows the errors of a form before it asks for confirmation', async () => {
  const owner = await ownerWithOldSession();
  const settings = `${overviewPath()}/settings`;
  const webhooks = `${overviewPath()}/webhooks`;
  const vonage = { type: 'vonage', name: 'Vonage', settings: { apiKey: 'key', apiSecret: 'secret', from: 'Shop' } };
  const { id } = await passbell.core.providers.service.add(OPERATOR, await accountOf(passbell), vonage, VERIFIED);
  const provider = `/channels/providers/${id}`;
  const forms: [from: string, path: string, fields: Fields, error: string][] = [
    ['/applications/new', '/applications/new', { name: '' }, 'Enter a name.'],
    [settings, `${settings}/delete`, { confirmedName: 'Another' }, 'Type the name exactly'],
    [`${settings}/limits`, `${settings}/rates`, { burstPerSecond: 'many' }, 'Enter a whole number'],
    [`${settings}/challenge`, `${settings}/challenge`, { challenge: 'hcaptcha' }, 'Enter the site key'],
    [`${settings}/two-factor`, `${settings}/two-factor`, { widget: 'off' }, 'Not saved yet.'],
    ['/people/invite', '/people/invite', { email: 'ben', role: 'member' }, 'Enter an email address'],
    ['/people/invite', '/people/invite', { email: owner.person!.email, role: 'member' }, 'already has access'],
    [
      '/api-keys/new',
      '/api-keys',
      { name: 'Reports', days: '0', preset: 'read' },
      'Enter a whole number of days from 1 to 365.',
    ],
    ['/channels/prices/sms', '/channels/prices/sms', { price: 'cheap' }, 'Enter a price such as'],
    ['/channels/add/twilio', '/channels/add/twilio', { name: 'Twilio' }, 'Enter the Account SID.'],
    [provider, provider, { name: 'Vonage', 'setting-apiKey': 'key' }, 'Enter the sender.'],
    [`${webhooks}/new`, webhooks, { url: 'shop' }, 'Choose at least one event.'],
  ];
  for (const [from, path, fields, error] of forms) {
    const reply = await owner.submit(from, path, fields);
    expect({ path, status: reply.status }).toEqual({ path, status: 422 });
    expect(reply.html).toContain(error);
    expect(reply.html).not.toContain('Confirm your identity');
  }
});

it('confirmation accepts neither a code for another address nor a code from another session', async () => {
  const owner = await ownerWithOldSession();
  const thief = await ownerWithOldSession();
  const path = `${overviewPath()}/secret`;
  const asked = await rotateSecret(owner);
  const stolen = await rotateSecret(thief);
  const sealed = hiddenFields(stolen.html, `/dashboard${path}`).confirmationSent!;
  const code = await waitForMailedCode(passbell, thief.person!.email);
  const fields = { ...hiddenFields(asked.html, `/dashboard${path}`), confirmationSent: sealed };
  expect((await owner.post(path, { ...fields, confirmationCode: code })).status).toBe(422);
  // Requests a sign-in code for the thief.
  const browser = createVisitor(passbell.url);
  await browser.submit('/sign-in', '/sign-in', { email: thief.person!.email });
  const other = await waitForMailedCode(passbell, thief.person!.email, 1);
  for (const confirmationSent of ['', 'x', sealed])
    expect((await owner.post(path, { ...fields, confirmationSent, confirmationCode: other })).status).toBe(422);
});

it('confirmation asks for an authenticator code if the person uses an authenticator', async () => {
  const owner = await signIn(passbell, 'owner', { email: freshMail() });
  const { html } = await owner.get('/account/two-factor');
  const key = /<code>([A-Z2-7]{32})<\/code>/.exec(html)![1]!;
  await owner.submit('/account/two-factor', '/account/two-factor', { code: codeAt(key, passbell.clock.now()) });
  passbell.clock.advance(16 * MINUTE);
  const asked = await rotateSecret(owner);
  expect(asked.html).toContain('enter the code from your authenticator app');
  const path = `${overviewPath()}/secret`;
  const code = codeAt(key, passbell.clock.now());
  expect((await confirm(owner, asked.html, path, wrongCode(code, 5))).status).toBe(422);
  expect((await confirm(owner, asked.html, path, code)).status).toBe(303);
});

it('confirmation limits the number of wrong codes', async () => {
  const owner = await ownerWithOldSession();
  let { html } = await rotateSecret(owner);
  const code = await waitForMailedCode(passbell, owner.person!.email);
  for (let step = 1; step <= 5; step++)
    ({ html } = await confirm(owner, html, `${overviewPath()}/secret`, wrongCode(code, step)));
  const locked = await confirm(owner, html, `${overviewPath()}/secret`, code);
  expect(locked).toMatchObject({
    status: 422,
    html: expect.stringContaining('Too many wrong codes. Try again in'),
  });
});

it('confirmation is not requested from people who may not make the change', async () => {
  const member = await signIn(passbell, 'member', { email: freshMail() });
  passbell.clock.advance(16 * MINUTE);
  const token = hiddenFields((await member.get('/account')).html, '/dashboard/sign-out');
  const reply = await member.post('/people/invite', { ...token, email: freshMail(), role: 'owner' });
  expect(reply.html).toContain("You don't have permission to do this");
});

it('asks people to sign in again if no email can be sent', async () => {
  const service = await startService({ DEV_INBOX: 'off' });
  const owner = await signIn(service, 'owner');
  service.clock.advance(16 * MINUTE);
  const path = `/applications/${service.keys.appKey}`;
  const asked = await owner.submit(path, `${path}/secret`, { graceHours: '24' });
  expect(asked).toMatchObject({ status: 403, html: expect.stringContaining('sign in again with a passkey') });
  const link = await service.core.people.signInLinks.create(OPERATOR, owner.person!.email);
  expect(link.token).toMatch(/^[\w-]{43}$/);
  await service.stop();
});
