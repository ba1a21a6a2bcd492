/** The operation Send Code and Wait for Response. */
import { OPERATOR } from '../../../backend/src/modules/access/actor.js';
import { freshMail, freshPhone, NO_SEND_LIMITS, startService, wrongCode } from '../../support/service.js';
import { outputOf, startFixture, workflowWith, type Credentials, type Fixture } from './engine.js';
import { countsOf, itemsOf, startWaiting } from './waiting-execution.js';

let fixture: Fixture;
let credentials: Credentials;
beforeAll(async () => {
  fixture = await startFixture();
  const keys = await fixture.passbell.application({ ...NO_SEND_LIMITS, settings: { language: 'de' } });
  credentials = { ...keys, baseUrl: fixture.passbell.url };
});
afterAll(() => fixture.stop());

const VERIFIED = 0;
const NOT_VERIFIED = 1;
const TIMED_OUT = 2;
const start = (to: string, options: object = {}, as = credentials) => startWaiting(fixture, as, to, { options });
const limited = (minutes: number) => ({ limitWaitTime: { values: { resumeAmount: minutes, resumeUnit: 'minutes' } } });

it('sends a code, waits, and opens a page of Passbell in the language of the application', async () => {
  const to = freshPhone();
  const { run, firstPage, get, address, waitTill } = await start(to);
  expect(run.status).toBe('waiting');
  expect(Math.abs(waitTill - Date.now() - 15 * 60_000)).toBeLessThan(5 * 60_000);
  expect(await fixture.passbell.inbox(to)).toHaveLength(1);
  expect(firstPage).toContain('<meta http-equiv="refresh" content="0;url=http');
  const { status, headers, body } = await get();
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  for (const text of ['<html lang="de"', 'Code eingeben', 'Another Shop', 'Diese Seite schließt in 15 Minuten'])
    expect(body).toContain(text);
  expect(body).toContain(`<bdi dir="ltr">+1415*****${to.slice(-2)}</bdi>`);
  for (const text of [body, address()]) expect(text).not.toContain(to.slice(1));
});

it('continues on Verified, the first output, for the correct code', async () => {
  const to = freshMail();
  const { submit } = await start(to);
  const { page, run } = await submit(await fixture.passbell.codeFor(to));
  expect(page.body).toContain('Sie können diese Seite schließen');
  expect(countsOf(run)).toEqual([1, 0, 0]);
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
      expect(page.body).toContain('<meta http-equiv="refresh" content="0;url=https://shop.example/done?order=7">');
    else expect(page.body).not.toContain('javascript');
    expect(countsOf(run)).toEqual([1, 0, 0]);
  }
});

it('shows wrong codes on the page, and that the last one locks it', async () => {
  const to = freshPhone();
  const { submit } = await start(to);
  const code = await fixture.passbell.codeFor(to);
  for (let n = 1; n <= 4; n++) {
    const { page, run } = await submit(wrongCode(code, n));
    expect(page.body).toContain('Dieser Code ist falsch oder abgelaufen');
    expect(page.body).toContain(`Verbleibende Versuche: ${5 - n}.`);
    expect(run).toBeUndefined();
  }
  for (const entered of [wrongCode(code, 5), code]) {
    const { page } = await submit(entered);
    expect(page.body).toContain('Zu viele falsche Codes. Versuchen Sie es in 60 Sekunden erneut');
    expect(page.body).not.toContain('Verbleibende Versuche');
  }
  fixture.passbell.clock.advance(60_000);
  expect(countsOf((await submit(code)).run)).toEqual([1, 0, 0]);
});

it('sends a new code on another channel, and checks the newest code', async () => {
  const to = freshPhone();
  const { get, resend, submit } = await start(to, { resendChannels: ['VOICE'] });
  const first = await fixture.passbell.codeFor(to);
  expect((await get()).body).toContain('Neuen Code per Anruf erhalten');
  expect((await resend('VOICE')).page.body).toContain('Wir haben einen neuen Code gesendet');
  expect((await fixture.passbell.inbox(to))[0]).toMatchObject({ channel: 'VOICE' });
  const second = await fixture.passbell.codeFor(to);
  if (first !== second) expect((await submit(first)).page.body).toContain('Dieser Code ist falsch');
  expect(countsOf((await submit(second)).run)).toEqual([1, 0, 0]);
});

it('shows how long to wait for a new code', async () => {
  const strict = { ...(await fixture.passbell.application()), baseUrl: fixture.passbell.url };
  const { resend } = await start(freshPhone(), {}, strict);
  expect((await resend()).page.body).toContain('Wait 30 seconds before you request a new code.');
});

it('shows waiting times of several minutes in minutes', async () => {
  const limits = { cooldownSeconds: 0, sendsPer10Minutes: 1 };
  const strict = { ...(await fixture.passbell.application({ limits })), baseUrl: fixture.passbell.url };
  const { resend } = await start(freshPhone(), {}, strict);
  expect((await resend()).page.body).toContain('Wait 10 minutes before you request a new code.');
});

it('shows the recipient from left to right in Arabic', async () => {
  const to = freshPhone();
  const { get } = await start(to, { language: 'ar' });
  const { body } = await get();
  expect(body).toContain('<html lang="ar" dir="rtl">');
  expect(body).toContain(`<bdi dir="ltr">+1415*****${to.slice(-2)}</bdi>`);
});

it('marks errors and other notices differently', async () => {
  const { submit, resend } = await start(freshPhone());
  expect((await submit('x')).page.body).toContain('<p class="notice error" role="alert">');
  expect((await resend()).page.body).toContain('<p class="notice" role="status">');
});

