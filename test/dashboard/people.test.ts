/** The people in an account: invitations, roles, removal and second factor. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { codeAt } from '../support/authenticator.js';
import {
  createVisitor,
  hiddenFields,
  waitForMailedCode,
  waitForMailedNotice,
  mailedCodes,
  signIn,
  acceptInvitation,
  type Visitor,
} from '../support/dashboard.js';
import { freshMail, startService, wrongCode, type TestService } from '../support/service.js';

let passbell: TestService;
beforeAll(async () => {
  passbell = await startService();
});
afterAll(() => passbell.stop());
// Resets the rate limits.
afterEach(() => passbell.clock.advance(3_600_000));

const join = (link: string, email: string) => acceptInvitation(passbell, link, email);

const LINK = /\/dashboard(\/start\?key=[\w-]{43})/;

async function invite(owner: Visitor, email: string, role = 'member'): Promise<string> {
  const made = await owner.submit('/people/invite', '/people/invite', { email, role });
  const { html } = await owner.follow(made);
  // The email is in the dev inbox.
  expect(html).toContain('was invited. Copy the link below, and send it to them.');
  return LINK.exec(html)![1]!;
}

describe('an invitation', () => {
  it('is emailed, and its link is also on the page', async () => {
    const owner = await signIn(passbell);
    const email = freshMail();
    const link = await invite(owner, email, 'viewer');
    const text = await waitForMailedNotice(passbell, email, 'You have been invited');
    expect(text).toContain(`${owner.person!.email} invited you to an account as a viewer.`);
    expect(text).toContain(`Accept the invitation: ${passbell.core.url}/dashboard${link}`);
    const tables = passbell.openDatabase();
    const payloads = JSON.stringify(await tables('messages').select('*'));
    await tables.destroy();
    expect(payloads).not.toContain(link.split('key=')[1]!);
  });

  it('lets one person join with the invited role', async () => {
    const owner = await signIn(passbell);
    const email = freshMail();
    const { visitor, reply } = await join(await invite(owner, email, 'viewer'), email);
    expect(reply.status).toBe(303);
    expect((await visitor.get('/account')).html).toContain(`${email}, viewer`);
    expect((await owner.get('/audit')).html).toMatch(/joined the account[\s\S]*invited </);
  });

  it('does not work for another email address', async () => {
    const owner = await signIn(passbell);
    const link = await invite(owner, freshMail());
    const thief = createVisitor(passbell.url);
    await thief.get(link);
    const email = freshMail();
    expect((await thief.submit('/start', '/start', { email })).status).toBe(303);
    expect(await passbell.inbox(email)).toEqual([]);
  });

  it('can be withdrawn', async () => {
    const owner = await signIn(passbell);
    const email = freshMail();
    const link = await invite(owner, email);
    const { html } = await owner.get('/people');
    const [, action] = /action="\/dashboard(\/people\/invitations\/\d+\/take-back)"/.exec(html)!;
    expect((await owner.submit('/people', action!)).status).toBe(303);
    expect((await join(link, email)).reply.status).toBe(410);
  });

  it('expires when the invited person, who has joined with another invitation, is removed', async () => {
    const owner = await signIn(passbell);
    const email = freshMail();
    const first = await invite(owner, email);
    const second = await invite(owner, email);
    const { visitor } = await join(first, email);
    expect((await visitor.get('/account')).html).toContain(email);
    const [person] = await passbell.core.people.service.withEmail(email);
    await owner.submit('/people', `/people/${person!.id}/remove`);
    passbell.clock.advance(3_600_000);
    expect((await join(second, email)).reply.status).toBe(410);
  });

  it('is not accepted by a normal sign-in if another site has opened it', async () => {
    const { email } = (await signIn(passbell, 'owner', { account: freshMail() })).person!;
    const outsider = await signIn(passbell, 'owner', { account: freshMail() });
    const { accountId } = outsider.person!;
    const planted = await passbell.core.people.service.invite(OPERATOR, { accountId, email, role: 'member' });
    const visitor = createVisitor(passbell.url);
    const { html } = await visitor.get('/sign-in');
    // Opens the invitation in another tab while the sign-in form is open.
    await visitor.get(`/start?key=${planted}`);
    await visitor.post('/sign-in', { ...hiddenFields(html, '/dashboard/sign-in'), email });
    await visitor.submit('/sign-in/code', '/sign-in/code', { code: await waitForMailedCode(passbell, email) });
    expect((await visitor.get('/account')).html).toContain(`${email}, owner`);
    expect(await passbell.core.people.service.withEmail(email)).toHaveLength(1);
  });

  it('does not reveal the accounts of an address, and lets it join several accounts', async () => {
    const other = await signIn(passbell, 'owner', { account: 'other@example.com' });
    const { email } = other.person!;
    const owner = await signIn(passbell);
    const { visitor } = await join(await invite(owner, email), email);
    expect((await visitor.get('/applications')).html).toContain('Test Shop');
    const id = String(other.person!.id);
    await visitor.submit('/account', '/account/switch', { person: id });
    expect((await visitor.get('/applications')).html).toContain('Create your first application');
    // Tries to switch to another person's membership.
    const foreign = await visitor.submit('/account', '/account/switch', { person: String(owner.person!.id) });
    expect(foreign.status).toBe(404);
  });

  it.each([
    [{ email: 'nobody', role: 'member' }, 'Enter an email address'],
    [{ email: 'new@example.com', role: 'king' }, 'Choose one of the options.'],
  ])('is rejected for %j, and the form keeps the input', async (fields, text) => {
    const owner = await signIn(passbell);
    const reply = await owner.submit('/people/invite', '/people/invite', fields);
    expect(reply.status).toBe(422);
    expect(reply.html).toContain(text);
    expect(reply.html).toContain(`value="${fields.email}"`);
  });
});

describe('a role', () => {
  it('applies to the next request when it changes', async () => {
    const owner = await signIn(passbell);
    const member = await signIn(passbell, 'member');
    const path = `/people/${member.person!.id}/role`;
    const settings = `/applications/${passbell.keys.appKey}/settings`;
    expect((await member.get(settings)).html).toContain('>Save<');
    await owner.submit('/people', path, { role: 'viewer' });
    expect((await member.get(settings)).html).not.toContain('>Save<');
  });

  it('cannot be changed for the last owner, even if two owners step down concurrently', async () => {
    const account = freshMail();
    const owners = [await signIn(passbell, 'owner', { account }), await signIn(passbell, 'owner', { account })];
    const sends = await Promise.all(
      owners.map(async (owner) => {
        const action = `/people/${owner.person!.id}/role`;
        const { html } = await owner.get('/people');
        const token = /name="token" value="([^"]+)"/.exec(html)![1]!;
        return () => owner.post(action, { token, role: 'viewer' });
      }),
    );
    await Promise.all(sends.map((send) => send()));
    const all = await passbell.core.people.service.ofAccount(owners[0]!.person!.accountId);
    expect(all.filter(({ role }) => role === 'owner')).toHaveLength(1);
  });

  it('ends when the person is removed, together with all sessions; the last owner cannot be removed', async () => {
    const account = freshMail();
    const owner = await signIn(passbell, 'owner', { account });
    const member = await signIn(passbell, 'member', { account });
    const second = await signIn(passbell, 'owner', { account });
    const people = (await owner.get('/people')).html;
    expect(people).toContain(`<span class="strong">${owner.person!.email.split('@')[0]}@<wbr/>`);
    expect(people).toContain('aria-label="Save the role of');
    await second.submit('/people', `/people/${second.person!.id}/remove`);
    expect(people).toMatch(/aria-label="Leave the account"[\s\S]*>Leave</);
    expect(people.match(/data-title="Two-factor"><div><span class="badge neutral">Off</g)).toHaveLength(3);
    await owner.submit('/people', `/people/${member.person!.id}/remove`);
    expect((await member.get('/applications')).status).toBe(303);
    const { html: alone } = await owner.get('/people');
    expect(alone).toContain('The only owner cannot leave.');
    expect(alone).not.toMatch(/>Leave<|Save the role|>Action</);
    const token = /name="token" value="([^"]+)"/.exec(alone)![1]!;
    const last = await owner.post(`/people/${owner.person!.id}/remove`, { token });
    expect((await owner.follow(last)).html).toMatch(
      /<div class="notice bad result" role="alert"><p>An account needs at least/,
    );
    const viewer = await owner.post(`/people/${owner.person!.id}/role`, { token, role: 'viewer' });
    const { html } = await owner.follow(viewer);
    expect(html).toMatch(/<div class="notice bad result" role="alert"><p>An account needs at least one owner/);
    expect(html).not.toContain('notice good');
  });

  it('cannot be changed for a person in another account', async () => {
    const owner = await signIn(passbell);
    const outsider = await signIn(passbell, 'viewer', { account: 'other@example.com' });
    const { html } = await owner.get('/people');
    const token = /name="token" value="([^"]+)"/.exec(html)![1]!;
    for (const name of ['role', 'remove']) {
      const foreign = await owner.post(`/people/${outsider.person!.id}/${name}`, { token, role: 'owner' });
      const absent = await owner.post(`/people/999999/${name}`, { token, role: 'owner' });
      expect([foreign.status, foreign.html]).toEqual([404, absent.html]);
    }
    expect((await outsider.get('/account')).html).toContain(', viewer');
  });
});

it('lists the sessions of a person, and ends one of them', async () => {
  const email = freshMail();
  const one = await signIn(passbell, 'owner', { email });
  const two = await signIn(passbell, 'owner', { email });
  const other = await signIn(passbell);
  const { html } = await one.get('/account');
  const [path = ''] = /\/account\/sessions\/\w+\/revoke/.exec(html) ?? [];
  expect(html.match(/This browser/g)).toHaveLength(1);
  expect(html.match(/\/sessions\/\w+\/revoke/g)).toHaveLength(1);
  const { token } = hiddenFields((await other.get('/account')).html, '/dashboard/sign-out');
  expect((await other.post(path, { token: token! })).status).toBe(404);
  await one.submit('/account', path);
  expect((await two.get('/applications')).status).toBe(303);
  expect((await one.get('/account')).html).not.toContain('/revoke');
});

it('signs a person out of all browsers', async () => {
  const email = freshMail();
  const one = await signIn(passbell, 'owner', { email });
  const two = await signIn(passbell, 'owner', { email });
  const other = await signIn(passbell);
  await one.submit('/account', '/account/sign-out-everywhere');
  expect((await one.get('/applications')).status).toBe(303);
  expect((await two.get('/applications')).status).toBe(303);
  expect((await other.get('/applications')).status).toBe(200);
});

describe('an authenticator', () => {
  const now = () => passbell.clock.now();

  /** Turns on a person's authenticator. Returns its key and the recovery codes. */
  async function enrollAuthenticator(email: string) {
    const visitor = await signIn(passbell, 'owner', { email });
    const { html } = await visitor.get('/account/two-factor');
    const key = /<code>([A-Z2-7]{32})<\/code>/.exec(html)![1]!;
    const off = await visitor.submit('/account/two-factor', '/account/two-factor', {
      code: wrongCode(codeAt(key, now())),
    });
    expect(off).toMatchObject({
      status: 422,
      html: expect.stringContaining('This code is incorrect or was already used.'),
    });
    const on = await visitor.submit('/account/two-factor', '/account/two-factor', { code: codeAt(key, now()) });
    const page = await visitor.follow(on);
    const [, shown = ''] = /<pre[^>]*><code>([^<]*)/.exec(page.html)!;
    const codes = shown.match(/[A-Z2-7]{5}-[A-Z2-7]{5}/g) ?? [];
    expect(page.html).toContain(`href="data:text/plain,${encodeURIComponent(shown)}" download=`);
    return { visitor, key, codes };
  }

  /** Signs in with an emailed code, up to the page that asks for the second factor. */
  async function signInToSecondFactor(email: string): Promise<Visitor> {
    const visitor = createVisitor(passbell.url);
    const before = (await mailedCodes(passbell, email)).length;
    await visitor.submit('/sign-in', '/sign-in', { email });
    const code = await waitForMailedCode(passbell, email, before);
    expect(await visitor.submit('/sign-in/code', '/sign-in/code', { code })).toMatchObject({
      location: '/dashboard/sign-in/factor',
    });
    return visitor;
  }

  it('is required after it is turned on; each recovery code replaces it once', async () => {
    const email = freshMail();
    const { key, codes } = await enrollAuthenticator(email);
    expect(codes).toHaveLength(10);
    passbell.clock.advance(60_000);
    const visitor = await signInToSecondFactor(email);
    expect((await visitor.get('/applications')).status).toBe(303);
    const enter = (who: Visitor, code: string) => who.submit('/sign-in/factor', '/sign-in/factor', { code });
    expect((await enter(visitor, wrongCode(codeAt(key, now())))).status).toBe(422);
    expect((await enter(visitor, codeAt(key, now()))).location).toBe('/dashboard/home');
    expect((await visitor.get('/applications')).status).toBe(200);

    const used = codeAt(key, now());
    passbell.clock.advance(31_000);
    expect((await enter(await signInToSecondFactor(email), used)).html).toContain(
      'This code is incorrect or was already used. Enter the latest code. Your authenticator app shows a new code every 30',
    );
    passbell.clock.advance(120_000);
    const lastCodes = await signInToSecondFactor(email);
    expect((await enter(lastCodes, codes[0]!)).status).toBe(303);
    const { html } = await lastCodes.get('/account');
    expect(html).toContain('9 recovery codes are left.');
    expect(html).not.toContain('download=');
    passbell.clock.advance(240_000);
    expect((await enter(await signInToSecondFactor(email), codes[0]!)).status).toBe(422);
  });

  it('cannot be skipped by opening a later page, or by an invitation', async () => {
    const email = freshMail();
    await enrollAuthenticator(email);
    const other = await signIn(passbell, 'owner', { account: 'other@example.com' });
    const link = await invite(other, email);
    passbell.clock.advance(60_000);
    const { visitor, reply } = await join(link, email);
    expect(reply.location).toBe('/dashboard/sign-in/factor');
    expect((await visitor.get('/applications')).status).toBe(303);
    const outsider = createVisitor(passbell.url);
    expect((await outsider.get('/sign-in/factor')).location).toBe('/dashboard/sign-in');
  });

  it('can be turned off only with an authenticator code or a recovery code', async () => {
    const email = freshMail();
    const { visitor, key, codes } = await enrollAuthenticator(email);
    const listed = async () =>
      (await visitor.get('/people')).html
        .split('<tr')
        .slice(1)
        .find((row) => row.includes(email));
    expect(await listed()).toContain('>Authenticator<');
    const off = (code: string) => visitor.submit('/account', '/account/two-factor/off', { code });
    expect((await off('')).status).toBe(422);
    expect((await off(wrongCode(codeAt(key, now())))).status).toBe(422);
    expect((await off(codes[1]!)).status).toBe(303);
    expect((await visitor.get('/account')).html).toContain('Turn on the authenticator');
    expect(await listed()).toContain('>Off<');
    expect((await visitor.get('/audit')).html).toMatch(
      /turned off the authenticator[\s\S]*turned on the authenticator/,
    );
  });

  it('cannot be accessed with the widget API, which needs no secret', async () => {
    const email = freshMail();
    await enrollAuthenticator(email);
    for (const name of ['authstate', 'enable2fa', 'disable2fa', 'verifyotp'])
      for (const identity of [email, freshMail()]) {
        const body = { domainUrl: passbell.url, appKey: 'pk_dashboard', identity, otp: '123456' };
        const reply = await passbell.post(`/authserviceclient/${name}`, body, {
          headers: { clientId: undefined, clientSecret: undefined },
        });
        expect(reply).toMatchObject({ success: false, code: 'USER_TOKEN_REQUIRED' });
      }
  });
});
