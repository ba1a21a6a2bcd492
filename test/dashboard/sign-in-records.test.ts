/**
 * Sign-ins, failed sign-ins and changes to sign-in methods are recorded in the audit log, and reported to the person by
 * email.
 */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { codeAt } from '../support/authenticator.js';
import {
  createVisitor,
  waitForMailedCode,
  mailedCodes,
  waitForMailedNotice,
  signIn,
  type Visitor,
} from '../support/dashboard.js';
import { freshMail, startService, wrongCode, type TestService } from '../support/service.js';
import { until } from '../support/wait.js';

let passbell: TestService;
beforeAll(async () => {
  passbell = await startService();
});
afterAll(() => passbell.stop());
afterEach(() => passbell.clock.advance(3_600_000));

interface Entry {
  readonly actor: string;
  readonly action: string;
  readonly changes: readonly { readonly name: string; readonly after: string }[];
}

/** Returns the audit entries about a person, newest first. */
async function entriesOf(email: string): Promise<Entry[]> {
  const [person] = await passbell.core.people.service.withEmail(email);
  const entries = await passbell.core.audit.service.list(person!.accountId, { limit: 100 });
  return entries.filter(({ subject }) => subject === email);
}

async function waitForEntries(email: string, action: string, count: number): Promise<Entry[]> {
  return until(`${count} audit entries ${action}`, async () => {
    const found = (await entriesOf(email)).filter((entry) => entry.action === action);
    return found.length >= count && found;
  });
}

const subjects = async (email: string): Promise<string[]> =>
  (await passbell.inbox(email)).map(({ subject }) => subject);

async function requestCode(visitor: Visitor, email: string): Promise<string> {
  const before = (await mailedCodes(passbell, email)).length;
  await visitor.submit('/sign-in', '/sign-in', { email });
  return waitForMailedCode(passbell, email, before);
}

const enterCode = (visitor: Visitor, code: string) => visitor.submit('/sign-in/code', '/sign-in/code', { code });

it('records every sign-in, and emails the person about a new browser', async () => {
  const { email } = (await signIn(passbell, 'owner', { email: freshMail() })).person!;
  const userAgent = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36';
  const browser = createVisitor(passbell.url, undefined, undefined, { 'User-Agent': userAgent });
  for (let n = 0; n < 2; n++) {
    expect((await enterCode(browser, await requestCode(browser, email))).status).toBe(303);
    await browser.submit('/applications', '/sign-out');
    passbell.clock.advance(600_000);
  }
  await enterCode(browser, await requestCode(browser, email));
  expect((await browser.get('/account')).html).toContain('Chrome on macOS<p');
  const signIns = (await entriesOf(email)).filter(({ action }) => action === 'person.sign-in');
  expect(signIns).toHaveLength(3);
  expect(signIns[0]).toMatchObject({
    actor: email,
    changes: [
      { name: 'method', after: 'emailed code' },
      { name: 'IP address', after: '127.0.0.1' },
    ],
  });
  expect(await waitForMailedNotice(passbell, email, 'New sign-in')).toContain(
    'Method: emailed code. IP address: 127.0.0.1.',
  );
  // The other sign-ins were in the same browser.
  expect((await subjects(email)).filter((subject) => subject.includes('New sign-in'))).toHaveLength(1);
});

it('records wrong codes, and emails the person once about several wrong codes', async () => {
  const { email } = (await signIn(passbell, 'owner', { email: freshMail() })).person!;
  const attacker = createVisitor(passbell.url);
  const code = await requestCode(attacker, email);
  await enterCode(attacker, wrongCode(code, 1));
  const [entry] = await waitForEntries(email, 'person.sign-in-failed', 1);
  expect(entry).toMatchObject({ actor: 'someone not signed in', changes: [{ after: 'emailed code' }, {}] });
  for (let step = 2; step <= 5; step++) await enterCode(attacker, wrongCode(code, step));
  await waitForEntries(email, 'person.sign-in-failed', 5);
  await waitForMailedNotice(passbell, email, 'Incorrect sign-in codes');
  passbell.clock.advance(61_000);
  await enterCode(attacker, wrongCode(code, 6));
  await waitForEntries(email, 'person.sign-in-failed', 6);
  expect((await subjects(email)).filter((subject) => subject.includes('Incorrect sign-in codes'))).toHaveLength(1);
});

it('stores nothing about an address that may not sign in', async () => {
  const email = freshMail();
  const attacker = createVisitor(passbell.url);
  await attacker.submit('/sign-in', '/sign-in', { email });
  for (let n = 0; n < 5; n++) await enterCode(attacker, '000000');
  // Failures are stored in order, so once this failure of a known person is stored, earlier failures would be, too.
  const { email: known } = (await signIn(passbell, 'owner', { email: freshMail() })).person!;
  const code = await requestCode(attacker, known);
  await enterCode(attacker, wrongCode(code));
  await waitForEntries(known, 'person.sign-in-failed', 1);
  const db = passbell.openDatabase();
  expect(await db('audit_entries').where({ subject: email })).toEqual([]);
  await db.destroy();
  expect(await subjects(email)).toEqual([]);
});

