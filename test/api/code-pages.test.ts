/** Pages on which people enter a code that another program waits for. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freshMail, freshPhone, startService, type Body, type TestService } from '../support/service.js';

let passbell: TestService;
let program: Server;
let callbackUrl: string;
/** The requests that the program received, and its next reply. */
let actions: Body[];
let next: { status: number; body: string };
/** Called before the program replies. */
let beforeReply: () => void;
beforeAll(async () => {
  passbell = await startService({ WEBHOOKS_ALLOW_PRIVATE: 'true' });
  program = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => void (body += chunk));
    request.on('end', () => {
      actions.push(JSON.parse(body));
      beforeReply();
      response.writeHead(next.status, { 'Content-Type': 'application/json' }).end(next.body);
    });
  });
  await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve));
  callbackUrl = `http://127.0.0.1:${(program.address() as AddressInfo).port}/waiting/secret-7`;
});
afterAll(async () => {
  program.close();
  await passbell.stop();
});
beforeEach(() => {
  actions = [];
  beforeReply = () => undefined;
  replyWith({ state: 'waiting' });
});

const replyWith = (body: object, status = 200) => void (next = { status, body: JSON.stringify(body) });

const request = (body: object, options = {}): Promise<Body> => passbell.post('/auth/codepages', body, options);

/** Sends a code, and returns the path of its page. */
async function createPage(more: object = {}, to = freshPhone()): Promise<string> {
  const { maskId } = await passbell.send(to);
  const reply = await request({ maskId, callbackUrl, expiresIn: 900, ...more });
  const { pathname, search } = new URL(reply.data.url);
  return pathname + search;
}

/** Opens a page, or submits a form. */
const open = (path: string, form?: Record<string, string>) =>
  fetch(passbell.url + path, {
    redirect: 'manual',
    headers: { Connection: 'close' },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  });

const textOf = async (path: string, form?: Record<string, string>) => (await open(path, form)).text();

it('passes what a person does to the program, and shows its reply', async () => {
  const page = await createPage({ channels: ['VOICE', 'SMS'], language: 'fr' });
  const html = await textOf(page);
  for (const text of ['<html lang="fr"', 'Saisissez votre code', 'Cette page se ferme dans 15 minutes', 'value="SMS"'])
    expect(html).toContain(text);
  replyWith({ state: 'waiting', notice: 'wrong', attemptsLeft: 3 });
  expect(await textOf(page, { code: '123456' })).toContain('Tentatives restantes\u00a0: 3.');
  replyWith({ state: 'waiting', notice: 'locked', seconds: 300 });
  expect(await textOf(page, { code: '123457' })).toContain('Réessayez dans 5 minutes');
  replyWith({ state: 'canceled' });
  const { status, headers } = await open(page, { cancel: 'yes' });
  expect(status).toBe(303);
  expect(await textOf(headers.get('location')!)).toContain('Annulé');
  expect(actions).toEqual([
    { action: 'open' },
    { action: 'verify', code: '123456' },
    { action: 'verify', code: '123457' },
    { action: 'cancel' },
  ]);
});

it('offers only channels that fit the recipient', async () => {
  const channels = ['SMS', 'VOICE', 'EMAIL'];
  const offered = async (path: string) =>
    [...(await textOf(path)).matchAll(/value="([A-Z]+)"/g)].map(([, name]) => name);
  expect(await offered(await createPage({ channels }))).toEqual(['SMS', 'VOICE']);
  expect(await offered(await createPage({ channels }, freshMail()))).toEqual(['EMAIL']);
});

it.each([
  [{}, ['color-scheme:light', 'prefers-color-scheme:dark', 'color-scheme:dark']],
  [{ theme: 'dark' as const }, ['color-scheme:dark']],
  [
    { backgroundColor: '#101010', accentColor: '#ffee00' },
    ['color-scheme:dark', '--ground:#101010', '--on-accent:#000'],
  ],
])('the design %j determines the colors', async (design, expected) => {
  const keys = await passbell.application({ design });
  const { maskId } = await passbell.send(freshPhone(), {}, { keys });
  const { pathname, search } = new URL((await request({ maskId, callbackUrl, expiresIn: 900 }, { keys })).data.url);
  const html = await textOf(pathname + search);
  for (const text of expected) expect(html).toContain(text);
  if ('theme' in design) expect(html).not.toContain('prefers-color-scheme');
});

it('continues with the callback URL of a new code', async () => {
  const page = await createPage();
  replyWith({ state: 'waiting', callbackUrl: '?code=2' });
  const renewed = (await open(page, { resend: 'SMS' })).headers.get('location')!;
  expect(renewed).not.toBe(page);
  replyWith({ state: 'waiting', notice: 'resent' });
  expect(await textOf(renewed)).toContain('We sent a new code.');
  expect(actions).toEqual([{ action: 'resend', channel: 'SMS' }, { action: 'open' }]);
});

