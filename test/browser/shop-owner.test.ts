/**
 * A shop owner's first day in a real browser: from the start link of a new installation to the end of the checklist on
 * Home, without a terminal. Counts clicks and typed characters. `SCREENSHOTS=folder` saves each page at both widths, in
 * light and dark mode.
 */
import type { Browser } from 'playwright-core';
import { codeAt } from '../support/authenticator.js';
import { startBrowser } from '../support/browser.js';
import { DESKTOP, openBrowser, PHONE_SCREEN, type BrowsingPerson as Person } from '../support/browsing-person.js';
import { waitForMailedCode } from '../support/dashboard.js';
import { findCode, startGatewayServer, type GatewayServer } from '../support/gateway-server.js';
import { startService, type TestService } from '../support/service.js';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.js';
import { advancing, advancingWhileStuck, until } from '../support/wait.js';
import { startWebhookServer, type WebhookServer } from '../support/webhook-server.js';

/** The public service URL, which emailed links contain. */
const BASE_URL = 'http://otp.example';
const OWNER = 'ana@shop.example';
const COLLEAGUE = 'ben@shop.example';
const PHONE = '+1 415 555 0188';

const MAX_SECONDS = 6 * 60;

let browser: Browser;
let passbell: TestService;
let gateway: GatewayServer;
let mail: TestSmtpServer;
let hooks: WebhookServer;
beforeAll(async () => void (browser = await startBrowser()));
afterAll(() => browser?.close());
beforeEach(async () => {
  [gateway, mail, hooks] = await Promise.all([startGatewayServer(), startSmtpServer(), startWebhookServer()]);
  passbell = await startService({ BASE_URL, WEBHOOKS_ALLOW_PRIVATE: 'true' });
});
afterEach(async () => {
  await passbell?.stop();
  await Promise.all([gateway.close(), mail.close(), hooks.close()]);
});

/** Waits for an email from the shop's mail server. */
const waitForMail = (to: string, subject: RegExp) =>
  until(
    `the email ${subject} to ${to}`,
    () =>
      mail.received.find(
        ({ envelope, mail: { subject: text = '' } }) => envelope.to.includes(to) && subject.test(text),
      ),
    advancingWhileStuck(passbell.clock),
  );

async function start({ page, press, read, type, typeCode }: Person): Promise<void> {
  await page.goto(`${passbell.url}/dashboard/start?key=${await passbell.core.people.service.inviteFirst()}`);
  await read('Welcome to Passbell');
  await type('Email address', OWNER);
  await press('Email me a code');
  await read("We've sent a six-digit code to");
  await typeCode('Code', await waitForMailedCode(passbell, OWNER));
  await press('Continue');
  await read('1 of 7 steps done.');
}

async function addGateway({ page, click, follow, press, read, type }: Person): Promise<void> {
  await follow('Add a provider');
  await read('A provider is a company, a phone or a mail server that sends your messages');
  await click(page.getByRole('link', { name: 'Set up Other gateway (HTTP)' }).first());
  await read('You describe the request and the reply.');
  await type('Address', 'sms.example.com/send');
  await press('Add the provider');
  await read('“Address” must start with https:// or http://.');
  await type('Address', `${gateway.url}/send`);
  await press('Add the provider');
  await read('It is not verified yet. Send a test message to make it live.');
  await type('Your phone number', '0415 555 0188');
  await press('Send a test message');
  await read('Replace the 0 at the start with + and the country code');
  // The Enter key in the address bar opens the page again.
  await page.goto(page.url());
  await read('Include the country code');
  await type('Your phone number', PHONE);
  await press('Send a test message');
  await read('The provider accepted the message. Check that it arrives.');
  await read('Next: Enter your countries and prices');
}

async function addMailServer({ choose, follow, press, read, type }: Person): Promise<void> {
  await follow('Channels');
  await read('Passbell tries the providers of a channel in this order');
  await follow('Add a provider for email');
  await read('A provider is a company, a phone or a mail server that sends your messages');
  await follow('Set up Mail server (SMTP)');
  await read('Sends emails through any mail server. Mail servers cannot report bounces.');
  await type('Server', '127.0.0.1');
  await type('Port (optional)', new URL(mail.url).port);
  await choose('Encryption', 'none');
  await type('Sender', 'Shop <codes@shop.example>');
  await press('Add the provider');
  await read('It also sends the sign-in codes of this dashboard, so test it before you sign out.');
  await press('Send a test message');
  await read('The provider accepted the message. Check that it arrives.');
}

async function protect({ follow, press, read, type }: Person): Promise<void> {
  await follow('Home');
  await follow('Choose countries');
  await read('Leave this empty to allow all countries.');
  await type('Countries that you serve', 'us');
  await press('Save changes');
  await read('Countries saved.');
  await follow('Home');
  await read('Enter your prices');
  await follow('Set prices');
  await read('Prices: SMS');
  await type('All other countries', '0.0079');
  await press('Save changes');
  await read('Prices saved.');
  await follow('Home');
  await read('Protection uses your countries, and the daily budget uses your prices.');
}

async function sendFirstCode({ follow, press, read, type, typeCode }: Person): Promise<void> {
  await follow('Send a code');
  await read('Send yourself a test code');
  await type('Send a code to', PHONE);
  await press('Send me a test code');
  await read('Sent by SMS to');
  await typeCode('Received code', findCode(gateway));
  await press('Verify');
  await read('Next: Connect your shop or server');
}

