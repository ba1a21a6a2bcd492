/** Passkeys of the dashboard, with Chromium's virtual authenticator. */
import { request } from 'node:http';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { findings } from '../support/axe.js';
import { startBrowser } from '../support/browser.js';
import { createVisitor, hiddenFields, signIn, waitForMailedCode, waitForMailedNotice } from '../support/dashboard.js';
import { freshMail, startService, type TestService } from '../support/service.js';
import { until } from '../support/wait.js';

let passbell: TestService;
let browser: Browser;
/** URL of the service on localhost, because browsers offer no passkeys at an IP address. */
let url: string;
beforeAll(async () => {
  [passbell, browser] = await Promise.all([startService(), startBrowser()]);
  url = passbell.url.replace('127.0.0.1', 'localhost');
});
afterAll(async () => {
  await browser?.close();
  await passbell?.stop();
});
afterEach(() => passbell.clock.advance(3_600_000));

interface Device {
  readonly page: Page;
  readonly errors: readonly string[];
  /** Sets whether the authenticator recognizes the person's fingerprint. */
  recognize(isRecognized: boolean): Promise<unknown>;
  /** Bodies of the passkey forms that were posted. */
  readonly posted: readonly string[];
  close(): Promise<void>;
}

async function addAuthenticator(client: CDPSession): Promise<string> {
  await client.send('WebAuthn.enable');
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return authenticatorId;
}

/** Opens a browser with a virtual authenticator and this dashboard session. */
async function deviceOf(session: string): Promise<Device> {
  const context = await browser.newContext();
  await context.addCookies([{ name: 'passbell-session', value: session, url }]);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('status of 4')) errors.push(message.text());
  });
  page.on('pageerror', (error) => void errors.push(error.message));
  const posted: string[] = [];
  page.on('request', (request) => {
    if (request.postData()?.includes('credential=%7B')) posted.push(request.postData()!);
  });
  const client = await context.newCDPSession(page);
  const authenticatorId = await addAuthenticator(client);
  return {
    page,
    errors,
    posted,
    recognize: (isUserVerified) => client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    close: () => context.close(),
  };
}

async function deviceOfOwner() {
  const owner = await signIn(passbell, 'owner', { email: freshMail() });
  const session = /passbell-session=([^;]+)/.exec(owner.cookies())![1]!;
  return { email: owner.person!.email, device: await deviceOf(session) };
}

async function addPasskey(page: Page, name = 'My laptop'): Promise<void> {
  await page.goto(`${url}/dashboard/account`);
  await page.getByText('Add a passkey', { exact: true }).click();
  await page.getByLabel('Passkey name').fill(name);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText(`You can now sign in with the passkey ${name}.`).waitFor();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
}

async function signInWithPasskey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
}

it('signs in with a passkey, without a code or an authenticator app', async () => {
  const { email, device } = await deviceOfOwner();
  const { page, errors } = device;
  await addPasskey(page);
  expect(await findings(page)).toEqual([]);
  expect(await waitForMailedNotice(passbell, email, 'A passkey was added')).toContain('My laptop');
  await signOut(page);
  expect(await findings(page)).toEqual([]);
  await page.goto(`${url}/dashboard/sign-in?next=%2Fdashboard%2Fpeople`);
  await signInWithPasskey(page);
  await page.waitForURL(`${url}/dashboard/people`);
  await page.goto(`${url}/dashboard/account`);
  await page.getByText(email).first().waitFor();
  const audit = await page.goto(`${url}/dashboard/audit`);
  expect(await audit!.text()).toMatch(/signed in[\s\S]*passkey[\s\S]*added a passkey/);
  expect(errors).toEqual([]);
  await device.close();
});

it('signs in with a passkey while codes for the address are locked', async () => {
  const { email, device } = await deviceOfOwner();
  await addPasskey(device.page);
  await signOut(device.page);
  // The attacker has the same IP address as the browser.
  const attacker = createVisitor(passbell.url);
  await attacker.submit('/sign-in', '/sign-in', { email });
  for (let n = 0; n < 7; n++) await attacker.submit('/sign-in/code', '/sign-in/code', { code: `00000${n}` });
  expect((await attacker.submit('/sign-in', '/sign-in', { email })).status).toBe(422);
  await signInWithPasskey(device.page);
  await device.page.waitForURL('**/dashboard/home');
  await device.close();
});

