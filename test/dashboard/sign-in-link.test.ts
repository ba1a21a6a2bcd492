/** Sign-in links that the operator creates for people who cannot receive an emailed code. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { codeAt } from '../support/authenticator.js';
import { createVisitor, hiddenFields, signIn, type Visitor } from '../support/dashboard.js';
import { freshMail, startService, type TestService } from '../support/service.js';

let passbell: TestService;
beforeAll(async () => {
  // No provider is configured, as on a new production server.
  passbell = await startService({ DEV_INBOX: 'off' });
});
afterAll(() => passbell.stop());
afterEach(() => passbell.clock.advance(3_600_000));

async function linkFor(email: string, account?: string): Promise<string> {
  const { token } = await passbell.core.people.signInLinks.create(OPERATOR, email, account);
  return `/sign-in/link?key=${token}`;
}

async function open(link: string) {
  const visitor: Visitor = createVisitor(passbell.url);
  return { visitor, page: await visitor.follow(await visitor.get(link)) };
}

const use = (visitor: Visitor) => visitor.submit('/sign-in/link', '/sign-in/link');

it('a link makes the first person the owner of a service without an email provider', async () => {
  const email = freshMail();
  const { visitor, page } = await open(await linkFor(email));
  expect(page.html).toContain(`<strong>${email}</strong>`);
  expect(await use(visitor)).toMatchObject({ status: 303, location: '/dashboard/home' });
  expect((await visitor.get('/account')).html).toContain(`${email}, owner`);
});

it('a link signs a person in once, and is recorded in the audit log', async () => {
  const { email } = (await signIn(passbell, 'owner', { email: freshMail() })).person!;
  const link = await linkFor(email);
  const first = await open(link);
  const second = await open(link);
  // Both have the form before either of them submits it.
  const submit = ({ visitor, page }: Awaited<ReturnType<typeof open>>) =>
    visitor.post('/sign-in/link', hiddenFields(page.html, '/dashboard/sign-in/link'));
  const replies = await Promise.all([submit(first), submit(second)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([303, 410]);
  const signedIn = replies[0]!.status === 303 ? first.visitor : second.visitor;
  const { html } = await signedIn.get('/audit');
  expect(html).toMatch(/signed in[\s\S]*sign-in link[\s\S]*operator[\s\S]*created a sign-in link/);
  expect((await open(link)).page.status).toBe(410);
});

it('a link expires after 15 minutes, and is stored as a hash', async () => {
  const { email } = (await signIn(passbell, 'owner', { email: freshMail() })).person!;
  const link = await linkFor(email);
  const db = passbell.openDatabase();
  const stored = JSON.stringify(await db('sign_in_links').select('*'));
  await db.destroy();
  expect(stored).toContain(email);
  expect(stored).not.toContain(link.split('=')[1]);
  expect(passbell.logged.join('')).not.toContain(link.split('=')[1]);
  const { visitor } = await open(link);
  passbell.clock.advance(15 * 60_000);
  expect((await visitor.get('/sign-in/link')).status).toBe(410);
});

it('a link does not replace the authenticator', async () => {
  const owner = await signIn(passbell, 'owner', { email: freshMail() });
  const { html } = await owner.get('/account/two-factor');
  const key = /<code>([A-Z2-7]{32})<\/code>/.exec(html)![1]!;
  await owner.submit('/account/two-factor', '/account/two-factor', { code: codeAt(key, passbell.clock.now()) });
  passbell.clock.advance(60_000);
  const { visitor } = await open(await linkFor(owner.person!.email));
  expect(await use(visitor)).toMatchObject({ location: '/dashboard/sign-in/factor' });
  expect((await visitor.get('/applications')).status).toBe(303);
  const code = codeAt(key, passbell.clock.now());
  const done = await visitor.submit('/sign-in/factor', '/sign-in/factor', { code });
  expect(done).toMatchObject({ location: '/dashboard/home' });
});

it('a link lets the person join the account that has invited them', async () => {
  const owner = await signIn(passbell, 'owner', { account: freshMail() });
  const { accountId } = owner.person!;
  const email = freshMail();
  await passbell.core.people.service.invite(OPERATOR, { accountId, email, role: 'viewer' });
  const { visitor } = await open(await linkFor(email));
  await use(visitor);
  expect((await visitor.get('/account')).html).toContain(`${email}, viewer`);
});

describe('a link for an address that several accounts have invited', () => {
  const invite = (account: Visitor, email: string) =>
    passbell.core.people.service.invite(OPERATOR, { accountId: account.person!.accountId, email, role: 'owner' });

  /** Creates two accounts. The second account belongs to an attacker. */
  async function createTwoAccounts() {
    const goodName = freshMail();
    const evilName = freshMail();
    const good = await signIn(passbell, 'owner', { account: goodName });
    const evil = await signIn(passbell, 'owner', { account: evilName });
    return { good, goodName, evil, evilName };
  }

  const joined = async (email: string) =>
    (await passbell.core.people.service.memberships(email)).map(({ account }) => account);

  it('joins the account it was created for, even if another account invites the address later', async () => {
    const { good, goodName, evil } = await createTwoAccounts();
    const email = freshMail();
    await invite(good, email);
    const link = await linkFor(email);
    await invite(evil, email);
    const { visitor, page } = await open(link);
    expect(page.html).toContain(`<strong>${goodName}</strong>`);
    expect((await use(visitor)).status).toBe(303);
    expect(await joined(email)).toEqual([goodName]);
  });

  it('is only created if the operator names the account', async () => {
    const { good, goodName, evil, evilName } = await createTwoAccounts();
    const email = freshMail();
    await invite(good, email);
    await invite(evil, email);
    const create = (account?: string) => passbell.core.people.signInLinks.create(OPERATOR, email, account);
    const refused = { token: undefined, accounts: [goodName, evilName] };
    expect(await create()).toEqual(refused);
    expect(await create(freshMail())).toEqual(refused);
    const { visitor } = await open(await linkFor(email, goodName));
    expect((await use(visitor)).status).toBe(303);
    expect(await joined(email)).toEqual([goodName]);
    expect(await create()).toMatchObject({ account: goodName });
    expect(await create(evilName)).toMatchObject({ account: evilName });
  });

  it('joins no account after the invitation is withdrawn', async () => {
    const { good, goodName, evil } = await createTwoAccounts();
    const email = freshMail();
    await invite(good, email);
    const link = await linkFor(email, goodName);
    await invite(evil, email);
    const { accountId } = good.person!;
    const { people } = passbell.core;
    const { id } = (await people.service.invited(accountId)).find((one) => one.email === email)!;
    await people.service.withdrawInvitation(OPERATOR, accountId, id);
    const { visitor } = await open(link);
    expect((await use(visitor)).status).toBe(410);
    expect(await joined(email)).toEqual([]);
  });
});

it('a link is not created for an address that has neither joined nor been invited', async () => {
  await signIn(passbell);
  const refused = { token: undefined, accounts: [] };
  expect(await passbell.core.people.signInLinks.create(OPERATOR, freshMail())).toEqual(refused);
});

it('a link is suggested by the sign-in page while no email provider is configured', async () => {
  const visitor = createVisitor(passbell.url);
  const { html } = await visitor.get('/sign-in');
  expect(html).toContain('This server cannot send codes, because it has no email provider.');
  expect(html).toContain('npm run --silent passbell -- account sign-in-link EMAIL');
  expect(html).not.toContain('Email me a code');
  expect(html).not.toContain('/dev/inbox');
});