it('ignores a new callback URL that is none', async () => {
  const page = await createPage();
  replyWith({ state: 'waiting', callbackUrl: 'javascript:alert(1)' });
  const next = (await open(page, { resend: '' })).headers.get('location')!;
  replyWith({ state: 'waiting' });
  expect(await textOf(next)).toContain('<form');
  expect(actions).toEqual([{ action: 'resend' }, { action: 'open' }]);
});

it.each([
  [{ code: 409, message: 'The execution "13 has finished already.', stacktrace: 'ConflictError: at /usr' }, 409],
  [{ code: 404, message: 'The execution "13" does not exist.' }, 404],
])('says that it is no longer needed if the program replies %j', async (body, status) => {
  const page = await createPage();
  replyWith(body, status);
  for (const html of [await textOf(page), await textOf(page, { code: '123456' })]) {
    expect(html).toContain('This page is no longer needed');
    expect(html).not.toMatch(/execution|stacktrace/);
  }
});

it.each([
  [{ code: 409, message: 'The execution "13" is running already.' }, 409],
  [{ message: '<script>alert(1)</script>' }, 500],
  [{ state: '<script>' }, 200],
  [[], 200],
])('shows the form and none of the reply if the program replies %j', async (body, status) => {
  const page = await createPage();
  replyWith(body, status);
  const html = await textOf(page, { code: '123456' });
  expect(html).toContain('Something went wrong');
  expect(html).toContain('<form');
  expect(html).not.toMatch(/script|execution/);
});

it('stops calling the program when its time is over', async () => {
  const page = await createPage({ expiresIn: 60 });
  passbell.clock.advance(60_000);
  expect(await textOf(page, { code: '123456' })).toContain('The time to enter the code has passed');
  expect(actions).toEqual([]);
});

it('says that the time has passed if it runs out while the program checks the code', async () => {
  const page = await createPage({ expiresIn: 60 });
  beforeReply = () => passbell.clock.advance(60_000);
  replyWith({}, 410);
  expect(await textOf(page, { code: '123456' })).toContain('The time to enter the code has passed');
  expect(actions).toEqual([{ action: 'verify', code: '123456' }]);
});

describe('security', () => {
  it('a page has no scripts, cannot be framed, and is not cached', async () => {
    const { headers } = await open(await createPage());
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('neither the URL of a page nor the callback URL or a code is logged', async () => {
    const page = await createPage();
    await open(page, { code: '735190' });
    const token = page.split('page=')[1]!;
    for (const secret of [token, 'secret-7', '735190']) expect(passbell.logged.join('\n')).not.toContain(secret);
    expect(page).not.toContain('secret-7');
  });

  it('a forged, changed or too long URL opens nothing', async () => {
    const page = await createPage();
    const changed = page.slice(0, -3) + (page.endsWith('AAA') ? 'BBB' : 'AAA');
    for (const path of [changed, '/code', '/code?page=', `/code?page=${'x'.repeat(6000)}`, '/code?page=a&page=b'])
      expect((await open(path)).status).toBe(404);
    expect(actions).toEqual([]);
  });

  it('a page can only be created for a code of the same application', async () => {
    const { maskId } = await passbell.send(freshPhone());
    const keys = await passbell.application();
    const foreign = await request({ maskId, callbackUrl, expiresIn: 900 }, { keys });
    expect(foreign).toMatchObject({ code: 'INVALID_PARAMETER', field: 'maskId' });
    expect(await request({ maskId: '0'.repeat(32), callbackUrl, expiresIn: 900 })).toMatchObject(foreign);
  });

  it('the callback URL must be a public address unless the operator allows others', async () => {
    const strict = await startService({ DEV_INBOX: 'force' });
    const sent = await strict.send(freshPhone());
    for (const url of ['http://127.0.0.1:9/', 'http://169.254.169.254/latest', 'http://[::1]/'])
      expect(
        await strict.post('/auth/codepages', { maskId: sent.maskId, callbackUrl: url, expiresIn: 900 }),
      ).toMatchObject({ code: 'INVALID_WEBHOOK_URL', field: 'callbackUrl' });
    await strict.stop();
    const { maskId } = await passbell.send(freshPhone());
    for (const url of ['ftp://shop.example', 'javascript:alert(1)', 'https://user@shop.example'])
      expect(await request({ maskId, callbackUrl: url, expiresIn: 900 })).toMatchObject({
        code: 'INVALID_WEBHOOK_URL',
      });
  });

  it('redirects only to web addresses', async () => {
    for (const redirectUrl of ['javascript:alert(1)', 'https://user@shop.example', 'https://shop.example/"><script>']) {
      const page = await createPage();
      replyWith({ state: 'verified', redirectUrl });
      const end = await textOf((await open(page, { code: '123456' })).headers.get('location')!);
      expect(end).toContain('Thank you');
      expect(end).not.toMatch(/script|shop\.example/);
    }
  });

  it('a source that opens too many pages does not reach the program', async () => {
    const page = await createPage();
    for (let n = 0; n < 125; n++) await open(page);
    expect(actions.length).toBeLessThanOrEqual(120);
  });
});
