/** Sign-in with an emailed code, the same reply for unknown addresses, and sessions. */
import {
  createVisitor,
  hiddenFields,
  waitForMailedCode,
  signIn,
  type Reply,
  type Visitor,
} from '../support/dashboard.js';
import { freshMail, startService, wrongCode, type TestService } from '../support/service.js';

let passbell: TestService;
beforeAll(async () => {
  passbell = await startService();
});
afterAll(() => passbell.stop());
afterEach(() => passbell.clock.advance(3_600_000));

const HOUR = 3_600_000;

/** A person in the account who is not signed in, and their browser. */
async function signedOutPerson(email = freshMail()): Promise<{ email: string; visitor: Visitor }> {
  const { person } = await signIn(passbell, 'owner', { email });
  return { email: person!.email, visitor: createVisitor(passbell.url) };
}

const requestCode = (visitor: Visitor, email: string): Promise<Reply> =>
  visitor.submit('/sign-in', '/sign-in', { email });
const enterCode = (visitor: Visitor, code: string) => visitor.submit('/sign-in/code', '/sign-in/code', { code });

const codeFor = (email: string): Promise<string> => waitForMailedCode(passbell, email);

it('opens the requested page after the correct code', async () => {
  const { email, visitor } = await signedOutPerson();
  const wanted = await visitor.get('/applications?x=1');
  await visitor.follow(wanted);
  const asked = await visitor.submit('/sign-in?next=%2Fdashboard%2Fapplications%3Fx%3D1', '/sign-in', { email });
  expect(asked).toMatchObject({ status: 303, location: '/dashboard/sign-in/code' });
  const arrived = await enterCode(visitor, await codeFor(email));
  expect(arrived).toMatchObject({ status: 303, location: '/dashboard/applications?x=1' });
  expect((await visitor.follow(arrived)).html).toContain('Test Shop');
});

it('explains what to do if no code arrives', async () => {
  const { email, visitor } = await signedOutPerson();
  const { html: start } = await visitor.get('/sign-in');
  expect(start).toMatch(/Trouble signing in\?[\s\S]*account sign-in-link EMAIL/);
  const { html } = await visitor.follow(await requestCode(visitor, email));
  expect(html).toMatch(
    /Didn't get a code\?[\s\S]*Wait at least 30 seconds, then send another code\.[\s\S]*account sign-in-link EMAIL/,
  );
});

it.each(['https://evil.example', '//evil.example', '/dashboard/../evil', '/dashboard\\evil', '/dashboardevil'])(
  'does not redirect to another site after the sign-in: %s',
  async (next) => {
    const { email, visitor } = await signedOutPerson();
    await visitor.submit(`/sign-in?next=${encodeURIComponent(next)}`, '/sign-in', { email });
    expect((await enterCode(visitor, await codeFor(email))).location).toBe('/dashboard/home');
  },
);

it('returns the same replies for known and unknown addresses at every step', async () => {
  const { email, visitor } = await signedOutPerson();
  const stranger = createVisitor(passbell.url);
  const unknown = freshMail();
  const plain = ({ status, location, html }: Reply, address: string) => ({
    status,
    location,
    html: html.replaceAll(address, 'ADDRESS').replace(/value="[\w.-]{20,}"/g, 'value="TOKEN"'),
  });
  const steps = async (who: Visitor, address: string) => {
    const seen = [plain(await requestCode(who, address), address), plain(await who.get('/sign-in/code'), address)];
    // Covers the cooldown, wrong codes, and the lock.
    seen.push(plain(await requestCode(who, address), address));
    for (let n = 0; n < 7; n++) seen.push(plain(await enterCode(who, `00000${n}`), address));
    return seen;
  };
  const known = await steps(visitor, email);
  if ((await codeFor(email)).startsWith('00000')) return;
  expect(await steps(stranger, unknown)).toEqual(known);
  expect(known.map(({ status }) => status)).toEqual([303, 200, 422, ...Array(7).fill(422)]);
  expect(known.at(-1)!.html).toContain('Too many wrong codes. Try again in');
  expect(await passbell.inbox(unknown)).toEqual([]);
});

