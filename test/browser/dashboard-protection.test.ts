/** The Protection page in a real browser: use without JavaScript, accessibility, narrow and wide screens. */
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { findings, findingsInAllVariants } from '../support/axe.js';
import { startBrowser } from '../support/browser.js';
import { signIn } from '../support/dashboard.js';
import { numbers, startGuardedService, type GuardedService } from '../support/guarded-service.js';
import { until } from '../support/wait.js';

const PREFIX = '+141555511';
const OTHER_PREFIX = '+121255512';

let service: GuardedService;
let browser: Browser;
beforeAll(async () => {
  service = await startGuardedService({}, { '*': '0.08' });
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

async function open(options: BrowserContextOptions = {}) {
  const visitor = await signIn(service.passbell);
  const [name, value] = visitor.cookies().split('=') as [string, string];
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1440, height: 900 }, ...options });
  await context.addCookies([{ name, value, url: service.passbell.url }]);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    // The browser logs the 422 reply to an invalid form as an error.
    if (message.type() === 'error' && !message.text().includes('422')) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  const go = () => page.goto(`${service.passbell.url}/dashboard/applications/${service.keys.appKey}/protection`);
  return { page, errors, go, close: () => context.close() };
}

it('every state is accessible and fits the screen, narrow and wide, light and dark', async () => {
  const { page, errors, go, close } = await open();
  const found: string[] = [];
  const check = async (state: string) => void found.push(...(await findingsInAllVariants(page, state, [375, 1440])));
  await go();
  await check('protection-empty');

  await service.sendToAll(numbers('+4474001234', 21));
  await go();
  await page.getByRole('button', { name: 'Add to served countries' }).waitFor();
  await check('protection-refused');

  await service.learnConversion();
  for (const to of numbers(OTHER_PREFIX, 5)) await service.verify(to);
  await service.sendToAll([...numbers('+3367000001', 3), ...numbers(PREFIX, 10)]);
  expect(await service.send(`${PREFIX}50`)).toMatchObject({ code: 'FRAUD_SUSPECTED' });
  const { applications, fraud } = service.passbell.core;
  const application = await applications.service.load(service.keys.appKey);
  await fraud.pauses.act(OPERATOR, application, { scope: 'country', key: 'BR' }, 'pause');
  await fraud.pauses.act(OPERATOR, application, { scope: 'country', key: 'GB' }, 'allow');
  await fraud.pauses.act(OPERATOR, application, { scope: 'prefix', key: '+33670000' }, 'allowForEver');
  await go();
  await page.getByText('Paused manually since ').waitFor();
  await check('protection');

  await page.getByText('Pause messages').click();
  await page.getByLabel('Country or first digits').first().fill('Atlantis');
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.getByRole('alert').waitFor();
  await check('protection-pause-mistake');
  expect(found).toEqual([]);
  expect(errors).toEqual([]);
  await close();
});

it('pausing, resuming and allowing work without JavaScript', async () => {
  const { page, go, close } = await open({ javaScriptEnabled: false });
  await go();
  await page.getByText('Pause messages').click();
  await page.getByLabel('What to pause').selectOption('country');
  await page.getByLabel('Country or first digits').first().fill('Argentina');
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.getByText('Paused: Argentina.').waitFor();
  await page.getByRole('button', { name: 'Resume: Argentina' }).click();
  await page.getByText('Resumed: Argentina.').waitFor();
  await page.getByText('Allow messages').click();
  await page.getByLabel('What to allow').selectOption('country');
  await page.getByLabel('Country or first digits').last().fill('Brazil');
  await page.getByLabel('For how long').selectOption('3 days');
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.getByText('Allowed for 3 days: Brazil.').waitFor();
  await close();
});

