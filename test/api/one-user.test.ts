/** One person is one user, whatever the letter case of the email address. */
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { codeAt, createPage, userToken } from '../support/authenticator.js';
import { freshMail, NO_SEND_LIMITS, startService, type Body, type TestService } from '../support/service.js';

let passbell: TestService;
let keys: KeyPair;
beforeAll(async () => {
  passbell = await startService();
  keys = await passbell.application(NO_SEND_LIMITS);
});
afterAll(() => passbell.stop());

async function signIn(to: string, pair = keys): Promise<Body> {
  const { maskId, code } = await passbell.send(to, {}, { keys: pair });
  const { data } = await passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys: pair });
  return { ...data.user, token: data.token };
}
const isValid = async (token: string): Promise<boolean> =>
  (await passbell.post('/auth/verifytoken', { token }, { keys })).success;
const upper = (address: string): string => address.toUpperCase().replace('EXAMPLE.COM', 'example.com');

it('letter case of an email address does not create a second user', async () => {
  const first = await signIn('Bo.Case@y.example');
  for (const to of ['bo.case@Y.example', 'BO.CASE@Y.EXAMPLE', 'Bo.Case@y.example']) {
    const again = await signIn(to);
    expect(again).toMatchObject({ userId: first.userId, userApplicationId: first.userApplicationId });
    expect(await isValid(again.token)).toBe(true);
  }
  expect(await isValid(first.token)).toBe(true);
});

it('addresses with different plus-tags are different users', async () => {
  const to = freshMail();
  const tagged = await signIn(to.replace('@', '+tag@'));
  expect((await signIn(to)).userId).not.toBe(tagged.userId);
});

it('the reply contains the address in the spelling to which the code was sent', async () => {
  const to = freshMail();
  await signIn(to);
  expect(await signIn(upper(to))).toMatchObject({ email: upper(to) });
});

it('letter case does not create a second user in another application either, and applications do not share users', async () => {
  const other = await passbell.application(NO_SEND_LIMITS);
  const to = freshMail();
  const own = await signIn(to);
  const others = await signIn(upper(to), other);
  expect(others.userId).not.toBe(own.userId);
  expect((await signIn(to, other)).userId).toBe(others.userId);
});

it('parallel sign-ins in different letter cases create one user', async () => {
  const to = freshMail();
  const spellings = [to, upper(to), to.replace('p', 'P'), to.replace('n', 'N')];
  const sessions: Body[] = [];
  for (const spelling of spellings) sessions.push(await passbell.send(spelling, {}, { keys }));
  const replies = await Promise.all(
    sessions.map(({ maskId, code }) => passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys })),
  );
  expect(replies.filter(({ success }) => success)).toHaveLength(1);
  const { userId } = replies.find(({ success }) => success).data.user;
  for (const spelling of spellings) expect((await signIn(spelling)).userId).toBe(userId);
});

it('a parallel sign-in with a code and an authenticator code, in different letter cases, creates one user', async () => {
  for (let round = 0; round < 5; round++) {
    const to = freshMail();
    const token = userToken(passbell.keys.appSecret, upper(to), passbell.clock.now() / 1000 + 600);
    const page = createPage(passbell, upper(to), { more: { userToken: token } });
    const { manualKey } = await page.enable();
    const { maskId, code } = await passbell.send(to);
    const replies = await Promise.all([
      passbell.post('/auth/verifyotp', { maskId, otp: code }),
      page.verify(codeAt(manualKey, passbell.clock.now())),
    ]);
    expect(replies).toMatchObject([{ success: true }, { success: true }]);
    expect(replies[0].data.user.userId).toBe(replies[1].data.user.userId);
  }
});

it('a two-factor user keeps the userId in another letter case, with and without a userToken', async () => {
  const to = freshMail();
  const page = createPage(passbell, to);
  const { manualKey } = await page.enable();
  const codeOf = () => codeAt(manualKey, passbell.clock.now());
  const { data } = await page.verify(codeOf());
  passbell.clock.advance(60_000);
  const again = await createPage(passbell, upper(to)).verify(codeOf());
  expect(again.data.user.userId).toBe(data.user.userId);
  passbell.clock.advance(60_000);
  const token = userToken(passbell.keys.appSecret, upper(to), passbell.clock.now() / 1000 + 600);
  const vouched = createPage(passbell, upper(to), { more: { userToken: token } });
  expect((await vouched.verify(codeOf())).data.user.userId).toBe((await signIn(to, passbell.keys)).userId);
});

describe('users that an earlier version stored twice', () => {
  /** Stores a second user with another spelling, as earlier versions did. */
  async function storeTwins(): Promise<{ to: string; first: Body; second: { userId: string } }> {
    const to = freshMail();
    const first = await signIn(to);
    const db = passbell.openDatabase();
    const { id, identity_key, ...row } = await db('users').where({ user_id: first.userId }).first();
    expect(identity_key).toBe(to);
    const second = { userId: `USR-${String(id).padStart(32, '0')}` };
    await db('users').insert({ ...row, user_id: second.userId, identity: upper(to) });
    await db.destroy();
    return { to, first, second };
  }

  it('keep their userIds and tokens, each in its own spelling', async () => {
    const { to, first, second } = await storeTwins();
    const lowerCase = await signIn(to);
    const upperCase = await signIn(upper(to));
    expect([lowerCase.userId, upperCase.userId]).toEqual([first.userId, second.userId]);
    for (const { token } of [first, lowerCase, upperCase]) expect(await isValid(token)).toBe(true);
  });

  it('do not create a third user when the spelling differs again: the oldest one signs in', async () => {
    const { to, first } = await storeTwins();
    expect((await signIn(to.replace('p', 'P'))).userId).toBe(first.userId);
  });

  it('are both erased, and both lose their sessions', async () => {
    const { to, second } = await storeTwins();
    const { token } = await signIn(upper(to));
    const { applications, sessions } = passbell.core;
    const application = await applications.service.load(keys.appKey);
    expect((await sessions.service.usersOf(application.id, to)).map(({ userId }) => userId)).toContain(second.userId);
    const db = passbell.openDatabase();
    expect(await sessions.service.endSessions(db, application, to)).toBe(2);
    await db.destroy();
    expect(await isValid(token)).toBe(false);
  });
});