async function callFromServer({ page, follow, press, read }: Person): Promise<void> {
  await follow('Show the steps');
  await follow('Your own code');
  await read('Waiting for your first request.');
  await press('Create a new App Secret');
  await read('New App Secret created. Copy it now.');
  const valueOf = async (name: string): Promise<string> =>
    (await page.getByRole('button', { name: `Copy ${name}`, includeHidden: true }).getAttribute('data-copy'))!;
  const clientSecret = await valueOf('App Secret');
  const program = await valueOf('program');
  const [clientId] = /pk_\w+/.exec(program)!;
  const base = passbell.url + /\/api\/v1/.exec(program)![0];
  await read('Waiting for your first request.');
  const reply = await fetch(`${base}/auth/authentication`, { headers: { clientId, clientSecret } });
  expect(await reply.json()).toMatchObject({ success: true });
  // The time of the request is stored with a delay.
  const isStored = async () => (await passbell.core.applications.service.find(clientId))!.lastUsedAt !== null;
  await until('the first request', isStored, advancing(passbell.clock, 100));
  await read('Next: Invite a colleague');
}

async function changeTemplate({ page, follow, press, read, type }: Person): Promise<void> {
  await follow('Templates');
  await read(
    'Choose a message to edit its text for each channel. Verification codes are sent when your site requests them. All other messages are sent by an automation, a workflow tool or your own program.',
  );
  await follow('Verification code');
  await read('Sent when someone must enter a code');
  await type('At the start', 'Ahoy!');
  await read('The text must contain the variable “code”: add {{ code }}.');
  await press('Save changes');
  await read('The text was not saved.');
  await type('At the start', 'Ahoy! Your code is {{ code }}.');
  await page.locator('.bubble', { hasText: 'Ahoy! Your code is 123456. It is valid for 5 minutes.' }).waitFor();
  await press('Save changes');
  await read('Saved. New messages use this text.');
  // The new text replaces the cached text, and the cooldown between two codes ends.
  passbell.clock.advance(30_000);
  const before = gateway.requests.length;
  await type('Your phone number', PHONE);
  await press('Send a test');
  await read('The provider accepted the message.');
  const { body } = await gateway.waitForRequest(before + 1);
  expect(JSON.parse(body).text).toMatch(/^Ahoy! Your code is \d{6}\. It is valid for/);
}

async function addWebhook({ page, follow, press, read, type }: Person): Promise<void> {
  await follow('Webhooks');
  await read('Create the first one. Then send it a test event.');
  await follow('New webhook');
  await press('Create webhook');
  await read('Enter a URL such as https://shop.example/events');
  await type('URL', `${hooks.url}/events`);
  await press('Create webhook');
  await read('The webhook was created. Copy its secret now, and send a test event.');
  await press('Send');
  await read('The test event was queued. The log shows the reply.');
  await until('the event', () => hooks.calls.length > 0, advancing(passbell.clock, 100));
  expect(hooks.calls[0]!.event).toMatchObject({ test: true });
  await page.getByRole('cell', { name: '204 No content', exact: true }).waitFor();
  await read('Events, newest first');
}

/** The colleague accepts the invitation in another browser, and opens the application. */
async function joinAsColleague({ page, context, follow, press, read, typeCode }: Person): Promise<void> {
  const invitation = await waitForMail(COLLEAGUE, /invited/);
  const link = /http:\S+/.exec(invitation.mail.text!)![0];
  await page.goto(link.replace(BASE_URL, passbell.url));
  await read('Welcome to Passbell');
  await press('Email me a code');
  await read("We've sent a six-digit code to");
  const { mail: codeMail } = await waitForMail(COLLEAGUE, /^\d{6} is your/);
  await typeCode('Code', codeMail.subject!.slice(0, 6));
  await press('Continue');
  await read('5 of 6 steps done.');
  await follow('Applications');
  await read('Create one for each shop, workflow or app.');
  await follow('Test Shop');
  await read('API credentials');
  await context.close();
}

async function invite({ follow, press, read, type }: Person): Promise<void> {
  await follow('Home');
  await read('5 of 7 steps done.');
  await follow('Invite');
  await read('The invitation link expires in 7 days.');
  await type('Email address', COLLEAGUE);
  await press('Send invitation');
  await read(`${COLLEAGUE} was invited. We emailed them the invitation link.`);
}

async function turnOnTwoFactor({ page, follow, press, read, typeCode }: Person): Promise<void> {
  await follow('Home');
  await follow('Turn on');
  await read('Require a code from an authenticator app');
  await press('Turn on the authenticator');
  await read('2. Enter the code that your app shows');
  const key = await page.getByRole('button', { name: 'Copy key', includeHidden: true }).getAttribute('data-copy');
  await typeCode('2. Enter the code that your app shows', codeAt(key!.replaceAll(' ', ''), passbell.clock.now()));
  await press('Turn on the authenticator');
  await read('Authenticator turned on. Save your recovery codes now.');
  await follow('Home');
  await read('Channels and queue');
  expect(await page.getByText('Get started').count()).toBe(0);
}

it.each([
  ['light', DESKTOP],
  ['dark', PHONE_SCREEN],
] as const)('takes less than six minutes (%s mode)', async (colorScheme, viewport) => {
  const look = { colorScheme, viewport };
  const owner = await openBrowser(browser, look, 'owner');
  await start(owner);
  await addGateway(owner);
  await addMailServer(owner);
  await protect(owner);
  await sendFirstCode(owner);
  await callFromServer(owner);
  await changeTemplate(owner);
  await addWebhook(owner);
  await invite(owner);
  const colleague = await openBrowser(browser, look, 'colleague');
  await joinAsColleague(colleague);
  await turnOnTwoFactor(owner);
  expect([...owner.problems, ...colleague.problems]).toEqual([]);
  expect(owner.seconds()).toBeLessThan(MAX_SECONDS);
  await owner.context.close();
});
