/** The End users pages: search, sessions, two-factor, locks and erasure. No URL contains an address. */
import { HOUR, MINUTE } from '../../backend/src/platform/clock.js';
import { codeAt, enrollUser } from '../support/authenticator.js';
import { signIn, type Visitor } from '../support/dashboard.js';
import {
  freshMail,
  freshPhone,
  NO_SEND_LIMITS,
  startService,
  wrongCode,
  type TestService,
} from '../support/service.js';

const NOTHING = 'This application has no end user, code, message, suppression or opt-out for this recipient.';

let passbell: TestService;
let owner: Visitor;
let keys: TestService['keys'];
let listPath: string;
beforeAll(async () => void (passbell = await startService()));
afterAll(() => passbell.stop());
beforeEach(async () => {
  owner = await signIn(passbell);
  keys = await passbell.application(NO_SEND_LIMITS);
  listPath = `/applications/${keys.appKey}/users`;
});

async function verify(to: string): Promise<{ token: string; user: { userId: string } }> {
  const { maskId, code } = await passbell.send(to, {}, { keys });
  return (await passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys })).data;
}

const find = (person: string, visitor = owner) => visitor.submit(listPath, `${listPath}/find`, { person });

/** Finds a person, and returns the path of the person's page. */
async function pathOf(person: string, visitor = owner): Promise<string> {
  const { location } = await find(person, visitor);
  expect(location).not.toContain(person);
  return location.replace('/dashboard', '');
}

const check = (token: string) => passbell.post('/auth/verifytoken', { token }, { keys });

it('finds a person by recipient and by user id, and shows the recipient masked', async () => {
  const to = '+14155550987';
  const { user } = await verify(to);
  const list = await owner.get(listPath);
  expect(list.html).toContain('+1415*****87');
  // Columns without a value are left out; the ID is on the person's page.
  expect(list.html.match(/<th [^>]*>[^<]*/g)?.map((title) => title.split('>')[1])).toEqual([
    'Recipient',
    'Country',
    'Added',
    'Today',
  ]);
  expect(list.html).not.toMatch(/USR-|>Verified</);
  for (const person of ['+1 (415) 555-0987', user.userId]) {
    const { html } = await owner.get(await pathOf(person));
    expect(html).toContain(user.userId);
    expect(html).toContain('Verified');
    expect(html + list.html).not.toContain(to);
  }
  const stranger = await find('USR-unknown');
  expect(stranger.html).toContain('has no end user, code or message for this recipient');
  const wrong = (await find('Ana')).html;
  expect(wrong).toContain('Enter a phone number with its country code');
  expect(wrong).toMatch(/<input(?=[^>]* name="person")[^>]* value="Ana"/);
  const unknown = await find('+14155550988');
  expect([unknown.status, unknown.html.includes('has no end user, code or message for this recipient')]).toEqual([
    200,
    true,
  ]);
  const elsewhere = await passbell.application();
  const reference = (await pathOf(to)).split('/').at(-1)!;
  expect((await owner.get(`/applications/${elsewhere.appKey}/users/${reference}`)).status).toBe(404);
});

it('lists 20 users on a page, newest first, with links to older and to the newest users', async () => {
  const created = [];
  for (let n = 0; n < 21; n++) created.push((await verify(freshMail())).user.userId);
  const elsewhere = await passbell.application(NO_SEND_LIMITS);
  const { maskId, code } = await passbell.send(freshMail(), {}, { keys: elsewhere });
  await passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys: elsewhere });
  const idsIn = (html: string) => {
    const paths = [...html.matchAll(/class="strong" href="\/dashboard([^"]+)"/g)].map(([, path]) => path!);
    return Promise.all(paths.map(async (path) => /USR-[^<"]+/.exec((await owner.get(path)).html)?.[0]));
  };
  const newest = await owner.get(listPath);
  expect(await idsIn(newest.html)).toEqual(created.slice(1).reverse());
  expect(newest.html).toContain('21 people. Times are in ');
  expect(newest.html).not.toContain('>Newest</a>');
  const older = /rel="next" href="\/dashboard([^"]+)"/.exec(newest.html)![1]!;
  const last = await owner.get(older);
  expect(await idsIn(last.html)).toEqual([created[0]]);
  expect(last.html).toContain(`href="/dashboard${listPath}">Newest</a>`);
  expect(last.html).not.toContain('>Older</a>');
  expect((await owner.get(`${listPath}?before=1e999`)).status).toBe(200);
});

it('shows when a code was last entered, even if another one was entered earlier on the same day', async () => {
  const to = freshMail();
  await verify(to);
  expect((await owner.get(listPath)).html).not.toContain('Last code entered');
  passbell.clock.advance(2 * HOUR);
  await verify(to);
  await verify(freshMail());
  const time = new Date(passbell.clock.now()).toISOString().slice(0, 13);
  owner = await signIn(passbell);
  const { html } = await owner.get(listPath);
  const cells = [...html.matchAll(/data-title="Last code entered"><div>(.*?)<\/div>/gs)].map(([, cell]) => cell);
  expect(cells[0]).toContain('>When added<');
  expect(cells[1]).toContain(`<time datetime="${time}`);
  expect((await owner.get(await pathOf(to))).html).toMatch(
    new RegExp(`Last code entered</dt><dd><time datetime="${time}`, 'i'),
  );
});