it('pausing the whole application and erasing a recipient need a confirmation', async () => {
  const { page, errors, go, close } = await open();
  const questions: string[] = [];
  /** Presses a button, which asks a question. */
  async function press(name: string, isAccepted: boolean): Promise<void> {
    const button = page.getByRole('button', { name, exact: true });
    await button.click();
    const dialog = page.getByRole('dialog', { name: /\?$/ });
    questions.push(await dialog.getByRole('heading').innerText());
    expect(await dialog.getByRole('button', { name: 'Cancel' }).evaluate((element) => element.matches(':focus'))).toBe(
      true,
    );
    expect(await findings(page)).toEqual([]);
    if (isAccepted) return dialog.getByRole('button', { name, exact: true }).click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await button.evaluate((element) => element.matches(':focus'))).toBe(true);
  }
  await go();
  await page.getByText('Pause messages').click();
  await page.getByLabel('What to pause').selectOption('The whole application');
  await press('Pause', false);
  expect(questions).toEqual(['Pause the whole application?']);
  await page.getByLabel('What to pause').selectOption('A country or similar numbers');
  await page.getByLabel('Country or first digits').first().fill('PE');
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.getByText('Paused: Peru.').waitFor();
  expect(questions).toHaveLength(1);
  await page.getByText('Pause messages').click();
  await page.getByLabel('What to pause').selectOption('The whole application');
  await press('Pause', true);
  await page.getByText('The whole application is paused until').waitFor();
  await page.goto(`${service.passbell.url}/dashboard/recipients/erase`);
  await page.getByRole('button', { name: 'Erase this recipient' }).click();
  await page.getByRole('link', { name: 'Enter a phone number or an email address.' }).waitFor();
  await page.getByRole('textbox', { name: 'Recipient' }).fill('+14155550100');
  await press('Erase this recipient', false);
  await press('Erase this recipient', true);
  await page.getByText('Nothing is stored about this recipient.').waitFor();
  expect(questions.slice(1)).toEqual([
    'Pause the whole application?',
    'Erase this recipient from all applications?',
    'Erase this recipient from all applications?',
  ]);
  expect(errors).toEqual([]);
  await close();
});

it('shows the limit of your own country at the chosen level, and names the level as unsaved, also after a rejected save', async () => {
  await service.useNewApplication();
  await service.learnConversion();
  const { page, go, close } = await open();
  await go();
  await page.getByRole('link', { name: 'Settings', exact: true }).last().click();
  const home = page.getByRole('region', { name: 'Unused codes in your own country' });
  // A locator would also match the hidden numbers of other levels.
  const untilLimit = (people: number) =>
    until('the limit', async () => (await home.innerText()).includes(`Above ${people} more people than usual`));
  await page.getByRole('radio', { name: 'Strict' }).check();
  await page.getByText('Unsaved changes: Protection level').waitFor();
  await untilLimit(33);
  await page.getByRole('radio', { name: 'Relaxed' }).check();
  await untilLimit(130);
  await page.getByText('View or change the limits.').click();
  await page.locator('summary').filter({ hasText: 'One IP address' }).click();
  await page.getByLabel('One IP address').and(page.locator('input')).fill('many');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('There is a problem.').waitFor();
  await page.getByText('Unsaved changes: Protection level, Protection limits').waitFor();
  await untilLimit(130);
  await page.getByRole('button', { name: 'Discard' }).click();
  await untilLimit(65);
  await close();
});

it('the settings are accessible and fit the screen, without a challenge and with one', async () => {
  const { page, errors, go, close } = await open();
  const found: string[] = [];
  for (const kind of ['off', 'altcha'] as const) {
    await service.passbell.core.applications.service.update(OPERATOR, service.keys.appKey, { challenge: { kind } });
    await go();
    await page.getByRole('link', { name: 'Settings', exact: true }).last().click();
    await page.getByText('Require a challenge').waitFor();
    for (const group of await page.locator('summary').all()) await group.click();
    found.push(...(await findingsInAllVariants(page, `settings-${kind}`, [375, 1440])));
  }
  expect(found).toEqual([]);
  expect(errors).toEqual([]);
  await close();
});
