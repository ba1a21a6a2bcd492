/** The channels page in a real browser: set-up from a new installation to a delivered code, use without JavaScript,
 * accessibility and layout. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { findingsInAllVariants } from '../support/axe.js';
import { startBrowser } from '../support/browser.js';
import { signIn, waitForMailedCode } from '../support/dashboard.js';
import { startGatewayServer, type GatewayServer } from '../support/gateway-server.js';
import { accountOf, addGateway as addNamedGateway, waitForRoutingUpdate, setRoute } from '../support/providers.js';
import { freshPhone, startService, type TestService } from '../support/service.js';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.js';
import { until } from '../support/wait.js';

/** The public service URL, which vendors need to report deliveries. */
const BASE_URL = 'http://otp.example';
const SECRET = 'gateway-s3cret-93518';

let passbell: TestService;
let browser: Browser;
let gateway: GatewayServer;
let mail: TestSmtpServer;
beforeAll(async () => void (browser = await startBrowser()));
afterAll(() => browser?.close());
beforeEach(async () => {
  [gateway, mail] = [await startGatewayServer(), await startSmtpServer()];
  gateway.respondWith(({ path }) => ({ status: 200, body: { id: 'gw-1', secret: SECRET, path } }));
  passbell = await startService({ BASE_URL });
});
afterEach(async () => {
  await passbell?.stop();
  await Promise.all([gateway.close(), mail.close()]);
});

async function open(options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('status of 4')) errors.push(message.text());
  });
  page.on('pageerror', (error) => void errors.push(error.message));
  return { context, page, errors };
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Signs in with the start link of a new installation. */
async function start(page: Page): Promise<void> {
  await page.goto(`${passbell.url}/dashboard/start?key=${await passbell.core.people.service.inviteFirst()}`);
  await page.getByLabel('Email address').fill('ana@shop.example');
  await press(page, 'Email me a code');
  await page.getByLabel('Code').fill(await waitForMailedCode(passbell, 'ana@shop.example'));
  await press(page, 'Continue');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Channels' }).click();
}

