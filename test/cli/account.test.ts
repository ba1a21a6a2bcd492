/** `passbell account`, with a running server. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { createVisitor, acceptInvitation } from '../support/dashboard.js';
import { startService, type TestService } from '../support/service.js';
import { CHANGE_MS, json, run } from './command.js';

let server: TestService;
beforeAll(async () => void (server = await startService()));
afterAll(() => server.stop());

it('blocks, deactivates and activates an account within two seconds', async () => {
  const keys = await json(server, 'app', 'create', '--name', 'Shop', '--email', 'first@shop.example');
  const state = () => server.get('/auth/authentication', {}, { keys });
  expect(await state()).toMatchObject({ success: true });
  for (const [status, code] of [
    ['blocked', 'ACCOUNT_BLOCKED'],
    ['inactive', 'USER_INACTIVE'],
  ] as const) {
    const set = await json(server, 'account', 'update', '--app', keys.appKey, '--status', status);
    expect(set).toEqual({ email: 'first@shop.example', status, applications: [keys.appKey] });
    server.clock.advance(CHANGE_MS);
    expect(await state()).toMatchObject({ success: false, code });
  }
  await json(server, 'account', 'update', '--app', keys.appKey, '--status', 'active');
  server.clock.advance(CHANGE_MS);
  expect(await state()).toMatchObject({ success: true });
});

it('blocks all applications of the account, but no applications of other accounts', async () => {
  const one = await json(server, 'app', 'create', '--name', 'One', '--email', 'second@shop.example');
  const two = await json(server, 'app', 'create', '--name', 'Two', '--email', 'second@shop.example');
  const { out } = await run(server, 'account', 'update', '--app', one.appKey, '--status', 'blocked');
  expect(out).toBe('The account second@shop.example is blocked. Its applications: One, Two\n');
  expect(await server.get('/auth/authentication', {}, { keys: two })).toMatchObject({ code: 'ACCOUNT_BLOCKED' });
  expect(await server.get('/auth/authentication')).toMatchObject({ success: true });
});

it('creates an account for applications, and leaves an existing account unchanged', async () => {
  expect(await json(server, 'account', 'create', '--email', 'Third@Shop.example')).toEqual({
    email: 'third@shop.example',
    link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/dashboard\/start\?key=[\w-]{43}$/),
  });
  const { appKey } = await json(server, 'app', 'create', '--name', 'Three', '--email', 'third@shop.example');
  await json(server, 'account', 'update', '--app', appKey, '--status', 'blocked');
  await json(server, 'account', 'create', '--email', 'third@shop.example');
  const listed = await json(server, 'app', 'list');
  expect(listed.find((one: { appKey: string }) => one.appKey === appKey)).toMatchObject({ accountStatus: 'blocked' });
});

it('invites the first person of an account, but not once someone has joined', async () => {
  const { link } = await json(server, 'account', 'create', '--email', 'fourth@shop.example');
  const { visitor, reply } = await acceptInvitation(server, link.replace(/^.*\/dashboard/, ''), 'fourth@shop.example');
  expect(reply.status).toBe(303);
  expect((await visitor.get('/account')).html).toContain('fourth@shop.example, owner');
  const again = await json(server, 'account', 'create', '--email', 'fourth@shop.example');
  expect(again).toEqual({ email: 'fourth@shop.example' });
});

it('invites a person to an account with a role', async () => {
  await json(server, 'account', 'create', '--email', 'fifth@shop.example');
  const person = ['--account', 'fifth@shop.example', '--email', 'Ana@shop.example', '--role', 'viewer'];
  const { link } = await json(server, 'account', 'invite', ...person);
  const { visitor } = await acceptInvitation(server, link.replace(/^.*\/dashboard/, ''), 'ana@shop.example');
  expect((await visitor.get('/account')).html).toContain('ana@shop.example, viewer');
});

it('prints a link that signs a person in once', async () => {
  const email = 'sixth@shop.example';
  const accountId = await server.core.applications.service.createAccount(OPERATOR, email);
  const invitation = await server.core.people.service.invite(OPERATOR, { accountId, email, role: 'owner' });
  await server.core.people.service.join(invitation, email);
  const printed = await json(server, 'account', 'sign-in-link', 'Sixth@Shop.example');
  expect(printed).toEqual({
    email,
    account: email,
    link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/dashboard\/sign-in\/link\?key=[\w-]{43}$/),
    expiresInSeconds: 900,
  });
  const visitor = createVisitor(server.url);
  await visitor.get(printed.link.replace(/^.*\/dashboard/, ''));
  expect(await visitor.submit('/sign-in/link', '/sign-in/link')).toMatchObject({ location: '/dashboard/home' });
  expect((await visitor.get('/account')).html).toContain(`${email}, owner`);
  const { out } = await run(server, 'account', 'sign-in-link', email);
  expect(out).toContain(
    `signs ${email} in to the account ${email} once, within 15 minutes:\nhttp://127.0.0.1:3000/dashboard/`,
  );
});

it('prints a link for a specified account if several accounts have invited the person', async () => {
  const email = 'seventh@shop.example';
  for (const account of ['good@a.example', 'evil@b.example']) {
    await json(server, 'account', 'create', '--email', account);
    await json(server, 'account', 'invite', '--account', account, '--email', email);
  }
  const create = (...more: string[]) => run(server, 'account', 'sign-in-link', email, ...more);
  const list = 'good@a.example, evil@b.example';
  const ambiguous = `${email} can join or sign in to several accounts; select one with --account: ${list}`;
  expect(await create()).toMatchObject({ code: 1, out: '', err: expect.stringContaining(ambiguous) });
  const unknown = `${email} has neither joined nor been invited to other@c.example; accounts that ${email} can join or sign in to: ${list}`;
  expect(await create('--account', 'other@c.example')).toMatchObject({
    code: 1,
    err: expect.stringContaining(unknown),
  });
  const { out } = await create('--account', 'good@a.example');
  expect(out).toContain(`This link signs ${email} in to the account good@a.example once`);
});

it.each([
  [
    'nobody@shop.example has not joined any account; invite them with "account invite" first',
    'sign-in-link',
    'nobody@shop.example',
  ],
  ['It must be an email address.', 'sign-in-link', 'nobody'],
  ['there is no account nobody@shop.example', 'invite', '--account', 'nobody@shop.example', '--email', 'a@b.example'],
  [
    'Allowed choices are owner, member, viewer.',
    'invite',
    '--account',
    'a@b.example',
    '--email',
    'a@b.example',
    '--role',
    'king',
  ],
  ['It must be an email address.', 'create', '--email', 'nobody'],
  ["required option '--email <EMAIL>' not specified", 'create'],
  ["required option '--app <APP_KEY>' not specified", 'update', '--status', 'active'],
  ["required option '--status <STATUS>' not specified", 'update', '--app', 'pk_x'],
  ['Allowed choices are active, inactive, blocked.', 'update', '--app', 'pk_x', '--status', 'gone'],
  ['there is no application with the App Key pk_x', 'update', '--app', 'pk_x', '--status', 'blocked'],
])('fails with "%s": account %s', async (text, ...args) => {
  const { code, out, err } = await run(server, 'account', ...args);
  expect({ code, out, err }).toEqual({ code: 1, out: '', err: expect.stringContaining(text) });
});