it('records a wrong code of the authenticator, and emails the person immediately', async () => {
  const owner = await signIn(passbell, 'owner', { email: freshMail() });
  const { email } = owner.person!;
  const { html } = await owner.get('/account/two-factor');
  const key = /<code>([A-Z2-7]{32})<\/code>/.exec(html)![1]!;
  await owner.submit('/account/two-factor', '/account/two-factor', { code: codeAt(key, passbell.clock.now()) });
  expect(await waitForMailedNotice(passbell, email, 'was turned on')).toContain(
    'also requires a code from your authenticator',
  );
  passbell.clock.advance(60_000);
  const attacker = createVisitor(passbell.url);
  await enterCode(attacker, await requestCode(attacker, email));
  const wrong = wrongCode(codeAt(key, passbell.clock.now()), 7);
  await attacker.submit('/sign-in/factor', '/sign-in/factor', { code: wrong });
  const [entry] = await waitForEntries(email, 'person.sign-in-failed', 1);
  expect(entry!.changes[0]).toMatchObject({ after: 'authenticator' });
  expect(await waitForMailedNotice(passbell, email, 'Someone may be able to read your email')).toContain(
    'were not signed in',
  );

  passbell.clock.advance(60_000);
  const code = codeAt(key, passbell.clock.now());
  expect((await attacker.submit('/sign-in/factor', '/sign-in/factor', { code })).status).toBe(303);
  const [signedIn] = await waitForEntries(email, 'person.sign-in', 1);
  expect(signedIn!.changes[0]).toMatchObject({ after: 'emailed code and authenticator' });

  await passbell.core.people.secondFactor.reset(OPERATOR, email);
  expect(await waitForMailedNotice(passbell, email, 'was turned off')).toContain(
    'The operator of this server turned off',
  );
});

it('emails people when their role changes or they are removed', async () => {
  const owner = await signIn(passbell, 'owner', { account: freshMail() });
  const { accountId } = owner.person!;
  const email = freshMail();
  const invitation = await passbell.core.people.service.invite(OPERATOR, { accountId, email, role: 'member' });
  const { id } = (await passbell.core.people.service.join(invitation, email))!;
  await owner.submit('/people', `/people/${id}/role`, { role: 'viewer' });
  const changed = await waitForMailedNotice(passbell, email, 'Your role');
  expect(changed).toContain(`${owner.person!.email} changed your role to viewer.`);
  await owner.submit('/people', `/people/${id}/remove`);
  await waitForMailedNotice(passbell, email, 'You were removed');
});

it('emails the other owners when the owners of their account change', async () => {
  const account = freshMail();
  const watcher = await signIn(passbell, 'owner', { account, email: freshMail() });
  const actor = await signIn(passbell, 'owner', { account, email: freshMail() });
  const { email, accountId } = watcher.person!;
  const by = actor.person!.email;
  const invited = freshMail();
  await actor.submit('/people/invite', '/people/invite', { email: invited, role: 'owner' });
  const invitation = await waitForMailedNotice(passbell, email, 'invited as an owner');
  expect(invitation).toContain(`${by} invited ${invited} as an owner.`);
  const { id } = (await passbell.core.people.service.joinInvited(invited, accountId))!;
  await actor.submit('/people', `/people/${id}/role`, { role: 'member' });
  const changed = await waitForMailedNotice(passbell, email, 'The owners of your');
  expect(changed).toContain(`${by} changed the role of ${invited} to member.`);
  await actor.submit('/people', `/people/${id}/role`, { role: 'owner' });
  await actor.submit('/people', `/people/${id}/remove`);
  const texts = async () => (await passbell.inbox(email)).map(({ text }) => text).join();
  await until('the notice', async () => (await texts()).includes(`${by} removed the owner ${invited}.`));
  // The person who makes the change gets no notice.
  expect((await passbell.inbox(by)).map(({ subject }) => subject).join()).not.toMatch(/owner/);
});

it('records that a person signed out everywhere', async () => {
  const owner = await signIn(passbell, 'owner', { email: freshMail() });
  await owner.submit('/account', '/account/sign-out-everywhere');
  expect((await entriesOf(owner.person!.email))[0]).toMatchObject({ action: 'person.sign-out-everywhere' });
});

describe('a sign-in in progress', () => {
  it('ends 30 minutes after its code was verified, even if its pages are reopened', async () => {
    const owner = await signIn(passbell, 'owner', { email: freshMail() });
    const { html } = await owner.get('/account/two-factor');
    const key = /<code>([A-Z2-7]{32})<\/code>/.exec(html)![1]!;
    await owner.submit('/account/two-factor', '/account/two-factor', { code: codeAt(key, passbell.clock.now()) });
    passbell.clock.advance(60_000);
    const { email } = owner.person!;
    const visitor = createVisitor(passbell.url);
    expect(await enterCode(visitor, await requestCode(visitor, email))).toMatchObject({
      location: '/dashboard/sign-in/factor',
    });
    passbell.clock.advance(20 * 60_000);
    expect((await visitor.get('/sign-in/factor')).status).toBe(200);
    passbell.clock.advance(20 * 60_000);
    expect(await visitor.get('/sign-in/factor')).toMatchObject({ status: 303, location: '/dashboard/sign-in' });
  });
});