async function addMailServer(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Add a provider', exact: true }).first().click();
  await page.getByRole('link', { name: 'Set up Mail server (SMTP)' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Shop mail');
  await page.getByLabel('Server').fill('127.0.0.1');
  await page.getByLabel('Port').fill(new URL(mail.url).port);
  await page.getByLabel('Encryption').selectOption('none');
  await page.getByLabel('Sender').fill('Shop <codes@shop.example>');
  await press(page, 'Add the provider');
  await page.getByText('Shop mail was added.').waitFor();
}

async function addGateway(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Channels' }).click();
  await page.getByRole('link', { name: 'Add a provider', exact: true }).click();
  await page.getByRole('link', { name: 'Set up Other gateway (HTTP)' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Local SMS');
  await page.getByLabel('Address', { exact: true }).fill(`${gateway.url}/send`);
  await page
    .getByLabel('Request body', { exact: true })
    .fill('{"to": "{{ to }}", "text": "{{ text }}", "dlr": "{{ callbackUrl }}"}');
  await page.getByLabel('Authentication', { exact: true }).selectOption('bearer');
  await page.locator('[name="secret-secret"]').fill(SECRET);
  await page.getByLabel('Message ID (optional)', { exact: true }).fill('id');
  await page.getByText('More settings').click();
  await page.getByLabel('Report: state (optional)').fill('status');
  await page.getByLabel('Report: message ID').fill('id');
  await page.getByLabel('Report: words for each state').fill('delivered = OK');
  await press(page, 'Add the provider');
  await page.getByText('Local SMS was added.').waitFor();
}

it('a shop owner sets up email and SMS, tests both, and sees that a code was delivered', async () => {
  const { context, page, errors } = await open();
  await start(page);
  await addMailServer(page);
  await press(page, 'Check the credentials');
  await page.getByText('The credentials are valid.').waitFor();
  expect(await page.getByLabel('Your email address').inputValue()).toBe('ana@shop.example');
  await press(page, 'Send a test message');
  await page.getByText('The provider accepted the message').waitFor();
  expect((await mail.waitForMail(1)).envelope.to).toEqual(['ana@shop.example']);

  await addGateway(page);
  await page.getByLabel('Your phone number').fill('+1 415 555 0188');
  await press(page, 'Show the request');
  await page.getByText(`POST ${gateway.url}/send`).waitFor();
  expect(gateway.requests).toHaveLength(0);
  await press(page, 'Send a test message');
  await page.getByText("The provider's ID for the message is gw-1").waitFor();
  expect(await page.getByRole('region', { name: "the provider's reply" }).textContent()).toContain('"secret":"••••"');
  expect(await page.content()).not.toContain(SECRET);

  await page.goto(`${passbell.url}/dashboard/applications/${passbell.keys.appKey}/connect`);
  await page.getByLabel('Send a code to').fill('+1 415 555 0199');
  await press(page, 'Send me a test code');
  const { body, headers } = await gateway.waitForRequest(2);
  expect(headers.authorization).toBe(`Bearer ${SECRET}`);
  const { to, dlr } = JSON.parse(body);
  expect(to).toBe('+14155550199');
  await page.getByText('Sent by SMS to').waitFor();
  const report = new URLSearchParams({ id: 'gw-1', status: 'OK' });
  const reported = await fetch(dlr.replace(BASE_URL, passbell.url), { method: 'POST', body: report });
  expect(reported.status).toBe(204);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Messages' }).click();
  await page.getByRole('link', { name: '+1415*****99' }).click();
  await page.locator('#timeline').waitFor({ state: 'attached' });
  await page.getByText('Delivered', { exact: true }).first().waitFor();
  await page.getByText('Local SMS').first().waitFor();
  expect(errors).toEqual([]);
  await context.close();
});

/** Opens a browser as an owner of the operator's account. */
async function openAsOwner(options: BrowserContextOptions = {}) {
  const opened = await open(options);
  const [name, value] = (await signIn(passbell)).cookies().split('=') as [string, string];
  await opened.context.addCookies([{ name, value, url: passbell.url }]);
  await opened.page.goto(`${passbell.url}/dashboard/channels`);
  return opened;
}

/** Selects a CSV file, and opens the preview of its changes. */
async function importPrices(page: Page): Promise<void> {
  await page.getByText('Import a price list').click();
  // The script that reads the file also shows the field.
  await page.getByLabel('CSV file').waitFor();
  const buffer = Buffer.from('country,price\nIN,0.0042\nDE,0.0755\n*,0.05\n');
  await page.getByLabel('CSV file').setInputFiles({ name: 'prices.csv', mimeType: 'text/csv', buffer });
  await until('the list', async () =>
    (await page.getByRole('textbox', { name: 'Price list' }).inputValue()).includes('0.0042'),
  );
  await press(page, 'Preview the import');
  await page.getByText('Nothing is saved yet').waitFor();
}

it('sets prices from a CSV file, and distributes messages by weight', async () => {
  const { context, page, errors } = await openAsOwner();
  await addNamedGateway(passbell, 'First SMS', gateway);
  await addNamedGateway(passbell, 'Second SMS', gateway);
  await page.reload();
  await page.getByRole('link', { name: 'Set prices for SMS' }).click();
  await importPrices(page);
  await page.getByRole('button', { name: 'Add a country' }).waitFor();
  await press(page, 'Save changes');
  await page.getByText('Prices saved.').waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Channels' }).click();
  await page.getByText('0.0500 USD per SMS. 2 countries have their own prices.').waitFor();
  await page.getByText('Weights and automatic order', { exact: true }).click();
  await page.getByRole('textbox', { name: 'First SMS' }).fill('70');
  await page.getByRole('textbox', { name: 'Second SMS' }).fill('30');
  await press(page, 'Save the weights');
  await page.getByText('70% of messages').waitFor();
  expect(errors).toEqual([]);
  await context.close();
});

it('the channels page works without JavaScript', async () => {
  const { context, page } = await openAsOwner({ javaScriptEnabled: false });
  await page.goto(`${passbell.url}/dashboard/channels/add/http-gateway`);
  const account = page.getByRole('group', { name: 'Account' });
  for (const [authentication, ...fields] of [
    ['None'],
    ['Username and password in the request', 'Username', 'Password or API key'],
    ['Username and password (Basic)', 'Username', 'Password'],
    ['Bearer token', 'Token'],
    ['Header', 'Name of the header', 'Value of the header'],
    ['Query parameter', 'Name of the parameter', 'Value of the parameter'],
  ] as const) {
    await page.getByLabel('Authentication', { exact: true }).selectOption({ label: authentication });
    const labels = account.locator('label').filter({ visible: true });
    expect(await labels.allInnerTexts()).toEqual(['Authentication', ...fields]);
  }
  await page.goto(`${passbell.url}/dashboard/channels`);
  await addGateway(page);
  // Without a route, providers are tried in the order in which they were added.
  passbell.clock.advance(1000);
  await press(page, 'Send a test message');
  await page.getByText('Enter your phone number with').first().waitFor();
  await page.getByLabel('Your phone number').fill(freshPhone());
  await press(page, 'Send a test message');
  await page.getByText('The provider accepted the message.').waitFor();
  await page.goto(`${passbell.url}/dashboard/channels/add/sms-gate`);
  await page.getByLabel('Server').fill(gateway.url);
  await page.getByLabel('Username').fill('shop');
  await page.getByLabel('Password').fill('phone-s3cret');
  await press(page, 'Add the provider');
  await page.getByText('SMSGate (Android) was added.').waitFor();
  await page.goto(`${passbell.url}/dashboard/channels`);
  await press(page, 'Move up: SMSGate (Android)');
  await page.getByText('SMSGate (Android) was moved up in SMS, all countries.').waitFor();
  await press(page, 'Undo');
  await page.getByText('The route was restored: SMS, all countries.').waitFor();
  await page.getByText('Add a country', { exact: true }).click();
  await page.getByRole('combobox', { name: 'Country' }).fill('IN');
  await press(page, 'Add the country');
  await page.getByRole('heading', { name: 'India' }).waitFor();
  await context.close();
});

it('on a phone, each provider has its name and state on one line, above aligned facts', async () => {
  const { context, page } = await openAsOwner({ viewport: { width: 375, height: 812 } });
  await addNamedGateway(passbell, 'First SMS', gateway);
  await addNamedGateway(passbell, 'Second SMS', gateway);
  await page.reload();
  for (const row of await page.locator('.provider-list tbody tr').all()) {
    const name = (await row.getByRole('link').boundingBox())!;
    const state = (await row.locator('.badge').boundingBox())!;
    expect(Math.abs(name.y + name.height / 2 - state.y - state.height / 2)).toBeLessThan(4);
    const facts = await row.locator('td:visible:not([data-title="Provider"], [data-title="State"]) > div').all();
    expect(facts.length).toBeGreaterThan(0);
    const starts = await Promise.all(facts.map(async (fact) => (await fact.boundingBox())!.x));
    expect(new Set(starts).size).toBe(1);
  }
  await context.close();
});

it('the channels page is accessible and fits the screen, light and dark', async () => {
  const { context, page, errors } = await openAsOwner();
  await addGateway(page);
  const provider = page.url();
  const [first] = await passbell.core.providers.service.list(OPERATOR, await accountOf(passbell));
  const second = await addNamedGateway(passbell, 'Second SMS', gateway);
  await setRoute(passbell, 'SMS', '*', { provider: first!.id, weight: 70 }, { provider: second.id, weight: 30 });
  await setRoute(passbell, 'SMS', 'IN', second.id);
  await waitForRoutingUpdate(passbell);
  const keys = await passbell.application({ settings: { countries: ['US'] } });
  for (let n = 0; n < 5; n++) await passbell.post('/auth/sendotp', { to: freshPhone(), authWay: 'SMS' }, { keys });
  const found: string[] = [];
  for (const [look, path] of Object.entries({ channels: '', types: '/add', form: '/add/http-gateway' })) {
    await page.goto(`${passbell.url}/dashboard/channels${path}`);
    found.push(...(await findingsInAllVariants(page, look, [375, 1440])));
  }
  await page.goto(`${passbell.url}/dashboard/channels/prices/sms`);
  await importPrices(page);
  found.push(...(await findingsInAllVariants(page, 'prices', [375, 1440])));
  await page.goto(provider);
  await page.getByLabel('Your phone number').fill('+1 415 555 0188');
  await press(page, 'Show the request');
  await page.getByText('This request would be sent.').waitFor();
  found.push(...(await findingsInAllVariants(page, 'provider', [375, 1440])));
  expect(found).toEqual([]);
  expect(errors).toEqual([]);
  await context.close();
});
