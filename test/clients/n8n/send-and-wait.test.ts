/** The operation Send OTP and Wait for Reply. */
import { OPERATOR } from '../../../backend/src/modules/access/actor.js';
import { freshMail, freshPhone, NO_SEND_LIMITS, wrongCode } from '../../support/service.js';
import { startFixture, type Credentials, type Fixture } from './engine.js';
import { countsOf, itemsOf, startWaiting } from './waiting-execution.js';

let fixture: Fixture;
let credentials: Credentials;
beforeAll(async () => {
  fixture = await startFixture();
  const keys = await fixture.passbell.application({ ...NO_SEND_LIMITS, settings: { language: 'de' } });
  credentials = { ...keys, baseUrl: fixture.passbell.url };
});
afterAll(() => fixture.stop());

const TIMED_OUT = 0;
const VERIFIED = 1;
const NOT_VERIFIED = 2;
const start = (to: string, options: object = {}, as = credentials) => startWaiting(fixture, as, to, { options });

it('sends a code, waits, and shows a page in the language of the application', async () => {
  const to = freshPhone();
  const { run, get, waitTill } = await start(to);
  expect(run.status).toBe('waiting');
  expect(Math.abs(waitTill - Date.now() - 15 * 60_000)).toBeLessThan(5 * 60_000);
  expect(await fixture.passbell.inbox(to)).toHaveLength(1);
  const page = await get();
  expect(page).toMatchObject({ status: 200, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  for (const text of ['<html lang="de"', 'Code eingeben', 'Another Shop', `***${to.slice(-3)}`])
    expect(page.body).toContain(text);
  expect(page.body).not.toContain(to);
});

it('continues on Verified for the correct code', async () => {
  const to = freshMail();
  const { submit } = await start(to);
  const { page, run } = await submit(await fixture.passbell.codeFor(to));
  expect(page.body).toContain('Sie können diese Seite schließen');
  expect(countsOf(run)).toEqual([0, 1, 0]);
  expect(itemsOf(run, VERIFIED)).toMatchObject([
    { json: { verified: true, token: expect.stringMatching(/^ey/), user: { email: to } }, pairedItem: { item: 0 } },
  ]);
});

it('redirects after the correct code, to web addresses only', async () => {
  for (const redirectUrl of ['https://shop.example/done?order={{ $json.order }}', 'javascript:alert(1)']) {
    const to = freshMail();
    const { submit } = await start(to, { redirectUrl: `=${redirectUrl}` });
    const { page, run } = await submit(await fixture.passbell.codeFor(to));
    if (redirectUrl.startsWith('https'))
      expect(page).toMatchObject({ status: 303, location: expect.stringMatching(/=7$/) });
    else expect(page).toMatchObject({ status: 200, body: expect.stringContaining('diese Seite schließen') });
    expect(countsOf(run)).toEqual([0, 1, 0]);
  }
});

it('reports wrong codes on the page, and shows how long a lock lasts', async () => {
  const to = freshPhone();
  const { submit } = await start(to);
  const code = await fixture.passbell.codeFor(to);
  for (let n = 1; n <= 5; n++) {
    const { page, run } = await submit(wrongCode(code, n));
    expect(page.body).toContain('Dieser Code ist falsch oder abgelaufen');
    expect(page.body).toContain(`Verbleibende Versuche: ${5 - n}.`);
    expect(run).toBeUndefined();
  }
  expect((await submit(code)).page.body).toContain('Versuchen Sie es in 60 Sekunden erneut');
  fixture.passbell.clock.advance(60_000);
  expect(countsOf((await submit(code)).run)).toEqual([0, 1, 0]);
});

it('sends a new code on another channel, and checks the newest code', async () => {
  const to = freshPhone();
  const { get, press, submit } = await start(to, { resendChannels: ['VOICE'] });
  const first = await fixture.passbell.codeFor(to);
  expect((await get()).body).toContain('Neuen Code per Anruf erhalten');
  expect((await press('VOICE')).page.body).toContain('Wir haben einen neuen Code gesendet');
  expect((await fixture.passbell.inbox(to))[0]).toMatchObject({ channel: 'VOICE' });
  const second = await fixture.passbell.codeFor(to);
  if (first !== second) expect((await submit(first)).page.body).toContain('Dieser Code ist falsch');
  expect(countsOf((await submit(second)).run)).toEqual([0, 1, 0]);
});

it('shows how long to wait for a new code', async () => {
  const strict = { ...(await fixture.passbell.application()), baseUrl: fixture.passbell.url };
  const { press } = await start(freshPhone(), {}, strict);
  expect((await press('resend')).page.body).toContain('Wait 30 seconds before you request a new code.');
});

it('shows waiting times of several minutes in minutes', async () => {
  const limits = { cooldownSeconds: 0, sendsPer10Minutes: 1 };
  const strict = { ...(await fixture.passbell.application({ limits })), baseUrl: fixture.passbell.url };
  const { press } = await start(freshPhone(), {}, strict);
  expect((await press('resend')).page.body).toContain('Wait 10 minutes before you request a new code.');
});

it('shows the recipient from left to right in Arabic', async () => {
  const to = freshPhone();
  const { get } = await start(to, { language: 'ar' });
  expect((await get()).body).toContain(`<bdi dir="ltr">***${to.slice(-3)}</bdi>`);
});

it('marks errors and other notices differently', async () => {
  const { submit, press } = await start(freshPhone());
  expect((await submit('x')).page.body).toContain('<p class="notice error" role="alert">');
  expect((await press('resend')).page.body).toContain('<p class="notice" role="status">');
});

it('continues on Not Verified when the person cancels', async () => {
  const { run } = await (await start(freshPhone())).press('cancel');
  expect(itemsOf(run, NOT_VERIFIED)).toMatchObject([{ json: { verified: false, reason: 'CANCELLED' } }]);
  expect(countsOf(run)).toEqual([0, 0, 1]);
});

it('continues on Timed Out with the input when the wait ends', async () => {
  const to = freshPhone();
  const run = await (await start(to, { waitMinutes: 1 })).endWait();
  expect(run.status).toBe('success');
  expect(countsOf(run)).toEqual([1, 0, 0]);
  expect(itemsOf(run, TIMED_OUT)).toMatchObject([{ json: { phone: to, order: 7 } }]);
});

it('does not wait if the code cannot be sent', async () => {
  const { run } = await start('nobody');
  expect(run).toMatchObject({ status: 'error', error: { message: 'invalid recipient' } });
});

it('escapes texts of the application and of the workflow', async () => {
  const { applications } = fixture.passbell.core;
  const keys = await applications.service.create(OPERATOR, { name: '<img src=x onerror=alert(1)>' });
  const { get } = await start(freshPhone(), {}, { ...keys, baseUrl: fixture.passbell.url });
  expect((await get()).body).not.toContain('<img');
});

it('handles one item', async () => {
  const parameters = { resource: 'otp', operation: 'sendCodeAndWait', to: '={{ $json.phone }}' };
  const items = [{ phone: freshPhone() }, { phone: freshPhone() }];
  const result = await fixture.run(parameters, items, { typeVersion: 1.1 });
  expect(result).toMatchObject({ status: 'error', error: { message: 'Send and Wait for Reply handles one item' } });
  for (const { phone } of items) expect(await fixture.passbell.inbox(phone)).toEqual([]);
});