it('rejects a passkey reply that is posted twice or by another browser', async () => {
  const { device } = await deviceOfOwner();
  const { page, posted } = device;
  await addPasskey(page);
  await signOut(page);
  const before = await page.context().cookies();
  await signInWithPasskey(page);
  await page.waitForURL('**/dashboard/home');
  const body = posted.at(-1)!;
  const cookies = before.map(({ name, value }) => `${name}=${value}`).join('; ');
  const headers = { Cookie: cookies, 'Content-Type': 'application/x-www-form-urlencoded' };
  // Simulates an authenticator without a signature counter, so that only the challenge can reveal the replay.
  const db = passbell.openDatabase();
  await db('passkeys').update({ counter: 0 });
  await db.destroy();
  const replay = await fetch(`${url}/dashboard/sign-in/passkey`, { method: 'POST', body, headers, redirect: 'manual' });
  expect(replay.status).toBe(422);
  expect(await replay.text()).toContain('This passkey was not accepted.');

  const attacker = createVisitor(url);
  const own = hiddenFields((await attacker.get('/sign-in')).html, '/dashboard/sign-in/passkey');
  const { challenge, credential } = Object.fromEntries(new URLSearchParams(body));
  for (const fields of [
    { ...own, credential: credential! },
    { ...own, challenge: challenge!, credential: credential! },
    { ...own, credential: '{}' },
    { ...own, credential: 'null' },
    { ...own, credential: '{"id":"x","rawId":"x","type":"public-key","response":{}}' },
  ])
    expect((await attacker.post('/sign-in/passkey', fields)).status).toBe(422);
  await device.close();
});

it('rejects a passkey for another site, and a user whom the authenticator does not recognize', async () => {
  const { device } = await deviceOfOwner();
  const { page, posted } = device;
  await addPasskey(page);
  await signOut(page);
  await device.recognize(false);
  await signInWithPasskey(page);
  await page.getByText('No passkey was used.').waitFor();
  await device.recognize(true);

  // The passkey reply is for localhost, but is first posted to another host name of the service.
  const before = await page.context().cookies();
  await page.route('**/sign-in/passkey', (route) => route.abort());
  await signInWithPasskey(page);
  await until('a second reply of the passkey', () => posted.length >= 2);
  const cookies = before.map(({ name, value }) => `${name}=${value}`).join('; ');
  expect(await postTo('other.localhost', posted.at(-1)!, cookies)).toBe(422);
  expect(await postTo('localhost', posted.at(-1)!, cookies)).toBe(303);
  await device.close();
});

/** Posts a passkey reply to the service under this host name, and returns the HTTP status. */
function postTo(host: string, body: string, cookies: string): Promise<number> {
  const { port } = new URL(passbell.url);
  const headers = { Host: `${host}:${port}`, Cookie: cookies, 'Content-Type': 'application/x-www-form-urlencoded' };
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path: '/dashboard/sign-in/passkey', method: 'POST', headers };
    request(options, (response) => resolve(response.resume().statusCode!))
      .on('error', reject)
      .end(body);
  });
}

it('confirms a change with a passkey, and rejects the passkey after its removal', async () => {
  const { email, device } = await deviceOfOwner();
  const { page, errors } = device;
  await addPasskey(page);
  passbell.clock.advance(16 * 60_000);
  await page.goto(`${url}/dashboard/people/invite`);
  await page.getByLabel('Email address').fill('guest@example.com');
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await page.getByText('Confirm your identity').first().waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByText('guest@example.com was invited.').waitFor();

  await page.goto(`${url}/dashboard/account`);
  await page.getByRole('button', { name: 'Remove the passkey My laptop' }).click();
  await page.getByRole('dialog', { name: 'Remove My laptop?' }).getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Passkey removed.', { exact: true }).waitFor();
  await waitForMailedNotice(passbell, email, 'A passkey was removed');
  await signOut(page);
  await signInWithPasskey(page);
  await page.getByText('This passkey was not accepted.').waitFor();
  expect(errors).toEqual([]);
  await device.close();
});

it('adds a passkey after confirmation by code', async () => {
  const { email, device } = await deviceOfOwner();
  const { page } = device;
  passbell.clock.advance(16 * 60_000);
  await page.goto(`${url}/dashboard/account`);
  await page.getByText('Add a passkey', { exact: true }).click();
  await page.getByLabel('Passkey name').fill('Phone');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Code from the email').fill(await waitForMailedCode(passbell, email));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('You can now sign in with the passkey Phone.').waitFor();
  await device.close();
});

it('hides the passkey form without JavaScript and at an IP address', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${url}/dashboard/sign-in`);
  expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible()).toBe(false);
  expect(await page.getByRole('button', { name: 'Email me a code' }).isVisible()).toBe(true);
  await page.goto(`${passbell.url}/dashboard/sign-in`);
  expect(await page.content()).not.toContain('passkey"');
  await context.close();
});