it('ends all sessions of a person, and of no one else', async () => {
  const to = freshMail();
  const other = freshMail();
  const first = await verify(to);
  const second = await verify(to);
  const others = await verify(other);
  const path = await pathOf(to);
  expect((await owner.get(path)).html.match(/until <time/g)).toHaveLength(3);
  await owner.submit(path, `${path}/end-sessions`);
  for (const { token } of [first, second]) expect(await check(token)).toMatchObject({ code: 'TOKEN_REVOKED' });
  expect(await check(others.token)).toMatchObject({ success: true });
  expect((await owner.get(path)).html).not.toContain('until <time');
  passbell.clock.advance(1000);
  expect(await check((await verify(to)).token)).toMatchObject({ success: true });
  expect((await owner.get('/audit')).html).toContain('ended all sessions of the end user');
});

it('resets two-factor, and ends the sessions of the second factor', async () => {
  // Addresses are stored as they were entered; two-factor ignores their case.
  const identity = `Ana.${freshMail()}`;
  const user = await enrollUser(passbell, identity, { keys });
  const { data } = await user.page.verify(user.nextCode());
  const listed = async () =>
    /data-title="Second factor"><div>.*?>(On|Off)</.exec((await owner.get(listPath)).html)?.[1];
  expect(await listed()).toBe('On');
  const path = await pathOf(identity);
  const { html } = await owner.get(path);
  expect(html).toMatch(/Recovery codes<\/dt><dd>10 left</);
  await owner.submit(path, `${path}/end-sessions`);
  const purpose = { token: data.token, purpose: 'two-factor' };
  expect(await passbell.post('/auth/verifytoken', purpose, { keys })).toMatchObject({ code: 'TOKEN_REVOKED' });
  await owner.submit(path, `${path}/reset-two-factor`);
  expect(await user.page.state()).toBe(false);
  expect((await owner.get(path)).html).toMatch(/Second factor<\/dt><dd>Off/);
  // A column without a value is left out.
  expect(await listed()).toBeUndefined();
});

it('lifts the locks after wrong codes', async () => {
  const to = freshPhone();
  const { maskId, code } = await passbell.send(to, {}, { keys });
  const enter = (otp: string) => passbell.post('/auth/verifyotp', { maskId, otp }, { keys });
  for (let n = 1; n <= 5; n++) await enter(wrongCode(code, n));
  expect(await enter(code)).toMatchObject({ code: 'OTP_LOCKED' });
  const path = await pathOf(to);
  expect((await owner.get(path)).html).toContain('Locked until');
  await owner.submit(path, `${path}/unlock`);
  const unlocked = (await owner.get(path)).html;
  expect(unlocked).not.toMatch(/Locked until|Remove all locks/);
  expect(await enter(code)).toMatchObject({ success: true });

  const identity = freshMail();
  const user = await enrollUser(passbell, identity, { keys });
  for (let n = 1; n <= 5; n++) await user.page.verify(wrongCode(codeAt(user.manualKey, passbell.clock.now()), n));
  const good = user.nextCode();
  expect(await user.page.verify(good)).toMatchObject({ code: 'OTP_LOCKED' });
  const factorPath = await pathOf(identity);
  await owner.submit(factorPath, `${factorPath}/unlock`);
  expect(await user.page.verify(good)).toMatchObject({ success: true });
});

it('keeps the limit on wrong codes per day when locks are lifted', async () => {
  const to = freshPhone();
  const { maskId, code } = await passbell.send(to, { otpLength: 4 }, { keys });
  const enter = (otp: string) => passbell.post('/auth/verifyotp', { maskId, otp }, { keys });
  const path = await pathOf(to);
  const unlock = () => owner.submit(path, `${path}/unlock`);
  for (let n = 1; n <= 9; n++) {
    expect(await enter(wrongCode(code, n))).toMatchObject({ code: 'INVALID_OTP' });
    if (n === 5) await unlock();
  }
  await unlock();
  expect(await enter(code)).toMatchObject({ code: 'OTP_LOCKED' });
});

it('erases a person from this application only', async () => {
  const to = freshMail();
  await verify(to);
  await passbell.send(to);
  const path = await pathOf(to);
  const { html } = await owner.follow(await owner.submit(path, `${path}/erase`));
  expect(html).toContain('Erased: 1 message, 1 verification code, 1 user');
  const erased = await owner.get(path);
  expect([erased.status, erased.html]).toEqual([404, expect.stringContaining(NOTHING)]);
  expect(erased.html).not.toMatch(/Not verified|Erase this person/);
  const { id: applicationId } = await passbell.core.applications.service.load(keys.appKey);
  const stopped = {
    applicationId,
    address: to,
    optedOut: true,
    channel: 'EMAIL',
    source: 'provider',
    word: null,
  } as const;
  await passbell.core.suppressions.optOuts.change([stopped]);
  const optedOut = await owner.get(path);
  expect([optedOut.status, optedOut.html]).toEqual([200, expect.stringContaining('Erase this person')]);
  const other = `/applications/${passbell.keys.appKey}/users`;
  const found = await owner.follow(await owner.submit(other, `${other}/find`, { person: to }));
  expect(found.html).toContain('Code not entered yet');
});

it('tells the story of a code that expired, with the time', async () => {
  const to = freshMail();
  await passbell.send(to, {}, { keys });
  const path = await pathOf(to);
  passbell.clock.advance(6 * MINUTE);
  owner = await signIn(passbell);
  const { html } = await owner.get(path);
  expect(html).toMatch(/Code not entered<\/p><p class="reason">expired <time/);
  expect(html).toMatch(
    />Not verified<\/span> This person has not entered a code from a message yet\.[^]*Latest messages/,
  );
});

it.each(['member', 'viewer'] as const)('shows a %s the state of a person, but no buttons', async (role) => {
  const to = freshMail();
  await verify(to);
  const visitor = await signIn(passbell, role);
  const { html } = await visitor.get(await pathOf(to, visitor));
  expect(html).toContain('Verified');
  expect(html).not.toMatch(/End all sessions|Remove all locks|Erase from/);
});
