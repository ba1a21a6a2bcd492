/** The page of Send and Wait for Response accepts codes of its own execution only. */
import { freshMail, freshPhone } from '../../support/service.js';
import { startFixture, type Fixture } from './engine.js';
import { startForwarder } from './forwarder.js';
import { countsOf, startWaiting } from './waiting-execution.js';

/** Long codes, so that two codes are never equal. */
const LONG = { otpLength: 10 };

let fixture: Fixture;
beforeAll(async () => void (fixture = await startFixture()));
afterAll(() => fixture.stop());

const codeFor = (to: string) => fixture.passbell.codeFor(to);
const start = (to: string, { loops = false, as = fixture.credentials } = {}) =>
  startWaiting(fixture, as, to, { options: LONG, loops });

it('the page accepts its own code only: no sign-in code, and no code of another execution for the same person', async () => {
  const to = freshPhone();
  const first = await start(to);
  const firstCode = await codeFor(to);
  await start(to);
  const secondCode = await codeFor(to);
  const signIn = await fixture.passbell.send(to, LONG, { keys: fixture.keys });
  for (const code of [secondCode, signIn.code]) {
    const { page, run } = await first.submit(code);
    expect(page.body).toContain('This code is incorrect');
    expect(run).toBeUndefined();
  }
  expect(countsOf((await first.submit(firstCode)).run)).toEqual([1, 0, 0]);
});

it('the page accepts its own code after newer codes for the same person', async () => {
  const to = freshPhone();
  const { submit } = await start(to);
  const code = await codeFor(to);
  await fixture.passbell.send(to, LONG, { keys: fixture.keys });
  await start(to);
  expect(countsOf((await submit(code)).run)).toEqual([1, 0, 0]);
});

it('the page can send a new code after the code of another execution for the same person was verified', async () => {
  const to = freshPhone();
  const first = await start(to);
  const firstCode = await codeFor(to);
  const second = await start(to);
  const secondCode = await codeFor(to);
  expect(countsOf((await first.submit(firstCode)).run)).toEqual([1, 0, 0]);
  // One verified code ends the person's other codes.
  expect((await second.submit(secondCode)).page.body).toContain('request a new one');
  await second.resend();
  expect(countsOf((await second.submit(await codeFor(to))).run)).toEqual([1, 0, 0]);
});

it('the page accepts a code that was requested on it, also after a reload, and none that was requested on another page', async () => {
  const to = freshPhone();
  const first = await start(to);
  const second = await start(to);
  await first.resend();
  const code = await codeFor(to);
  await second.resend();
  expect((await first.get()).body).toContain('We sent a new code');
  expect((await first.submit(await codeFor(to))).run).toBeUndefined();
  expect((await second.submit(code)).run).toBeUndefined();
  expect(countsOf((await first.submit(code)).run)).toEqual([1, 0, 0]);
});

it('the node never verifies by a maskId that n8n has not signed for this execution', async () => {
  const to = freshPhone();
  const attacker = freshPhone();
  const { keys } = fixture;
  const { submit, call } = await start(to);
  const code = await codeFor(to);
  // The attacker knows the URL that the page calls, has a waiting page as well, and can request codes for themselves.
  const other = await start(attacker);
  const reply = await other.call({}, { action: 'resend' });
  const otherCode = await codeFor(attacker);
  const signed = new URLSearchParams(JSON.parse(reply.body).callbackUrl).get('code')!;
  const [maskId, signature] = signed.split('.') as [string, string];
  const login = await fixture.passbell.send(attacker, LONG, { keys });
  for (const [value, entered] of [
    [signed, otherCode],
    [maskId, otherCode],
    [`${maskId}.`, otherCode],
    [`${login.maskId}.${signature}`, login.code],
    [`${login.maskId}.undefined`, login.code],
  ])
    for (const more of [{}, { maskId, to: attacker, sent: value }]) {
      const { body } = await call({ code: value }, { action: 'verify', code: entered, ...more });
      expect(JSON.parse(body)).toMatchObject({ state: 'waiting', notice: expect.stringMatching(/wrong|locked/) });
    }
  // The attacker's code is valid, and the person's code still opens the page.
  const verified = await other.call({ code: signed }, { action: 'verify', code: otherCode });
  expect(JSON.parse(verified.body)).toMatchObject({ state: 'verified' });
  expect(countsOf((await submit(code)).run)).toEqual([1, 0, 0]);
});

it('the page does not accept a used code again when a loop asks the same person again', async () => {
  const to = freshPhone();
  const { resend, submit, follow, address } = await start(to, { loops: true });
  await resend();
  const used = await codeFor(to);
  const usedPage = address();
  const { run } = await submit(used);
  expect(run).toMatchObject({ status: 'waiting' });
  follow(run!);
  expect((await submit(used, usedPage)).run).toBeUndefined();
  expect((await submit(used)).run).toBeUndefined();
  expect((await submit(await codeFor(to))).run).toMatchObject({ status: 'waiting' });
});

it('the page does not continue if the reply verifies somebody else', async () => {
  const changed = await startForwarder(fixture.passbell.url, ({ path, reply }) => {
    if (path.endsWith('/verifyotp') && reply.success) Object.assign(reply.data.user, other);
    return false;
  });
  let other = {};
  const as = { ...fixture.credentials, baseUrl: changed.url };
  for (const [to, somebodyElse] of [
    [freshPhone(), { phone: '+14155559999' }],
    [freshPhone(), { phone: '+491555559999' }],
    [freshPhone(), { phone: '', email: freshMail() }],
    [freshPhone(), { phone: '' }],
    ['ana@example.com', { email: 'anastasia@example.com' }],
    ['ana+1@example.com', { email: 'ana@example.com' }],
    ['ana@example.com', { email: 'ana@example.org' }],
  ] as const) {
    other = somebodyElse;
    const { submit } = await start(to, { as });
    const { page, run } = await submit(await codeFor(to));
    expect(page.body).toContain('Something went wrong');
    expect(run).toBeUndefined();
  }
  changed.close();
});

it.each([
  ['00 1 (415) 555-0166', '+14155550166'],
  ['+44 (0) 7400 123456', '+447400123456'],
  ['+52 1 55 1234 5678', '+525512345678'],
  [' Bo.Case@EXAMPLE.com ', 'Bo.Case@example.com'],
  ['ana@münchen.example', 'ana@xn--mnchen-3ya.example'],
])('the page recognizes the recipient %s', async (to, address) => {
  const { submit } = await start(to);
  expect(countsOf((await submit(await codeFor(address))).run)).toEqual([1, 0, 0]);
});