it('continues on Not Verified when the person cancels', async () => {
  const { page, run } = await (await start(freshPhone())).cancel();
  expect(itemsOf(run, NOT_VERIFIED)).toMatchObject([{ json: { verified: false, reason: 'CANCELLED' } }]);
  expect(countsOf(run)).toEqual([0, 1, 0]);
  expect(page.body).toContain('Abgebrochen');
});

it('continues on Timed Out with the input when the wait ends', async () => {
  const to = freshPhone();
  const { waitTill, endWait } = await start(to, limited(1));
  expect(Math.abs(waitTill - Date.now())).toBeLessThan(5 * 60_000);
  const run = await endWait();
  expect(run.status).toBe('success');
  expect(countsOf(run)).toEqual([0, 0, 1]);
  expect(itemsOf(run, TIMED_OUT)).toMatchObject([{ json: { phone: to, order: 7 } }]);
});

it('keeps the outputs and the options of workflows that were made with an earlier version of the node', async () => {
  const to = freshPhone();
  const old = (options = {}) => startWaiting(fixture, credentials, to, { options, typeVersion: 1.1 });
  const { submit } = await old();
  expect(countsOf((await submit(await fixture.passbell.codeFor(to))).run)).toEqual([0, 1, 0]);
  expect(countsOf((await (await old()).cancel()).run)).toEqual([0, 0, 1]);
  const { waitTill, endWait } = await old({ waitMinutes: 600 });
  expect(Math.abs(waitTill - Date.now() - 600 * 60_000)).toBeLessThan(5 * 60_000);
  expect(countsOf(await endWait())).toEqual([1, 0, 0]);
});

describe('a person never sees a page of n8n', () => {
  const END = 'Sie können diese Seite schließen';
  const ENDED = 'Diese Seite wird nicht mehr benötigt';

  it('when they reload after the end, go back, or enter the code in a second tab', async () => {
    const to = freshPhone();
    const { submit, get, address } = await start(to);
    const firstTab = address();
    const code = await fixture.passbell.codeFor(to);
    expect((await submit(code)).page.body).toContain(END);
    expect((await get()).body).toContain(END);
    expect(await get(firstTab)).toMatchObject({ status: 200, body: expect.stringContaining(ENDED) });
    expect((await submit(code, firstTab)).page).toMatchObject({ status: 200, body: expect.stringContaining(ENDED) });
  });

  it('when they reload or go back after they have canceled', async () => {
    const { cancel, get, address, submit } = await start(freshPhone());
    const firstTab = address();
    await cancel();
    expect((await get()).body).toContain('Abgebrochen');
    expect((await submit('123456', firstTab)).page.body).toContain(ENDED);
  });

  it('when they enter the right code too late, and the page reloads itself when its time is over', async () => {
    const to = freshPhone();
    const { submit, get, endWait } = await start(to, limited(2));
    expect((await get()).body).toMatch(/<meta http-equiv="refresh" content="1[12]\d">/);
    const code = await fixture.passbell.codeFor(to);
    await endWait();
    expect((await submit(code)).page.body).toContain(ENDED);
    fixture.passbell.clock.advance(120_000);
    for (const page of [await get(), (await submit(code)).page])
      expect(page.body).toContain('Die Zeit für den Code ist abgelaufen');
  });
});

it('does not wait if the code cannot be sent', async () => {
  const { run } = await start('nobody');
  expect(run).toMatchObject({ status: 'error', error: { message: 'invalid recipient' } });
});

it.each(['continueRegularOutput', 'continueErrorOutput'])(
  'an error never continues on Verified with the setting "%s"',
  async (onError) => {
    const parameters = { resource: 'otp', operation: 'sendCodeAndWait', to: '={{ $json.phone }}', options: {} };
    const settings = { typeVersion: 1.2, onError };
    const production = await startService({ DEV_INBOX: 'force' });
    const as = { ...production.keys, baseUrl: production.url };
    for (const run of [
      await fixture.run(parameters, [{ phone: 'nobody' }], settings),
      await fixture.run(parameters, [{ phone: freshPhone() }, { phone: freshPhone() }], settings),
      // This server may not call n8n on this computer.
      await fixture.engine.run({
        credentials: as,
        workflow: workflowWith(parameters, settings),
        items: [{ phone: freshPhone() }],
        waitingUrl: 'http://127.0.0.1:9',
      }),
    ]) {
      expect(outputOf(run, VERIFIED)).toEqual([]);
      const failed = [1, 2, 3].flatMap((output) => outputOf(run, output));
      expect(failed).toMatchObject([{ json: { error: expect.any(String), message: expect.any(String) } }]);
    }
    await production.stop();
  },
);

it('escapes texts of the application and of the workflow', async () => {
  const { applications } = fixture.passbell.core;
  const keys = await applications.service.create(OPERATOR, { name: '<img src=x onerror=alert(1)>' });
  const { get } = await start(freshPhone(), {}, { ...keys, baseUrl: fixture.passbell.url });
  expect((await get()).body).not.toContain('<img');
});

it('handles only one item', async () => {
  const parameters = { resource: 'otp', operation: 'sendCodeAndWait', to: '={{ $json.phone }}' };
  const items = [{ phone: freshPhone() }, { phone: freshPhone() }];
  const result = await fixture.run(parameters, items, { typeVersion: 1.2 });
  expect(result).toMatchObject({
    status: 'error',
    error: { message: 'Send and Wait for Response handles only one item' },
  });
  for (const { phone } of items) expect(await fixture.passbell.inbox(phone)).toEqual([]);
});