it('limits emailed codes per email address and per IP address', async () => {
  const visitor = createVisitor(passbell.url);
  const replies: number[] = [];
  for (let n = 0; n < 61; n++) replies.push((await requestCode(visitor, `list${n}@example.com`)).status);
  expect(replies.filter((status) => status === 303)).toHaveLength(60);
  expect(replies.at(-1)).toBe(422);
});

it.each(['', 'nobody', 'a@b', '+14155550123', 'a@example.com\r\nBcc: b@example.com'])(
  'keeps the typed address and explains what to do: %j',
  async (email) => {
    const reply = await requestCode(createVisitor(passbell.url), email);
    expect(reply.status).toBe(422);
    expect(reply.html).toContain('Enter an email address, such as ana@example.com.');
  },
);

it('rejects a wrong, used or expired code', async () => {
  const { email, visitor } = await signedOutPerson();
  await requestCode(visitor, email);
  const code = await codeFor(email);
  expect((await enterCode(visitor, wrongCode(code))).html).toMatch(
    /This code is incorrect or was already used\. Enter the latest code\. Attempts left: \d+\./,
  );
  passbell.clock.advance(11 * 60_000);
  expect((await enterCode(visitor, code)).html).toContain('This code has expired.');
});

it('keeps the form for the code if another code is requested too early', async () => {
  const { email, visitor } = await signedOutPerson();
  await requestCode(visitor, email);
  const early = await visitor.submit('/sign-in/code', '/sign-in', { email });
  expect(early.status).toBe(422);
  expect(early.html).toMatch(/Wait (?:29|30) seconds before you request another code\./);
  const code = await codeFor(email);
  const entered = await visitor.post('/sign-in/code', {
    ...hiddenFields(early.html, '/dashboard/sign-in/code'),
    code,
  });
  expect(entered.location).toBe('/dashboard/home');
});

describe('a session', () => {
  it('ends on sign-out', async () => {
    const visitor = await signIn(passbell);
    const copy = createVisitor(passbell.url, undefined, visitor.cookies().split('=')[1]);
    expect((await copy.get('/applications')).status).toBe(200);
    expect(await visitor.submit('/applications', '/sign-out')).toMatchObject({ location: '/dashboard/sign-in' });
    expect(await copy.get('/applications')).toMatchObject({ status: 303 });
  });

  it('ends after two idle hours', async () => {
    const visitor = await signIn(passbell);
    passbell.clock.advance(1.9 * HOUR);
    expect((await visitor.get('/applications')).status).toBe(200);
    passbell.clock.advance(1.9 * HOUR);
    expect((await visitor.get('/applications')).status).toBe(200);
    passbell.clock.advance(2 * HOUR);
    expect((await visitor.get('/applications')).status).toBe(303);
  });

  it('ends after twelve hours, even if it is used', async () => {
    const visitor = await signIn(passbell);
    for (let hours = 0; hours < 11; hours++) {
      passbell.clock.advance(HOUR);
      expect((await visitor.get('/applications')).status).toBe(200);
    }
    passbell.clock.advance(HOUR - 1);
    expect((await visitor.get('/applications')).status).toBe(200);
    // The session expires between two clean-ups, so it is still stored.
    passbell.clock.advance(1);
    expect((await visitor.get('/applications')).status).toBe(303);
  });

  it('is an HttpOnly cookie, and stored as a hash', async () => {
    const { email, visitor } = await signedOutPerson();
    await requestCode(visitor, email);
    const reply = await enterCode(visitor, await codeFor(email));
    const [line] = reply.headers.getSetCookie().filter((cookie) => cookie.startsWith('passbell-session='));
    expect(line).toMatch(/^passbell-session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/);
    const db = passbell.openDatabase();
    const stored = JSON.stringify(await db('person_sessions').select('*'));
    await db.destroy();
    expect(stored).not.toContain(/=([\w-]{43});/.exec(line!)![1]);
  });

  it('never reuses a cookie that the browser sent before the sign-in', async () => {
    const { email } = await signedOutPerson();
    const planted = 'x'.repeat(43);
    const visitor = createVisitor(passbell.url, undefined, planted);
    await requestCode(visitor, email);
    await enterCode(visitor, await codeFor(email));
    expect((await visitor.get('/applications')).status).toBe(200);
    expect(visitor.cookies()).not.toContain(planted);
  });
});
